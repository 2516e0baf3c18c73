//! Semihosting: files of the host, by handle. One breakpoint a call, a few microseconds.

use core::arch::asm;

const OPEN: u32 = 0x01;
const CLOSE: u32 = 0x02;
const WRITE: u32 = 0x05;
const READ: u32 = 0x06;
const SEEK: u32 = 0x0A;
const LENGTH: u32 = 0x0C;
const COMMAND_LINE: u32 = 0x15;
const EXIT: u32 = 0x20;

/// How a file is opened: the modes of fopen, numbered (ARM semihosting, SYS_OPEN).
#[derive(Clone, Copy)]
pub(crate) enum Mode {
    /// `rb`.
    Read = 1,
    /// `r+b`.
    Change = 3,
    /// `wb`; of `:tt`, the host's standard output.
    Write = 5,
    /// `w+b`.
    Create = 7,
}

fn call(operation: u32, block: *const u32) -> u32 {
    let result;
    // SAFETY: a semihosting call of QEMU; `block` holds what the operation wants.
    unsafe {
        asm!("bkpt 0xab", inlateout("r0") operation => result, in("r1") block, options(nostack));
    }
    result
}

/// A file of the host.
#[derive(Clone, Copy)]
pub(crate) struct File(u32);

impl File {
    /// Opens `path`, which ends in a zero byte.
    pub(crate) fn open(path: &[u8], mode: Mode) -> Option<Self> {
        let length = path.len().checked_sub(1)? as u32;
        let handle = call(OPEN, [path.as_ptr() as u32, mode as u32, length].as_ptr());
        (handle != u32::MAX).then_some(Self(handle))
    }

    /// Closes it.
    pub(crate) fn close(self) {
        call(CLOSE, [self.0].as_ptr());
    }

    /// Writes all bytes; whether that worked.
    pub(crate) fn write(self, bytes: &[u8]) -> bool {
        call(WRITE, [self.0, bytes.as_ptr() as u32, bytes.len() as u32].as_ptr()) == 0
    }

    /// Reads as many bytes as fit; whether all came.
    pub(crate) fn read(self, bytes: &mut [u8]) -> bool {
        self.read_to(bytes.as_mut_ptr() as u32, bytes.len() as u32)
    }

    /// Reads into memory at an address. QEMU writes as a debugger does: also into flash, which
    /// no store of the processor reaches.
    pub(crate) fn read_to(self, address: u32, length: u32) -> bool {
        call(READ, [self.0, address, length].as_ptr()) == 0
    }

    /// Goes to a place from the start.
    pub(crate) fn seek(self, place: u32) -> bool {
        call(SEEK, [self.0, place].as_ptr()) == 0
    }

    /// Its length.
    pub(crate) fn length(self) -> u32 {
        match call(LENGTH, [self.0].as_ptr()) {
            u32::MAX => 0,
            length => length,
        }
    }
}

/// The command line, as the host gave it, and its length.
pub(crate) fn command_line(into: &mut [u8]) -> Option<usize> {
    let block = [into.as_mut_ptr() as u32, into.len() as u32];
    // The block's second word is what QEMU writes the length to.
    let answer = call(COMMAND_LINE, block.as_ptr());
    // SAFETY: QEMU has changed the block behind the compiler's back.
    let length = unsafe { block.as_ptr().add(1).read_volatile() } as usize;
    (answer == 0 && length <= into.len()).then_some(length)
}

/// Ends QEMU with this exit code.
pub(crate) fn exit(code: u32) -> ! {
    const APPLICATION_EXIT: u32 = 0x20026;
    loop {
        call(EXIT, [APPLICATION_EXIT, code].as_ptr());
    }
}

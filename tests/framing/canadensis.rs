//! A second opinion on both framings: canadensis, by other authors.
//!
//! Random transfers of all kinds go both ways, and both sides must put the same bytes on
//! the wire.

use std::collections::VecDeque;
use std::convert::Infallible;

use crate::harness::*;
use canadensis_can::driver as can_driver;
use canadensis_can::{CanNodeId, CanReceiver, CanTransmitter, CanTransport, Mtu};
use canadensis_core::subscription::{DynamicSubscriptionManager, Subscription as Wanted};
use canadensis_core::time::{Clock, MicrosecondDuration32, Microseconds32};
use canadensis_core::transfer::{
    Header as TheirHeader, MessageHeader, ServiceHeader, Transfer as TheirTransfer,
};
use canadensis_core::transport::{Receiver as _, Transmitter as _, Transport};
use canadensis_core::{OutOfMemoryError, nb};
use canadensis_serial::driver as serial_driver;
use canadensis_serial::{SerialNodeId, SerialReceiver, SerialTransmitter, Subscription};
use croupier::protocol::framing::can::{Frame, Receiver};
use croupier::protocol::framing::serial::{Decoder, encode, most_bytes};
use croupier::protocol::transfer::{Header, Port, Priority, ServiceId, SubjectId};
use embedded_can::{ExtendedId, Id};

/// Times every length is tried.
const ROUNDS: usize = 6;
const LONG_AGO: MicrosecondDuration32 = MicrosecondDuration32::from_ticks(2_000_000);
const NOW: Microseconds32 = Microseconds32::from_ticks(7);

struct Stopped;

impl Clock for Stopped {
    fn now(&mut self) -> Microseconds32 {
        NOW
    }
}

/// A wire of frames or bytes with both ends here.
#[derive(Default)]
struct Wire<T>(VecDeque<T>);

impl<C: Clock> can_driver::TransmitDriver<C> for Wire<canadensis_can::Frame> {
    type Error = Infallible;

    fn try_reserve(&mut self, _: usize) -> Result<(), OutOfMemoryError> {
        Ok(())
    }

    fn transmit(
        &mut self,
        frame: canadensis_can::Frame,
        _: &mut C,
    ) -> nb::Result<Option<canadensis_can::Frame>, Infallible> {
        self.0.push_back(frame);
        Ok(None)
    }

    fn flush(&mut self, _: &mut C) -> nb::Result<(), Infallible> {
        Ok(())
    }
}

impl<C: Clock> can_driver::ReceiveDriver<C> for Wire<canadensis_can::Frame> {
    type Error = Infallible;

    fn receive(&mut self, _: &mut C) -> nb::Result<canadensis_can::Frame, Infallible> {
        self.0.pop_front().ok_or(nb::Error::WouldBlock)
    }

    fn apply_filters<S: IntoIterator<Item = Wanted>>(&mut self, _: Option<CanNodeId>, _: S) {}

    fn apply_accept_all(&mut self) {}
}

impl serial_driver::TransmitDriver for Wire<u8> {
    type Error = Infallible;

    fn send_byte(&mut self, byte: u8) -> nb::Result<(), Infallible> {
        self.0.push_back(byte);
        Ok(())
    }
}

impl serial_driver::ReceiveDriver for Wire<u8> {
    type Error = Infallible;

    fn receive_byte(&mut self) -> nb::Result<u8, Infallible> {
        self.0.pop_front().ok_or(nb::Error::WouldBlock)
    }
}

/// Our transfer in their words.
fn theirs<T>(transfer: &Owned, transfer_id: T::TransferId) -> TheirTransfer<Vec<u8>, T>
where
    T: Transport<Priority = canadensis_core::Priority>,
{
    let node = |number: u8| T::NodeId::try_from(u16::from(number)).unwrap();
    let timestamp = NOW;
    let priority = canadensis_core::Priority::try_from(transfer.header.priority as u8).unwrap();
    let source = transfer.header.source.map(|source| node(source.get()));
    let service = |service: ServiceId, to: u8, transfer_id| ServiceHeader {
        timestamp,
        transfer_id,
        priority,
        service: service.get().try_into().unwrap(),
        source: source.clone().unwrap(),
        destination: node(to),
    };
    let header = match transfer.header.port {
        Port::Message(subject) => TheirHeader::Message(MessageHeader {
            timestamp,
            transfer_id,
            priority,
            subject: subject.get().try_into().unwrap(),
            source,
        }),
        Port::Request(id, to) => TheirHeader::Request(service(id, to.get(), transfer_id)),
        Port::Response(id, to) => TheirHeader::Response(service(id, to.get(), transfer_id)),
    };
    TheirTransfer { header, loopback: false, payload: transfer.payload.clone() }
}

/// Their transfer in our words.
fn ours<T>(transfer: TheirTransfer<Vec<u8>, T>, number: fn(&T::TransferId) -> u64) -> Owned
where
    T: Transport<Priority = canadensis_core::Priority>,
{
    let our_node = |theirs: &T::NodeId| node(Into::<u16>::into(theirs.clone()) as u8);
    let service = |header: &ServiceHeader<T>| {
        let service = ServiceId::new(header.service.into()).unwrap();
        (service, our_node(&header.destination))
    };
    let port = match &transfer.header {
        TheirHeader::Message(header) => {
            Port::Message(SubjectId::new(header.subject.into()).unwrap())
        }
        TheirHeader::Request(header) => Port::Request(service(header).0, service(header).1),
        TheirHeader::Response(header) => Port::Response(service(header).0, service(header).1),
    };
    let header = Header {
        priority: Priority::from_code(*transfer.header.priority() as u8).unwrap(),
        port,
        source: transfer.header.source().map(our_node),
        transfer_id: number(transfer.header.transfer_id()),
    };
    Owned { header, payload: transfer.payload }
}

/// Makes one of their receivers listen on `port`.
fn subscribe<C, R>(receiver: &mut R, port: Port, driver: &mut R::Driver)
where
    C: Clock,
    R: canadensis_core::transport::Receiver<C>,
{
    let done = match port {
        Port::Message(subject) => {
            let subject = subject.get().try_into().unwrap();
            receiver.subscribe_message(subject, LONGEST, LONG_AGO, driver).is_ok()
        }
        Port::Request(service, _) => {
            let service = service.get().try_into().unwrap();
            receiver.subscribe_request(service, LONGEST, LONG_AGO, driver).is_ok()
        }
        Port::Response(service, _) => {
            let service = service.get().try_into().unwrap();
            receiver.subscribe_response(service, LONGEST, LONG_AGO, driver).is_ok()
        }
    };
    assert!(done);
}

/// Their frames of a transfer.
fn their_frames(transfer: &Owned) -> Vec<canadensis_can::Frame> {
    let mut wire = Wire::default();
    let mut sender = CanTransmitter::new(Mtu::Can8);
    let number = (transfer.header.transfer_id % 32) as u8;
    let transfer = theirs::<CanTransport>(transfer, number.try_into().unwrap());
    sender.push(transfer, &mut Stopped, &mut wire).unwrap();
    wire.0.into()
}

fn raw(frame: &Frame) -> u32 {
    match frame.id() {
        Id::Extended(id) => id.as_raw(),
        Id::Standard(_) => panic!("Cyphal has 29 bits"),
    }
}

// Issue 3: canadensis as a second oracle on CAN, byte for byte.
#[test]
fn both_sides_cut_a_transfer_into_the_same_frames() {
    let mut dice = Dice(31);
    for length in (0..=LONGEST).cycle().take(ROUNDS * (LONGEST + 1)) {
        let transfer = any_transfer(&mut dice, length);
        let theirs = their_frames(&transfer);
        let ours = transfer.frames();
        assert_eq!(ours.len(), theirs.len(), "{transfer:?}");
        // A sender without a number makes one up, and each implementation has its way.
        let made_up = if transfer.header.source.is_none() { 0x7F } else { 0 };
        for (ours, theirs) in ours.iter().zip(&theirs) {
            assert_eq!(raw(ours) & !made_up, u32::from(theirs.id()) & !made_up, "{transfer:?}");
            assert_eq!(ours.data(), theirs.data(), "{transfer:?}");
        }
    }
}

#[test]
fn they_join_our_frames_and_we_join_theirs() {
    let mut dice = Dice(32);
    let mut rx = Receiver::<8, LONGEST>::for_node(NODE);
    for (turn, length) in (0..=LONGEST).cycle().take(ROUNDS * (LONGEST + 1)).enumerate() {
        let transfer = any_transfer(&mut dice, length);
        let expected = transfer.clone().on_can();

        let mut wire = Wire::default();
        let mut receiver = CanReceiver::new(CanNodeId::try_from(NODE.get()).unwrap());
        subscribe::<Stopped, _>(&mut receiver, transfer.header.port, &mut wire);
        wire.0.extend(transfer.frames().iter().map(|frame| {
            canadensis_can::Frame::new(NOW, raw(frame).try_into().unwrap(), frame.data())
        }));
        let received = receiver.receive(&mut Stopped, &mut wire).unwrap().expect("they understand");
        assert_eq!(ours::<CanTransport>(received, |id| id.to_u8().into()), expected);

        let now = at(3_000 * turn as u64);
        let received = their_frames(&transfer).iter().find_map(|frame| {
            let id = ExtendedId::new(frame.id().into()).unwrap();
            let frame = Frame::new(id, frame.data()).unwrap();
            rx.accept(&frame, now, &Everything(LONGEST)).map(Owned::from)
        });
        assert_eq!(received, Some(expected));
    }
}

fn our_bytes(transfer: &Owned) -> Vec<u8> {
    let mut out = vec![0; most_bytes(transfer.payload.len())];
    encode(&transfer.lend(), &mut out).unwrap().to_vec()
}

fn their_bytes(transfer: &Owned) -> Vec<u8> {
    let mut wire = Wire::default();
    let mut sender = SerialTransmitter::<_, 1_000>::new();
    let transfer = theirs(transfer, transfer.header.transfer_id.into());
    sender.push(transfer, &mut Stopped, &mut wire).unwrap();
    sender.flush(&mut Stopped, &mut wire).unwrap();
    wire.0.into()
}

/// What their receiver makes of our bytes.
fn they_read(transfer: &Owned) -> Owned {
    type TheirRx = SerialReceiver<Stopped, Wire<u8>, DynamicSubscriptionManager<Subscription>>;
    let mut wire = Wire(our_bytes(transfer).into());
    let mut receiver = TheirRx::new(SerialNodeId::try_from(u16::from(NODE.get())).unwrap());
    subscribe::<Stopped, _>(&mut receiver, transfer.header.port, &mut wire);
    let received = receiver.receive(&mut Stopped, &mut wire).unwrap().expect("they understand");
    ours(received, |&id| id.into())
}

/// Whether a zero comes right behind 254 bytes without one, where canadensis 0.6 errs.
fn meets_their_error(ours: &[u8]) -> bool {
    let mut at = 1;
    while let Some(&code) = ours.get(at).filter(|&&code| code != 0) {
        at += usize::from(code);
        if code == 0xFF && ours.get(at) == Some(&1) {
            return true;
        }
    }
    false
}

// Issue 3: canadensis as a second oracle on serial, byte for byte.
#[test]
fn both_sides_write_a_transfer_as_the_same_bytes() {
    let mut dice = Dice(33);
    let mut errors = 0;
    for length in (0..=LONGEST).cycle().take(ROUNDS * (LONGEST + 1)) {
        let transfer = any_transfer(&mut dice, length);
        let ours = our_bytes(&transfer);
        if meets_their_error(&ours) {
            errors += 1;
        } else {
            assert_eq!(ours, their_bytes(&transfer), "{transfer:?}");
        }
    }
    assert!(errors < 10, "rare with random bytes: {errors}");
}

#[test]
fn they_read_our_bytes_and_we_read_theirs() {
    let mut dice = Dice(34);
    let mut rx = Decoder::<LONGEST>::for_node(NODE);
    for length in (0..=LONGEST).cycle().take(ROUNDS * (LONGEST + 1)) {
        let transfer = any_transfer(&mut dice, length);
        assert_eq!(they_read(&transfer), transfer);
        if meets_their_error(&our_bytes(&transfer)) {
            continue;
        }
        let received = their_bytes(&transfer)
            .iter()
            .find_map(|&byte| rx.accept(byte, &Everything(LONGEST)).map(Owned::from));
        assert_eq!(received, Some(transfer));
    }
}

/// After 254 bytes without a zero, canadensis 0.6 loses a zero that follows at once, so
/// that no receiver can read its frame. Ours keeps it, and they can read it.
#[test]
fn a_zero_right_behind_a_full_block_is_where_they_err() {
    let mut transfer = message(5, 6144, 1, 0);
    // Between the header's last zero and the payload lie the two bytes of its checksum.
    transfer.payload = vec![0xC5; 252];
    transfer.payload.push(0);
    let (bytes, theirs) = (our_bytes(&transfer), their_bytes(&transfer));
    assert!(meets_their_error(&bytes));
    assert_eq!(bytes.len(), theirs.len() + 1);
    let read = |bytes: &[u8]| {
        let mut rx = Decoder::<LONGEST>::for_node(NODE);
        bytes.iter().find_map(|&byte| rx.accept(byte, &Everything(LONGEST)).map(Owned::from))
    };
    assert_eq!(read(&theirs), None);
    assert_eq!(read(&bytes), Some(transfer.clone()));
    assert_eq!(they_read(&transfer), transfer);
}

//! What moves DMA1 and the two peripherals it serves.

use super::Dma;
use super::channel::Request;
use crate::breach::Breach;
use crate::context::{Context, Width};
use crate::models::spi::Spi;
use crate::models::usart::Usart;
use crate::parts::SpiBus;

/// Moves everything that is due up to `cx.now`: bytes of SPI1 to and from its part, and what
/// enabled channels bring and take meanwhile.
///
/// It is called before and after each access to DMA1, SPI1 or USART3, before an edge of the
/// part's pin is passed on, and when one of them has something due. The bytes of a transfer
/// move together, once their time has passed; each is exchanged at its own time.
pub fn serve(
    dma: &mut Dma,
    spi: &mut Spi,
    usart3: &mut Usart,
    bus: &mut SpiBus,
    cx: &mut Context<'_>,
) -> Result<(), Breach> {
    usart3.advance(cx)?;
    while usart3.tx_request()
        && let Some(channel) = dma.serving(Request::Usart3Tx)
    {
        let item = channel.take(cx);
        usart3.put(item as u8, cx)?;
    }
    let moved = move_spi(dma, spi, bus, cx);
    spi.expect(dma.left(Request::SpiTx), dma.left(Request::SpiRx));
    spi.drive_line(cx);
    dma.drive_lines(cx);
    moved
}

fn move_spi(
    dma: &mut Dma,
    spi: &mut Spi,
    bus: &mut SpiBus,
    cx: &mut Context<'_>,
) -> Result<(), Breach> {
    spi.check(bus, cx)?;
    loop {
        while spi.rx_request()
            && let Some(channel) = dma.serving(Request::SpiRx)
        {
            let width = if channel.peripheral_size() == 1 { Width::Byte } else { Width::Half };
            channel.put(spi.read_data(width)?, cx);
        }
        while spi.tx_request()
            && let Some(channel) = dma.serving(Request::SpiTx)
        {
            let count = channel.peripheral_size().min(2) as usize;
            let item = channel.take(cx);
            spi.push(item, count)?;
        }
        if !spi.step(bus, cx)? {
            return Ok(());
        }
    }
}

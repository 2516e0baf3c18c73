//! What a USART refuses.

use super::tests::*;
use super::*;

#[test]
fn rates_within_two_percent_pass_and_others_do_not() {
    let set_up = |usart: Usart, brr: u32, cr1: u32| {
        let mut uart = Buffered::bare(usart);
        uart.store(BRR, brr);
        uart.try_store(CR1, cr1 | cr1::UE)
    };
    let display = || Usart::new(Line::Usart3, Stream::Display);
    for brr in [694, 694 * 99 / 100, 694 * 101 / 100] {
        assert_eq!(set_up(link(), brr, 0), Ok(()));
    }
    assert_eq!(set_up(link(), 0x56C3, 0).unwrap_err().register, "USART_BRR");
    assert_eq!(set_up(display(), 8333, 0), Ok(()));
    for brr in [0, 1, 694 * 97 / 100, 694 * 103 / 100, 8333] {
        assert_eq!(set_up(link(), brr, 0).unwrap_err().register, "USART_BRR", "{brr}");
    }
    assert_eq!(set_up(display(), 694, 0).unwrap_err().register, "USART_BRR");
    // Twice the clock over 1389: USARTDIV's lowest bits are stored shifted right.
    assert_eq!(set_up(link(), 0x560 | 0xD >> 1, cr1::OVER8), Ok(()));
    let mut slow = Buffered::bare(link());
    slow.bench.clocks.pclk2 = 0;
    slow.store(BRR, 694);
    assert!(slow.try_store(CR1, cr1::UE).is_err(), "no clock, no rate");
}

#[test]
fn the_frame_is_eight_bits_without_parity() {
    let mut uart = Buffered::bare(link());
    uart.store(BRR, 694);
    assert_eq!(uart.try_store(CR1, cr1::UE | cr1::PCE).unwrap_err().register, "USART_CR1");
}

#[test]
fn configuration_stands_while_the_uart_is_on() {
    for (register, value) in [(BRR, 695), (CR2, 0b10 << 12), (CR3, cr3::HDSEL)] {
        let mut uart = Buffered::new(link(), false);
        uart.try_store(register, value).unwrap_err();
        uart.modify(CR1, 0, cr1::UE);
        uart.store(register, value);
    }
    let mut uart = Buffered::new(link(), false);
    let cr1 = uart.load(CR1) | cr1::PS;
    assert!(uart.try_store(CR1, cr1).unwrap_err().rule.contains("only while UE is off"));
    let mut uart = Buffered::new(link(), false);
    uart.modify(CR3, cr3::DMAT | cr3::EIE, 0); // these may change
}

#[test]
fn a_byte_stored_where_it_would_be_lost_is_a_breach() {
    let mut uart = Buffered::new(link(), false);
    uart.send_byte(1).unwrap();
    assert_eq!(uart.send_byte(2).unwrap_err().register, "USART_TDR", "the idle frame goes first");
    let mut uart = Buffered::new(link(), false);
    uart.modify(CR1, 0, cr1::TE);
    assert_eq!(uart.send_byte(1).unwrap_err().register, "USART_TDR");
}

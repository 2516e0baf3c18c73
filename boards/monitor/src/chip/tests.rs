//! What one model means to another.

use super::*;
use crate::models::gpio::Pin;
use crate::testing::recorder::World;

const RCC: u32 = 0x4002_1000;
const AHB1ENR: u32 = RCC + 0x48;
const AHB2ENR: u32 = RCC + 0x4C;
const APB1ENR1: u32 = RCC + 0x58;
const APB1RSTR1: u32 = RCC + 0x38;
const TIM5: u32 = 0x4000_0C00;

fn chip() -> (Chip, World) {
    (Chip::new([1, 2, 3], ResetFlags::POWER), World::default())
}

fn store(chip: &mut Chip, world: &mut World, address: u32, value: u32) -> Result<(), Breach> {
    chip.store(address, Width::Word, value, 0, world).expect("a peripheral's address")
}

fn load(chip: &mut Chip, world: &mut World, address: u32) -> Result<u32, Breach> {
    chip.load(address, Width::Word, 0, world).expect("a peripheral's address")
}

#[test]
fn a_peripheral_without_its_clock_is_not_touched() {
    let gated = [
        (0x4000_0C00, "TIM5"),
        (0x4000_1400, "TIM7"),
        (0x4000_4800, "USART3"),
        (0x4000_4C00, "UART4"),
        (0x4000_6400, "CAN1"),
        (0x4000_7000, "PWR"),
        (0x4001_3000, "SPI1"),
        (0x4001_3800, "USART1"),
        (0x4002_0000, "DMA1"),
        (0x5006_0800, "RNG"),
        (0x4800_0000, "GPIOA"),
        (0x4800_0400, "GPIOB"),
        (0x4800_0800, "GPIOC"),
    ];
    for (address, name) in gated {
        let (mut chip, mut world) = chip();
        assert_eq!(load(&mut chip, &mut world, address).unwrap_err().register, name);
        assert_eq!(store(&mut chip, &mut world, address, 0).unwrap_err().register, name);
        let on = [(AHB1ENR, 0x101), (AHB2ENR, 0x4_0007), (APB1ENR1, 0x120C_0028)];
        for (register, value) in on.into_iter().chain([(RCC + 0x60, 0x5001)]) {
            store(&mut chip, &mut world, register, value).unwrap();
        }
        load(&mut chip, &mut world, address).unwrap_or_else(|breach| panic!("{name}: {breach:?}"));
    }
}

#[test]
fn a_peripheral_without_a_model_is_a_breach_and_an_empty_address_the_images_own_fault() {
    let (mut chip, mut world) = chip();
    assert!(load(&mut chip, &mut world, 0x4000_0000).is_err(), "TIM2");
    assert!(store(&mut chip, &mut world, 0x5004_0000, 0).is_err(), "ADC");
    assert!(chip.load(0x6000_0000, Width::Word, 0, &mut world).is_none());
    assert!(chip.store(0x6000_0000, Width::Word, 0, 0, &mut world).is_none());
}

#[test]
fn the_chips_identity_and_size_are_read_only_words() {
    let (mut chip, mut world) = chip();
    for (address, word) in [(0x1FFF_7590, 1), (0x1FFF_7594, 2), (0x1FFF_7598, 3)] {
        assert_eq!(load(&mut chip, &mut world, address), Ok(word));
    }
    assert_eq!(load(&mut chip, &mut world, 0x1FFF_75E0), Ok(1024));
}

#[test]
fn rcc_resets_a_peripheral_and_what_it_had_due() {
    let (mut chip, mut world) = chip();
    store(&mut chip, &mut world, APB1ENR1, 1 << 3).unwrap();
    store(&mut chip, &mut world, TIM5 + 0x2C, 999).unwrap(); // ARR
    store(&mut chip, &mut world, TIM5 + 0x0C, 1).unwrap(); // UIE
    store(&mut chip, &mut world, TIM5, 1).unwrap(); // CEN
    assert!(chip.next() < Ns::MAX);
    store(&mut chip, &mut world, APB1RSTR1, 1 << 3).unwrap();
    store(&mut chip, &mut world, APB1RSTR1, 0).unwrap();
    assert_eq!(load(&mut chip, &mut world, TIM5 + 0x0C), Ok(0));
    assert_eq!(chip.next(), Ns::MAX);
}

#[test]
fn a_timer_rings_in_time_and_its_line_is_read_once_a_look() {
    let (mut chip, mut world) = chip();
    store(&mut chip, &mut world, APB1ENR1, 1 << 3).unwrap();
    for (offset, value) in [(0x2C, 999), (0x0C, 1), (0x00, 1)] {
        store(&mut chip, &mut world, TIM5 + offset, value).unwrap();
    }
    chip.take_lines();
    let due = chip.next();
    assert_eq!(due, 250_000, "1000 counts of 4 MHz");
    chip.advance(due - 1, &mut world).unwrap();
    assert_eq!(chip.take_lines(), [(0, 0); 3]);
    chip.advance(due, &mut world).unwrap();
    assert_eq!(chip.take_lines()[1], (1 << (50 - 32), 0));
    assert_eq!(chip.take_lines(), [(0, 0); 3]);
}

#[test]
fn the_clock_does_not_go_up_before_the_wait_states_do() {
    let (mut chip, mut world) = chip();
    // MSI from 4 to 48 MHz while it is the system clock: range 11, taken from CR.
    let breach = store(&mut chip, &mut world, RCC, 1 | 1 << 3 | 11 << 4).unwrap_err();
    assert!(breach.rule.contains("wait states"), "{breach:?}");
}

#[test]
fn a_part_is_attached_to_the_bus_only_where_it_is() {
    let (mut chip, _) = chip();
    assert!(!chip.set_chain(1), "no chain yet");
    chip.attach_chain(Pin { port: 0, number: 7 }, true);
    assert!(chip.set_chain(1));
    assert!(chip.hold(b"spi") && chip.hold(b"uart4") && chip.hold(b"can"));
    assert!(!chip.hold(b"usart1"));
}

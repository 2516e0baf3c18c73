//! A device's serial link on TCP: whole frames both ways, several clients, faults on demand.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use hil_tests::hub::{Bridge, Disturbance, Way};
use hil_tests::{BenchError, Link};

const PATIENCE: Duration = Duration::from_secs(20);

/// A device with its link on the bridge.
fn device(bridge: &Bridge) -> UnixStream {
    let (near, far) = UnixStream::pair().unwrap();
    far.set_read_timeout(Some(PATIENCE)).unwrap();
    bridge.attach(Link::new("table", near)).unwrap();
    far
}

fn client(bridge: &Bridge) -> TcpStream {
    let client = TcpStream::connect(bridge.address()).unwrap();
    client.set_read_timeout(Some(PATIENCE)).unwrap();
    client
}

/// A frame as on the wire: no zero but the last.
fn frame(number: u16) -> Vec<u8> {
    format!("frame {number}\0").into_bytes()
}

/// The next whole frame.
fn next(stream: &mut impl Read) -> Vec<u8> {
    let mut frame = Vec::new();
    while !frame.ends_with(&[0]) {
        let mut byte = [0];
        stream.read_exact(&mut byte).unwrap();
        frame.extend(byte);
    }
    frame
}

#[test]
fn frames_pass_both_ways_and_two_clients_do_not_garble_each_other() -> Result<(), BenchError> {
    let bridge = Bridge::open("reader", 0)?;
    let mut reader = device(&bridge);
    let (mut first, mut second) = (client(&bridge), client(&bridge));
    first.write_all(b"half a fr").unwrap();
    second.write_all(&frame(2)).unwrap();
    assert_eq!(next(&mut reader), frame(2));
    first.write_all(b"ame\0").unwrap();
    assert_eq!(next(&mut reader), b"half a frame\0");
    reader.write_all(&frame(3)).unwrap();
    assert_eq!((next(&mut first), next(&mut second)), (frame(3), frame(3)));
    Ok(())
}

#[test]
fn a_client_stays_while_the_devices_power_is_cut() -> Result<(), BenchError> {
    let bridge = Bridge::open("reader", 0)?;
    let mut before = device(&bridge);
    let mut client = client(&bridge);
    client.write_all(&frame(1)).unwrap();
    assert_eq!(next(&mut before), frame(1));
    drop(before);
    client.write_all(&frame(2)).unwrap(); // nobody hears it, or the next one does
    let mut after = device(&bridge);
    client.write_all(&frame(3)).unwrap();
    assert!((0..2).any(|_| next(&mut after) == frame(3)));
    after.write_all(&frame(4)).unwrap();
    assert_eq!(next(&mut client), frame(4));
    Ok(())
}

#[test]
fn frames_are_dropped_as_often_as_asked_and_only_that_way() -> Result<(), BenchError> {
    let bridge = Bridge::open("reader", 5)?;
    let mut reader = device(&bridge);
    let mut client = client(&bridge);
    client.write_all(&frame(0)).unwrap();
    assert_eq!(next(&mut reader), frame(0), "so the bridge knows the client");
    bridge.disturb(Way::from("reader"), Disturbance::drop(0.2));
    (1..=500).for_each(|number| reader.write_all(&frame(number)).unwrap());
    let mut came: Vec<Vec<u8>> = Vec::new();
    // One of the last ten comes, or these dice are no dice.
    while !came.last().is_some_and(|last| (491..=500).any(|number| *last == frame(number))) {
        came.push(next(&mut client));
    }
    assert!((340..450).contains(&came.len()), "{} of 500 came at 20 % loss", came.len());
    let mut sent = (1..=500).map(frame);
    assert!(came.iter().all(|one| sent.any(|sent| sent == *one)), "in order, each as it was sent");
    client.write_all(&frame(7)).unwrap();
    assert_eq!(next(&mut reader), frame(7), "the other way is as it was");
    Ok(())
}

#[test]
fn a_corrupted_frame_differs_in_one_bit() -> Result<(), BenchError> {
    let bridge = Bridge::open("reader", 5)?;
    let mut reader = device(&bridge);
    let mut client = client(&bridge);
    bridge.disturb(Way::to("reader"), Disturbance::corrupt(1.0));
    let sent = frame(0);
    client.write_all(&sent).unwrap();
    let mut came = vec![0; sent.len()];
    reader.read_exact(&mut came).unwrap();
    let flipped = sent.iter().zip(&came).map(|(sent, came)| (sent ^ came).count_ones());
    assert_eq!(flipped.sum::<u32>(), 1);
    Ok(())
}

//! The monitor as a program: on a bus, on a line, on a recording.
//!
//! Issue 3, item 7. What a line looks like is tested beside the code that writes it.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use croupier::protocol::codec::Message;
use croupier::protocol::framing::can::Frames;
use croupier::protocol::framing::serial;
use croupier::protocol::generated::uavcan::node::Heartbeat;
use croupier::protocol::transfer::{Header, NodeId, Port, Priority, Transfer};
use hil_tests::client::Client;
use hil_tests::hub::frame::standard;
use hil_tests::wait::Waited;
use hil_tests::{BenchError, Hub};
use serde_json::Value;

const PATIENCE: Duration = Duration::from_secs(20);

fn monitor(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_monitor"));
    command.args(arguments);
    command
}

/// The shuffler's heartbeat, a minute after its start.
fn heartbeat(number: u64) -> Transfer<'static> {
    let port = Port::Message(Heartbeat::SUBJECT);
    let source = NodeId::new(11);
    let header = Header { priority: Priority::Nominal, port, source, transfer_id: number };
    Transfer { header, payload: &[60, 0, 0, 0, 0, 0, 0] }
}

#[test]
fn a_bus_is_watched_live_and_foreign_frames_are_counted() -> Result<(), BenchError> {
    let hub = Hub::open()?;
    let mut port = hub.join("shuffler");
    let link = format!("can:{}", hub.listen()?);
    let monitor = Client::start(monitor(&[&link, "--json", "--count", "3"])).unwrap();
    // Until the monitor has opened its channel it hears nothing: talk until it has had enough.
    let enough = Arc::new(AtomicBool::new(false));
    let talking = {
        let enough = Arc::clone(&enough);
        std::thread::spawn(move || {
            for number in 0.. {
                if enough.load(Ordering::SeqCst) {
                    return;
                }
                port.send(standard(0x123, &[1]).unwrap()).unwrap();
                for frame in Frames::of(&heartbeat(number)).unwrap() {
                    port.send(frame).unwrap();
                }
                assert_eq!(port.await_sent(PATIENCE), Waited::Came(()));
            }
        })
    };
    let last = monitor.finish(PATIENCE);
    enough.store(true, Ordering::SeqCst);
    talking.join().unwrap();
    let counts: Value = serde_json::from_str(&last.unwrap()).unwrap();
    assert!(counts["counts"]["transfers"].as_u64() >= Some(3), "{counts}");
    assert!(counts["counts"]["foreign"].as_u64() >= Some(2), "{counts}");
    Ok(())
}

#[test]
fn a_line_is_watched_until_its_other_end_goes() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let link = format!("serial:{}", listener.local_addr().unwrap());
    let mut running =
        monitor(&[&link]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (mut device, _) = listener.accept().unwrap();
    let mut room = [0; 128];
    device.write_all(serial::encode(&heartbeat(1), &mut room).unwrap()).unwrap();
    device.write_all(b"nonsense\0").unwrap();
    drop(device);
    let mut line = String::new();
    BufReader::new(running.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("shuffler                node.Heartbeat"), "{line}");
    assert!(line.contains("uptime=60") && !line.contains('\x1b'), "{line}");
    let mut said = String::new();
    BufReader::new(running.stderr.take().unwrap()).read_line(&mut said).unwrap();
    assert!(running.wait().unwrap().success());
    assert_eq!(said, "monitor: 1 transfers; 1 malformed\n");
}

#[test]
fn a_recording_is_read_to_its_end() -> Result<(), BenchError> {
    let hub = Hub::open()?;
    let mut port = hub.join("shuffler");
    for frame in Frames::of(&heartbeat(1)).unwrap() {
        port.send(frame)?;
    }
    let _ = port.await_sent(PATIENCE);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), hub.recording().transcript()).unwrap();
    let output = monitor(&["--file", file.path().to_str().unwrap(), "--json"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 2, "{text}");
    assert_eq!(lines[0]["type"], "uavcan.node.Heartbeat.1.0");
    assert_eq!(lines[0]["fields"]["uptime"], 60);
    assert_eq!(lines[1]["counts"]["transfers"], 1);
    Ok(())
}

#[test]
fn what_cannot_be_opened_is_one_sentence() {
    for arguments in [&["can:/no/such/tty"][..], &["--file", "/no/such/file"]] {
        let output = monitor(arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success());
        assert!(said.starts_with("monitor: ") && said.lines().count() == 1, "{said}");
    }
    let help = monitor(&["--help"]).output().unwrap();
    let text = String::from_utf8(help.stdout).unwrap();
    assert!(text.contains("Examples:") && text.contains("monitor can:127.0.0.1:4000"), "{text}");
}

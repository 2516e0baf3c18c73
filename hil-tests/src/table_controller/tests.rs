use super::*;
use croupier::protocol::generated::croupier::common::{
    Activity, Condition, DeviceKind, Game, NextStep, Seal, Stamp, Status,
};
use croupier::protocol::transfer::SubjectId;

fn event(number: u32) -> Report {
    let stamp = Stamp { number, ..Stamp::default() };
    Report::Event(SubjectId::new(6145).expect("a subject"), stamp, Vec::new())
}

fn status(next_event: u32) -> Report {
    Report::Status(Status {
        kind: DeviceKind::Shuffler,
        game: Game::FlopPoker,
        decks: 1,
        condition: Condition::InService,
        activity: Activity::Idle,
        next_step: NextStep::None,
        cleared_by: Role::Device,
        start: 0,
        next_event,
        refused: 0,
        seal: Seal::default(),
    })
}

#[test]
fn a_device_has_published_all_when_every_event_before_its_status_is_there_or_lost() {
    let whole = |report: &[Report]| is_reported_whole(report.iter());
    assert!(!whole(&[]) && !whole(&[event(0)]));
    assert!(whole(&[status(0)]));
    assert!(!whole(&[status(2)]) && !whole(&[status(2), event(0)]));
    assert!(whole(&[status(2), event(0), event(1)]));
    assert!(whole(&[Report::Lost(0, 1), status(2)]));
    assert!(!whole(&[event(0), event(1), status(2), Report::Restarted, status(1)]));
}

//! A minidisk: one I/O at a time, turns in the order of asking, reads that the cache avoids.

use crate::guest::{House, closed, read};
use crate::stand::us;
use kernel::distribution::Distribution;
use machine::effect::Effect;
use machine::event::Event;
use machine::guest::Activity;
use machine::ids::{Group, Minidisk, Requester, Volume};
use machine::plan::{CachePlan, Choice, IoPlan, MinidiskPlan, Step, Target};
use machine::signal::Signal;
use units::{Percent, Span};

const DISK: Minidisk = Minidisk(0);

fn disk(read_hits: Option<f64>) -> MinidiskPlan {
    let time = Distribution::Constant(Span::from_us(5));
    let cache = read_hits.map(|share| CachePlan { read_hits: Percent::new(share), time });
    MinidiskPlan { name: "M".into(), volume: 0, cache, ..Default::default() }
}

fn io(reads: f64) -> Step {
    let reading = IoPlan::reading(Choice::Fixed(Target::Minidisk(0)));
    Step::Io(IoPlan { reads: Percent::new(reads), ..reading })
}

/// z/VM HyperPAV Support: a guest has one I/O outstanding per minidisk.
#[test]
fn one_io_at_a_time_in_the_order_of_asking() {
    let mut house = House::with_minidisks(&[(closed(3), &[io(100.0)])], vec![disk(None)]);
    let [first, second, third] = [0, 1, 2].map(Requester);
    assert_eq!(house.begin(first, us(0)), [Effect::Request(first, read(0))]);
    assert_eq!(house.begin(second, us(10)), []);
    assert_eq!(house.said[1..], [Signal::TurnAwaited(DISK, second)]);
    assert_eq!(house.begin(third, us(20)), []);
    let next = house.io_done(first, us(100));
    assert_eq!(
        next[0],
        Effect::Request(second, read(0)),
        "the first to ask, before the one that is through asks again"
    );
    assert_eq!(next.len(), 1, "the one that is through waits behind the third");
    assert!(house.said.contains(&Signal::TurnTaken(Group(0), DISK, second, Span::from_us(90))));
    assert_eq!(house.io_done(second, us(200))[0], Effect::Request(third, read(0)));
}

#[test]
fn the_response_of_the_volume_does_not_count_the_turn() {
    let mut house = House::with_minidisks(&[(closed(2), &[io(100.0)])], vec![disk(None)]);
    house.begin(Requester(0), us(0));
    house.begin(Requester(1), us(0));
    house.io_done(Requester(0), us(100));
    house.io_done(Requester(1), us(150));
    let alone = Span::from_us(50);
    assert_eq!(house.said[..2], [Signal::Responded(Group(0), Volume(0), alone), Signal::ThroughMinidisk(DISK, alone)]);
}

#[test]
fn a_read_that_the_cache_holds_is_not_started() {
    let mut house = House::with_minidisks(&[(closed(1), &[io(100.0)])], vec![disk(Some(100.0))]);
    assert_eq!(house.begin(Requester(0), us(0)), [Effect::At(Event::Resume(Requester(0)), us(5))]);
    assert_eq!(house.guests.requesters[0].activity, Activity::Avoiding(DISK));
    house.resume(Requester(0), us(5));
    assert!(house.said.contains(&Signal::Avoided(Group(0), DISK, Span::from_us(5))));
}

#[test]
fn a_write_is_never_avoided() {
    let mut house = House::with_minidisks(&[(closed(1), &[io(0.0)])], vec![disk(Some(100.0))]);
    assert!(matches!(house.begin(Requester(0), us(0))[..], [Effect::Request(..)]));
}

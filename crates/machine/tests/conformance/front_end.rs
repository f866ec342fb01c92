//! Front ends: messages wait for an I/O, ride together, in and out by turns; driven again when the I/O is done.

use crate::guest::{House, closed};
use crate::stand::{us, volume};
use kernel::distribution::Distribution;
use machine::effect::Effect;
use machine::ids::{FrontEnd, Group, Partition, Requester, Volume};
use machine::io::{Access, Io, Transfer};
use machine::plan::{Aliasing, FrontEndPlan, GuestPlan, PartitionPlan, Plan, Processors, Step, VolumePlan};
use machine::signal::{Carriage, Signal, Way};
use units::{Span, Tod};

const FRONT_END: FrontEnd = FrontEnd(0);
/// Terminals come first, then the requester that drives the front end.
const DRIVER: Requester = Requester(6);

/// Three terminals that send a message in and three that have one sent out, each after 1 us and then thinking for a second.
fn house(messages: f64) -> House {
    house_with(messages, None)
}

/// The same whose first I/O after the partition was dispatched may take another number along.
fn house_with(messages: f64, first_messages: Option<f64>) -> House {
    let think = |us| Step::Think(Distribution::Constant(Span::from_us(us)));
    let group = |way: Way| GuestPlan {
        name: format!("{way:?}"),
        arrival: closed(3),
        runs_in: None,
        program: vec![think(1), Step::Message { front_end: 0, way }, think(1_000_000)],
        ..Default::default()
    };
    let guests = vec![group(Way::In), group(Way::Out)];
    let front_ends =
        vec![FrontEndPlan { name: "4705".into(), volume: 0, messages, first_messages, ..Default::default() }];
    let volumes = vec![VolumePlan { partition: Some(0), ..volume(0, Aliasing::None) }];
    let partitions = vec![PartitionPlan::new("D", 1, Processors::Dedicated)];
    let mut house = House::of(&Plan { guests, front_ends, volumes, partitions, ..Plan::default() });
    for requester in 0..6 {
        house.begin(Requester(requester), us(0));
    }
    house
}

fn sends(house: &mut House, requester: u32, at: Tod) -> Vec<Effect> {
    house.resume(Requester(requester), at)
}

fn io(access: Access) -> Effect {
    Effect::Request(DRIVER, Io { volume: Volume(0), transfer: Transfer::new(access, 0) })
}

/// The I/O is done: everything that follows at that instant, but what requesters do next.
fn done(house: &mut House, at: Tod) -> Vec<Effect> {
    let mut due = house.io_done(DRIVER, at);
    let mut others = Vec::new();
    while !due.is_empty() {
        match due.remove(0) {
            Effect::Deliver(front_end) => {
                due.extend(house.after(|guests, effects, record| guests.deliver(front_end, at, effects, record)));
            }
            Effect::At(..) => {}
            other => others.push(other),
        }
    }
    others
}

#[test]
fn a_message_that_finds_the_device_idle_starts_an_io() {
    let mut house = house(1.0);
    assert_eq!(sends(&mut house, 0, us(1)), [io(Access::Read)]);
    assert!(house.said.contains(&Signal::Message(FRONT_END, Carriage::Started(Way::In, Span::ZERO))));
    assert!(house.said.contains(&Signal::Joined(Group(2), DRIVER)));
}

#[test]
fn a_message_that_finds_it_busy_waits() {
    let mut house = house(1.0);
    sends(&mut house, 0, us(1));
    assert_eq!(sends(&mut house, 1, us(1)), []);
}

#[test]
fn in_and_out_go_by_turns() {
    let mut house = house(1.0);
    for requester in [0, 1, 3, 4] {
        sends(&mut house, requester, us(1));
    }
    assert_eq!(done(&mut house, us(10)), [io(Access::Write)]);
    assert_eq!(done(&mut house, us(20)), [io(Access::Read)]);
    assert_eq!(done(&mut house, us(30)), [io(Access::Write)]);
}

#[test]
fn where_nothing_waits_one_way_it_goes_the_other_way_again() {
    let mut house = house(1.0);
    sends(&mut house, 0, us(1));
    sends(&mut house, 1, us(1));
    assert_eq!(done(&mut house, us(10)), [io(Access::Read)]);
}

#[test]
fn messages_ride_together() {
    let mut house = house(2.0);
    for requester in [0, 1, 2] {
        sends(&mut house, requester, us(1));
    }
    assert_eq!(done(&mut house, us(11)), [io(Access::Read)], "the first was alone when its I/O started");
    let through =
        |requester| Signal::Message(FRONT_END, Carriage::Through(Group(0), Requester(requester), Span::from_us(20)));
    assert_eq!(done(&mut house, us(21)), []);
    house.guests.requesters.iter().take(3).for_each(|sender| assert_eq!(sender.group, Group(0)));
    assert!(!house.said.contains(&through(0)));
    assert!(house.said.contains(&Signal::Left(Group(2), DRIVER)), "nothing waits: it is idle");
}

#[test]
fn a_message_is_through_when_the_io_that_carries_it_is_done() {
    let mut house = house(1.0);
    sends(&mut house, 0, us(1));
    house.io_done(DRIVER, us(11));
    assert!(
        house.said.contains(&Signal::Message(FRONT_END, Carriage::Through(Group(0), Requester(0), Span::from_us(10))))
    );
}

/// How many messages the I/O that starts now takes along.
fn taken(house: &House) -> usize {
    let starts = |signal: &&Signal| matches!(signal, Signal::Message(_, Carriage::Started(..)));
    house.said.iter().filter(starts).count()
}

#[test]
fn the_first_io_after_its_partition_was_dispatched_may_take_more_along() {
    let mut house = house_with(1.0, Some(3.0));
    for requester in [0, 1, 2] {
        sends(&mut house, requester, us(1));
    }
    house.after(|guests, _, record| guests.dispatched(Partition(0), us(5), record));
    house.io_done(DRIVER, us(11));
    house.after(|guests, effects, record| guests.deliver(FRONT_END, us(11), effects, record));
    assert_eq!(taken(&house), 2, "three may ride, and two waited");
}

#[test]
fn an_io_that_is_not_the_first_of_its_slice_takes_no_more_along() {
    let mut house = house_with(1.0, Some(3.0));
    house.after(|guests, _, record| guests.dispatched(Partition(0), us(0), record));
    for requester in [0, 1, 2] {
        sends(&mut house, requester, us(1));
    }
    house.io_done(DRIVER, us(11));
    house.after(|guests, effects, record| guests.deliver(FRONT_END, us(11), effects, record));
    assert_eq!(taken(&house), 1);
}

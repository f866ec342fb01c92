//! Resources: this many are held at a time, further requesters wait, and the longest wait is served next.

use crate::guest::{House, closed};
use crate::stand::us;
use kernel::distribution::Distribution;
use machine::effect::Effect;
use machine::event::Event;
use machine::guest::Activity;
use machine::ids::{Group, Requester, Resource};
use machine::plan::{GuestPlan, Plan, ResourcePlan, Step};
use machine::signal::{Signal, Use};
use units::{Span, Tod};

const REGION: Resource = Resource(0);
const USERS: Group = Group(0);

/// This many users of a resource, which each holds for 100 us and then does without for 100 us.
fn house(users: u32, count: u32, members: u32) -> House {
    let think = |us| Step::Think(Distribution::Constant(Span::from_us(us)));
    let program = vec![Step::Hold { resource: 0, steps: vec![think(100)] }, think(100)];
    let user = GuestPlan { name: "USERS".into(), arrival: closed(users), runs_in: None, program, ..Default::default() };
    let resources = vec![ResourcePlan { name: "MPR".into(), count, members, ..Default::default() }];
    House::of(&Plan { guests: vec![user], resources, ..Plan::default() })
}

fn resumes(requester: u32, at: Tod) -> Effect {
    Effect::At(Event::Resume(Requester(requester)), at)
}

#[test]
fn a_requester_that_finds_one_free_has_it_at_once() {
    let mut house = house(1, 1, 1);
    assert_eq!(house.begin(Requester(0), us(0)), [resumes(0, us(100))]);
    assert!(house.said.contains(&Signal::Resource(REGION, Use::Taken(USERS, Requester(0), None))));
}

#[test]
fn a_requester_that_finds_none_free_waits() {
    let mut house = house(2, 1, 1);
    house.begin(Requester(0), us(0));
    assert_eq!(house.begin(Requester(1), us(0)), []);
    assert!(house.said.contains(&Signal::Resource(REGION, Use::Awaited(Requester(1)))));
    assert_eq!(house.guests.requesters[1].activity, Activity::Queueing(0));
}

#[test]
fn the_longest_waiter_is_next() {
    let mut house = house(3, 1, 1);
    for requester in 0..3 {
        house.begin(Requester(requester), us(u64::from(requester)));
    }
    let effects = house.resume(Requester(0), us(100));
    assert_eq!(effects, [Effect::Granted(Requester(1)), resumes(0, us(200))]);
    assert!(house.said.contains(&Signal::Resource(REGION, Use::Given(Requester(0), Span::from_us(100)))));
    let granted = house.after(|guests, effects, record| guests.granted(Requester(1), us(100), effects, record));
    assert_eq!(granted, [resumes(1, us(200))]);
    let waited = Some(Span::from_us(99));
    assert_eq!(house.said, [Signal::Resource(REGION, Use::Taken(USERS, Requester(1), waited))]);
}

#[test]
fn as_many_hold_it_as_there_are() {
    let mut house = house(4, 3, 1);
    let began = (0..4).map(|requester| house.begin(Requester(requester), us(0)).len());
    assert_eq!(began.collect::<Vec<_>>(), [1, 1, 1, 0]);
}

#[test]
fn a_unit_released_without_waiters_is_free() {
    let mut house = house(2, 1, 1);
    house.begin(Requester(0), us(0));
    house.resume(Requester(0), us(100));
    assert_eq!(house.begin(Requester(1), us(150)), [resumes(1, us(250))]);
}

#[test]
fn a_requester_of_one_of_several_needs_a_certain_one() {
    let mut house = house(400, 1, 100);
    let began = (0..400).filter(|requester| house.begin(Requester(*requester), us(0)).len() == 1).count();
    // Each of 100 is wanted by some requester with probability 1 - .99^400 = .98.
    assert!((90..=100).contains(&began), "{began}");
}

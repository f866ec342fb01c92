//! Guests: one I/O at a time, closed ones start over, those from outside come, run their program once and leave.

use crate::stand::{Record, no_effects, us};
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::effect::{Effect, Effects};
use machine::event::Event;
use machine::guest::{Activity, Guests};
use machine::ids::{Group, Requester, Volume};
use machine::io::{Access, Io, Transfer};
use machine::plan::{
    Arrival, Batch, GuestPlan, IoPlan, MinidiskPlan, PartitionPlan, Plan, Processors, Record as Recorded, RunsInPlan,
    Step, Target,
};
use machine::signal::Signal;
use units::{PerSecond, Span, Tod};

const USERS: Group = Group(0);
const SOMEBODY: Requester = Requester(0);

/// Guests by themselves; each transition returns its effects, and its signals stay.
pub struct House {
    pub guests: Guests,
    pub said: Vec<Signal>,
}

impl House {
    fn new(groups: &[(Arrival, &[Step])]) -> Self {
        House::with_minidisks(groups, Vec::new())
    }

    pub fn with_minidisks(groups: &[(Arrival, &[Step])], minidisks: Vec<MinidiskPlan>) -> Self {
        let guest = |(number, (arrival, program)): (usize, &(Arrival, &[Step]))| GuestPlan {
            name: format!("G{number}"),
            arrival: arrival.clone(),
            runs_in: None,
            program: program.to_vec(),
            ..Default::default()
        };
        House::of(&Plan { guests: groups.iter().enumerate().map(guest).collect(), minidisks, ..Plan::default() })
    }

    /// The guests of a plan.
    pub fn of(plan: &Plan) -> Self {
        House { guests: Guests::new(plan, &Streams::new(1, 0)), said: Vec::new() }
    }

    pub fn after(&mut self, transition: impl FnOnce(&mut Guests, &mut Effects, &mut Record)) -> Vec<Effect> {
        let (mut effects, mut record) = (no_effects(), Record::default());
        transition(&mut self.guests, &mut effects, &mut record);
        self.said = record.0;
        std::iter::from_fn(|| effects.pop()).collect()
    }

    pub fn begin(&mut self, requester: Requester, now: Tod) -> Vec<Effect> {
        self.after(|guests, effects, record| guests.begin(requester, now, effects, record))
    }

    pub fn resume(&mut self, requester: Requester, now: Tod) -> Vec<Effect> {
        self.after(|guests, effects, record| guests.resume(requester, now, effects, record))
    }

    pub fn io_done(&mut self, requester: Requester, now: Tod) -> Vec<Effect> {
        self.after(|guests, effects, record| guests.io_done(requester, now, effects, record))
    }

    /// An arrival; the requester, and all effects but the next arrival.
    fn arrive(&mut self, group: Group, now: Tod) -> Vec<Effect> {
        let mut effects = self.after(|guests, effects, record| guests.arrive(group, now, effects, record));
        let next = effects.remove(0);
        assert!(matches!(next, Effect::At(Event::Arrival(g), at) if g == group && at > now), "the next will come");
        effects
    }
}

pub fn closed(count: u32) -> Arrival {
    Arrival::Closed { count }
}

fn open() -> Arrival {
    Arrival::Open { rate: PerSecond::new(100.0), batch: Batch::Of(1) }
}

fn io(volume: usize) -> Step {
    Step::Io(IoPlan::of_volume(volume))
}

pub fn read(volume: u32) -> Io {
    Io { volume: Volume(volume), transfer: Transfer::new(Access::Read, 4096) }
}

fn span(us: u64) -> Distribution {
    Distribution::Constant(Span::from_us(us))
}

#[test]
fn a_guest_does_one_thing_after_the_other() {
    let program = [Step::Think(span(10)), Step::Compute(span(20)), io(3)];
    let mut house = House::new(&[(closed(1), &program)]);
    assert_eq!(house.begin(SOMEBODY, us(0)), [Effect::At(Event::Resume(SOMEBODY), us(10))]);
    assert_eq!(house.said, [Signal::Joined(USERS, SOMEBODY)]);
    assert_eq!(house.resume(SOMEBODY, us(10)), [Effect::At(Event::Resume(SOMEBODY), us(30))]);
    assert_eq!(house.said, [Signal::Thought(USERS, Span::from_us(10))]);
    assert_eq!(house.resume(SOMEBODY, us(30)), [Effect::Request(SOMEBODY, read(3))]);
    assert_eq!(house.said, [Signal::Computed(USERS, Span::from_us(20))]);
    assert_eq!(house.guests.waits_for(SOMEBODY), Some(Volume(3)));
    assert_eq!(house.io_done(SOMEBODY, us(75)), [Effect::At(Event::Resume(SOMEBODY), us(85))]);
    let responded = Signal::Responded(USERS, Volume(3), Span::from_us(45));
    assert_eq!(house.said, [responded, Signal::Cycled(USERS, Span::from_us(75))]);
    assert_eq!(house.guests.waits_for(SOMEBODY), None);
}

/// "each such guest still can do only one I/O at a time to any given minidisk" (HyperPAV, "I/O Parallelism: Other
/// Thoughts"): the next is asked for when the last is done, never before.
#[test]
fn a_guest_has_one_io_at_a_time() {
    let mut house = House::new(&[(closed(2), &[io(0), io(1)])]);
    assert_eq!(house.begin(Requester(0), us(0)), [Effect::Request(Requester(0), read(0))]);
    assert_eq!(house.begin(Requester(1), us(0)), [Effect::Request(Requester(1), read(0))]);
    assert_eq!(house.io_done(Requester(1), us(5)), [Effect::Request(Requester(1), read(1))]);
    assert_eq!(house.guests.waits_for(Requester(0)), Some(Volume(0)), "the other's I/O is its own");
    assert_eq!(house.io_done(Requester(1), us(9)), [Effect::Request(Requester(1), read(0))]);
}

#[test]
#[should_panic(expected = "resumes")]
fn a_requester_that_waits_for_an_io_does_not_go_on_by_itself() {
    let mut house = House::new(&[(closed(1), &[io(0)])]);
    house.begin(SOMEBODY, us(0));
    house.resume(SOMEBODY, us(1));
}

#[test]
#[should_panic(expected = "an I/O ends for a requester that waits for it")]
fn an_io_ends_for_no_other_requester() {
    let mut house = House::new(&[(closed(1), &[Step::Think(span(10))])]);
    house.begin(SOMEBODY, us(0));
    house.io_done(SOMEBODY, us(1));
}

#[test]
fn closed_guests_are_numbered_in_the_order_of_their_groups() {
    let house = House::new(&[(closed(2), &[io(0)]), (open(), &[io(1)]), (closed(3), &[io(2)])]);
    let groups: Vec<u32> = house.guests.requesters.iter().map(|requester| requester.group.0).collect();
    assert_eq!((groups, house.guests.closed()), (vec![0, 0, 2, 2, 2], 5));
}

#[test]
fn an_open_group_waits_for_its_first_arrival_and_a_closed_one_has_none() {
    let mut house = House::new(&[(open(), &[io(0)]), (closed(1), &[io(0)])]);
    let first = house.after(|guests, effects, _| guests.open(Group(0), us(0), effects));
    assert!(matches!(first[..], [Effect::At(Event::Arrival(Group(0)), at)] if at > us(0)));
    assert_eq!(house.after(|guests, effects, _| guests.open(Group(1), us(0), effects)), []);
}

#[test]
fn an_arrival_from_outside_runs_the_program_once_and_leaves() {
    let mut house = House::new(&[(open(), &[io(0), Step::Think(span(10))])]);
    assert_eq!(house.arrive(USERS, us(5)), [Effect::Request(SOMEBODY, read(0))]);
    assert_eq!((house.guests.present(), house.guests.groups[0].present), (1, 1));
    assert_eq!(house.io_done(SOMEBODY, us(8)), [Effect::At(Event::Resume(SOMEBODY), us(18))]);
    assert_eq!(house.resume(SOMEBODY, us(18)), [], "nothing follows");
    assert_eq!(house.said[1..], [Signal::Cycled(USERS, Span::from_us(13)), Signal::Left(USERS, SOMEBODY)]);
    assert_eq!((house.guests.present(), house.guests.groups[0].present), (0, 0));
    assert_eq!(house.guests.requesters[0].activity, Activity::Absent);
}

#[test]
fn an_arrival_takes_a_place_that_was_left() {
    let mut house = House::new(&[(closed(1), &[io(0)]), (open(), &[io(1), io(2)])]);
    let outside = Group(1);
    assert_eq!(house.arrive(outside, us(1)), [Effect::Request(Requester(1), read(1))], "behind the closed ones");
    assert_eq!(house.arrive(outside, us(2)), [Effect::Request(Requester(2), read(1))]);
    house.io_done(Requester(1), us(3));
    house.io_done(Requester(1), us(4));
    assert_eq!(house.guests.present(), 2, "a closed guest's place counts, and one more");
    assert_eq!(house.arrive(outside, us(5)), [Effect::Request(Requester(1), read(1))], "from the program's start");
    assert_eq!(house.arrive(outside, us(6)), [Effect::Request(Requester(3), read(1))]);
    assert_eq!(house.guests.requesters.len(), 4);
}

#[test]
fn a_place_may_go_to_another_group() {
    let mut house = House::new(&[(open(), &[io(0)]), (open(), &[io(1)])]);
    house.arrive(Group(0), us(1));
    house.io_done(SOMEBODY, us(2));
    assert_eq!(house.arrive(Group(1), us(3)), [Effect::Request(SOMEBODY, read(1))]);
    assert_eq!((house.guests.groups[0].present, house.guests.groups[1].present), (0, 1));
}

#[test]
fn each_group_runs_its_own_program() {
    let mut house = House::new(&[(closed(1), &[io(0)]), (closed(1), &[Step::Repeat { times: 2, steps: vec![io(1)] }])]);
    house.begin(Requester(0), us(0));
    assert_eq!(house.begin(Requester(1), us(0)), [Effect::Request(Requester(1), read(1))]);
    assert_eq!(house.io_done(Requester(1), us(1)), [Effect::Request(Requester(1), read(1))]);
    assert_eq!(house.said.last(), Some(&Signal::Responded(Group(1), Volume(1), Span::from_us(1))), "not over yet");
    assert_eq!(house.io_done(Requester(1), us(2)), [Effect::Request(Requester(1), read(1))]);
    assert_eq!(house.said.last(), Some(&Signal::Cycled(Group(1), Span::from_us(2))));
}

/// A batch comes at one instant, each of it by an event of its own.
#[test]
fn a_batch_comes_at_one_instant() {
    let batch = Arrival::Open { rate: PerSecond::new(100.0), batch: Batch::Of(3) };
    let mut house = House::new(&[(batch, &[io(0)])]);
    let next = |house: &mut House| {
        let effects = house.after(|guests, effects, record| guests.arrive(USERS, us(70), effects, record));
        matches!(effects[0], Effect::At(Event::Arrival(USERS), at) if at == us(70))
    };
    assert_eq!([(); 4].map(|()| next(&mut house)), [true, true, false, true]);
    assert_eq!(house.guests.present(), 4);
}

/// A requester needs a processor to start an I/O; its wait for the I/O begins after that.
#[test]
fn an_io_is_started_on_a_processor_where_that_takes_time() {
    let partition = PartitionPlan {
        ssch: Some(Distribution::Constant(Span::from_us(50))),
        ..PartitionPlan::new("D", 1, Processors::Dedicated)
    };
    let guest = GuestPlan {
        name: "USERS".into(),
        arrival: closed(1),
        runs_in: Some(RunsInPlan::Partition { partition: 0, priority: 0 }),
        program: vec![io(0)],
        ..Default::default()
    };
    let mut house = House::of(&Plan { guests: vec![guest], partitions: vec![partition], ..Plan::default() });
    assert_eq!(house.begin(SOMEBODY, us(0)), [Effect::Ready(SOMEBODY)]);
    assert_eq!(house.guests.requesters[0].needs, Span::from_us(50));
    assert!(matches!(house.resume(SOMEBODY, us(90))[..], [Effect::Request(SOMEBODY, _)]));
    assert_eq!(house.said, [Signal::Computed(USERS, Span::from_us(90))], "it had to wait for it");
    house.io_done(SOMEBODY, us(200));
    assert_eq!(house.said[0], Signal::Responded(USERS, Volume(0), Span::from_us(110)));
}

#[test]
fn recorded_arrivals_come_when_they_were_recorded_from_the_start_of_counting() {
    let record = |at, volume| Recorded {
        at: Span::from_us(at),
        target: Target::Volume(volume),
        bytes: 512,
        access: Access::Write,
    };
    let records = Arrival::Replay { records: [record(5, 1), record(9, 0)].into() };
    let mut house = House::new(&[(records, &[])]);
    assert_eq!(
        house.after(|guests, effects, _| guests.open(USERS, us(0), effects)),
        [],
        "until then there is no arrival"
    );
    let first = house.after(|guests, effects, _| guests.count_from(us(1_000), effects));
    assert_eq!(first, [Effect::At(Event::Arrival(USERS), us(1_005))]);
    let asked = |volume| Io { volume: Volume(volume), transfer: Transfer::new(Access::Write, 512) };
    let arrived = house.after(|guests, effects, record| guests.arrive(USERS, us(1_005), effects, record));
    assert_eq!(arrived, [Effect::At(Event::Arrival(USERS), us(1_009)), Effect::Request(SOMEBODY, asked(1))]);
    let arrived = house.after(|guests, effects, record| guests.arrive(USERS, us(1_009), effects, record));
    assert_eq!(arrived, [Effect::Request(Requester(1), asked(0))], "the last has none after it");
    assert_eq!(house.io_done(SOMEBODY, us(1_100)), []);
    assert_eq!(house.guests.present(), 1, "a requester leaves after its recorded I/O");
}

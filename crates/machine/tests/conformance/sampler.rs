//! The measurement program inside a partition: its timer, samples that are late, and samples that are lost.

use crate::guest::House;
use crate::stand::us;
use kernel::distribution::Distribution;
use machine::effect::Effect;
use machine::event::Event;
use machine::ids::{Partition, Requester};
use machine::plan::{PartitionPlan, Plan, Processors, SampleTaken, SamplerPlan};
use machine::signal::{Sample, Signal};
use units::{Span, Tod};

const OWN: Partition = Partition(0);

fn house(taken: SampleTaken, jitter_us: u64) -> House {
    let (cycle, jitter) = (Span::from_us(1000), Span::from_us(jitter_us));
    let partition = PartitionPlan {
        sampler: Some(SamplerPlan { cycle, jitter, taken }),
        ..PartitionPlan::new("D", 1, Processors::Dedicated)
    };
    House::of(&Plan { partitions: vec![partition], ..Plan::default() })
}

fn pop(house: &mut House, at: Tod, dispatched: bool) -> Vec<Effect> {
    house.after(|guests, effects, record| guests.pop((OWN, dispatched), at, effects, record))
}

fn dispatched(house: &mut House, at: Tod) {
    house.after(|guests, _, record| guests.dispatched(OWN, at, record));
}

#[test]
fn the_timer_pops_every_cycle() {
    let mut house = house(SampleTaken::AtTheTimer, 0);
    let first = house.after(|guests, effects, _| guests.first_pop(OWN, effects));
    assert_eq!(first, [Effect::At(Event::Timer(OWN), us(1000))]);
    assert_eq!(pop(&mut house, us(1000), true), [Effect::At(Event::Timer(OWN), us(2000))]);
}

#[test]
fn a_pop_strays_from_its_cycle_and_not_from_the_pop_before() {
    let mut house = house(SampleTaken::AtTheTimer, 500);
    let mut at = |number: u64| {
        let effects = if number == 1 {
            house.after(|guests, effects, _| guests.first_pop(OWN, effects))
        } else {
            pop(&mut house, us(1000 * number), true)
        };
        let Effect::At(_, at) = effects[0] else { unreachable!("a pop says when the next is") };
        at
    };
    for number in 1..200 {
        let pop = at(number);
        assert!(us(1000 * number) <= pop && pop < us(1000 * number + 500), "{number}");
    }
}

#[test]
fn a_sample_is_taken_at_once_where_the_partition_is_dispatched() {
    let mut house = house(SampleTaken::AtTheTimer, 0);
    pop(&mut house, us(1000), true);
    assert_eq!(house.said, [Signal::Sample(OWN, Sample::Taken(Span::ZERO))]);
}

#[test]
fn a_pop_while_it_is_not_dispatched_is_late_until_it_is() {
    let mut house = house(SampleTaken::AtTheTimer, 0);
    pop(&mut house, us(1000), false);
    assert_eq!(house.said, []);
    dispatched(&mut house, us(1300));
    assert_eq!(house.said, [Signal::Sample(OWN, Sample::Taken(Span::from_us(300)))]);
    dispatched(&mut house, us(1600));
    assert_eq!(house.said, [], "one pop is one sample");
}

#[test]
fn a_pop_that_finds_the_sample_before_it_not_taken_is_lost() {
    let mut house = house(SampleTaken::AtTheTimer, 0);
    pop(&mut house, us(1000), false);
    pop(&mut house, us(2000), false);
    assert_eq!(house.said, [Signal::Sample(OWN, Sample::Lost)]);
    dispatched(&mut house, us(2300));
    assert_eq!(house.said, [Signal::Sample(OWN, Sample::Taken(Span::from_us(1300)))]);
}

#[test]
fn a_task_takes_the_sample_when_it_has_had_a_processor() {
    let takes = Distribution::Constant(Span::from_us(100));
    let mut house = house(SampleTaken::ByTask { priority: 3, takes }, 0);
    let task = Requester(0);
    let effects = pop(&mut house, us(1000), true);
    assert_eq!(effects[1..], [Effect::Ready(task)]);
    assert_eq!(house.guests.requesters[0].needs, Span::from_us(100));
    dispatched(&mut house, us(1050));
    assert_eq!(house.said, [], "being dispatched is not enough");
    house.resume(task, us(1400));
    assert!(house.said.contains(&Signal::Sample(OWN, Sample::Taken(Span::from_us(400)))));
}

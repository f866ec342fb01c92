//! Fixed slices in turn: a domain keeps its slice whatever it does, and all its processors have it together.

use crate::stand::{Record, no_effects, us};
use kernel::draw::Streams;
use machine::cec::Cec;
use machine::effect::{Effect, Effects};
use machine::event::Event;
use machine::ids::{Logical, Partition, Physical};
use machine::plan::{CecPlan, Dispatching, PartitionPlan, Plan, Processors, Share};
use machine::signal::{Phase, Signal, Varied};
use units::{Percent, Span, Tod};

fn domain(logical: u32, processors: Processors) -> PartitionPlan {
    PartitionPlan::new("D", logical, processors)
}

fn shared(target: f64) -> Processors {
    Processors::Shared { target: Percent::new(target), maximum: Percent::new(100.0) }
}

fn cec(processors: u32, dispatching: Dispatching, switch_us: u64, partitions: Vec<PartitionPlan>) -> Cec {
    let (slice, switch) = (Span::from_us(100), Span::from_us(switch_us));
    let cec = Some(CecPlan::slices(processors, slice, dispatching, switch));
    Cec::new(&Plan { cec, partitions, ..Plan::default() }, &Streams::new(1, 0))
}

fn after(cec: &mut Cec, transition: impl FnOnce(&mut Cec, &mut Effects, &mut Record)) -> (Vec<Effect>, Vec<Signal>) {
    let (mut effects, mut record) = (no_effects(), Record::default());
    transition(cec, &mut effects, &mut record);
    (std::iter::from_fn(|| effects.pop()).collect(), record.0)
}

fn begin(cec: &mut Cec, physical: u32) -> Vec<Effect> {
    after(cec, |cec, effects, record| cec.begin(Physical(physical), us(0), effects, record)).0
}

fn over(cec: &mut Cec, physical: u32, at: Tod) -> Vec<Effect> {
    after(cec, |cec, effects, record| cec.slice_over(Physical(physical), at, effects, record)).0
}

fn slice_ends(physical: u32, at: Tod) -> Effect {
    Effect::At(Event::Slice(Physical(physical)), at)
}

const ON: fn(u32) -> Effect = |logical| Effect::Dispatched(Logical(logical));
const OFF: fn(u32) -> Effect = |logical| Effect::Undispatched(Logical(logical));

/// 1.0: fixed time slices; a domain completes its slice without the intermediate dispatch of another.
#[test]
fn domains_have_their_slices_in_turn() {
    let mut cec = cec(1, Dispatching::Together, 0, vec![domain(1, shared(50.0)), domain(1, shared(50.0))]);
    assert_eq!(begin(&mut cec, 0), [ON(0), slice_ends(0, us(100))]);
    assert_eq!(over(&mut cec, 0, us(100)), [OFF(0), ON(1), slice_ends(0, us(200))]);
    assert_eq!(over(&mut cec, 0, us(200)), [OFF(1), ON(0), slice_ends(0, us(300))]);
}

#[test]
fn together_both_processors_carry_one_domain() {
    let mut cec = cec(2, Dispatching::Together, 0, vec![domain(2, shared(50.0)), domain(2, shared(50.0))]);
    assert_eq!([begin(&mut cec, 0)[0], begin(&mut cec, 1)[0]], [ON(0), ON(1)]);
    assert_eq!([over(&mut cec, 0, us(100))[1], over(&mut cec, 1, us(100))[1]], [ON(2), ON(3)]);
}

#[test]
fn apart_each_processor_is_a_turn_ahead_of_the_one_before() {
    let mut cec = cec(2, Dispatching::Apart, 0, vec![domain(2, shared(50.0)), domain(2, shared(50.0))]);
    assert_eq!([begin(&mut cec, 0)[0], begin(&mut cec, 1)[0]], [ON(0), ON(3)]);
    assert_eq!([over(&mut cec, 0, us(100))[1], over(&mut cec, 1, us(100))[1]], [ON(2), ON(1)]);
}

/// The switch comes first and is no part of what the domain gets.
#[test]
fn a_switch_takes_its_time_out_of_the_slice() {
    let mut cec = cec(1, Dispatching::Together, 7, vec![domain(1, shared(50.0)), domain(1, shared(50.0))]);
    let (effects, said) = after(&mut cec, |cec, effects, record| cec.begin(Physical(0), us(0), effects, record));
    assert_eq!(effects, [slice_ends(0, us(7))]);
    assert_eq!(said, [Signal::Carries(Physical(0), Phase::Switching(Partition(0), Some(Logical(0))))]);
    assert_eq!(over(&mut cec, 0, us(7)), [ON(0), slice_ends(0, us(100))]);
    assert_eq!(over(&mut cec, 0, us(100)), [OFF(0), slice_ends(0, us(107))]);
}

#[test]
fn a_domain_alone_is_never_switched() {
    let mut cec = cec(1, Dispatching::Together, 7, vec![domain(1, shared(50.0))]);
    assert_eq!(begin(&mut cec, 0)[0], ON(0), "no switch before it");
}

/// UP mode: "each domain has a dedicated processor"; the others share what is left.
#[test]
fn dedicated_processors_have_no_slices() {
    let domains = vec![domain(1, shared(50.0)), domain(1, Processors::Dedicated), domain(1, shared(50.0))];
    let mut cec = cec(2, Dispatching::Together, 0, domains);
    assert_eq!(begin(&mut cec, 0), [ON(1)], "for good");
    assert_eq!(begin(&mut cec, 1), [ON(0), slice_ends(1, us(100))]);
    assert_eq!(over(&mut cec, 1, us(100))[1], ON(2));
}

fn change(cec: &mut Cec, change: impl FnOnce(&mut Cec, &mut Effects, &mut Record)) -> Vec<Effect> {
    after(cec, change).0
}

/// A target that changes counts from the next slice on; the frame goes on with the next domain.
#[test]
fn targets_count_from_the_next_slice() {
    let mut cec = cec(1, Dispatching::Together, 0, vec![domain(1, shared(50.0)), domain(1, shared(50.0))]);
    begin(&mut cec, 0);
    let share = Share::Slices { target: Some(Percent::new(16.0)), maximum: None };
    let said = after(&mut cec, |cec, effects, record| cec.promise((Partition(0), share), us(10), effects, record));
    assert_eq!(said, (vec![], vec![Signal::PartitionVaried(Partition(0), Varied::Target(160_000, 1_000_000))]));
    let second = over(&mut cec, 0, us(100));
    assert_eq!(second[..2], [OFF(0), ON(1)]);
    assert!(second != [OFF(0), ON(1), slice_ends(0, us(200))], "16 to 50: it has more than half of a frame");
    assert_eq!(over(&mut cec, 0, us(252))[1], ON(0));
}

/// P on the System Scheduling screen: the slice that runs is as long as it was, and those after it are of the new length.
#[test]
fn a_scheduling_parameter_counts_from_the_next_slice() {
    let mut cec = cec(1, Dispatching::Together, 0, vec![domain(1, shared(50.0)), domain(1, shared(50.0))]);
    begin(&mut cec, 0);
    let reslice = |cec: &mut Cec, effects: &mut Effects, _: &mut Record| {
        cec.reslice(Span::from_us(20), us(10), effects);
    };
    assert_eq!(after(&mut cec, reslice), (vec![], vec![]));
    assert_eq!(over(&mut cec, 0, us(100)), [OFF(0), ON(1), slice_ends(0, us(120))]);
    assert_eq!(over(&mut cec, 0, us(120)), [OFF(1), ON(0), slice_ends(0, us(140))]);
}

/// D and A on the Configuration Attributes screen: a deleted domain has its slice to the end, and no other.
#[test]
fn a_domain_is_deleted_and_added_at_the_next_slice() {
    let domains = vec![domain(2, shared(20.0)), domain(2, shared(20.0)), domain(2, shared(20.0))];
    let mut cec = cec(2, Dispatching::Together, 0, domains);
    begin(&mut cec, 0);
    begin(&mut cec, 1);
    let delete = |cec: &mut Cec, effects: &mut Effects, record: &mut Record| {
        cec.delete(Partition(1), us(10), effects, record);
    };
    assert_eq!(change(&mut cec, delete), []);
    assert_eq!([over(&mut cec, 0, us(100))[1], over(&mut cec, 1, us(100))[1]], [ON(4), ON(5)], "the third follows");
    let add = |cec: &mut Cec, effects: &mut Effects, record: &mut Record| {
        cec.add(Partition(1), us(150), effects, record);
    };
    assert_eq!(change(&mut cec, add), []);
    assert_eq!([over(&mut cec, 0, us(200))[1], over(&mut cec, 1, us(200))[1]], [ON(0), ON(1)]);
    assert_eq!([over(&mut cec, 0, us(300))[1], over(&mut cec, 1, us(300))[1]], [ON(2), ON(3)], "it is there again");
}

/// However domains come and go, each processor stays a turn ahead of the one before it.
#[test]
fn apart_stays_apart_when_a_domain_is_deleted() {
    let domains = vec![domain(2, shared(20.0)), domain(2, shared(20.0)), domain(2, shared(20.0))];
    let mut cec = cec(2, Dispatching::Apart, 0, domains);
    begin(&mut cec, 0);
    begin(&mut cec, 1);
    assert_eq!([over(&mut cec, 0, us(100))[1], over(&mut cec, 1, us(100))[1]], [ON(2), ON(5)]);
    change(&mut cec, |cec, effects, record| cec.delete(Partition(2), us(150), effects, record));
    assert_eq!([over(&mut cec, 0, us(200))[1], over(&mut cec, 1, us(200))[1]], [ON(0), ON(3)]);
    assert_eq!([over(&mut cec, 0, us(300))[1], over(&mut cec, 1, us(300))[1]], [ON(2), ON(1)]);
}

#[test]
fn processors_are_idle_while_no_domain_is_there() {
    let mut cec = cec(1, Dispatching::Together, 0, vec![domain(1, shared(50.0))]);
    begin(&mut cec, 0);
    change(&mut cec, |cec, effects, record| cec.delete(Partition(0), us(10), effects, record));
    assert_eq!(over(&mut cec, 0, us(100)), [OFF(0)]);
    let add = change(&mut cec, |cec, effects, record| cec.add(Partition(0), us(500), effects, record));
    assert_eq!(add, [slice_ends(0, us(500))], "there is no slice to wait for");
    assert_eq!(over(&mut cec, 0, us(500)), [ON(0), slice_ends(0, us(600))]);
}

#[test]
fn a_dedicated_domain_that_is_deleted_and_added_at_once_keeps_its_processors() {
    let mut cec = cec(1, Dispatching::Together, 0, vec![domain(1, Processors::Dedicated)]);
    begin(&mut cec, 0);
    change(&mut cec, |cec, effects, record| cec.delete(Partition(0), us(10), effects, record));
    change(&mut cec, |cec, effects, record| cec.add(Partition(0), us(10), effects, record));
    assert_eq!(over(&mut cec, 0, us(10)), [], "it is carried as before");
}

#[test]
fn a_dedicated_domain_comes_and_goes_with_its_processors() {
    let mut cec = cec(1, Dispatching::Together, 0, vec![domain(1, Processors::Dedicated)]);
    assert_eq!(begin(&mut cec, 0), [ON(0)]);
    let delete = change(&mut cec, |cec, effects, record| cec.delete(Partition(0), us(10), effects, record));
    assert_eq!(delete, [slice_ends(0, us(10))]);
    assert_eq!(over(&mut cec, 0, us(10)), [OFF(0)]);
    change(&mut cec, |cec, effects, record| cec.add(Partition(0), us(20), effects, record));
    assert_eq!(over(&mut cec, 0, us(20)), [ON(0)]);
}

#[test]
fn a_processor_is_idle_in_the_slice_of_a_domain_with_fewer() {
    let mut cec = cec(2, Dispatching::Together, 0, vec![domain(1, shared(50.0)), domain(2, shared(50.0))]);
    assert_eq!(begin(&mut cec, 1), [slice_ends(1, us(100))], "nobody's");
    assert_eq!(over(&mut cec, 1, us(100)), [ON(2), slice_ends(1, us(200))]);
}

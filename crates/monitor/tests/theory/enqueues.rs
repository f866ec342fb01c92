//! ENQ and DEQ against closed forms: pairs by one guest, the ENQ/DEQ lock as a server, a resource by name as a server, a ring.

use super::closed_forms::repairman;
use super::domains::dedicated;
use super::trial::{Trial, agree};
use crate::plans::{closed, exponential, plan};
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::{
    Change, ChangePlan, ComplexPlan, Costs, EnqStep, EnqueueAccess, EnqueuePlan, GuestPlan, Linkage, PartitionPlan,
    Plan, Processors, Ret, Ring, RunsInPlan, Scope, SerializationPlan, Step, Structure,
};
use measures::SerializationTotals;
use monitor::{Experiment, Measurement, Watch, replicate};
use units::Span;

/// An ENQ and a DEQ with nothing between them that takes time.
pub fn pair(enqueue: usize, steps: Vec<Step>) -> Step {
    let (access, ret, linkage) = (EnqueueAccess::Exclusive, Ret::None, Linkage::Svc);
    Step::Enq(EnqStep { enqueue, access, ret, linkage, steps: Some(steps) })
}

pub fn nothing() -> Vec<Step> {
    vec![Step::Think(Distribution::Constant(Span::ZERO))]
}

pub fn resource(number: usize, scope: Scope) -> EnqueuePlan {
    let (name, rname) = (format!("R{number}"), format!("NAME{number}"));
    EnqueuePlan { name, qname: "TEST".into(), rname, scope, members: 1, reserve: Vec::new() }
}

pub fn service(structure: Structure, costs: Costs) -> SerializationPlan {
    let (managed, complex, answer, name_lists) = (None, ComplexPlan::None, Span::ZERO, Vec::new());
    SerializationPlan { structure, managed, costs, complex, answer, name_lists, exits: Vec::new() }
}

/// ENQs that take so long, and nothing else that costs anything.
fn enq_alone(enq: Span) -> Costs {
    Costs { enq, deq: Span::ZERO, ..Costs::default() }
}

/// Guests with this many processors and a resource each.
pub fn serving(guests: Vec<GuestPlan>, processors: u32, own: SerializationPlan) -> Plan {
    let enqueues = (0..guests.len()).map(|number| resource(number, Scope::System)).collect();
    dedicated(Plan { serialization: Some(own), enqueues, ..plan(Vec::new(), guests) }, processors)
}

/// One replication of one interval without a warm-up.
pub fn one(plan: &Plan, interval: Span) -> SerializationTotals {
    let measurement = Measurement { warm_up: Span::ZERO, interval, intervals: 1, sample: Span::from_ms(100) };
    let intervals = replicate(plan, &Streams::new(1, 0), &measurement, "one", |_| true).expect("the laws hold");
    intervals.into_iter().next().expect("there is one interval").serialization[0].clone()
}

/// One guest, pair after pair: n pairs take n times what a pair costs, to the unit, whatever exits there are.
#[test]
fn serial_pairs_take_what_they_cost() {
    for structure in Structure::ALL {
        let plan = serving(vec![closed(1, vec![pair(0, nothing())])], 1, service(structure, Costs::default()));
        let short = one(&plan, Span::from_ms(10));
        let cost = short.elapsed_us_per_pair.value;
        assert_eq!(short.lock_wait_us.value, 0.0, "{structure:?}");
        let units = (cost * Span::from_us(1).units() as f64).round() as u64;
        let pairs = 1_000;
        let long = one(&plan, Span::from_units(units * pairs));
        let done = long.pairs_per_s.value * Span::from_units(units * pairs).seconds();
        assert!((done - pairs as f64).abs() < 1e-9, "{structure:?}: {done}");
        assert_eq!(long.elapsed_us_per_pair.value, cost, "{structure:?}");
        assert!((long.cpu_us_per_pair.value - cost).abs() < 1e-9, "{structure:?}");
    }
}

/// Two guests, each with a processor and a resource of its own: between requests each thinks for an exponential time, so
/// the lock, held for D, is the server of M/D/1//2. In any state at the end of a service, the other guest comes during the
/// next one with q = 1 - exp(-D / T): services are 1 / (D + (1 - q) T / 2) a second, and q of them were waited for.
#[test]
fn the_lock_is_the_server_of_guests_with_a_processor_each() {
    for (hold_us, think_us) in [(1_000, 2_000), (2_000, 1_000)] {
        let guest = |number| closed(1, vec![Step::Think(exponential(think_us)), pair(number, nothing())]);
        let own = service(Structure::None, enq_alone(Span::from_us(hold_us)));
        let mut plan = serving(vec![guest(0), guest(1)], 2, own);
        for (number, guest) in plan.guests.iter_mut().enumerate() {
            guest.name = format!("G{number}");
        }
        let trial = Trial::run("the ENQ/DEQ lock, M/D/1//2", &plan, 20);
        let (hold, think) = (hold_us as f64 / 1e3, think_us as f64 / 1e3);
        let waited = 1.0 - (-hold / think).exp();
        let taken = 1.0 / (hold + (1.0 - waited) * think / 2.0);
        let lock = |i: &measures::IntervalTotals| i.serialization[0].clone();
        trial.agrees("taken per ms", |i| lock(i).lock_per_s.value / 1e3, taken);
        trial.agrees("held", |i| lock(i).lock_held_percent.value, 100.0 * taken * hold);
        trial.agrees("found taken", |i| lock(i).lock_contended_percent.value, 100.0 * waited);
        // Two that think, wait or are served: what is neither thought nor served is waited.
        let waiting = 2.0 - taken * (think + hold);
        trial.agrees("waiting", |i| lock(i).lock_waiting.value, waiting);
    }
}

/// However many processors there are, no more pairs are done than the lock lets through; exits that drop it are done beside it.
#[test]
fn the_lock_bounds_what_processors_gain() {
    let guests = |count| (0..count).map(|number| closed(1, vec![pair(number, nothing())])).collect::<Vec<_>>();
    let rates: Vec<f64> = [1, 2, 8]
        .map(|count| {
            let mut plan = serving(guests(count), count as u32, service(Structure::PrebatchPooled14, Costs::default()));
            plan.guests.iter_mut().enumerate().for_each(|(number, guest)| guest.name = format!("G{number}"));
            one(&plan, Span::from_ms(200)).pairs_per_s.value
        })
        .to_vec();
    assert!((rates[1] / rates[0] - 1.0).abs() < 1e-3 && (rates[2] / rates[0] - 1.0).abs() < 1e-3, "{rates:?}");
}

/// A resource that guests have for themselves while they compute, each on a processor of its own: M/M/1//N.
#[test]
fn a_resource_by_name_is_a_server() {
    let costs = enq_alone(Span::ZERO);
    let program = vec![Step::Think(exponential(6_000)), pair(0, vec![Step::Compute(exponential(1_000))])];
    let mut plan = serving(vec![closed(8, program)], 8, service(Structure::None, costs));
    plan.enqueues.truncate(1);
    let trial = Trial::run("a resource by name, M/M/1//8", &plan, 40);
    let theory = repairman(1, 8, 6.0, 1.0);
    let row = |i: &measures::IntervalTotals| i.enqueues[0].clone();
    trial.agrees("requests per ms", |i| row(i).requests_per_s.value / 1e3, theory.throughput);
    trial.agrees("waiting", |i| row(i).queue_depth.value, theory.waiting);
    trial.agrees("owners", |i| row(i).owners.value, theory.throughput);
}

/// In a ring of n systems a global request waits for the message and then for its way round, c = n hops. A task that
/// has released goes on w after the message arrived, and thinks for an exponential time of mean T. On average it finds
/// the message c - w - T + c exp(-(c - w) / T) / (1 - exp(-c / T)) before it arrives again.  Its DEQ comes w after the message
/// arrived, and is there a cycle later.  Without acceleration w is c; with ACCELSYS(n) it is n - 1 hops and a transmission.
#[test]
fn a_ring_delays_by_the_message_and_its_way_round() {
    let ms = Span::from_ms;
    for (acceleration, transmission, way_ms) in [
        (None, Span::ZERO, 4.0),
        (None, ms(1), 8.0),
        (Some(2), ms(1), 3.0),
        (Some(4), ms(1), 7.0),
        (Some(5), ms(1), 8.0),
    ] {
        a_ring_delays(Ring { residency: ms(1), transmission, acceleration }, way_ms);
    }
}

fn a_ring_delays(ring: Ring, way: f64) {
    let (systems, think_us) = (4, 20_000);
    let program = vec![Step::Think(exponential(think_us)), pair(0, nothing())];
    let complex = ComplexPlan::Ring(ring);
    let own = SerializationPlan { complex, ..service(Structure::None, enq_alone(Span::ZERO)) };
    let mut plan = serving(vec![closed(1, program)], 1, own);
    plan.enqueues = vec![resource(0, Scope::Systems)];
    let others = (1..systems).map(|number| PartitionPlan::new(&format!("D{number}"), 1, Processors::Dedicated));
    plan.partitions.extend(others);
    plan.cec.as_mut().expect("it has processors").processors += systems - 1;
    let trial = Trial::run("a ring of four", &plan, 60);
    let (round, think) = (f64::from(systems) * ring.hop().ms(), think_us as f64 / 1e3);
    let rest = round - way;
    let until_message = rest - think + round * (-rest / think).exp() / (1.0 - (-round / think).exp());
    let mean = trial.of(|i| i.serialization[0].delay_ms.value);
    agree(&format!("delay, {ring:?}"), &mean, (until_message + way + round) / 2.0);
}

/// Guests of two systems share a global name through a lock structure, and a local one does not meet its namesake.
#[test]
fn names_meet_across_systems_where_they_are_global() {
    let program = vec![Step::Think(exponential(1_000)), pair(0, vec![Step::Compute(exponential(1_000))])];
    for (scope, shared) in [(Scope::Systems, true), (Scope::System, false)] {
        let complex = ComplexPlan::Star { service: Span::ZERO };
        let own = SerializationPlan { complex, ..service(Structure::None, enq_alone(Span::ZERO)) };
        let guests = vec![closed(1, program.clone()), closed(1, program.clone())];
        let mut plan = serving(guests, 1, own);
        plan.enqueues = vec![resource(0, scope)];
        plan.partitions.push(PartitionPlan::new("OTHER", 1, Processors::Dedicated));
        plan.cec.as_mut().expect("it has processors").processors += 1;
        for (number, guest) in plan.guests.iter_mut().enumerate() {
            guest.name = format!("G{number}");
            guest.runs_in = Some(RunsInPlan::Partition { partition: number, priority: 0 });
        }
        let trial = Trial::run(&format!("two systems, {scope:?}"), &plan, 30);
        let waiting = if shared { repairman(1, 2, 1.0, 1.0).waiting } else { 0.0 };
        if shared {
            trial.agrees("waiting", |i| i.enqueues[0].queue_depth.value, waiting);
        } else {
            assert!(trial.of(|i| i.enqueues[0].queue_depth.value).iter().all(|depth| *depth == 0.0));
        }
    }
}

/// A system is deleted while it has a global name that another waits for: the other has it from then on, all the time.
#[test]
fn resources_of_a_system_that_leaves_go_to_waiters_elsewhere() {
    let own = SerializationPlan {
        complex: ComplexPlan::Star { service: Span::ZERO },
        ..service(Structure::None, enq_alone(Span::ZERO))
    };
    let hold = || closed(1, vec![pair(0, vec![Step::Think(Distribution::Constant(Span::from_ms(1_000)))])]);
    let mut plan = serving(vec![hold(), hold()], 1, own);
    plan.guests[1].name = "LATER".into();
    plan.enqueues = vec![resource(0, Scope::Systems)];
    plan.partitions.push(PartitionPlan::new("OTHER", 1, Processors::Dedicated));
    plan.cec.as_mut().expect("it has processors").processors += 1;
    plan.guests[1].runs_in = Some(RunsInPlan::Partition { partition: 1, priority: 0 });
    plan.changes = vec![ChangePlan { at: Span::from_ms(40), change: Change::Delete { partition: 0 } }];
    let interval = Span::from_ms(100);
    let measurement = Measurement { warm_up: Span::ZERO, interval, intervals: 1, sample: Span::from_ms(10) };
    let intervals = replicate(&plan, &Streams::new(1, 0), &measurement, "leaves", |_| true).expect("the laws hold");
    let name = &intervals[0].enqueues[0];
    assert_eq!((name.contention_total_ms.value, name.wait_ms.value, name.held_ms.value), (40.0, 40.0, 40.0));
    assert_eq!((name.owners.value, name.waiters_at_end.value), (1.0, 0.0));
}

/// A line of the log names the first of those that block a request and counts the rest.
#[test]
fn of_many_blockers_the_first_are_named() {
    let held = vec![pair(0, vec![Step::Think(Distribution::Constant(Span::from_ms(100)))])];
    let plan = serving(vec![closed(40, held)], 4, service(Structure::None, enq_alone(Span::ZERO)));
    let measurement =
        Measurement { warm_up: Span::ZERO, interval: Span::from_ms(10), intervals: 1, sample: Span::from_ms(10) };
    let intervals = replicate(&plan, &Streams::new(1, 0), &measurement, "one", |_| true).expect("the laws hold");
    let last = &intervals[0].contention[39].who.blockers;
    assert_eq!((last.matches('#').count(), last.ends_with(" and 7 more")), (32, true), "{last}");
}

/// The log is that of replication 0; those of all would take as many times the memory.
#[test]
fn only_one_replication_keeps_its_log() {
    let held = vec![pair(0, vec![Step::Think(Distribution::Constant(Span::from_ms(100)))])];
    let plan = serving(vec![closed(2, held)], 2, service(Structure::None, enq_alone(Span::ZERO)));
    let measurement =
        Measurement { warm_up: Span::ZERO, interval: Span::from_ms(10), intervals: 1, sample: Span::from_ms(10) };
    let experiment = Experiment { plan: &plan, name: "one", seed: 1, measurement };
    let replications = experiment.run(0..2, 1, &Watch::default()).expect("the laws hold");
    assert_eq!(replications.iter().map(|made| made.intervals[0].contention.len()).collect::<Vec<_>>(), [2, 0]);
}

//! Guests that spin for one lock, against their chains. With a processor for each guest the instant of the next try matters;
//! on one processor the dispatched guest matters.
//!
//! With a processor for each guest the chains are exact, whatever a try and a yield take.  On one processor they are exact in
//! a limit. Where one yields after its only try, it is that of tries of no length: one is a quarter of a ns here, for a slice
//! of 300 us, a millionth. Without yields it is that of slices of no length (a 125th of a hold).

use super::closed_forms::{mva, repairman};
use super::lock_chains::{Contention, TwoGuests, slowed, waits_at_random, waits_in_order};
use super::trial::{Trial, agree};
use crate::observed::Observed;
use crate::plans::virtual_machines::{free, machines, under};
use crate::plans::{closed, exponential};
use kernel::calendar::TreeCalendar;
use kernel::draw::Streams;
use machine::plan::{
    Arrival, ControlProgramPlan, CostsPlan, GuestPlan, LockOrder, PauseLoopPlan, Plan, SpinLockPlan, SpinPlan, SrmPlan,
    Step, VirtualMachinePlan, Yields,
};
use machine::signal::{Probe, Signal, Use};
use machine::world::World;
use measures::IntervalTotals;
use units::{Span, Tod};

const ALL_ORDERS: [LockOrder; 3] = [LockOrder::Unordered, LockOrder::Ticket, LockOrder::Queued];

/// Guests in one virtual machine, their use of its one lock, and the machine under them.
#[derive(Clone, Copy, Debug)]
struct Shared {
    guests: u32,
    processors: u32,
    think_us: u64,
    hold_us: u64,
    spin: SpinPlan,
    order: LockOrder,
    costs: CostsPlan,
    slice: Span,
}

impl Shared {
    /// By default each has a processor and tries as often as the clock allows.
    fn new(guests: u32, think_us: u64, hold_us: u64) -> Shared {
        Shared {
            guests,
            processors: guests,
            think_us,
            hold_us,
            spin: spin(1_000, Span::from_units(1), Yields::Never),
            order: LockOrder::Unordered,
            costs: CostsPlan::default(),
            slice: Span::from_ms(5),
        }
    }

    fn plan(&self, machines_of_it: u32) -> Plan {
        let held = vec![Step::Compute(exponential(self.hold_us))];
        let program = vec![Step::Think(exponential(self.think_us)), Step::Lock { lock: 0, steps: held }];
        let machines = VirtualMachinePlan { spin: self.spin, ..machines(machines_of_it, self.guests) };
        let srm = SrmPlan { slice: self.slice, ..free().srm };
        let control_program = ControlProgramPlan { srm, costs: self.costs, ..free() };
        let guests = closed(self.guests * machines_of_it, program);
        let mut plan = under(control_program, self.processors, [(machines, guests)]);
        plan.spin_locks =
            vec![SpinLockPlan { name: "LOCK".into(), machines: 0, count: 1, order: self.order, ..Default::default() }];
        plan
    }

    fn times_ms(&self) -> (f64, f64) {
        (self.think_us as f64 / 1e3, self.hold_us as f64 / 1e3)
    }
}

fn spin(retry: u32, one_try: Span, yields: Yields) -> SpinPlan {
    SpinPlan { retry, one_try, yields }
}

/// The table of the only lock, and the cycles of those that take it, against a chain.
fn lock_agrees(trial: &Trial, theory: Contention) {
    trial.agrees("cycles per ms", |i| i.guests[0].cycles_per_s.value / 1e3, theory.taken);
    trial.agrees("taken per ms", |i| i.spin_locks[0].taken_per_s.value / 1e3, theory.taken);
    trial.agrees("contended", |i| i.spin_locks[0].contended_percent.value, 100.0 * theory.contended);
    trial.agrees("wait", |i| i.spin_locks[0].wait_us.value / 1e3, theory.wait);
    trial.agrees("spinning", |i| i.spin_locks[0].spinning.value, theory.taken * theory.contended * theory.wait);
}

/// With a processor for each, a spinner is served as soon as the lock is free: the lock is the one server of M/M/1//N, in
/// any order of service, and with any yields.
#[test]
fn a_lock_is_the_server_of_guests_with_a_processor_each() {
    for (guests, order, yields, seconds) in [
        (2, LockOrder::Unordered, Yields::Never, 30),
        (5, LockOrder::Unordered, Yields::X44, 15),
        (5, LockOrder::Ticket, Yields::X9C, 15),
        (9, LockOrder::Queued, Yields::SenseRunning, 8),
        (5, LockOrder::Ticket, Yields::Halt, 15),
    ] {
        let one_try = Span::from_us(1);
        let shared = Shared { spin: spin(100, one_try, yields), order, ..Shared::new(guests, 3_000, 1_000) };
        let trial = Trial::run(&format!("one lock, {order:?}, {yields:?}, M/M/1//{guests}"), &shared.plan(1), seconds);
        lock_agrees(&trial, slowed(guests, shared.times_ms(), |_| 1.0));
    }
}

/// Tries are rare, and yields take time, so that a lock that is free is not noticed for a while and another may come
/// first.
#[test]
fn two_guests_notice_a_free_lock_when_they_try() {
    let long = Span::from_us(700);
    let costs = CostsPlan { fast_x44: long, x9c: long, sense: long, ..CostsPlan::default() };
    let all = [Yields::Never, Yields::X44, Yields::X9C, Yields::SenseRunning];
    for (yields, tries) in all.into_iter().zip([1, 1, 3, 3]) {
        let one_try = Span::from_us(400);
        let shared = Shared { spin: spin(tries, one_try, yields), costs, ..Shared::new(2, 1_500, 1_000) };
        let trial = Trial::run(&format!("two guests, {tries} tries, {yields:?}"), &shared.plan(1), 35);
        let (think, hold) = shared.times_ms();
        let tries = (yields != Yields::Never).then_some(tries);
        let theory = TwoGuests { think, hold, one_try: one_try.ms(), tries, yields: long.ms() }.solve();
        lock_agrees(&trial, theory);
        match yields {
            Yields::Never => {}
            Yields::X44 => trial.agrees("fast", |i| i.control_programs[0].fast_x44_per_s.value / 1e3, theory.yields),
            Yields::X9C => trial.agrees("X'9C'", |i| i.control_programs[0].x9c_per_s.value / 1e3, theory.yields),
            Yields::SenseRunning => {
                trial.agrees("sensed", |i| i.control_programs[0].sensed_per_s.value / 1e3, theory.yields);
            }
            Yields::Halt | Yields::PauseLoop => unreachable!("it is not among them"),
        }
    }
}

/// Of two guests, the one that waits waits for the rest of an exponential hold: no longer than that, and no longer than
/// its threshold does it spin, and it halts if the rest is longer.
#[test]
fn a_halting_guest_spins_for_its_threshold_at_most() {
    for (tries, threshold_ms) in [(16_000, 0.25), (64_000, 1.0)] {
        let spin = spin(tries, Span::from_units(64), Yields::Halt);
        let shared = Shared { spin, order: LockOrder::Ticket, ..Shared::new(2, 1_500, 1_000) };
        let trial = Trial::run(&format!("halts after {threshold_ms} ms"), &shared.plan(1), 30);
        let halts = f64::exp(-threshold_ms);
        trial.agrees(
            "halts of those that wait",
            |i| i.control_programs[0].halts_per_s.value / i.spin_locks[0].contended_per_s.value,
            halts,
        );
        trial.agrees(
            "ms spun by each of those",
            |i| 10.0 * i.virtual_machines[0].spinning_percent.value / i.spin_locks[0].contended_per_s.value,
            1.0 - halts,
        );
        trial.agrees(
            "halted",
            |i| i.virtual_machines[0].halted.value / i.control_programs[0].halts_per_s.value * 1e3,
            1.0,
        );
        let unkicked = trial.of(|i| i.control_programs[0].halts_per_s.value - i.control_programs[0].kicks_per_s.value);
        assert!(unkicked.iter().all(|rate| rate.abs() < 1.5 / 30.0), "a kick for each halt, but for the last");
        lock_agrees(&trial, slowed(2, shared.times_ms(), |_| 1.0));
    }
}

/// Of two guests, the one that waits is intercepted after each window that ends before the hold: after w, 2 w, 3 w, or
/// where the window doubles after w, 3 w, 7 w.
#[test]
fn a_loop_is_intercepted_as_often_as_windows_end_within_the_hold() {
    let window_ms: f64 = 0.5;
    for grow in [1u32, 2] {
        let spin = spin(0, Span::from_units(64), Yields::PauseLoop);
        let shared = Shared { spin, ..Shared::new(2, 1_500, 1_000) };
        let mut plan = shared.plan(1);
        let program = plan.partitions[0].control_program.as_mut().expect("it has one");
        let (gap, window, exit) = (Span::from_us(1), Span::from_us(500), Span::ZERO);
        program.pause_loop = PauseLoopPlan { gap, window, exit, grow, ..PauseLoopPlan::default() };
        let trial = Trial::run(&format!("windows that grow by {grow}"), &plan, 30);
        let ends = |exit: i32| window_ms * if grow == 1 { f64::from(exit) } else { 2.0f64.powi(exit) - 1.0 };
        let often: f64 = (1..60).map(|exit| f64::exp(-ends(exit))).sum();
        trial.agrees(
            "exits of each wait",
            |i| i.control_programs[0].loop_exits_per_s.value / i.spin_locks[0].contended_per_s.value,
            often,
        );
        let windows: f64 = (1..60).map(|exit| (ends(exit) - ends(exit - 1)) * f64::exp(-ends(exit))).sum();
        let seen = |i: &IntervalTotals| i.control_programs[0].loop_window_us.value / 1e3;
        match grow {
            1 => assert!(trial.of(seen).iter().all(|window| *window == window_ms)),
            _ => trial.agrees("window", seen, windows / often),
        }
        lock_agrees(&trial, slowed(2, shared.times_ms(), |_| 1.0));
    }
}

/// How long a guest waits that finds the lock held, and the square of that.
#[derive(Default)]
struct Waits {
    number: f64,
    sums: [f64; 2],
}

impl Probe for Waits {
    fn signal(&mut self, _now: Tod, signal: Signal) {
        if let Signal::SpinLock(_, Use::Taken(_, _, Some(wait))) = signal {
            self.number += 1.0;
            self.sums[0] += wait.ms();
            self.sums[1] += wait.ms() * wait.ms();
        }
    }
}

/// Means do not depend on the order of service; squares do.
#[test]
fn tickets_are_served_in_order_and_others_at_random() {
    for order in ALL_ORDERS {
        // The first to try is chance: the thousand instants of a try are equally likely.
        let try_often = spin(1_000, Span::from_units(1_024), Yields::Never);
        let shared = Shared { spin: try_often, order, ..Shared::new(3, 1_500, 1_000) };
        let runs = (0..20).map(|seed| {
            let mut world: World<TreeCalendar, Observed> =
                World::new(&shared.plan(1), &Streams::new(seed, 0), Observed::by(Waits::default()));
            world.run_until(Tod::START + Span::SECOND * 80).expect("the load is small");
            world.probe.taken()
        });
        let runs: Vec<Waits> = runs.collect();
        let theory = match order {
            LockOrder::Unordered => waits_at_random(shared.times_ms()),
            LockOrder::Ticket | LockOrder::Queued => waits_in_order(shared.times_ms()),
        };
        for (power, theory) in theory.into_iter().enumerate() {
            let values: Vec<f64> = runs.iter().map(|waits| waits.sums[power] / waits.number).collect();
            agree(&format!("{order:?}, moment {} of the wait", power + 1), &values, theory);
        }
    }
}

/// On one processor no time is lost if each spinner yields after every try: the holder of a lock has the processor to
/// itself.  However many locks there are, a machine for each, those that want one are served like the customers
/// of one server: M/M/1//N.
#[test]
fn on_one_processor_the_holder_runs_if_the_others_yield() {
    let slice = Span::from_us(300);
    for (yields, order, kinds) in [
        (Yields::X44, LockOrder::Unordered, 1),
        (Yields::X9C, LockOrder::Unordered, 1),
        (Yields::SenseRunning, LockOrder::Ticket, 1),
        (Yields::X44, LockOrder::Unordered, 2),
        (Yields::X9C, LockOrder::Queued, 2),
    ] {
        let at_once = spin(0, Span::from_units(1), yields);
        let shared = Shared { spin: at_once, order, processors: 1, slice, ..Shared::new(2, 4_000, 1_000) };
        let trial = Trial::run(&format!("{kinds} locks on one processor, {yields:?}"), &shared.plan(kinds), 30);
        let theory = repairman(1, 2 * kinds, 4.0, 1.0);
        trial.agrees("cycles per ms", |i| i.guests[0].cycles_per_s.value / 1e3, theory.throughput);
        trial.agrees("cycle", |i| i.guests[0].cycle_ms.value, 4.0 + theory.response);
        let fast = trial.of(|i| i.control_programs[0].fast_x44_per_s.value);
        assert!(fast.iter().all(|rate| *rate == 0.0), "a spinner has taken the processor of the holder");
    }
}

/// Without yields each of n that want the lock has the processor for an nth of the time, and only one of them proceeds.
#[test]
fn on_one_processor_spinning_slows_the_holder() {
    let slice = Span::from_us(8);
    let shared = Shared { processors: 1, slice, ..Shared::new(2, 4_000, 1_000) };
    let trial = Trial::run("one lock on one processor, no yields", &shared.plan(1), 20);
    let theory = slowed(2, shared.times_ms(), |wanting| 1.0 / f64::from(wanting));
    trial.agrees("cycles per ms", |i| i.guests[0].cycles_per_s.value / 1e3, theory.taken);
    trial.agrees("wait", |i| i.spin_locks[0].wait_us.value / 1e3, theory.wait);
    let quick = slowed(2, shared.times_ms(), |_| 1.0);
    assert!(quick.taken / theory.taken > 1.05, "spinning costs something");
}

/// Each machine has a lock, and its holder a processor, as long as those that spin give theirs back at once: two machines on
/// two processors are two repairmen.
#[test]
fn machines_that_yield_do_not_disturb_each_other() {
    let (slice, one_try) = (Span::from_us(2_000), Span::from_us(5));
    let at_once = spin(0, one_try, Yields::X44);
    let shared = Shared { spin: at_once, processors: 2, slice, ..Shared::new(2, 2_000, 1_000) };
    let trial = Trial::run("two locks on two processors, X'44'", &shared.plan(2), 8);
    let theory = repairman(1, 2, 2.0, 1.0);
    trial.agrees("cycles per ms", |i| i.guests[0].cycles_per_s.value / 1e3, 2.0 * theory.throughput);
}

/// A caller waits while its request and the reply are on their way: a network of a delay and the one virtual processor of
/// each answering machine, which has callers of its own.
#[test]
fn exchanges_are_a_network_of_delays_and_servers() {
    let (callers, machines_of_them, request_us, reply_us) = (8, 2, 700, 1_300);
    let way = Span::from_us;
    let exchange = Step::Exchange { guest: 1, request: way(request_us), reply: way(reply_us) };
    let calling = closed(callers, vec![Step::Think(exponential(3_000)), exchange]);
    let answers = vec![Step::Compute(exponential(1_000))];
    let answering = GuestPlan {
        name: "ANSWERS".into(),
        arrival: Arrival::Spawned,
        runs_in: None,
        program: answers,
        ..Default::default()
    };
    let plan = under(free(), 4, [(machines(1, 4), calling), (machines(machines_of_them, 1), answering)]);
    let trial = Trial::run("exchanges", &plan, 15);
    let away = 3.0 + (request_us + reply_us) as f64 / 1e3;
    let (per_ms, residence, _) = mva(callers / machines_of_them, away, &[1.0]);
    let per_ms = per_ms * f64::from(machines_of_them);
    trial.agrees("exchanges per ms", |i| i.guests[0].exchanges_per_s.value / 1e3, per_ms);
    trial.agrees("answers per ms", |i| i.guests[1].cycles_per_s.value / 1e3, per_ms);
    trial.agrees("exchange", |i| i.guests[0].exchange_ms.value, away - 3.0 + residence[0]);
}

//! Effects of yields on clients and servers that exchange requests and lock on both sides. With a processor for each there
//! is none. Where processors are short there is one, and the fast path is taken more often than vectors are empty.
//!
//! Longest waits: with turns a spinner waits for those before it and no other, which laws check at every acquisition. An
//! unordered lock has no bound; these tests check only that there is no starvation.

use crate::plans::virtual_machines::{free, machines, under};
use crate::plans::{closed, exponential};
use kernel::distribution::Distribution;
use machine::plan::{
    Arrival, ControlProgramPlan, CostsPlan, GuestPlan, LockOrder, Plan, SpinLockPlan, SpinPlan, SrmPlan, Stealing,
    Step, VirtualMachinePlan, Yields,
};
use measures::{ControlProgramTotals, IntervalTotals};
use monitor::{Experiment, Measurement, Watch};
use units::Span;

const ALL_YIELDS: [Yields; 4] = [Yields::Never, Yields::X44, Yields::X9C, Yields::SenseRunning];

/// Clients and servers: how many there are, virtual processors of each, and connections of each client with each server.
#[derive(Clone, Copy, Debug)]
struct Web {
    clients: (u32, u32),
    servers: (u32, u32),
    connections: u32,
    processors: u32,
    order: LockOrder,
    retry: u32,
    costs: CostsPlan,
}

const BUSY: Web = Web {
    clients: (2, 6),
    servers: (16, 2),
    connections: 1,
    processors: 9,
    order: LockOrder::Unordered,
    retry: 100,
    costs: COSTS,
};

const COSTS: CostsPlan = CostsPlan {
    wake: Span::from_us(2),
    dispatch: Span::from_us(4),
    fast_x44: Span::from_us(1),
    x44: Span::from_us(2),
    x9c: Span::from_us(2),
    sense: Span::from_units(800),
    ..NOTHING
};
const NOTHING: CostsPlan = CostsPlan {
    wake: Span::ZERO,
    dispatch: Span::ZERO,
    wait: Span::ZERO,
    simulate: Span::ZERO,
    look: Span::ZERO,
    entry: Span::ZERO,
    park: Span::ZERO,
    fast_x44: Span::ZERO,
    x44: Span::ZERO,
    x9c: Span::ZERO,
    sense: Span::ZERO,
    kick: Span::ZERO,
};

impl Web {
    /// What an exchange takes of each side: to compute, and to lock for a moment four times.
    fn side(lock: usize) -> Vec<Step> {
        let locked = Step::Lock { lock, steps: vec![Step::Compute(Distribution::Constant(Span::from_us(8)))] };
        vec![Step::Repeat { times: 4, steps: vec![Step::Compute(exponential(70)), locked] }]
    }

    fn plan(&self, yields: Yields) -> Plan {
        let control_program = ControlProgramPlan {
            horizontal: Stealing::Eager,
            srm: SrmPlan { slice: Span::from_ms(2), ..free().srm },
            costs: self.costs,
            ..free()
        };
        let spin = SpinPlan { retry: self.retry, one_try: Span::from_units(80), yields };
        let of = |(count, virtual_processors)| VirtualMachinePlan { spin, ..machines(count, virtual_processors) };
        let way = Span::from_us(100);
        let exchange = Step::Exchange { guest: 1, request: way, reply: way };
        let calling = [vec![exchange], Web::side(0)].concat();
        let calls = closed(self.clients.0 * self.servers.0 * self.connections, calling);
        let program = Web::side(1);
        let answers = GuestPlan {
            name: "ANSWERS".into(),
            arrival: Arrival::Spawned,
            runs_in: None,
            program,
            ..Default::default()
        };
        let mut plan =
            under(control_program, self.processors, [(of(self.clients), calls), (of(self.servers), answers)]);
        let lock = |machines| SpinLockPlan {
            name: format!("LOCK {machines}"),
            machines,
            count: 1,
            order: self.order,
            ..Default::default()
        };
        plan.spin_locks = vec![lock(0), lock(1)];
        plan
    }

    fn run(&self, yields: Yields) -> Vec<IntervalTotals> {
        let (plan, name) = (self.plan(yields), format!("{self:?}, {yields:?}"));
        let (warm_up, interval) = (Span::from_ms(30), Span::from_ms(250));
        let measurement = Measurement { warm_up, interval, intervals: 1, sample: Span::from_ms(10) };
        let experiment = Experiment { plan: &plan, name: &name, seed: 44, measurement };
        let replications = experiment.run(0..12, 2, &Watch::default()).expect("the laws hold");
        let intervals: Vec<IntervalTotals> = replications.into_iter().flat_map(|made| made.intervals).collect();
        let figures = [
            ("exchanges/s", exchanges(&intervals)),
            ("fast, %", seen(&intervals, |row| row.fast_x44_percent.value)),
            ("empty, %", seen(&intervals, |row| row.vector_empty_percent.value)),
            ("DIAGNOSEs/s", seen(&intervals, |row| row.diagnoses_per_s.value)),
        ];
        for (figure, Seen { mean, error }) in figures {
            println!("{name}: {figure} {mean:.1} +- {error:.1}");
        }
        intervals
    }
}

/// The mean of independent runs and its standard error.
#[derive(Clone, Copy, Debug)]
struct Seen {
    mean: f64,
    error: f64,
}

impl Seen {
    fn of(values: impl Iterator<Item = f64>) -> Seen {
        let values: Vec<f64> = values.collect();
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
        Seen { mean, error: (variance / n).sqrt() }
    }

    /// By how many standard errors it is above another.
    fn above(self, other: Seen) -> f64 {
        (self.mean - other.mean) / self.error.hypot(other.error)
    }
}

fn exchanges(intervals: &[IntervalTotals]) -> Seen {
    Seen::of(intervals.iter().map(|interval| interval.guests[0].exchanges_per_s.value))
}

fn seen(intervals: &[IntervalTotals], figure: impl Fn(&ControlProgramTotals) -> f64) -> Seen {
    Seen::of(intervals.iter().map(|interval| figure(&interval.control_programs[0])))
}

/// Almost every second acquisition follows a spin; yields that take no time leave the throughput as it is.  Those that take
/// some leave a free lock unnoticed meanwhile, which is next to nothing.
#[test]
#[ignore = "slow: run by make test-all"]
fn with_a_processor_for_each_yields_change_nothing() {
    let web = Web { clients: (2, 6), servers: (4, 3), connections: 3, processors: 24, ..BUSY };
    for (costs, most_apart) in [(NOTHING, 0.003), (COSTS, 0.01)] {
        let web = Web { costs, ..web };
        let never = exchanges(&web.run(Yields::Never));
        for yields in [Yields::X44, Yields::X9C, Yields::SenseRunning] {
            let intervals = web.run(yields);
            let own = exchanges(&intervals);
            let apart = (own.mean / never.mean - 1.0).abs();
            assert!(own.error / own.mean < 0.003 && apart < most_apart, "{yields:?}: {own:?}, {never:?}");
            assert!(costs != NOTHING || own.above(never).abs() < 5.0, "{yields:?}: {own:?}, {never:?}");
            let all = seen(&intervals, |row| row.diagnoses_per_s.value + row.sensed_per_s.value);
            let elsewhere =
                seen(&intervals, |row| row.x44_per_s.value - row.fast_x44_per_s.value + row.x9c_yielded_per_s.value);
            assert!(
                all.mean > 1_000.0 && elsewhere.mean == 0.0,
                "{yields:?}: {all:?}, {elsewhere:?} of them not at once"
            );
        }
    }
}

/// A spinning guest whose vector is otherwise empty returns to the same empty vector at the end of its next round.
#[test]
fn the_fast_path_is_taken_more_often_than_vectors_are_empty() {
    let few = Web { clients: (2, 4), servers: (8, 1), ..BUSY };
    for web in [few, BUSY, Web { retry: 0, ..BUSY }, Web { retry: 1_000, ..BUSY }] {
        let intervals = web.run(Yields::X44);
        let fast = seen(&intervals, |row| row.fast_x44_percent.value);
        let empty = seen(&intervals, |row| row.vector_empty_percent.value);
        assert!(fast.above(empty) > 5.0, "{web:?}: {fast:?}, {empty:?}");
    }
}

/// Where processors are short, the next in turn may be undispatched: the others wait for it while the lock is free.  A yield
/// that names it dispatches it. Without turns a running spinner always takes the lock.
#[test]
#[ignore = "slow: run by make test-all"]
fn tickets_delay_spinners_that_do_not_name_the_next_in_turn() {
    let tickets = Web { order: LockOrder::Ticket, ..BUSY };
    for (yields, least, most) in [(Yields::X44, 0.3, 0.7), (Yields::X9C, 0.95, 1.02)] {
        let (by_turns, without) = (exchanges(&tickets.run(yields)), exchanges(&BUSY.run(yields)));
        let share = by_turns.mean / without.mean;
        assert!((least..most).contains(&share), "{yields:?}: {by_turns:?}, {without:?}");
    }
}

/// An unordered lock promises its spinners nothing; here no wait is longer than some slices.
#[test]
fn none_starves_for_an_unordered_lock() {
    for yields in ALL_YIELDS {
        let longest = |interval: &IntervalTotals| {
            interval.spin_locks.iter().map(|lock| lock.longest_wait_ms.value).fold(0.0, f64::max)
        };
        let longest = BUSY.run(yields).iter().map(longest).fold(0.0, f64::max);
        println!("longest wait {longest} ms");
        assert!(longest > 0.0 && longest < 40.0, "{yields:?}: {longest} ms, with slices of 2 ms");
    }
}

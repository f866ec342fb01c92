//! The pacer that sleeps a set time and then runs until what is charged to it is its duty: while capacity lasts, what is
//! charged is duty x elapsed, whatever dispatching costs.

use crate::plans::closed;
use crate::plans::virtual_machines::{free, machines, under};
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::{
    CacheLevel, ControlProgramPlan, CostsPlan, Footprint, GuestPlan, LockMode, LockPlan, Method, Plan, Polarization,
    SharedBy, SrmPlan, Step, Topology,
};
use measures::IntervalTotals;
use monitor::{Measurement, replicate};
use units::{Percent, Span};

const MINUTE: Span = Span::from_ms(60_000);

/// Guests that sleep so long and then compute up to their duty, one for each virtual processor.
fn tile(count: u32, sleep: Span, duty: f64) -> GuestPlan {
    closed(count, vec![Step::Think(Distribution::Constant(sleep)), Step::Pace(Percent::new(duty))])
}

fn minute(plan: &Plan) -> IntervalTotals {
    let measurement = Measurement { warm_up: Span::SECOND, interval: MINUTE, intervals: 1, sample: MINUTE };
    replicate(plan, &Streams::new(1, 0), &measurement, "pacer", |_| true).expect("the laws hold").remove(0)
}

fn charged(totals: &IntervalTotals) -> f64 {
    totals.virtual_machines.iter().map(|vm| vm.charged_percent.value).sum()
}

/// Eight machines of three virtual processors at 27 % each: 648 % on eight processors, as the light tiles of z/VM
/// HiperDispatch have it in all columns of its table 1.
fn light(control_program: ControlProgramPlan, sleep: Span) -> Plan {
    under(control_program, 8, [(machines(8, 3), tile(24, sleep, 27.0))])
}

#[track_caller]
fn near(seen: f64, expected: f64) {
    assert!((seen / expected - 1.0).abs() < 1e-3, "{seen}, not {expected}");
}

fn costly() -> ControlProgramPlan {
    let costs = CostsPlan {
        wake: Span::from_us(2),
        dispatch: Span::from_us(2),
        wait: Span::from_us(1),
        simulate: Span::from_us(6),
        look: Span::from_us(1),
        entry: Span::from_us(5),
        park: Span::from_us(100),
        ..CostsPlan::default()
    };
    let lock = LockPlan {
        mode: LockMode::Shared,
        hold: Span::from_us(1),
        per_waiter: Span::from_us(1),
        ..LockPlan::default()
    };
    ControlProgramPlan { costs, lock, slice_jitter: Percent::new(25.0), ..free() }
}

#[test]
#[ignore = "slow: run by make test-all"]
fn what_is_charged_is_the_duty() {
    for sleep in [Span::from_us(500), Span::from_ms(2), Span::from_ms(7)] {
        near(charged(&minute(&light(free(), sleep))), 648.0);
    }
}

/// Path that is charged is part of the duty: the guest has that much less.
#[test]
fn what_is_charged_is_the_duty_where_dispatching_costs() {
    let totals = minute(&light(costly(), Span::from_ms(1)));
    near(charged(&totals), 648.0);
    let row = &totals.control_programs[0];
    near(row.guests_percent.value + row.chargeable_cp_percent.value, 648.0);
    assert!(row.chargeable_cp_percent.value > 1.0, "some of it is the control program's");
}

/// Time lost in cold caches is charged, and less is done in it.
#[test]
fn what_is_charged_is_the_duty_in_cold_caches() {
    let mut control_program = costly();
    control_program.srm =
        SrmPlan { polarization: Polarization::Vertical, method: Method::Reshuffle, ..control_program.srm };
    let mut plan = light(control_program, Span::from_ms(1));
    let level = |name: &str, shared_by, kib, beyond| CacheLevel { name: name.into(), shared_by, kib, beyond };
    plan.topology = Some(Topology {
        name: "small".into(),
        cores_per_chip: 4,
        chips_per_book: 2,
        cores_per_book: None,
        levels: vec![level("L2", SharedBy::Core, 1_024, 1.5), level("L3", SharedBy::Chip, 4_096, 3.0)],
    });
    plan.virtual_machines[0].footprint = Some(Footprint { kib: 700, touched_in: Span::from_us(400) });
    let totals = minute(&plan);
    near(charged(&totals), 648.0);
    let row = &totals.control_programs[0];
    assert!(row.work_percent.value < row.guests_percent.value - 1.0, "caches are cold now and then");
}

/// The same duty by long and by short sleeps: bursts are as many times as long.
#[test]
fn a_longer_sleep_makes_longer_bursts() {
    for (sleep, duty) in [(Span::from_ms(2), 50.0), (Span::from_ms(2), 20.0), (Span::from_ms(9), 80.0)] {
        let totals = minute(&under(free(), 1, [(machines(1, 1), tile(1, sleep, duty))]));
        // Alone it runs until charged / elapsed is the duty d again: sleep x d / (1 - d).
        let share = duty / 100.0;
        let burst = sleep.seconds() * share / (1.0 - share);
        near(totals.guests[0].cycles_per_s.value, 1.0 / (sleep.seconds() + burst));
        near(totals.guests[0].compute_ms.value, 1e3 * burst);
    }
}

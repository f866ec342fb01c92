//! Counters of the monitor, on machines without chance whose every figure is computed by hand.

use crate::plans::{bound, closed, io, numbers, plan, volume};
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::{AliasPoolPlan, Aliasing, ControlUnitPlan, Plan, Redispatch, Step};
use measures::{IntervalTotals, Role};
use monitor::{Measurement, replicate};
use units::Span;

const MILLISECOND: Distribution = Distribution::Constant(Span::from_ms(1));

/// Two intervals of 10 ms after this much warm-up.  Instants in the tests are whole ms, ends of intervals are not.
fn simulate(plan: &Plan, warm_up_us: u64) -> Vec<IntervalTotals> {
    let (warm_up, interval, sample) = (Span::from_us(warm_up_us), Span::from_ms(10), Span::from_ms(1));
    let measurement = Measurement { warm_up, interval, intervals: 2, sample };
    replicate(plan, &Streams::new(1, 0), &measurement, "by hand", |_| true).expect("the laws hold")
}

/// Four guests without a pause at one volume with two aliases.  At every whole ms the base takes the waiting I/O, and its
/// guest finds no alias and waits. Each alias goes back and is taken by its own guest: three tries that find 0, 1, 1.
fn four_at_two_aliases() -> Plan {
    let mut plan = plan(vec![volume("A", MILLISECOND)], vec![closed(4, vec![io(0)])]);
    let redispatch = Redispatch::None;
    plan.alias_pools.push(AliasPoolPlan { name: "POOL".into(), aliases: numbers(2), redispatch, ..Default::default() });
    plan.volumes[0].aliasing = Aliasing::HyperPav { pool: 0 };
    plan
}

/// MRIODHPP, `IODHPP_HPPTRIES`, `IODHPP_HPPFAILS`.
#[test]
fn tries_and_fails_are_counted_per_interval() {
    for interval in simulate(&four_at_two_aliases(), 5_500) {
        let pool = &interval.pools[0];
        assert_eq!((pool.tries.value, pool.fails.value), (30.0, 10.0));
        assert_eq!(pool.fails_per_try.value, 10.0 / 30.0);
        assert_eq!((pool.aliases.value, pool.free_mean.value), (2.0, 0.0));
    }
}

/// MRIODHPP, `IODHPP_HPPMINCT` and `IODHPP_HPPMAXCT`: updated at each try, reset with each record.  Here at 0 ms the
/// guests found 2, 1, 0 free; later at most 1.
#[test]
fn water_marks_are_of_the_tries_of_their_interval() {
    let marks = |interval: &IntervalTotals| (interval.pools[0].low_water.value, interval.pools[0].high_water.value);
    let mut four = four_at_two_aliases();
    assert_eq!(simulate(&four, 5_500).iter().map(marks).collect::<Vec<_>>(), [(0.0, 1.0), (0.0, 1.0)]);
    four.guests[0].program.insert(0, Step::Think(Distribution::Constant(Span::from_ms(8))));
    // At 8 ms three requests go to the pool and find 2, 1, 0. At 17 two find 2, 1. At 18 the waiting one finds its base free.
    let intervals = simulate(&four, 500);
    assert_eq!(intervals.iter().map(marks).collect::<Vec<_>>(), [(0.0, 2.0), (1.0, 2.0)]);
}

#[test]
fn without_a_try_the_water_is_at_the_free_aliases() {
    let mut one = four_at_two_aliases();
    one.guests[0] = closed(1, vec![io(0)]);
    let pool = &simulate(&one, 500)[1].pools[0];
    assert_eq!(
        (pool.tries.value, pool.low_water.value, pool.high_water.value, pool.free_mean.value),
        (0.0, 2.0, 2.0, 2.0)
    );
}

#[test]
fn a_volume_is_its_base_and_its_aliases_together() {
    let interval = &simulate(&four_at_two_aliases(), 5_500)[0];
    let volume = &interval.volumes[0];
    assert_eq!((volume.base_io_per_s.value, volume.alias_io_per_s.value, volume.io_per_s.value), (1e3, 2e3, 3e3));
    assert_eq!((volume.queue_depth.value, volume.queue_depth_sampled.value, volume.in_service.value), (1.0, 1.0, 3.0));
    assert_eq!((volume.service_ms.value, volume.conn_ms.value), (1.0, 1.0));
    assert_eq!(volume.response_ms.value, (2.0 + 1.0 + 1.0) / 3.0, "the base's I/Os waited 1 ms");
    assert_eq!((interval.samples, interval.length), (10, Span::from_ms(10)));
}

/// HyperPAV, "The Basic DEVICE Report": Resp = Serv + 1000 x Req. Qued / I/O rate, of the device by itself.
#[test]
fn a_device_has_what_the_report_prints() {
    let interval = &simulate(&four_at_two_aliases(), 5_500)[0];
    let base = interval.devices.iter().find(|device| device.role == Role::Base).expect("there is one");
    assert_eq!((base.io_per_s.value, base.queue_depth.value, base.busy_percent.value), (1e3, 1.0, 100.0));
    assert_eq!(base.response_ms.value, 2.0);
    let aliases = interval.devices.iter().filter(|device| device.role == Role::PoolAlias { pool: "POOL".into() });
    for alias in aliases {
        assert_eq!((alias.io_per_s.value, alias.queue_depth.value, alias.response_ms.value), (1e3, 0.0, 1.0));
    }
}

/// Think 2 ms, two I/Os of 1 ms, compute 1 ms: a cycle is 5 ms.
#[test]
fn a_guest_has_its_cycle_and_its_processor() {
    let think = Step::Think(Distribution::Constant(Span::from_ms(2)));
    let program = vec![think, Step::Repeat { times: 2, steps: vec![io(0)] }, Step::Compute(MILLISECOND)];
    let interval = &simulate(&plan(vec![volume("A", MILLISECOND)], vec![closed(1, program)]), 500)[1];
    let guest = &interval.guests[0];
    assert_eq!((guest.population.value, guest.cycles_per_s.value, guest.io_per_s.value), (1.0, 200.0, 400.0));
    assert_eq!((guest.think_ms.value, guest.compute_ms.value), (2.0, 1.0));
    assert_eq!((guest.response_ms.value, guest.cycle_ms.value), (1.0, 5.0));
    let processor = &interval.processors[0];
    let percent = (processor.think_percent.value, processor.compute_percent.value, processor.io_wait_percent.value);
    assert_eq!((processor.virtual_processors.value, percent), (1.0, (40.0, 20.0, 40.0)));
}

/// Two guests always connected at half speed: every I/O of 1 ms takes 2.
#[test]
fn a_control_unit_counts_connected_ios_and_their_slowdown() {
    let mut both = plan(vec![volume("A", MILLISECOND)], vec![closed(2, vec![io(0)])]);
    both.control_units.push(ControlUnitPlan::shared("CU", 4, 1.0));
    both.volumes[0].control_unit = Some(0);
    both.volumes[0].aliasing = bound(1, Redispatch::None);
    let interval = &simulate(&both, 500)[1];
    let unit = &interval.control_units[0];
    assert_eq!((unit.io_per_s.value, unit.connected.value, unit.slowdown.value), (1e3, 2.0, 2.0));
    assert_eq!((interval.volumes[0].conn_ms.value, interval.system.response_ms.value), (2.0, 2.0));
}

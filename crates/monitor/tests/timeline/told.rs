//! Waits for anything but an exposure, and changes: each is named in the words of the trade.

use super::{from_to, spans, traced, waits, window};
use crate::plans::{bound, closed, io, numbers, plan, volume};
use kernel::distribution::Distribution;
use machine::plan::{
    AliasPoolPlan, Aliasing, Change, ChangePlan, Choice, ControlUnitPlan, IoPlan, MinidiskPlan, Plan, Redispatch, Step,
    Target,
};
use monitor::WaitKind;
use units::Span;

/// Guests without a pause at a disk that takes 1 ms.
fn machine(guests: u32) -> Plan {
    let millisecond = Distribution::Constant(Span::from_ms(1));
    let mut plan = plan(vec![volume("A", millisecond)], vec![closed(guests, vec![io(0)])]);
    plan.guests[0].name = "G".into();
    plan
}

fn at(us: u64, change: Change) -> ChangePlan {
    ChangePlan { at: Span::from_us(us), change }
}

fn changes(plan: &Plan) -> Vec<String> {
    let timeline = traced(plan, &window(0, 10_000));
    timeline.changes.iter().map(|(at, what)| format!("{} {what}", from_to(&timeline, *at, None))).collect()
}

#[test]
fn a_minidisk_in_use_is_waited_for() {
    let mut machine = machine(2);
    machine.minidisks.push(MinidiskPlan { name: "LINUX1-201".into(), volume: 0, cache: None, ..Default::default() });
    machine.guests[0].program = vec![Step::Io(IoPlan::reading(Choice::Fixed(Target::Minidisk(0))))];
    let timeline = traced(&machine, &window(0, 1_500));
    assert_eq!(
        waits(&timeline),
        ["G #1 0..1000 LINUX1-201: minidisk LINUX1-201 in use", "G #2 1000.. LINUX1-201: minidisk LINUX1-201 in use"]
    );
    assert_eq!((timeline.waits[0].kind, timeline.waits[0].lane), (WaitKind::Turn, 0));
}

#[test]
fn a_reserve_holds_what_starts() {
    let mut machine = machine(1);
    machine.changes = vec![at(500, Change::Reserve { volume: 0 }), at(2_500, Change::Release { volume: 0 })];
    let timeline = traced(&machine, &window(0, 3_000));
    assert_eq!(spans(&timeline), ["1000 G 0..1000 A busy", "1000 G 1000..2500 A held", "1000 G 2500.. A busy"]);
    assert_eq!(waits(&timeline), ["G 1000..2500 A: pending: volume reserved by another system"]);
    assert_eq!(changes(&machine), ["500.. A reserved by another system", "2500.. A released by the other system"]);
}

#[test]
fn without_a_path_what_starts_is_held() {
    let mut machine = machine(1);
    machine.control_units.push(ControlUnitPlan::shared("CU", 4, 0.0));
    machine.volumes[0].control_unit = Some(0);
    machine.changes = vec![at(500, Change::Paths { control_unit: 0, online: 0 })];
    assert_eq!(waits(&traced(&machine, &window(0, 3_000))), ["G 1000.. A: pending: no path online"]);
    assert_eq!(changes(&machine), ["500.. CU: 0 of 4 paths online"]);
}

/// The one alias is busy when it is varied offline, and goes when its I/O ends. A request that waits when it is back gets it.
#[test]
fn an_alias_that_is_offline_has_no_holder() {
    let mut machine = machine(2);
    machine.volumes[0].aliasing = bound(1, Redispatch::SameVolume);
    let vary = |online| Change::BoundAliases { volume: 0, online };
    machine.changes = vec![at(500, vary(0)), at(2_500, vary(1))];
    let timeline = traced(&machine, &window(0, 3_000));
    assert_eq!(
        spans(&timeline)[3..],
        ["2000 G #2 0..1000 A busy", "2000 - 1000..2500  offline", "2000 G #1 2500.. A busy"]
    );
    assert!(waits(&timeline)[0].ends_with(" 1000..2000 A: base busy, no alias online"), "{:?}", waits(&timeline));
    assert_eq!(changes(&machine), ["500.. A: 0 of 1 alias online", "2500.. A: 1 of 1 alias online"]);
}

#[test]
fn a_pool_has_its_name_beside_others() {
    let mut machine = machine(2);
    let (aliases, redispatch) = (numbers(1), Redispatch::PoolFifo);
    machine.alias_pools.push(AliasPoolPlan { name: "LSS-52".into(), aliases, redispatch, ..Default::default() });
    machine.alias_pools.push(AliasPoolPlan {
        name: "LSS-53".into(),
        aliases: vec![],
        redispatch,
        ..Default::default()
    });
    machine.volumes[0].aliasing = Aliasing::HyperPav { pool: 1 };
    let why = |machine: &Plan| waits(&traced(machine, &window(0, 1_000)))[0].split_once(": ").expect("").1.to_string();
    assert_eq!(why(&machine), "base busy, pool LSS-53 without aliases");
    machine.volumes[0].aliasing = Aliasing::HyperPav { pool: 0 };
    machine.guests[0] = closed(3, vec![io(0)]);
    assert_eq!(why(&machine), "base busy, pool LSS-52 empty");
    machine.changes = vec![at(100, Change::PoolAliases { pool: 0, online: 0 })];
    assert_eq!(changes(&machine), ["100.. pool LSS-52: 0 of 1 alias online"]);
    let last = waits(&traced(&machine, &window(2_000, 1_000))).pop().expect("two wait");
    assert!(last.ends_with("base busy, pool LSS-52 without an alias online"), "{last}");
}

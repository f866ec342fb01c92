//! Machines without chance, whose timelines are worked out by hand.

use super::{spans, traced, waits, window};
use crate::plans::{bound, closed, io, numbers, open, plan, volume};
use kernel::distribution::Distribution;
use machine::plan::{AliasPoolPlan, Aliasing, Plan, Redispatch, Step};
use units::Span;

const fn constant(us: u64) -> Distribution {
    Distribution::Constant(Span::from_us(us))
}

fn pool(plan: &mut Plan, aliases: u16, redispatch: Redispatch) {
    plan.alias_pools.push(AliasPoolPlan {
        name: "POOL".into(),
        aliases: numbers(aliases),
        redispatch,
        ..Default::default()
    });
    plan.volumes.iter_mut().for_each(|disk| disk.aliasing = Aliasing::HyperPav { pool: 0 });
}

/// Three guests think 0.5 ms and then use a disk with one alias for 1 ms.  The clock starts at 1 ms, so that they ask
/// first at -0.5 ms: #1 gets the base, #2 the alias, #3 waits until 0.5 ms.  #1 and #2 ask again at 1 ms: #1 gets the
/// alias, #2 waits for the base until 1.5 ms.  #3 asks at 2 ms, when the alias is free.
#[test]
fn holders_and_waiters_are_as_worked_out_by_hand() {
    let think = Step::Think(constant(500));
    let mut machine = plan(vec![volume("A", constant(1_000))], vec![closed(3, vec![think, io(0)])]);
    pool(&mut machine, 1, Redispatch::None);
    let timeline = traced(&machine, &window(0, 2_200));
    assert_eq!(timeline.lanes.iter().map(|lane| lane.name.as_str()).collect::<Vec<_>>(), ["1000", "2000"]);
    assert_eq!(
        spans(&timeline),
        [
            "1000 3 GUESTS #1 -500..500 A busy",
            "1000 3 GUESTS #3 500..1500 A busy",
            "1000 3 GUESTS #2 1500.. A busy",
            "2000 3 GUESTS #2 -500..500 A busy",
            "2000 3 GUESTS #1 1000..2000 A busy",
            "2000 3 GUESTS #3 2000.. A busy",
        ]
    );
    assert_eq!(
        waits(&timeline),
        ["3 GUESTS #3 -500..500 A: base busy, pool empty", "3 GUESTS #2 1000..1500 A: base busy, pool empty",]
    );
}

/// Two guests keep B and the alias busy for 1 ms each time, so that the alias becomes free every ms. Of the two guests at A
/// one waits 5 ms for the base.
#[test]
fn redispatch_decides_how_often_a_waiter_is_passed_over() {
    let passed_over = |redispatch| {
        let disks = vec![volume("A", constant(5_000)), volume("B", constant(1_000))];
        let mut machine = plan(disks, vec![closed(2, vec![io(1)]), closed(2, vec![io(0)])]);
        machine.guests[1].name = "SLOW".into();
        pool(&mut machine, 1, redispatch);
        waits(&traced(&machine, &window(0, 4_000))).swap_remove(0)
    };
    assert_eq!(passed_over(Redispatch::None), "SLOW #2 -1000..4000 A: base busy, pool empty; passed over 4 times");
    assert_eq!(passed_over(Redispatch::SameVolume), passed_over(Redispatch::None), "no request waits at B");
    assert!(passed_over(Redispatch::PoolFifo).ends_with("pool empty"));
}

/// With redispatch none both aliases come free just after the first of these waits begins, and the base 1 ms later.
#[test]
fn a_base_without_aliases_and_one_with_its_own_say_what_is_busy() {
    let why = |aliasing: Aliasing| {
        let mut machine = plan(vec![volume("A", constant(1_000))], vec![closed(4, vec![io(0)])]);
        machine.volumes[0].aliasing = aliasing;
        let timeline = traced(&machine, &window(0, 1_000));
        waits(&timeline)[0].split_once(": ").expect("where and why").1.to_string()
    };
    assert_eq!(why(Aliasing::None), "base busy, no alias");
    assert_eq!(why(bound(1, Redispatch::SameVolume)), "base and its alias busy");
    assert_eq!(why(bound(2, Redispatch::SameVolume)), "base and its 2 aliases busy");
    assert_eq!(why(bound(2, Redispatch::None)), "base and its 2 aliases busy; passed over twice");
}

#[test]
fn the_gap_after_an_io_is_beside_it() {
    let mut machine = plan(vec![volume("A", constant(1_000))], vec![closed(1, vec![io(0)])]);
    machine.volumes[0].gap = Span::from_us(250);
    let timeline = traced(&machine, &window(0, 1_000));
    assert_eq!(timeline.holders, ["1 GUESTS"], "a group of one has no numbers");
    let shown = ["1000 1 GUESTS 0..250 A gap", "1000 1 GUESTS 250.. A busy"];
    assert_eq!(spans(&timeline), shown);
}

/// Every guest of a small closed population has a number, seen or not; an arrival from outside has one when seen.
#[test]
fn holders_keep_their_places() {
    let disks = vec![volume("A", constant(100)), volume("B", constant(100))];
    let mut machine =
        plan(disks, vec![open(20_000.0, vec![io(1)]), closed(2, vec![Step::Think(constant(900)), io(0)])]);
    machine.guests[0].name = "USER".into();
    machine.guests[1].name = "GUEST".into();
    let names = |from| traced(&machine, &window(from, 500)).holders;
    let (first, later) = (names(0), names(500));
    assert_eq!(first[..2], ["GUEST #1", "GUEST #2"]);
    assert_eq!(later[..2], first[..2]);
    assert!(first[2..].iter().all(|name| name.starts_with("USER #")), "{first:?}");
    assert_ne!(first[2..], later[2..]);
    machine.guests[1] = closed(63, vec![Step::Think(constant(1_000_000)), io(0)]);
    assert!(traced(&machine, &window(0, 500)).holders.iter().all(|name| name.starts_with("USER #")));
}

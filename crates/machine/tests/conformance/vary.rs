//! VARY: what is busy goes offline when its I/O ends, what comes online works at once where the policy gives it work.

use crate::stand::{A, B, Stand, classic, pooled, us};
use machine::effect::Effects;
use machine::event::Event;
use machine::ids::{Exposure, Paths, Pool};
use machine::plan::{ControlUnitPlan, Plan, Redispatch};
use machine::signal::{Hold, Signal};
use units::Tod;

const POOL: Pool = Pool(0);
const UNIT: Paths = Paths(0);

fn vary_pool(stand: &mut Stand, online: u32, at: Tod) {
    stand.act(at, |channel, effects: &mut Effects, record| channel.vary_pool((POOL, online), at, effects, record));
}

fn vary_paths(stand: &mut Stand, online: u32, at: Tod) {
    stand.act(at, |channel, effects: &mut Effects, record| channel.vary_paths((UNIT, online), at, effects, record));
}

#[test]
fn a_free_alias_that_goes_offline_is_not_lent() {
    let mut stand = Stand::new(&pooled(1, 2, Redispatch::None));
    vary_pool(&mut stand, 1, us(0));
    assert_eq!(stand.said, [Signal::PoolVaried(POOL, 1, 1)]);
    assert_eq!([0, 1, 2].map(|requester| stand.request(requester, A, us(0))), [Some(0), Some(1), None]);
}

#[test]
fn a_busy_alias_goes_offline_when_its_io_ends_and_the_io_is_not_lost() {
    let mut stand = Stand::new(&pooled(1, 1, Redispatch::PoolFifo));
    assert_eq!([0, 1, 2].map(|requester| stand.request(requester, A, us(0))), [Some(0), Some(1), None]);
    vary_pool(&mut stand, 0, us(50));
    assert_eq!(stand.said, [Signal::PoolVaried(POOL, 0, 0)]);
    assert_eq!(stand.phase_over(1, us(100)), None, "it takes no request, whatever the policy");
    assert_eq!((stand.done.len(), stand.waiting(A), stand.channel.pools[0].free()), (1, 1, 0));
}

#[test]
fn an_alias_that_comes_back_before_its_io_ends_was_never_away() {
    let mut stand = Stand::new(&pooled(1, 1, Redispatch::None));
    assert_eq!([0, 1].map(|requester| stand.request(requester, A, us(0))), [Some(0), Some(1)]);
    vary_pool(&mut stand, 0, us(10));
    vary_pool(&mut stand, 1, us(20));
    assert_eq!(stand.said, [Signal::PoolVaried(POOL, 1, 0)], "it is online and not free");
    stand.phase_over(1, us(100));
    assert_eq!(stand.channel.pools[0].free(), 1);
}

/// The order in which bases were asked is the pool's; an alias that comes online is like one that was freed.
#[test]
fn an_alias_that_comes_online_takes_a_waiter_where_the_policy_looks_across_volumes() {
    for (redispatch, expected) in
        [(Redispatch::None, (1, 1)), (Redispatch::SameVolume, (1, 1)), (Redispatch::PoolFifo, (0, 0))]
    {
        let mut stand = Stand::new(&pooled(2, 1, redispatch));
        vary_pool(&mut stand, 0, us(0));
        assert_eq!([0, 1, 2].map(|n| stand.request(n, [A, B, B][n as usize], us(0))), [Some(0), Some(1), None]);
        vary_pool(&mut stand, 1, us(10));
        assert_eq!((stand.waiting(B), stand.channel.pools[0].free()), expected, "{redispatch:?}");
    }
}

#[test]
fn bound_aliases_go_and_come_like_those_of_a_pool() {
    let mut stand = Stand::new(&classic(1, Redispatch::SameVolume));
    stand.act(us(0), |channel, effects: &mut Effects, record| channel.vary_bound((A, 0), us(0), effects, record));
    assert_eq!([0, 1].map(|requester| stand.request(requester, A, us(0))), [Some(0), None]);
    stand.act(us(10), |channel, effects: &mut Effects, record| channel.vary_bound((A, 1), us(10), effects, record));
    assert_eq!(
        (stand.waiting(A), stand.due(Event::PhaseOver(Exposure(1)))),
        (0, Some(us(110))),
        "it serves the waiting request"
    );
}

/// ASSUME of `vary_paths`: sharing x paths / paths online, at most 1.
#[test]
fn fewer_paths_slow_connected_ios_in_proportion() {
    let mut plan = pooled(1, 1, Redispatch::None);
    plan.control_units = vec![ControlUnitPlan::shared("CU", 4, 0.25)];
    plan.volumes[0].control_unit = Some(0);
    let mut stand = Stand::new(&plan);
    assert_eq!([0, 1].map(|requester| stand.request(requester, A, us(0))), [Some(0), Some(1)]);
    stand.phase_over(0, us(0));
    stand.phase_over(1, us(0));
    assert_eq!(stand.due(Event::Transferred(UNIT)), Some(us(125)), "two at 1 / 1.25");
    vary_paths(&mut stand, 1, us(25));
    assert_eq!(stand.due(Event::Transferred(UNIT)), Some(us(25 + 160)), "80 left of each, two at 1 / 2");
}

fn on_a_unit() -> Plan {
    let mut plan = pooled(1, 1, Redispatch::None);
    plan.control_units = vec![ControlUnitPlan::shared("CU", 2, 0.0)];
    plan.volumes[0].control_unit = Some(0);
    plan
}

#[test]
fn without_a_path_what_is_in_progress_finishes_and_what_starts_stays_pending() {
    let mut stand = Stand::new(&on_a_unit());
    assert_eq!(stand.request(0, A, us(0)), Some(0));
    vary_paths(&mut stand, 0, us(50));
    assert_eq!(stand.request(1, A, us(60)), Some(1));
    assert!(stand.said.contains(&Signal::Held(A, Exposure(1), Hold::NoPath)));
    assert_eq!(stand.due(Event::PhaseOver(Exposure(1))), None);
    stand.phase_over(0, us(100));
    assert_eq!(stand.done.len(), 1, "it finishes");
    vary_paths(&mut stand, 1, us(1_060));
    assert_eq!(stand.due(Event::PhaseOver(Exposure(1))), Some(us(1_160)));
}

//! A logical processor that gives up its physical one: which is next, and what becomes of its own turn?
//!
//! ASSUME: PR/SM handles DIAGNOSE X'44' and X'9C' as z/VM does: the next that may run, or the one that is named, in its place.

use crate::stand::{Record, no_effects, us};
use kernel::draw::Streams;
use machine::cec::Cec;
use machine::effect::{Effect, Effects, Wanted};
use machine::event::Event;
use machine::ids::{Logical, Physical};
use machine::plan::{CecPlan, DispatcherPlan, PartitionPlan, Plan, Preemption, Processors, PrsmPlan, WeightPlan};
use units::{Span, Tod};

const RUN: u64 = 1_000;
const ON: fn(u32) -> Effect = |logical| Effect::Dispatched(Logical(logical));
const OFF: fn(u32) -> Effect = |logical| Effect::Undispatched(Logical(logical));

/// One physical processor, and a partition of one logical processor for each of these.
struct Stand(Cec);

impl Stand {
    fn new(weights: &[WeightPlan]) -> Stand {
        let prsm =
            PrsmPlan { run_time: Some(Span::from_us(RUN)), wait_completion: false, preemption: Preemption::Never };
        let one = |plan: &WeightPlan| PartitionPlan::new("LPAR", 1, Processors::Weighted(*plan));
        let partitions = weights.iter().map(one).collect();
        let cec = Some(CecPlan { processors: 1, dispatcher: DispatcherPlan::Prsm(prsm), switch: Span::ZERO });
        let mut stand = Stand(Cec::new(&Plan { cec, partitions, ..Plan::default() }, &Streams::new(1, 0)));
        stand.after(|cec, effects, record| cec.begin(Physical(0), us(0), effects, record));
        stand
    }

    fn even(partitions: usize) -> Stand {
        let mut stand = Stand::new(&vec![WeightPlan::new(100); partitions]);
        assert_eq!(stand.wants(0, us(0)), [ON(0), looks(us(RUN))]);
        for logical in 1..partitions as u32 {
            assert_eq!(stand.wants(logical, us(u64::from(logical))), []);
        }
        stand
    }

    fn after(&mut self, transition: impl FnOnce(&mut Cec, &mut Effects, &mut Record)) -> Vec<Effect> {
        let (mut effects, mut record) = (no_effects(), Record::default());
        transition(&mut self.0, &mut effects, &mut record);
        std::iter::from_fn(|| effects.pop()).collect()
    }

    fn wants(&mut self, logical: u32, at: Tod) -> Vec<Effect> {
        self.after(|cec, effects, record| cec.wants((Logical(logical), Wanted::Work), at, effects, record))
    }

    fn waits(&mut self, logical: u32, at: Tod) -> Vec<Effect> {
        self.after(|cec, effects, record| cec.waits(Logical(logical), at, effects, record))
    }

    fn over(&mut self, at: Tod) -> Vec<Effect> {
        self.after(|cec, effects, record| cec.slice_over(Physical(0), at, effects, record))
    }

    fn gives_way(&mut self, logical: u32, to: Option<u32>, at: Tod) -> Vec<Effect> {
        let who = (Logical(logical), to.map(Logical));
        self.after(|cec, effects, record| cec.gives_way(who, at, effects, record))
    }
}

fn looks(at: Tod) -> Effect {
    Effect::At(Event::Slice(Physical(0)), at)
}

#[test]
fn the_first_that_may_run_has_it_and_a_run_of_its_own() {
    let mut stand = Stand::even(3);
    assert_eq!(stand.gives_way(0, None, us(300)), [OFF(0), ON(1), looks(us(300 + RUN))]);
}

#[test]
fn the_one_that_is_named_has_the_rest_of_the_run() {
    let mut stand = Stand::even(3);
    assert_eq!(stand.gives_way(0, Some(2), us(300)), [OFF(0), ON(2), looks(us(RUN))]);
    assert_eq!(stand.gives_way(2, Some(0), us(500)), [OFF(2), ON(0), looks(us(RUN))], "back and forth");
    assert_eq!(stand.over(us(RUN)), [OFF(0), ON(1), looks(us(2 * RUN))], "the run is over at its time");
}

/// The run is the giver's, so the time counts as its own: the one named has as much of its own share as before.
#[test]
fn the_rest_of_the_run_is_charged_to_the_share_of_the_giver() {
    let mut stand = Stand::even(3);
    stand.gives_way(0, Some(2), us(100));
    assert_eq!(stand.over(us(RUN))[1], ON(1));
    assert_eq!(stand.over(us(2 * RUN))[1], ON(2), "only the giver has had a run");
    assert_eq!(stand.over(us(3 * RUN))[1], ON(0));
}

/// One after the other yields to 0 for almost all of its run, as often as it is dispatched: 0 has the time of all three
/// then, and the fourth its quarter.
#[test]
fn a_share_that_is_given_away_is_used_up() {
    let mut stand = Stand::even(4);
    let (mut now, mut on, mut own) = (RUN, 0, 0);
    for _ in 0..400 {
        let next = stand.over(us(now)).iter().find_map(|effect| match effect {
            Effect::Dispatched(logical) => Some(logical.0),
            _ => None,
        });
        on = next.unwrap_or(on);
        own += u64::from(on == 3);
        if on == 1 || on == 2 {
            assert_eq!(stand.gives_way(on, Some(0), us(now + 1))[1], ON(0));
            on = 0;
        }
        now += RUN;
    }
    assert!((99..=101).contains(&own), "{own} runs of 400");
}

#[test]
fn where_no_other_wants_it_the_giver_keeps_it() {
    let mut stand = Stand::even(1);
    assert_eq!(stand.gives_way(0, None, us(300)), []);
    assert_eq!(stand.waits(0, us(400))[0], OFF(0), "it had it still");
}

#[test]
fn one_that_wants_nothing_is_not_run() {
    let mut stand = Stand::new(&[WeightPlan::new(100); 3]);
    stand.wants(0, us(0));
    stand.wants(1, us(0));
    assert_eq!(stand.gives_way(0, Some(2), us(300)), []);
}

#[test]
fn the_giver_is_next_again_like_any_that_waits() {
    let mut stand = Stand::even(2);
    stand.gives_way(0, None, us(300));
    assert_eq!(stand.waits(1, us(500)), [OFF(1), ON(0), looks(us(500 + RUN))]);
}

#[test]
fn an_undispatched_processor_gives_none_up() {
    let mut stand = Stand::even(3);
    assert_eq!(stand.gives_way(1, None, us(300)), []);
    assert_eq!(stand.gives_way(1, Some(0), us(300)), []);
}

#[test]
fn one_at_its_cap_is_not_run() {
    let capped = WeightPlan { cap: Some(0.5), ..WeightPlan::new(100) };
    let mut stand = Stand::new(&[WeightPlan::new(100), capped]);
    stand.wants(0, us(0));
    stand.wants(1, us(0));
    assert_eq!(stand.gives_way(0, Some(1), us(0))[1], ON(1));
    assert_eq!(stand.gives_way(1, Some(0), us(5 * RUN))[1], ON(0));
    assert_eq!(stand.gives_way(0, Some(1), us(5 * RUN + 10)), [], "it has had what it may");
    assert_eq!(stand.gives_way(0, None, us(5 * RUN + 10)), []);
}

//! Processors by weight: length and ends of runs, order, preemption, and caps.

use crate::stand::{Record, no_effects, us};
use kernel::draw::Streams;
use machine::cec::Cec;
use machine::cec::prsm::run_time;
use machine::effect::{Effect, Effects, Wanted};
use machine::event::Event;
use machine::ids::LparGroup;
use machine::ids::{Logical, Partition, Physical};
use machine::plan::{
    CecPlan, DispatcherPlan, GroupPlan, PartitionPlan, Plan, Polarization, Preemption, Processors, PrsmPlan, Share,
    WeightPlan,
};
use machine::signal::{Phase, Signal};
use units::{Span, Tod};

const RUN: u64 = 1_000;
const PLAIN: PrsmPlan =
    PrsmPlan { run_time: Some(Span::from_us(RUN)), wait_completion: false, preemption: Preemption::Never };
const ON: fn(u32) -> Effect = |logical| Effect::Dispatched(Logical(logical));
const OFF: fn(u32) -> Effect = |logical| Effect::Undispatched(Logical(logical));

fn weighted(logical: u32, plan: WeightPlan) -> PartitionPlan {
    PartitionPlan::new("LPAR", logical, Processors::Weighted(plan))
}

fn even(logical: u32) -> PartitionPlan {
    weighted(logical, WeightPlan::new(100))
}

/// A dispatcher by weight, and what it does.
struct Stand(Cec);

impl Stand {
    fn new(processors: u32, prsm: PrsmPlan, partitions: Vec<PartitionPlan>) -> Stand {
        Stand::switching(processors, prsm, 0, partitions)
    }

    fn switching(processors: u32, prsm: PrsmPlan, switch_us: u64, partitions: Vec<PartitionPlan>) -> Stand {
        let (dispatcher, switch) = (DispatcherPlan::Prsm(prsm), Span::from_us(switch_us));
        let cec = Some(CecPlan { processors, dispatcher, switch });
        Stand::begun(Plan { cec, partitions, ..Plan::default() })
    }

    /// Partitions of these weights, with a logical processor each, in one group.
    fn grouped(processors: u32, cap: f64, weights: &[u32]) -> Stand {
        let cec = Some(CecPlan { processors, dispatcher: DispatcherPlan::Prsm(PLAIN), switch: Span::ZERO });
        let member = |weight: &u32| weighted(1, WeightPlan { group: Some(0), ..WeightPlan::new(*weight) });
        let (partitions, lpar_groups) =
            (weights.iter().map(member).collect(), vec![GroupPlan { name: "G".into(), cap }]);
        Stand::begun(Plan { cec, partitions, lpar_groups, ..Plan::default() })
    }

    fn begun(plan: Plan) -> Stand {
        let mut stand = Stand(Cec::new(&plan, &Streams::new(1, 0)));
        for physical in 0..plan.cec.map_or(0, |cec| cec.processors) {
            stand.after(|cec, effects, record| cec.begin(Physical(physical), us(0), effects, record));
        }
        stand
    }

    fn after(&mut self, transition: impl FnOnce(&mut Cec, &mut Effects, &mut Record)) -> Vec<Effect> {
        self.both(transition).0
    }

    fn both(&mut self, transition: impl FnOnce(&mut Cec, &mut Effects, &mut Record)) -> (Vec<Effect>, Vec<Signal>) {
        let (mut effects, mut record) = (no_effects(), Record::default());
        transition(&mut self.0, &mut effects, &mut record);
        (std::iter::from_fn(|| effects.pop()).collect(), record.0)
    }

    fn wants(&mut self, logical: u32, at: Tod) -> Vec<Effect> {
        self.after(|cec, effects, record| cec.wants((Logical(logical), Wanted::Work), at, effects, record))
    }

    fn interrupt(&mut self, logical: u32, at: Tod) -> Vec<Effect> {
        self.after(|cec, effects, record| cec.wants((Logical(logical), Wanted::Interrupt), at, effects, record))
    }

    fn waits(&mut self, logical: u32, at: Tod) -> Vec<Effect> {
        self.after(|cec, effects, record| cec.waits(Logical(logical), at, effects, record))
    }

    fn over(&mut self, physical: u32, at: Tod) -> Vec<Effect> {
        self.after(|cec, effects, record| cec.slice_over(Physical(physical), at, effects, record))
    }
}

fn looks(physical: u32, at: Tod) -> Effect {
    Effect::At(Event::Slice(Physical(physical)), at)
}

/// 25 ms x shared physical / non-stopped logical processors, 12.5 to 25 ms.
#[test]
fn the_run_time_is_that_of_the_formula() {
    let table = [
        (1, 1, 25_000),
        (4, 2, 25_000),
        (4, 4, 25_000),
        (4, 5, 20_000),
        (5, 8, 15_625),
        (10, 16, 15_625),
        (3, 5, 15_000),
        (4, 8, 12_500),
        (4, 9, 12_500),
        (1, 64, 12_500),
    ];
    for (physical, logical, us) in table {
        assert_eq!(run_time(physical, logical), Span::from_us(us), "{logical} on {physical}");
    }
}

#[test]
fn runs_are_as_long_as_the_formula_says_and_a_hundred_ms_for_a_high() {
    let formula = PrsmPlan { run_time: None, ..PLAIN };
    let mut stand = Stand::new(4, formula, vec![even(3), even(2)]);
    assert_eq!(stand.wants(0, us(0)), [ON(0), looks(0, us(20_000))]);
    let vertical = WeightPlan { polarization: Polarization::Vertical, ..WeightPlan::new(100) };
    let mut stand = Stand::new(4, formula, vec![weighted(3, vertical), even(2)]);
    assert_eq!(stand.wants(0, us(0)), [ON(0), looks(0, us(100_000))], "entitled to two: one high, two medium");
    assert_eq!(stand.wants(1, us(0)), [ON(1), looks(1, us(20_000))]);
    let mut stand = Stand::new(4, PLAIN, vec![weighted(3, vertical), even(2)]);
    assert_eq!(stand.wants(0, us(0)), [ON(0), looks(0, us(100_000))], "whatever the user sets for the others");
    assert_eq!(stand.wants(1, us(0)), [ON(1), looks(1, us(RUN))]);
}

/// Wait Completion = NO: a logical processor that enters a wait gives its physical one up.
#[test]
fn a_wait_ends_a_run() {
    let mut stand = Stand::new(1, PLAIN, vec![even(1), even(1)]);
    assert_eq!(stand.wants(0, us(0)), [ON(0), looks(0, us(RUN))]);
    assert_eq!(stand.wants(1, us(10)), [], "its turn comes");
    assert_eq!(stand.waits(0, us(300)), [OFF(0), ON(1), looks(0, us(300 + RUN))]);
    assert_eq!(stand.waits(1, us(400)), [OFF(1), looks(0, Tod::NEVER)], "nobody wants it");
}

/// Wait Completion = YES: "do not end the time slice if a partition enters a wait state".
#[test]
fn with_wait_completion_it_keeps_its_run() {
    let keeps = PrsmPlan { wait_completion: true, ..PLAIN };
    let mut stand = Stand(Cec::new(
        &Plan {
            cec: Some(CecPlan { processors: 1, dispatcher: DispatcherPlan::Prsm(keeps), switch: Span::ZERO }),
            partitions: vec![even(1), even(1)],
            ..Plan::default()
        },
        &Streams::new(1, 0),
    ));
    let begins = stand.after(|cec, effects, record| cec.begin(Physical(0), us(0), effects, record));
    assert_eq!(begins, [ON(0), looks(0, us(RUN))], "work or not");
    assert_eq!(stand.waits(0, us(300)), []);
    assert_eq!(stand.over(0, us(RUN)), [OFF(0), ON(1), looks(0, us(2 * RUN))]);
}

#[test]
fn the_least_received_for_its_share_goes_first() {
    let mut stand = Stand::new(1, PLAIN, vec![weighted(1, WeightPlan::new(200)), even(1)]);
    stand.wants(0, us(0));
    stand.wants(1, us(0));
    let mut carried = vec![0];
    for run in 1..9 {
        carried.extend(stand.over(0, us(run * RUN)).iter().filter_map(|effect| match effect {
            Effect::Dispatched(logical) => Some(logical.0),
            _ => None,
        }));
    }
    assert_eq!(
        carried,
        [0, 1, 0, 1, 0, 1, 0],
        "two runs in three are of the first: where it goes on it is not reported"
    );
    let mut stand = Stand::new(1, PLAIN, vec![even(1)]);
    stand.wants(0, us(0));
    assert_eq!(stand.over(0, us(RUN)), [looks(0, us(2 * RUN))], "alone, it goes on");
}

/// A processor that was away for long is put beside those dispatched last: it gets one run before them, not all it missed.
#[test]
fn a_processor_that_was_away_brings_back_no_credit() {
    let mut stand = Stand::new(1, PLAIN, vec![even(1), even(1)]);
    stand.wants(0, us(0));
    for run in 1..100 {
        stand.over(0, us(run * RUN));
    }
    stand.wants(1, us(99 * RUN + 5));
    assert_eq!(stand.over(0, us(100 * RUN))[..2], [OFF(0), ON(1)]);
    assert_eq!(stand.over(0, us(101 * RUN))[..2], [OFF(1), ON(0)]);
    assert_eq!(stand.over(0, us(102 * RUN))[..2], [OFF(0), ON(1)]);
}

/// An interrupt for a logical processor that is not carried may take a physical one, by share: from one that has had more.
#[test]
fn an_interrupt_preempts_by_share() {
    let after = |preemption, weight| {
        let mut stand =
            Stand::new(1, PrsmPlan { preemption, ..PLAIN }, vec![weighted(1, WeightPlan::new(weight)), even(1)]);
        stand.wants(1, us(0));
        stand.waits(1, us(400));
        stand.wants(0, us(400));
        stand.interrupt(1, us(600))
    };
    let taken = [OFF(0), ON(1), looks(0, us(600 + RUN))];
    assert_eq!(after(Preemption::Never, 100), []);
    assert_eq!(after(Preemption::Share, 100), [], "it has had twice as much");
    assert_eq!(after(Preemption::Share, 20), taken, "for its share it has had less");
    assert_eq!(after(Preemption::Always, 100), taken);
}

#[test]
fn work_does_not_preempt_and_an_interrupt_preempts_no_sibling() {
    let always = PrsmPlan { preemption: Preemption::Always, ..PLAIN };
    let mut stand = Stand::new(1, always, vec![even(2), even(1)]);
    stand.wants(0, us(0));
    assert_eq!(stand.wants(2, us(10)), []);
    assert_eq!(stand.interrupt(1, us(20)), [], "the one that is carried is of the same partition");
}

/// A cap is an allowance that accrues at its rate: half a processor runs for a run, then is held back for as long.
#[test]
fn a_cap_holds_back_until_the_run_is_made_up_for() {
    let capped = WeightPlan { cap: Some(0.5), ..WeightPlan::new(100) };
    let mut stand = Stand::new(1, PLAIN, vec![weighted(1, capped)]);
    stand.wants(0, us(0));
    assert_eq!(stand.over(0, us(RUN)), [OFF(0), looks(0, us(2 * RUN))], "idle until then");
    assert_eq!(stand.over(0, us(2 * RUN)), [ON(0), looks(0, us(3 * RUN))]);
}

/// Two runs of it are kept while it waits: at half a processor they last for four, and a fifth begins.
#[test]
fn a_cap_keeps_two_runs_over_a_wait() {
    let capped = WeightPlan { cap: Some(0.5), ..WeightPlan::new(100) };
    let mut stand = Stand::new(1, PLAIN, vec![weighted(1, capped)]);
    assert_eq!(stand.wants(0, us(10 * RUN)), [ON(0), looks(0, us(11 * RUN))]);
    for run in 11..15 {
        assert_eq!(stand.over(0, us(run * RUN)), [looks(0, us((run + 1) * RUN))], "run {run}");
    }
    assert_eq!(stand.over(0, us(15 * RUN)), [OFF(0), looks(0, us(16 * RUN))]);
}

/// Its earlier run time is kept when the weight of another changes.
#[test]
fn a_cap_holds_back_over_a_change() {
    let capped = WeightPlan { cap: Some(0.5), ..WeightPlan::new(100) };
    let mut stand = Stand::new(1, PLAIN, vec![weighted(1, capped), even(1)]);
    stand.wants(0, us(0));
    stand.over(0, us(RUN));
    let (share, at) = ((Partition(1), Share::Weight(900)), us(RUN + 100));
    assert_eq!(stand.after(|cec, effects, record| cec.promise(share, at, effects, record)), [looks(0, at)]);
    assert_eq!(stand.over(0, at), [looks(0, us(2 * RUN))], "held back until then, as before");
}

/// In vertical mode the first has as much of an absolute cap as it can use, the next what that leaves.
#[test]
fn a_vertical_partition_uses_up_its_cap_in_order() {
    let capped = WeightPlan { cap: Some(1.5), polarization: Polarization::Vertical, ..WeightPlan::new(100) };
    let mut stand = Stand::new(2, PLAIN, vec![weighted(2, capped)]);
    stand.wants(0, us(0));
    stand.wants(1, us(0));
    assert_eq!(stand.over(0, us(RUN)), [looks(0, us(RUN + 100_000))], "a whole processor");
    assert_eq!(stand.over(1, us(RUN)), [OFF(1), looks(1, us(2 * RUN))], "half of one");
}

/// One processor for two members: the second waits until a run of allowance has accrued, though a processor is idle.
#[test]
fn a_group_holds_back_a_member_that_an_idle_processor_could_carry() {
    let mut stand = Stand::grouped(2, 1.0, &[100, 100]);
    stand.wants(0, us(0));
    let wants = (Logical(1), Wanted::Work);
    let (effects, said) = stand.both(|cec, effects, record| cec.wants(wants, us(0), effects, record));
    assert_eq!(effects, [looks(1, us(RUN))]);
    assert_eq!(said, [Signal::GroupCapped(LparGroup(0), true)]);
    assert_eq!(stand.over(0, us(RUN)), [OFF(0), ON(1), looks(0, us(2 * RUN))], "it has received less");
}

/// A run that ends early gives the rest of its allowance back, and another member begins at once.
#[test]
fn a_group_has_back_what_a_run_leaves() {
    let mut stand = Stand::grouped(2, 1.0, &[100, 100]);
    stand.wants(0, us(0));
    stand.wants(1, us(0));
    let waits =
        |cec: &mut Cec, effects: &mut Effects, record: &mut Record| cec.waits(Logical(0), us(400), effects, record);
    let seen = stand.after(waits);
    assert_eq!(seen, [looks(1, us(400)), OFF(0), ON(1), looks(0, us(400 + RUN))], "0.4 accrued, and 0.6 were left");
}

/// The member that is due the most goes on, and saves for the run only afterwards.
#[test]
fn a_group_lets_the_member_go_on_that_comes_first() {
    let mut stand = Stand::grouped(2, 1.5, &[900, 100]);
    stand.wants(0, us(0));
    stand.wants(1, us(0));
    assert_eq!(stand.over(1, us(667)), [ON(1), looks(1, us(667 + RUN))], "a run has accrued");
    assert_eq!(stand.over(0, us(RUN)), [looks(0, us(2 * RUN))], "half a run has: it borrows the rest");
}

#[test]
fn a_share_is_a_cap_where_it_is_said_to_be() {
    let capped = WeightPlan { capped: true, ..WeightPlan::new(100) };
    let mut stand = Stand::new(1, PLAIN, vec![weighted(1, capped), weighted(1, WeightPlan::new(300))]);
    stand.wants(0, us(0));
    assert_eq!(stand.over(0, us(RUN)), [OFF(0), looks(0, us(4 * RUN))], "a quarter, though no other wants the rest");
}

/// The low ones have only what others leave.
#[test]
fn low_ones_go_after_all_others() {
    let vertical = WeightPlan { polarization: Polarization::Vertical, ..WeightPlan::new(50) };
    let mut stand = Stand::new(1, PLAIN, vec![weighted(2, vertical), weighted(1, WeightPlan::new(50))]);
    stand.wants(2, us(0));
    stand.wants(1, us(10));
    for run in 1..5 {
        assert_eq!(stand.over(0, us(run * RUN)), [looks(0, us((run + 1) * RUN))], "the low one waits");
    }
    assert_eq!(stand.waits(2, us(4_500))[..2], [OFF(2), ON(1)]);
}

/// Off the beginning of the run, and not where the processor had the same one last.
#[test]
fn a_switch_takes_its_time_out_of_the_run() {
    let mut stand = Stand::switching(1, PLAIN, 7, vec![even(1), even(1)]);
    let (effects, said) =
        stand.both(|cec, effects, record| cec.wants((Logical(0), Wanted::Work), us(0), effects, record));
    assert_eq!(effects, [looks(0, us(7))]);
    assert_eq!(said, [Signal::Carries(Physical(0), Phase::Switching(Partition(0), Some(Logical(0))))]);
    assert_eq!(stand.over(0, us(7)), [ON(0), looks(0, us(RUN))]);
    stand.waits(0, us(100));
    assert_eq!(stand.wants(0, us(200)), [ON(0), looks(0, us(200 + RUN))], "it was idle in between");
}

#[test]
fn dedicated_partitions_have_processors_of_their_own() {
    let dedicated = PartitionPlan::new("OWN", 1, Processors::Dedicated);
    let mut stand = Stand::new(2, PLAIN, vec![even(1), dedicated]);
    assert_eq!(stand.wants(0, us(0)), [ON(0), looks(1, us(RUN))], "the first physical one is not shared");
    assert_eq!(stand.waits(1, us(10)), []);
}

#[test]
fn an_absent_processor_is_not_dispatched() {
    let absent = PartitionPlan { active: false, ..even(1) };
    let mut stand = Stand::new(1, PLAIN, vec![even(1), absent]);
    assert_eq!(stand.wants(1, us(0)), []);
    let add = stand.after(|cec, effects, record| cec.add(Partition(1), us(50), effects, record));
    assert_eq!(add, [looks(0, us(50))], "an idle processor looks again");
    assert_eq!(stand.over(0, us(50)), [ON(1), looks(0, us(50 + RUN))]);
    let delete = stand.after(|cec, effects, record| cec.delete(Partition(1), us(90), effects, record));
    assert_eq!(delete, [looks(0, us(90))]);
    assert_eq!(stand.over(0, us(90)), [OFF(1), looks(0, Tod::NEVER)]);
}

/// A partition with a new weight gets its new share from the next dispatch on, without debts.
#[test]
fn a_weight_counts_from_the_next_dispatch() {
    let mut stand = Stand::new(1, PLAIN, vec![even(1), weighted(1, WeightPlan::new(900))]);
    stand.wants(0, us(0));
    stand.wants(1, us(0));
    let share = (Partition(0), Share::Weight(900));
    assert_eq!(stand.after(|cec, effects, record| cec.promise(share, us(500), effects, record)), []);
    assert_eq!(stand.over(0, us(RUN))[..2], [OFF(0), ON(1)]);
    assert_eq!(stand.over(0, us(2 * RUN))[..2], [OFF(1), ON(0)]);
}

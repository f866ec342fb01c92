//! The supervisor of a domain: work by priority, interrupts before work, what is not carried waits.

use crate::stand::{Record, no_effects, us};
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::effect::{Effect, Effects};
use machine::event::Event;
use machine::guest::supervisor::{Job, Supervisors, Work};
use machine::ids::{Exposure, Logical, Partition, Requester};
use machine::plan::{CpEnablePlan, PartitionPlan, Plan, Processors};
use machine::signal::{Occupant, Signal, Standing, Taken};
use units::{Percent, Span, Tod};

const OWN: Partition = Partition(0);
const LP: Logical = Logical(0);

/// A domain with this many logical processors, this many of them enabled; its handler takes 10 us.
struct Domain {
    supervisors: Supervisors,
    said: Vec<Signal>,
}

impl Domain {
    fn new(logical: u32, enabled: u32) -> Self {
        Domain::with(logical, enabled, None)
    }

    fn with(logical: u32, enabled: u32, cpenable: Option<CpEnablePlan>) -> Self {
        Domain::of(PartitionPlan { enabled, cpenable, ..PartitionPlan::new("D", logical, Processors::Dedicated) })
    }

    fn of(partition: PartitionPlan) -> Self {
        let slih = Distribution::Constant(Span::from_us(10));
        let partition = PartitionPlan { slih, ..partition };
        let plan = Plan { partitions: vec![partition], ..Plan::default() };
        Domain { supervisors: Supervisors::new(&plan, &[2], &Streams::new(1, 0)), said: Vec::new() }
    }

    fn after(&mut self, transition: impl FnOnce(&mut Supervisors, &mut Effects, &mut Record)) -> Vec<Effect> {
        let (mut effects, mut record) = (no_effects(), Record::default());
        transition(&mut self.supervisors, &mut effects, &mut record);
        self.said = record.0;
        std::iter::from_fn(|| effects.pop()).collect()
    }

    /// The first processor is carried just long enough for one interrupt.
    fn carry_once(&mut self, at: Tod) {
        self.carry(LP, at);
        self.over(LP);
        self.find_work(LP, at + Span::from_us(10));
        self.drop(LP, at + Span::from_us(10));
    }

    fn carry(&mut self, logical: Logical, at: Tod) -> Vec<Effect> {
        self.after(|supervisors, effects, record| supervisors.dispatched(logical, at, effects, record))
    }

    fn drop(&mut self, logical: Logical, at: Tod) -> Vec<Effect> {
        self.after(|supervisors, effects, record| supervisors.undispatched(logical, at, effects, record))
    }

    fn ready(&mut self, job: Job, at: Tod) -> Vec<Effect> {
        self.after(|supervisors, effects, record| supervisors.ready((OWN, job), at, effects, record))
    }

    fn interrupt(&mut self, exposure: u32, at: Tod) -> Vec<Effect> {
        self.after(|supervisors, effects, record| {
            supervisors.interrupt((OWN, Exposure(exposure)), at, effects, record);
        })
    }

    fn over(&mut self, logical: Logical) -> Vec<Effect> {
        self.after(|supervisors, effects, _| supervisors.work_over(logical, effects))
    }

    fn find_work(&mut self, logical: Logical, at: Tod) -> Vec<Effect> {
        self.after(|supervisors, effects, record| supervisors.find_work(logical, at, effects, record))
    }
}

fn job(requester: u32, rank: usize) -> Job {
    Job { requester: Requester(requester), left: Span::from_us(100), rank }
}

fn ends(logical: Logical, at: Tod) -> Effect {
    Effect::At(Event::Work(logical), at)
}

fn never(logical: Logical) -> Effect {
    Effect::Never(Event::Work(logical))
}

#[test]
fn work_waits_for_a_processor_that_is_carried() {
    let mut domain = Domain::new(1, 1);
    assert_eq!(domain.ready(job(0, 0), us(0)), []);
    assert_eq!(domain.carry(LP, us(50)), [ends(LP, us(150))]);
}

#[test]
fn what_is_not_finished_when_the_slice_ends_goes_on_in_the_next() {
    let mut domain = Domain::new(1, 1);
    domain.carry(LP, us(0));
    domain.ready(job(0, 0), us(0));
    assert_eq!(domain.drop(LP, us(30)), [never(LP)]);
    let whose = Occupant::Requester(Requester(0));
    assert_eq!(domain.said, [Signal::Stands(LP, Standing::Pending, whose)]);
    assert_eq!(domain.carry(LP, us(60)), [ends(LP, us(130))], "70 are left");
}

/// Storage that others pushed out of the caches is reloaded once a slice, whether a task resumes or begins.
#[test]
fn the_first_work_of_each_slice_loses_the_reload() {
    let reload = Span::from_us(7);
    let mut domain = Domain::of(PartitionPlan { reload, ..PartitionPlan::new("D", 1, Processors::Dedicated) });
    domain.carry(LP, us(0));
    assert_eq!(domain.ready(job(0, 0), us(20)), [ends(LP, us(127))], "it begins in a cold slice");
    domain.drop(LP, us(57));
    assert_eq!(domain.carry(LP, us(100)), [ends(LP, us(177))], "70 are left, and another 7");
    domain.over(LP);
    domain.find_work(LP, us(177));
    assert_eq!(domain.ready(job(1, 0), us(180)), [ends(LP, us(280))], "the second of a slice loses nothing");
}

#[test]
fn the_more_urgent_takes_the_processor_and_the_other_is_first_of_its_equals() {
    let mut domain = Domain::new(1, 1);
    domain.carry(LP, us(0));
    domain.ready(job(0, 1), us(0));
    domain.ready(job(1, 1), us(10));
    assert_eq!(domain.said, [Signal::Ready(OWN, Requester(1))]);
    assert_eq!(domain.ready(job(2, 0), us(20)), [never(LP), ends(LP, us(120))]);
    let whose = Occupant::Requester(Requester(2));
    assert_eq!(domain.said, [Signal::Ready(OWN, Requester(0)), Signal::Stands(LP, Standing::Working, whose)]);
    domain.over(LP);
    assert_eq!(domain.find_work(LP, us(120)), [ends(LP, us(200))], "80 of the first are left");
}

#[test]
fn a_task_that_became_ready_while_undispatched_is_first_in_the_next_slice() {
    let mut domain = Domain::new(1, 1);
    domain.carry(LP, us(0));
    domain.ready(job(0, 1), us(0));
    domain.drop(LP, us(30));
    domain.ready(job(1, 0), us(40));
    let effects = domain.carry(LP, us(60));
    assert_eq!(effects.last(), Some(&ends(LP, us(160))), "the more urgent one takes 100 us");
    assert!(domain.said.contains(&Signal::Ready(OWN, Requester(0))));
    domain.over(LP);
    assert_eq!(domain.find_work(LP, us(160)), [ends(LP, us(230))], "70 us were left");
}

#[test]
fn equals_that_became_ready_meanwhile_do_not_go_first() {
    let mut domain = Domain::new(1, 1);
    domain.carry(LP, us(0));
    domain.ready(job(0, 1), us(0));
    domain.drop(LP, us(30));
    domain.ready(job(1, 1), us(40));
    assert_eq!(domain.carry(LP, us(60)), [ends(LP, us(130))]);
}

#[test]
fn equals_do_not_preempt_each_other() {
    let mut domain = Domain::new(1, 1);
    domain.carry(LP, us(0));
    domain.ready(job(0, 0), us(0));
    assert_eq!(domain.ready(job(1, 0), us(20)), []);
}

#[test]
fn a_task_that_goes_on_at_once_keeps_its_processor() {
    let mut domain = Domain::new(1, 1);
    domain.carry(LP, us(0));
    domain.ready(job(0, 0), us(0));
    domain.ready(job(1, 0), us(0));
    assert_eq!(domain.over(LP), [Effect::Served(Requester(0), LP)]);
    assert_eq!(domain.ready(job(0, 0), us(100)), [ends(LP, us(200))]);
    assert_eq!(domain.find_work(LP, us(100)), [], "it has work");
}

/// 1.0: "pending until the domain is again dispatched for its time slice".
#[test]
fn an_interrupt_waits_for_its_domain() {
    let mut domain = Domain::new(1, 1);
    assert_eq!(domain.interrupt(5, us(0)), []);
    assert_eq!(domain.interrupt(6, us(1)), []);
    assert_eq!(domain.carry(LP, us(40)), [ends(LP, us(50))]);
    assert_eq!(domain.over(LP), [Effect::Clear(Exposure(5), LP)], "the oldest first");
    assert_eq!(domain.find_work(LP, us(50)), [ends(LP, us(60))], "the handler tests for pending ones before it leaves");
}

#[test]
fn an_interrupt_comes_before_work_and_the_work_goes_on_after_it() {
    let mut domain = Domain::new(1, 1);
    domain.carry(LP, us(0));
    domain.ready(job(0, 0), us(0));
    assert_eq!(domain.interrupt(5, us(30)), [never(LP), ends(LP, us(40))]);
    let handler = Signal::Stands(LP, Standing::Interrupted, Occupant::Handler(Exposure(5)));
    assert_eq!(domain.said, [Signal::Taken(Logical(0), Taken::Slih), Signal::Ready(OWN, Requester(0)), handler]);
    domain.over(LP);
    assert_eq!(domain.find_work(LP, us(40)), [ends(LP, us(110))], "70 are left");
}

/// SRM enables few processors; one that is in wait takes an interrupt all the same.
#[test]
fn a_busy_processor_that_is_not_enabled_is_not_interrupted() {
    let mut domain = Domain::new(2, 1);
    for (logical, requester) in [(Logical(0), 0), (Logical(1), 1)] {
        domain.carry(logical, us(0));
        domain.ready(job(requester, 0), us(0));
    }
    domain.interrupt(5, us(10));
    assert!(matches!(domain.supervisors.logical[0].work, Work::Interrupt { .. }));
    assert_eq!(domain.interrupt(6, us(12)), [], "the other is busy and disabled");
    domain.over(Logical(1));
    assert_eq!(domain.find_work(Logical(1), us(15)), [ends(Logical(1), us(25))], "in wait it takes it");
}

#[test]
fn a_processor_in_wait_is_asked_before_one_with_work() {
    let mut domain = Domain::new(2, 2);
    domain.carry(Logical(0), us(0));
    domain.carry(Logical(1), us(0));
    domain.ready(job(0, 0), us(0));
    assert_eq!(domain.interrupt(5, us(10)), [ends(Logical(1), us(20))]);
}

fn srm() -> Option<CpEnablePlan> {
    Some(CpEnablePlan { low: Percent::new(10.0), high: Percent::new(30.0), every: Span::from_us(1_000) })
}

/// One interrupt that interrupts, and this many more that its handler finds before it leaves.
fn burst(domain: &mut Domain, found: u32) {
    for exposure in 0..=found {
        domain.interrupt(exposure, us(0));
    }
    domain.carry(LP, us(0));
    for taken in 0..=found {
        domain.over(LP);
        domain.find_work(LP, us(10 * u64::from(taken + 1)));
    }
}

/// CPENABLE=(0,0) enables all processors (z/OS CPENABLE, Techdocs): no share of TPI is below 0, however few there are.
#[test]
fn thresholds_of_zero_enable_all_from_the_start() {
    let all = CpEnablePlan { low: Percent::new(0.0), high: Percent::new(0.0), every: Span::from_us(1_000) };
    let mut domain = Domain::with(8, 2, Some(all));
    let enabled = |domain: &Domain| domain.supervisors.logical.iter().filter(|lp| lp.enabled).count();
    assert_eq!(enabled(&domain), 8);
    burst(&mut domain, 0);
    adjust(&mut domain, us(1_000));
    assert_eq!((enabled(&domain), &domain.said[..]), (8, &[][..]), "an interrupt without TPI disables none");
}

fn adjust(domain: &mut Domain, at: Tod) -> Vec<Effect> {
    domain.after(|supervisors, effects, record| supervisors.adjust(OWN, at, effects, record))
}

/// 5.0: above HI "the SRM enables another processor"; below LO it "again disables the additional CPU".
#[test]
fn many_interrupts_by_tpi_enable_another_processor_and_few_disable_it() {
    let mut domain = Domain::with(2, 1, srm());
    burst(&mut domain, 3);
    assert_eq!(adjust(&mut domain, us(1_000)), [Effect::At(Event::Enablement(OWN), us(2_000))]);
    assert_eq!(domain.said, [Signal::Enabled(OWN, 2)], "three of four by TPI");
    domain.interrupt(9, us(1_500));
    adjust(&mut domain, us(2_000));
    assert_eq!(domain.said, [Signal::Enabled(OWN, 1)], "none of one by TPI");
}

#[test]
fn an_interrupt_says_how_it_was_taken() {
    let mut domain = Domain::new(1, 1);
    domain.interrupt(5, us(0));
    domain.interrupt(6, us(0));
    domain.carry(LP, us(10));
    assert!(domain.said.contains(&Signal::Taken(Logical(0), Taken::Slih)));
    domain.over(LP);
    domain.find_work(LP, us(20));
    assert!(domain.said.contains(&Signal::Taken(Logical(0), Taken::Tpi)));
}

#[test]
fn without_interrupts_nothing_is_adjusted_and_one_stays_enabled_at_least() {
    let mut domain = Domain::with(2, 2, srm());
    adjust(&mut domain, us(1_000));
    assert_eq!(domain.said, []);
    for at in [2_000, 3_000, 4_000] {
        domain.interrupt(at as u32, us(at - 500));
        domain.carry_once(us(at - 400));
        adjust(&mut domain, us(at));
    }
    assert!(domain.supervisors.logical[0].enabled && !domain.supervisors.logical[1].enabled);
}

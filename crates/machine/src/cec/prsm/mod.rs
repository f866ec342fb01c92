//! Shared processors by weight (PR/SM): each logical processor is dispatched by itself, runs for a while, and gives way.
//!
//! Among the logical processors with work the one that has received least for its share goes first, ties by number.
//! ASSUME: manuals only say that weights are kept to.  A processor that was idle has no credit: it is put beside the
//! one that was dispatched last.
//!
//! Members of a group under one cap keep that order among themselves: those outside do not pass a group that its cap
//! holds back, or its members would come back alike, whatever their weights.

mod account;
mod group;
mod queue;
mod run_time;

pub use group::KEPT;
pub use run_time::{FORMULA, HIGH, LEAST, run_time};

use super::domain::Domain;
use super::entitlement::{Claim, Entitlement, Part, entitlements};
use super::places::Places;
use crate::effect::{Outbox, Wanted};
use crate::event::Event;
use crate::ids::{Logical, LparGroup, Partition, Physical};
use crate::plan::{GroupPlan, Preemption, Processors, PrsmPlan, WeightPlan};
use crate::signal::{Phase, Probe, Signal};
use account::{Account, Class};
use group::Group;
use queue::Queue;
use std::ops::Range;
use units::{Span, Tod};

/// The shared processors and their queue.
#[derive(Clone, Debug)]
pub(super) struct Prsm {
    plan: PrsmPlan,
    switch: Span,
    processors: Vec<Processor>,
    /// The first of them.
    first: u32,
    /// Of all partitions, dedicated ones too.
    logical: Vec<LogicalProcessor>,
    groups: Vec<Group>,
    /// Those of them that want a processor.
    queue: Queue,
    /// The processors that have nothing to carry.
    idle: Places,
    /// How far those that were dispatched last had come, of each class.
    reached: [u128; Class::COUNT],
}

/// A shared processor.
#[derive(Clone, Copy, Debug)]
struct Processor {
    phase: Phase,
    /// Which logical processor has it, or had it last.
    whose: Option<Logical>,
    /// The logical processor whose run this is and whose share pays for it: another one after a directed yield.
    run_of: Option<Logical>,
    /// Since when, the switch to it included.
    since: Tod,
    /// When its run is over.
    ends: Tod,
}

/// A logical processor as it is dispatched.
#[derive(Clone, Debug)]
struct LogicalProcessor {
    partition: Partition,
    /// The group whose cap holds for it too.
    group: Option<usize>,
    state: State,
    /// Its account; none while its partition is not there, or has processors of its own, and
    /// while it is offline.
    account: Option<Account>,
}

/// The state of a logical processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It has nothing to do.
    InWait,
    /// It has something to do and no physical processor.
    Queued,
    /// It has the physical processor of this place.
    On(usize),
}

impl Prsm {
    pub(super) fn new(
        (switch, plan): (Span, PrsmPlan),
        shared: Range<Physical>,
        (domains, groups): (&[Domain], &[GroupPlan]),
    ) -> Self {
        let idle = Processor { phase: Phase::Idle, whose: None, run_of: None, since: Tod::START, ends: Tod::NEVER };
        // A processor that keeps its run while it waits wants one always.
        let state = if plan.wait_completion { State::Queued } else { State::InWait };
        let owners = (0..).zip(domains).flat_map(|(number, domain)| {
            let group = weight(domain).and_then(|plan| plan.group);
            domain.logical.clone().map(move |_| (Partition(number), group))
        });
        let logical = owners.map(|(partition, group)| LogicalProcessor { partition, group, state, account: None });
        let logical: Vec<LogicalProcessor> = logical.collect();
        let physical = (shared.end.0 - shared.start.0) as usize;
        let mut prsm = Prsm {
            plan,
            switch,
            processors: vec![idle; physical],
            first: shared.start.0,
            queue: Queue::new(logical.iter().map(|logical| logical.group), groups.len()),
            idle: Places::all(physical),
            logical,
            groups: groups.iter().map(Group::new).collect(),
            reached: [0; Class::COUNT],
        };
        prsm.divide(domains, Tod::START);
        prsm
    }

    /// The physical processor that carries a logical one.
    pub(super) fn carrier(&self, logical: Logical) -> u32 {
        match self.logical[logical.index()].state {
            State::On(place) => self.first + place as u32,
            State::InWait | State::Queued => unreachable!("somebody carries it"),
        }
    }

    /// A processor looks for a logical one, for the first time.
    pub(super) fn begin(&mut self, physical: Physical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        self.dispatch(self.place(physical), now, effects, probe);
    }

    /// A run is over, or the switch before it, or an idle processor looks again.
    pub(super) fn run_over(&mut self, physical: Physical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        self.look(physical, now, effects, probe);
        self.tell_groups(now, probe);
    }

    fn look(&mut self, physical: Physical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let place = self.place(physical);
        let Processor { phase, whose, .. } = self.processors[place];
        match (phase, whose) {
            (Phase::Switching(..), Some(logical)) if self.logical[logical.index()].account.is_some() => {
                self.carry((place, logical), now, effects, probe);
            }
            (Phase::Carrying(_) | Phase::Switching(..), Some(logical)) => {
                self.charge(place, now);
                self.end_run(place, now, effects);
                self.stands(logical, State::Queued, now);
                if phase == Phase::Carrying(logical) && self.first_of_queue(Some(logical), now) == Some(logical) {
                    return self.run_on((place, logical), now, effects);
                }
                if phase == Phase::Carrying(logical) {
                    effects.undispatched(logical);
                }
                self.dispatch(place, now, effects, probe);
            }
            (Phase::Idle, _) => self.dispatch(place, now, effects, probe),
            (Phase::Dedicated(_) | Phase::Carrying(_) | Phase::Switching(..), _) => {
                unreachable!("a shared processor runs a known logical one")
            }
        }
    }

    /// A logical processor goes into wait: its run ends, unless it keeps it (Wait Completion = YES).
    pub(super) fn waits(&mut self, logical: Logical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let State::On(place) = self.logical[logical.index()].state else { return };
        if self.plan.wait_completion {
            return;
        }
        self.charge(place, now);
        self.end_run(place, now, effects);
        self.stands(logical, State::InWait, now);
        effects.undispatched(logical);
        self.dispatch(place, now, effects, probe);
        self.tell_groups(now, probe);
    }

    /// A logical processor has something to do: an idle processor carries it, else an interrupt may take one from another.
    pub(super) fn wants(
        &mut self,
        call: (Logical, Wanted),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        self.called(call, now, effects, probe);
        self.tell_groups(now, probe);
    }

    fn called(
        &mut self,
        (logical, wanted): (Logical, Wanted),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let state = &mut self.logical[logical.index()];
        match state.state {
            State::On(_) => return,
            State::Queued => {}
            State::InWait => {
                state.state = State::Queued;
                if let Some(account) = &mut state.account {
                    account.wake(&self.reached);
                    if let Some(group) = state.group {
                        account.wake_within(&self.groups[group].reached);
                    }
                }
                self.requeue(logical.index(), now);
            }
        }
        let state = &self.logical[logical.index()];
        let Some(account) = &state.account else { return };
        if let Some(place) = self.idle.first() {
            return self.dispatch(place, now, effects, probe);
        }
        let group = state.group.map(|group| &self.groups[group]);
        let covered = group.is_none_or(|group| group.may_run(account.run, now));
        if wanted == Wanted::Interrupt && account.may_run(now) && covered {
            self.preempt(logical, now, effects, probe);
        }
    }

    /// A logical processor yields its physical one.  The first of the queue begins a run; one that is named has the rest
    /// of this run.  It keeps it if there is none, or that one may not run.
    ///
    /// ASSUME: manuals are silent on whose the time is.  The run stays the giver's, or two that name each other would
    /// keep their processor for ever.
    pub(super) fn gives_way(
        &mut self,
        (logical, to): (Logical, Option<Logical>),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let State::On(place) = self.logical[logical.index()].state else { return };
        let Some(to) = to else {
            let Some(next) = self.first_of_queue(None, now) else { return };
            self.give_up((place, logical), now, effects);
            self.end_run(place, now, effects);
            self.give((place, next), now, effects, probe);
            return self.tell_groups(now, probe);
        };
        let LogicalProcessor { account, state, .. } = &self.logical[to.index()];
        if *state == State::Queued && account.as_ref().is_some_and(|account| account.may_run(now)) {
            self.give_up((place, logical), now, effects);
            self.hand_over((place, to), now, effects, probe);
        }
    }

    /// A logical processor loses its physical one, and wants one still.
    fn give_up(&mut self, (place, logical): (usize, Logical), now: Tod, effects: &mut impl Outbox) {
        self.charge(place, now);
        self.stands(logical, State::Queued, now);
        effects.undispatched(logical);
    }

    /// A logical processor has another state from now on, and its place in the queue.
    fn stands(&mut self, logical: Logical, state: State, now: Tod) {
        self.logical[logical.index()].state = state;
        self.requeue(logical.index(), now);
    }

    /// Its account or its state has changed: it has another place in the queue, or none.
    fn requeue(&mut self, logical: usize, now: Tod) {
        let LogicalProcessor { account, state, group, .. } = &self.logical[logical];
        let waits = account.as_ref().filter(|_| *state == State::Queued);
        match waits.and_then(|account| Some((account, account.may_run_from()?))) {
            None => self.queue.leave(logical),
            Some((_, from)) if from > now => self.queue.hold(logical, from),
            Some((account, _)) if group.is_some() => self.queue.wait(logical, account.order_within()),
            Some((account, _)) => self.queue.wait(logical, account.order()),
        }
    }

    /// Those that a cap held back until now take their places.
    fn ripen(&mut self, now: Tod) {
        while let Some((logical, _)) = self.queue.first_held().filter(|(_, until)| *until <= now) {
            self.requeue(logical, now);
        }
    }

    /// A processor has another phase from now on, which is signalled.
    fn turns(&mut self, place: usize, phase: Phase, now: Tod, probe: &mut impl Probe) {
        self.processors[place].phase = phase;
        self.idle.set(place, phase == Phase::Idle);
        probe.signal(now, Signal::Carries(self.physical(place), phase));
    }

    /// Partitions have changed: shares are divided anew and all begin without debts, except for what a cap still holds
    /// back (ASSUME).
    pub(super) fn changed(&mut self, domains: &[Domain], now: Tod, effects: &mut impl Outbox) {
        self.divide(domains, now);
        for (number, processor) in (self.first..).zip(&self.processors) {
            let has_account = |logical: Logical| self.logical[logical.index()].account.is_some();
            if processor.phase == Phase::Idle || processor.whose.is_some_and(|logical| !has_account(logical)) {
                effects.at(Event::Slice(Physical(number)), now);
            }
        }
    }

    fn place(&self, physical: Physical) -> usize {
        (physical.0 - self.first) as usize
    }

    fn physical(&self, place: usize) -> Physical {
        Physical(self.first + place as u32)
    }

    /// Gives every logical processor what its partition is promised, and how long it may run.
    fn divide(&mut self, domains: &[Domain], now: Tod) {
        let sharing: Vec<(&Domain, WeightPlan)> =
            domains.iter().filter_map(|domain| Some((domain, weighted(domain)?))).collect();
        let claims: Vec<Claim> = sharing
            .iter()
            .map(|(domain, plan)| Claim { part: Part::Weight(plan.weight), logicals: domain.online().count() as u32 })
            .collect();
        let shared = self.processors.len() as u32;
        let entitled: Vec<Entitlement> = entitlements(shared, &claims).expect("a sharing partition has a share");
        let formula = run_time(shared, claims.iter().map(|claim| claim.logicals).sum());
        let run = self.plan.run_time.unwrap_or(formula);
        self.reached = [0; Class::COUNT];
        let before: Vec<Option<Account>> = self.logical.iter_mut().map(|logical| logical.account.take()).collect();
        for (((domain, plan), entitled), claim) in sharing.iter().zip(&entitled).zip(&claims) {
            for (number, logical) in domain.online().enumerate() {
                let mut account = Account::new((plan, entitled), number as u32, claim.logicals);
                account.run = if account.class == Class::High { HIGH } else { run };
                account.keep_cap_of(before[logical as usize].as_ref());
                self.logical[logical as usize].account = Some(account);
            }
        }
        for (number, group) in self.groups.iter_mut().enumerate() {
            let members = self.logical.iter().filter(|logical| logical.group == Some(number));
            let runs = members.filter_map(|logical| logical.account.as_ref()).map(|account| account.run);
            group.divide(runs.max().unwrap_or(run), now);
        }
        (0..self.logical.len()).for_each(|logical| self.requeue(logical, now));
    }

    /// Which of those that want a processor is the first: the least received for its share, of the highest class.  One of
    /// them may go on where its run just ended.
    fn first_of_queue(&mut self, goes_on: Option<Logical>, now: Tod) -> Option<Logical> {
        self.ripen(now);
        let mut first = self.first_of(None).map(|(account, number)| (account.order(), number));
        for (number, group) in self.groups.iter().enumerate() {
            let member = self.first_of(Some(number)).filter(|(account, number)| {
                group.may_run(account.run, now) || goes_on == Some(Logical(*number)) && group.may_go_on(now)
            });
            let member = member.map(|(account, number)| (account.order(), number));
            first = first.into_iter().chain(member).min();
        }
        first.map(|(_, number)| Logical(number))
    }

    /// The first of those without a group, or of the members of one, whether or not its cap holds them back.
    fn first_of(&self, group: Option<usize>) -> Option<(&Account, u32)> {
        let first = self.queue.first(group)?;
        Some((self.logical[first as usize].account.as_ref()?, first))
    }

    /// When the first of those that a cap holds back may run again, where no one may now.
    fn earliest(&self, now: Tod) -> Tod {
        let own = self.queue.first_held().map(|(_, until)| until);
        let groups = self.groups.iter().enumerate().filter_map(|(number, group)| {
            let (account, _) = self.first_of(Some(number))?;
            Some(group.may_run_from(account.run, now))
        });
        own.into_iter().chain(groups).min().unwrap_or(Tod::NEVER)
    }

    /// Signals which groups pass over a member that wants a processor, where that has changed.
    fn tell_groups(&mut self, now: Tod, probe: &mut impl Probe) {
        if self.groups.is_empty() {
            return;
        }
        self.ripen(now);
        for number in 0..self.groups.len() {
            let first = self.first_of(Some(number));
            let holds_back = first.is_some_and(|(account, _)| !self.groups[number].may_run(account.run, now));
            if self.groups[number].holds_back != holds_back {
                self.groups[number].holds_back = holds_back;
                probe.signal(now, Signal::GroupCapped(LparGroup(number as u32), holds_back));
            }
        }
    }

    /// A free processor goes to the first of the queue.
    fn dispatch(&mut self, place: usize, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let physical = self.physical(place);
        match self.first_of_queue(None, now) {
            Some(logical) => self.give((place, logical), now, effects, probe),
            None => {
                if self.processors[place].phase != Phase::Idle {
                    self.turns(place, Phase::Idle, now, probe);
                }
                effects.at(Event::Slice(physical), self.earliest(now));
            }
        }
    }

    /// A processor is given to a logical one, for a run of its own.
    fn give(
        &mut self,
        (place, logical): (usize, Logical),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let run = self.begin_run(logical, now);
        let processor = &mut self.processors[place];
        (processor.run_of, processor.ends) = (Some(logical), now + run);
        self.hand_over((place, logical), now, effects, probe);
    }

    /// A logical processor has a physical one until the run there is over: the switch to it, unless it had it last, then
    /// its work.
    fn hand_over(
        &mut self,
        (place, logical): (usize, Logical),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let physical = self.physical(place);
        let partition = self.logical[logical.index()].partition;
        self.stands(logical, State::On(place), now);
        let processor = &mut self.processors[place];
        let had_it = processor.whose == Some(logical);
        (processor.whose, processor.since) = (Some(logical), now);
        if self.switch.is_zero() || had_it {
            return self.carry((place, logical), now, effects, probe);
        }
        self.turns(place, Phase::Switching(partition, Some(logical)), now, probe);
        effects.at(Event::Slice(physical), now + self.switch);
    }

    fn carry(
        &mut self,
        (place, logical): (usize, Logical),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        effects.dispatched(logical);
        self.turns(place, Phase::Carrying(logical), now, probe);
        // The rest of a run may be over before the switch is.
        effects.at(Event::Slice(self.physical(place)), self.processors[place].ends.max(now));
    }

    /// No other is to have its processor: it goes on without a signal.
    fn run_on(&mut self, (place, logical): (usize, Logical), now: Tod, effects: &mut impl Outbox) {
        let run = self.begin_run(logical, now);
        self.stands(logical, State::On(place), now);
        let processor = &mut self.processors[place];
        (processor.run_of, processor.since, processor.ends) = (Some(logical), now, now + run);
        effects.at(Event::Slice(self.physical(place)), now + run);
    }

    /// How long the run that begins may last.
    fn begin_run(&mut self, logical: Logical, now: Tod) -> Span {
        let LogicalProcessor { account, group, .. } = &self.logical[logical.index()];
        let account = account.as_ref().expect("a dispatched one has an account");
        account.reach(&mut self.reached);
        if let Some(group) = group.map(|group| &mut self.groups[group]) {
            account.reach_within(&mut group.reached);
            group.pay(account.run, now);
        }
        account.run
    }

    /// A logical processor is off a physical one: its cap has to make up for the time, and so does the share of the one
    /// whose run it was.
    fn charge(&mut self, place: usize, now: Tod) {
        let Processor { whose, run_of, since, .. } = self.processors[place];
        if let Some(account) = whose.and_then(|logical| self.logical[logical.index()].account.as_mut()) {
            account.pay_cap(since, now);
        }
        if let Some(account) = run_of.and_then(|logical| self.logical[logical.index()].account.as_mut()) {
            account.charge(since, now, &self.reached);
        }
        let Some(run) = run_of else { return };
        if let LogicalProcessor { account: Some(account), group: Some(group), .. } = &mut self.logical[run.index()] {
            account.charge_within(since, now, &self.groups[*group].reached);
        }
        // One that has yielded in favour of another waits while its run goes on.
        self.requeue(run.index(), now);
    }

    /// A run ends: its group has back what is left of it, and another member may begin one on an idle processor.
    fn end_run(&mut self, place: usize, now: Tod, effects: &mut impl Outbox) {
        let Processor { run_of, ends, .. } = self.processors[place];
        let Some(group) = run_of.and_then(|run| self.logical[run.index()].group) else { return };
        if self.groups[group].give_back(ends, now) {
            self.idle.iter().for_each(|place| effects.at(Event::Slice(self.physical(place)), now));
        }
    }

    /// An interrupt preempts the one that has received most for its share, of another partition, if the rules let it.
    fn preempt(&mut self, logical: Logical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let own = &self.logical[logical.index()];
        let account = own.account.as_ref().expect("one that may run has an account");
        let running = self.processors.iter().enumerate().filter_map(|(place, processor)| {
            let Phase::Carrying(running) = processor.phase else { return None };
            let other = &self.logical[running.index()];
            let charged = self.logical[processor.run_of?.index()].account.as_ref()?.after(processor.since, now);
            (other.partition != own.partition).then_some((charged, place, running))
        });
        let Some((order, place, running)) = running.max() else { return };
        match self.plan.preemption {
            Preemption::Never => return,
            Preemption::Share if order <= account.order() => return,
            Preemption::Share | Preemption::Always => {}
        }
        self.give_up((place, running), now, effects);
        self.end_run(place, now, effects);
        self.give((place, logical), now, effects, probe);
    }
}

/// The weight of a partition that is there, and its bounds.
fn weighted(domain: &Domain) -> Option<WeightPlan> {
    weight(domain).filter(|_| domain.active)
}

/// The weight of a partition, there or not, and its bounds.
fn weight(domain: &Domain) -> Option<WeightPlan> {
    match domain.processors {
        Processors::Weighted(plan) => Some(plan),
        Processors::Dedicated => None,
        Processors::Shared { .. } | Processors::Cgroup(_) => unreachable!("targets have nothing to do with weights"),
    }
}

//! The thread that has a processor: charging it, switching to the next, and looking again when its time is used up.

use super::fair;
use super::{Cfs, Running, State};
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Logical, Partition, Physical, Requester};
use crate::signal::{Probe, Signal, Threading};
use units::{Span, Tod};

impl Cfs {
    /// A processor looks: the running thread may be through, or stopped, or at the end of its slice.
    pub(in crate::cec) fn look(
        &mut self,
        physical: Physical,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let place = physical.index();
        self.charge(place, now);
        let Some(runs) = &mut self.processors[place].runs else { return };
        if self.threads[runs.requester.index()].left.is_zero() {
            runs.state = runs.state.leaves();
            let (requester, group) = (runs.requester, runs.group);
            return effects.served(requester, self.logical((group, place)));
        }
        self.settle(place, true, now, (effects, probe));
    }

    /// A thread was through, and all consequences have happened: it goes on, or the next does.
    pub(in crate::cec) fn find_work(
        &mut self,
        logical: Logical,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let place = self.place_of(logical);
        match self.processors[place].runs {
            Some(runs) if runs.state.is_leaving() => self.sleep(place, now, (effects, probe)),
            Some(runs) => {
                // Without calls and ticks that decide, the time until now is charged when the thread is looked at next.
                if self.threads[runs.requester.index()].called || !self.plan.steps_notice {
                    self.charge(place, now);
                }
                self.called(place);
                let noticed = self.plan.steps_notice || self.is_tick(now);
                self.settle(place, noticed, now, (effects, probe));
            }
            None => self.dispatch(place, now, (effects, probe)),
        }
    }

    /// The processor of a queue.
    pub(in crate::cec) fn place_of(&self, logical: Logical) -> usize {
        logical.index() % self.processors.len()
    }

    /// The running thread is charged for the time since the last charge, and so is its group.
    pub(super) fn charge(&mut self, place: usize, now: Tod) {
        let processor = &mut self.processors[place];
        let span = now - processor.since;
        processor.since = now;
        let Some(Running { group, requester, .. }) = processor.runs else { return };
        if span.is_zero() {
            return;
        }
        let (slice, weight) = (self.plan.base_slice, self.weight_of(group, place));
        let state = &mut self.groups[group];
        let work = state.shared.as_ref().map_or(span, |shared| shared.work(place, span));
        let thread = &mut self.threads[requester.index()];
        thread.left = thread.left - work.min(thread.left);
        // Not one or the other: both are charged.
        let over = thread.rank.ran(span, thread.weight, slice) | state.queues[place].rank.ran(span, weight, slice);
        if let Some(bandwidth) = &mut state.bandwidth {
            bandwidth.ran(place, span);
        }
        let runs = self.processors[place].runs.as_mut().expect("it runs");
        if over && runs.state == State::Runs {
            runs.state = State::HadItsSlice;
        }
    }

    /// Every processor that runs a group is charged.
    pub(super) fn charge_all(&mut self, group: usize, now: Tod) {
        for place in 0..self.processors.len() {
            if self.processors[place].runs.is_some_and(|runs| runs.group == group) {
                self.charge(place, now);
            }
        }
    }

    /// The running thread goes on if it may and it is its turn, else the next does.  The end of its slice counts where it
    /// is noticed.
    fn settle(&mut self, place: usize, noticed: bool, now: Tod, (effects, probe): (&mut impl Outbox, &mut impl Probe)) {
        let Some(Running { group, state, .. }) = self.processors[place].runs else { return };
        debug_assert!(!state.is_leaving(), "a thread that is through has nothing to settle");
        if !self.has_runtime((group, place), now, effects) {
            self.stop((group, place), now, probe);
            return self.dispatch(place, now, (effects, probe));
        }
        match state {
            State::Leaving | State::LeavingLate => {}
            State::HadItsSlice if !noticed => self.set_look(place, now, effects),
            State::HadItsSlice | State::Yields => self.dispatch(place, now, (effects, probe)),
            State::Runs => self.set_look(place, now, effects),
        }
    }

    /// A thread has arrived at a queue: an idle processor takes it, and the running thread may have to give way.
    pub(super) fn look_after(
        &mut self,
        requester: Requester,
        (group, place): (usize, usize),
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        let Some(runs) = self.processors[place].runs else {
            self.dispatch(place, now, (effects, probe));
            return self.awaits(requester, place, now, probe);
        };
        let open = !runs.state.is_leaving() && !self.groups[group].queues[place].stopped;
        if open && self.plan.wakeup_preemption && self.goes_before(requester, (group, place), runs) {
            self.dispatch(place, now, (effects, probe));
        } else if open {
            // There may be no runtime left, since the running thread has just been charged.
            self.settle(place, true, now, (effects, probe));
        }
        self.awaits(requester, place, now, probe);
    }

    /// Whether a thread that woke preempts the running one.
    fn goes_before(&self, requester: Requester, (group, place): (usize, usize), runs: Running) -> bool {
        if runs.group == group {
            self.next_of((group, place)) == Some(requester)
        } else {
            self.next_group(place) == Some(group)
        }
    }

    /// Signals that a thread wants a processor and has none, and the state of its queue.
    fn awaits(&mut self, requester: Requester, place: usize, now: Tod, probe: &mut impl Probe) {
        let group = self.group_of(requester);
        if self.processors[place].runs.is_none_or(|runs| runs.requester != requester) {
            probe.signal(now, Signal::Ready(Partition(group as u32), requester));
        }
        self.tell((group, place), now, probe);
    }

    /// The group whose turn it is on a processor.
    fn next_group(&self, place: usize) -> Option<usize> {
        let number = fair::next(self.ranked(place, self.competing(place)))?;
        self.competing(place).nth(number)
    }

    /// The thread whose turn it is in a queue.
    fn next_of(&self, (group, place): (usize, usize)) -> Option<Requester> {
        let queue = &self.groups[group].queues[place];
        fair::next(queue.ranks(&self.threads)).map(|number| queue.threads[number])
    }

    /// A processor goes to the next, which may be the one that has it.
    pub(super) fn dispatch(&mut self, place: usize, now: Tod, (effects, probe): (&mut impl Outbox, &mut impl Probe)) {
        self.charge(place, now);
        let next = loop {
            match self.next_group(place) {
                Some(group) if self.has_runtime((group, place), now, effects) => break Some(group),
                Some(group) => self.stop((group, place), now, probe),
                None if self.pull(place, now, (effects, probe)) => {}
                None => break None,
            }
        };
        let next = next.map(|group| {
            let requester = self.next_of((group, place)).expect("a competing group has threads");
            Running { group, requester, state: State::Runs }
        });
        self.run(place, next, now, (effects, probe));
    }

    /// A processor runs a thread, or none, from now on.
    fn run(
        &mut self,
        place: usize,
        next: Option<Running>,
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        let before = std::mem::replace(&mut self.processors[place].runs, next);
        self.idle.set(place, next.is_none());
        let same = before.map(|runs| runs.requester) == next.map(|runs| runs.requester);
        if let Some(before) = before.filter(|_| !same) {
            let group = Partition(before.group as u32);
            if self.groups[before.group].queues[place].threads.contains(&before.requester) {
                probe.signal(now, Signal::Ready(group, before.requester));
            }
            self.tell((before.group, place), now, probe);
        }
        if let Some(runs) = next.filter(|_| !same) {
            self.tell((runs.group, place), now, probe);
            let thread = &mut self.threads[runs.requester.index()];
            thread.left += self.switch;
            if let Some(woke) = thread.woke.take() {
                let ran = Threading::Ran(thread.guest, now - woke);
                probe.signal(now, Signal::Threading(Partition(runs.group as u32), ran));
            }
        }
        self.tell_of(place, now, probe);
        self.sharers_change(place, before, now, effects);
        self.set_look(place, now, effects);
    }

    /// The running thread is through, and does not go on for now.
    pub(super) fn sleep(&mut self, place: usize, now: Tod, (effects, probe): (&mut impl Outbox, &mut impl Probe)) {
        self.charge(place, now);
        let Some(Running { group, requester, .. }) = self.processors[place].runs else { return };
        probe.signal(now, Signal::Threading(Partition(group as u32), Threading::Runnable(-1)));
        self.dequeue(requester, (group, place), now, effects);
        self.dispatch(place, now, (effects, probe));
    }

    /// A thread leaves its queue; what its group does not need there goes back when it was the last.
    pub(super) fn dequeue(
        &mut self,
        requester: Requester,
        (group, place): (usize, usize),
        now: Tod,
        effects: &mut impl Outbox,
    ) {
        let mean = fair::mean(self.ranked(place, self.competing(place)));
        let (state, processor) = (&mut self.groups[group], &mut self.processors[place]);
        processor.floor = mean.unwrap_or(processor.floor);
        processor.crowd -= 1;
        state.load -= self.threads[requester.index()].weight;
        state.queues[place].remove(requester, &self.threads);
        if state.queues[place].threads.is_empty() {
            processor.present.retain(|other| *other as usize != group);
        }
        if !state.queues[place].stopped {
            self.opens(place, -1);
        }
        let state = &mut self.groups[group];
        if let Some(bandwidth) = state.bandwidth.as_mut().filter(|_| state.queues[place].threads.is_empty())
            && let Some(at) = bandwidth.give_back(place, now)
        {
            effects.at(Event::Slack(Partition(group as u32)), at);
        }
    }

    /// Processors that have nothing to do look again.
    pub(super) fn idle_look(&mut self, now: Tod, (effects, probe): (&mut impl Outbox, &mut impl Probe)) {
        // Those with work of their own first: no other may take it from them.
        for own in [true, false] {
            let mut next = self.idle.first();
            while let Some(place) = next {
                if !own || self.next_group(place).is_some() {
                    self.dispatch(place, now, (effects, probe));
                }
                next = self.idle.after(place);
            }
        }
    }

    /// The next look of a processor: when the running thread is through, at the end of its slice while others
    /// wait, or out of runtime.  All but the first happen at a tick, where there are ticks.
    pub(super) fn set_look(&mut self, place: usize, now: Tod, effects: &mut impl Outbox) {
        let event = Event::Slice(Physical(place as u32));
        let Some(Running { group, requester, state }) = self.processors[place].runs else {
            return effects.never(event);
        };
        if state.is_leaving() {
            return effects.never(event);
        }
        let thread = &self.threads[requester.index()];
        let queue = &self.groups[group].queues[place];
        let mut noticed = Span::from_units(u64::MAX);
        let shared = self.groups[group].shared.as_ref();
        // Threads that share data are charged between their looks.
        if state == State::HadItsSlice && (!self.plan.steps_notice || shared.is_some()) {
            noticed = Span::ZERO;
        } else if queue.threads.len() > 1 {
            noticed = noticed.min(thread.rank.left(thread.weight));
        }
        if self.competing(place).nth(1).is_some() {
            noticed = noticed.min(queue.rank.left(self.weight_of(group, place)));
        }
        if let Some(bandwidth) = &self.groups[group].bandwidth {
            noticed = noticed.min(bandwidth.left(place));
        }
        let through = now + shared.map_or(thread.left, |shared| shared.time(place, thread.left));
        let noticed = if noticed == Span::from_units(u64::MAX) { Tod::NEVER } else { self.tick(now + noticed) };
        effects.at(event, through.min(noticed));
    }

    /// Whether what is used up is noticed at an instant.
    fn is_tick(&self, at: Tod) -> bool {
        self.tick(at) == at
    }

    /// The first tick at an instant or after it; that instant where there are no ticks.
    fn tick(&self, at: Tod) -> Tod {
        let tick = self.plan.tick.units();
        if tick == 0 { at } else { Tod::START + Span::from_units((at - Tod::START).units().div_ceil(tick) * tick) }
    }
}

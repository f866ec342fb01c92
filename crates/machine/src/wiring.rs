//! Where mechanisms meet: every event goes to its transition, every effect to its target.

use crate::call::Call;
use crate::cec::Asking;
use crate::control_program::{Left, Release};
use crate::effect::{Outbox, ThreadCall, Wanted};
use crate::event::{Event, Slots};
use crate::guest::supervisor::Job;
use crate::guest::{Activity, RequesterState, RunsIn};
use crate::ids::{Exposure, FrontEnd, Logical, Partition, Paths, Physical, Pool, Requester, SpinLock, Volume};
use crate::io::Io;
use crate::plan::{Change, Srm};
use crate::serialization::{Next, Reservation};
use crate::signal::Probe;
use crate::world::World;
use kernel::agenda::Agenda;
use kernel::calendar::{Calendar, Slot};
use kernel::effects::Effects;
use std::collections::VecDeque;
use units::{Span, Tod};

/// An effect of this instant that waits for its target; instants are set at once.  Two words, which pass in registers.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Due {
    Request(Requester, Io),
    Done(Requester),
    Guest(GuestDue),
    /// The next of those for processors.
    Processor,
}

/// The same where guests wait for each other.
#[derive(Clone, Copy)]
enum GuestDue {
    Granted(Requester),
    Deliver(FrontEnd),
}

/// The same where processors are shared.
#[derive(Clone, Copy)]
enum ProcessorDue {
    Ready(Requester),
    Served(Requester, Logical),
    Calls(Requester, ThreadCall),
    Yields(Requester, Logical),
    Freed(Requester, SpinLock, Option<Requester>),
    GivesWay(Logical, Option<Logical>),
    Interrupt(Exposure),
    Clear(Exposure, Logical),
    Dispatched(Logical),
    Undispatched(Logical),
    Waits(Logical),
    Wants(Logical, Wanted),
    /// The logical processor looks for work, after all that its last work has brought about.
    FindWork(Logical),
}

/// What is pending: instants in the calendar or the agenda, and effects of this instant.
pub(crate) struct Desk<C: Calendar> {
    calendar: C,
    agenda: Agenda,
    /// The requester of the last event that was taken from the agenda.
    passing: Requester,
    slots: Slots,
    due: Effects<Due, MOST_DUE>,
    /// Effects that are due where processors are shared, in their order.
    processors: Effects<ProcessorDue, MOST_DUE>,
    /// The requester that a virtual processor has served in this event, which goes on before anything that is due.
    used: Option<(Requester, Logical, Span)>,
    /// Requesters that call the service of ENQ and DEQ, or go on with a request there.  They come before anything else
    /// that is due, so that their needs are known before their processor looks for other work.
    serializing: VecDeque<(Requester, Option<Call>)>,
}

/// How many effects of one instant may wait: a control program may want every one of its processors, and give them up.
const MOST_DUE: usize = 2 * 256 + 8;

impl<C: Calendar> Desk<C> {
    pub(crate) fn new(slots: Slots) -> Self {
        Desk {
            calendar: C::with_slots(slots.len()),
            agenda: Agenda::default(),
            passing: Requester(u32::MAX),
            slots,
            due: Effects::new(Due::Processor),
            processors: Effects::new(ProcessorDue::Ready(Requester(u32::MAX))),
            used: None,
            serializing: VecDeque::new(),
        }
    }

    /// When the next event happens.
    #[inline]
    pub(crate) fn next(&self) -> Tod {
        self.calendar.first().0.min(self.agenda.first())
    }

    /// Takes the next event if it is due by an instant; [`Tod::NEVER`] where none is.  At one instant slots come before
    /// the agenda.
    #[inline(always)]
    fn take(&mut self, due: Tod) -> (Tod, Slot) {
        // An instant and a slot pass in registers, an option of them does not.
        if self.agenda.is_empty() {
            self.calendar.begin_by(due).unwrap_or((Tod::NEVER, Slot::MAX))
        } else {
            self.take_of_both(due)
        }
    }

    #[inline(never)]
    fn take_of_both(&mut self, due: Tod) -> (Tod, Slot) {
        let first = self.agenda.first();
        if let Some(event) = self.calendar.begin_by(due.min(first)) {
            return event;
        }
        if first > due {
            return (Tod::NEVER, Slot::MAX);
        }
        let (at, requester) = self.agenda.take().expect("the agenda is not empty");
        self.passing = Requester(requester);
        (at, Slot::MAX)
    }

    /// Whether something waits that is to happen at this instant.
    #[inline(always)]
    pub(crate) fn has_effects(&self) -> bool {
        !self.due.is_empty() || !self.serializing.is_empty()
    }

    /// The event that is being handled probably sets its slot no more.
    #[inline(always)]
    pub(crate) fn end_early(&mut self) {
        self.calendar.end();
    }

    #[inline(always)]
    fn processor(&mut self, due: impl FnOnce() -> ProcessorDue) {
        self.processors.push(due);
        self.due.push(|| Due::Processor);
    }

    #[cold]
    fn add(&mut self, event: Event, at: Tod) {
        match event {
            Event::Resume(Requester(requester)) => self.agenda.add(at, requester),
            Event::Transferred(_)
            | Event::Carried(_)
            | Event::PhaseOver(_)
            | Event::Arrival(_)
            | Event::Change
            | Event::Work(_)
            | Event::Slice(_)
            | Event::Enablement(_)
            | Event::Timer(_)
            | Event::Control(_)
            | Event::Release(_)
            | Event::Period(_)
            | Event::Slack(_) => {
                unreachable!("all but guests that pass through have slots")
            }
        }
    }
}

impl<C: Calendar> Outbox for Desk<C> {
    #[inline(always)]
    fn at(&mut self, event: Event, at: Tod) {
        match self.slots.slot(event) {
            Some(slot) => self.calendar.set(slot, at),
            None => self.add(event, at),
        }
    }

    #[inline]
    fn never(&mut self, event: Event) {
        self.at(event, Tod::NEVER);
    }

    #[inline]
    fn request(&mut self, requester: Requester, io: Io) {
        self.due.push(|| Due::Request(requester, io));
    }

    #[inline]
    fn done(&mut self, requester: Requester) {
        self.due.push(|| Due::Done(requester));
    }

    #[inline]
    fn granted(&mut self, requester: Requester) {
        self.due.push(|| Due::Guest(GuestDue::Granted(requester)));
    }

    #[inline]
    fn deliver(&mut self, front_end: FrontEnd) {
        self.due.push(|| Due::Guest(GuestDue::Deliver(front_end)));
    }

    #[inline]
    fn serialize(&mut self, requester: Requester, call: Option<Call>) {
        self.serializing.push_back((requester, call));
    }

    #[inline]
    fn ready(&mut self, requester: Requester) {
        self.processor(|| ProcessorDue::Ready(requester));
    }

    #[inline]
    fn served(&mut self, requester: Requester, logical: Logical) {
        self.processor(|| ProcessorDue::Served(requester, logical));
    }

    #[inline]
    fn used(&mut self, requester: Requester, logical: Logical, charged: Span) {
        debug_assert!(self.due.is_empty() && self.used.is_none(), "a run that is over comes first in its event");
        self.used = Some((requester, logical, charged));
    }

    #[inline]
    fn calls(&mut self, requester: Requester, call: ThreadCall) {
        self.processor(|| ProcessorDue::Calls(requester, call));
    }

    #[inline]
    fn yields(&mut self, requester: Requester, logical: Logical) {
        self.processor(|| ProcessorDue::Yields(requester, logical));
    }

    #[inline]
    fn freed(&mut self, requester: Requester, lock: SpinLock, next: Option<Requester>) {
        self.processor(|| ProcessorDue::Freed(requester, lock, next));
    }

    #[inline]
    fn has_kicked(&mut self, logical: Logical) {
        self.processor(|| ProcessorDue::FindWork(logical));
    }

    #[inline]
    fn gives_way(&mut self, logical: Logical, to: Option<Logical>) {
        self.processor(|| ProcessorDue::GivesWay(logical, to));
    }

    #[inline]
    fn interrupt(&mut self, exposure: Exposure) {
        self.processor(|| ProcessorDue::Interrupt(exposure));
    }

    #[inline]
    fn clear(&mut self, exposure: Exposure, logical: Logical) {
        self.processor(|| ProcessorDue::Clear(exposure, logical));
    }

    #[inline]
    fn dispatched(&mut self, logical: Logical) {
        self.processor(|| ProcessorDue::Dispatched(logical));
    }

    #[inline]
    fn undispatched(&mut self, logical: Logical) {
        self.processor(|| ProcessorDue::Undispatched(logical));
    }

    #[inline]
    fn waits(&mut self, logical: Logical) {
        self.processor(|| ProcessorDue::Waits(logical));
    }

    #[inline]
    fn wants(&mut self, logical: Logical, wanted: Wanted) {
        self.processor(|| ProcessorDue::Wants(logical, wanted));
    }
}

impl<C: Calendar, P: Probe> World<C, P> {
    /// Lets the next event happen if it is due by an instant; says whether it was.
    #[inline(always)]
    pub fn step(&mut self, due: Tod) -> bool {
        let (at, slot) = self.desk.take(due);
        if at == Tod::NEVER {
            return false;
        }
        let event = self.desk.slots.event(slot, self.desk.passing);
        debug_assert!(self.now <= at, "time runs forward");
        self.now = at;
        self.events += 1;
        self.checksum = (self.checksum ^ at.units() ^ u64::from(slot)).wrapping_mul(0x0000_0100_0000_01b3);
        let (now, desk, probe) = (self.now, &mut self.desk, &mut self.probe);
        match event {
            Event::Transferred(paths) => self.channel.transferred(paths, now, desk, probe),
            Event::Carried(lane) => self.channel.carried(lane, now, desk, probe),
            Event::PhaseOver(exposure) => self.phase_over(exposure),
            Event::Resume(requester) => self.resume(requester),
            Event::Arrival(group) => self.guests.arrive(group, now, desk, probe),
            Event::Change => self.change(),
            Event::Work(logical) if self.control.has(logical) => {
                self.control.work_over(logical, now, desk, probe);
                if let Some((requester, logical, charged)) = self.desk.used.take() {
                    self.used(requester, logical, charged);
                }
            }
            Event::Work(logical) => self.supervisors.work_over(logical, desk),
            Event::Slice(physical) => self.slice_over(physical),
            Event::Enablement(partition) => self.supervisors.adjust(partition, now, desk, probe),
            Event::Timer(partition) => self.pop(partition),
            Event::Control(partition) => self.control.decide(partition, now, desk, probe),
            Event::Release(number) => self.control.released(number, now, desk, probe),
            Event::Period(group) => self.cec.period_over(group, now, desk, probe),
            Event::Slack(group) => self.cec.slack(group, now, desk, probe),
        }
        self.carry_out();
        self.desk.calendar.end();
        true
    }

    /// Carries out the next of the stated changes, and says when another is due.
    #[cold]
    fn change(&mut self) {
        let (now, desk, probe) = (self.now, &mut self.desk, &mut self.probe);
        match self.changes.take(desk) {
            Change::PoolAliases { pool, online } => {
                self.channel.vary_pool((Pool(pool as u32), online), now, desk, probe);
            }
            Change::BoundAliases { volume, online } => {
                self.channel.vary_bound((Volume(volume as u32), online), now, desk, probe);
            }
            Change::Paths { control_unit, online } => {
                self.channel.vary_paths((Paths(control_unit as u32), online), now, desk, probe);
            }
            Change::Reserve { volume } => self.channel.reserve(Volume(volume as u32), now, desk, probe),
            Change::Release { volume } => self.channel.release(Volume(volume as u32), now, desk, probe),
            Change::Share { partition, share } => {
                self.cec.promise((Partition(partition as u32), share), now, desk, probe);
            }
            Change::Slice { slice } => self.cec.reslice(slice, now, desk),
            Change::Online { partition, online } => {
                let configured = (Partition(partition as u32), online);
                self.supervisors.configure(configured, now, desk, probe);
                let is_busy = |logical| self.supervisors.is_busy(logical);
                self.cec.configure(configured, is_busy, now, (desk, probe));
            }
            Change::Add { partition } => {
                let partition = Partition(partition as u32);
                self.cec.add(partition, now, desk, probe);
                self.serialization.join(partition);
            }
            Change::Delete { partition } => {
                let partition = Partition(partition as u32);
                self.cec.delete(partition, now, desk, probe);
                self.serialization.leave(partition, now, probe);
                self.reserve();
            }
            Change::Srm { partition, srm } => {
                let partition = Partition(partition as u32);
                if let Srm::Polarization(polarization) = srm {
                    self.cec.polarize((partition, polarization), now, desk);
                }
                self.control.set((partition, srm), now, desk, probe);
            }
            Change::Exit(change) => self.serialization.change(change),
        }
        self.entitle();
    }

    /// Control programs learn what their partitions are entitled to.
    pub(crate) fn entitle(&mut self) {
        self.control.entitle(|partition| self.cec.entitled(partition));
    }

    /// Carries out effects until none is left, the oldest first.
    #[inline(always)]
    pub(crate) fn carry_out(&mut self) {
        loop {
            if !self.desk.serializing.is_empty() {
                self.serialize();
            }
            let Some(due) = self.desk.due.take() else {
                if self.wake() {
                    continue;
                }
                return;
            };
            match *due {
                Due::Request(requester, io) => {
                    self.channel.request((requester, io), self.now, &mut self.desk, &mut self.probe);
                }
                Due::Done(requester) => self.guests.io_done(requester, self.now, &mut self.desk, &mut self.probe),
                Due::Guest(due) => self.carry_out_for_guests(due),
                Due::Processor => self.carry_out_for_processors(),
            }
        }
    }

    #[inline(never)]
    fn carry_out_for_guests(&mut self, due: GuestDue) {
        let (now, desk, probe) = (self.now, &mut self.desk, &mut self.probe);
        match due {
            GuestDue::Granted(requester) => self.guests.granted(requester, now, desk, probe),
            GuestDue::Deliver(front_end) => self.guests.deliver(front_end, now, desk, probe),
        }
    }

    /// Apart from the rest, which is shorter and faster for machines whose processors are not shared.
    #[inline(never)]
    fn carry_out_for_processors(&mut self) {
        let (now, desk, probe) = (self.now, &mut self.desk, &mut self.probe);
        match *desk.processors.take().expect("a mark stands for an effect") {
            ProcessorDue::Ready(requester) => self.ready(requester),
            ProcessorDue::Served(requester, logical) => {
                self.guests.resume(requester, now, desk, probe);
                self.serialize();
                self.desk.processor(|| ProcessorDue::FindWork(logical));
            }
            ProcessorDue::Calls(requester, call) => self.cec.thread_calls((requester, call), now, desk),
            ProcessorDue::Yields(requester, logical) => {
                let named = self.guests.named_by(requester);
                self.control.yields((logical, named), now, desk, probe);
            }
            ProcessorDue::Freed(requester, lock, next) => {
                let machine = self.guests.requesters[requester.index()].machine;
                self.control.freed(Release { machine, releaser: requester, lock, next }, now, desk, probe);
            }
            ProcessorDue::GivesWay(logical, to) => self.cec.gives_way((logical, to), now, desk, probe),
            ProcessorDue::Interrupt(exposure) => {
                let partition = self.channel.interrupts(exposure);
                self.supervisors.interrupt((partition, exposure), now, desk, probe);
            }
            ProcessorDue::Clear(exposure, logical) => {
                self.channel.clear(exposure, now, desk, probe);
                desk.processor(|| ProcessorDue::FindWork(logical));
            }
            ProcessorDue::Dispatched(logical) if self.control.has(logical) => {
                let core = self.cec.core_of(logical);
                self.control.carried((logical, core), now, desk, probe);
            }
            ProcessorDue::Dispatched(logical) => {
                self.guests.dispatched(self.supervisors.logical[logical.index()].partition, now, probe);
                self.supervisors.dispatched(logical, now, desk, probe);
            }
            ProcessorDue::Undispatched(logical) if self.control.has(logical) => {
                self.control.dropped(logical, now, desk, probe);
            }
            ProcessorDue::Undispatched(logical) => self.supervisors.undispatched(logical, now, desk, probe),
            ProcessorDue::FindWork(logical) if self.control.has(logical) => self.after_served(logical),
            ProcessorDue::FindWork(logical) if self.cec.has_threads() => self.cec.find_work(logical, now, desk, probe),
            ProcessorDue::FindWork(logical) => self.supervisors.find_work(logical, now, desk, probe),
            ProcessorDue::Waits(logical) => self.waits(logical),
            ProcessorDue::Wants(logical, wanted) => self.wants(logical, wanted),
        }
    }

    /// A requester inside a request to the service of ENQ and DEQ goes on with it, until it needs a processor or waits.
    #[inline(never)]
    fn serialize(&mut self) {
        let now = self.now;
        while let Some((requester, call)) = self.desk.serializing.pop_front() {
            let probe = &mut self.probe;
            let next = match call {
                Some(call) => {
                    let runs_in = self.guests.runs_in(requester).expect("a requester that enqueues runs somewhere");
                    let RunsIn::Partition { partition, .. } = runs_in else {
                        unreachable!("a requester that enqueues runs in a partition")
                    };
                    let who = (requester, partition, self.guests.group_of(requester));
                    self.serialization.call(who, call, now, probe)
                }
                None => self.serialization.go_on(requester, now, probe),
            };
            let desk = &mut self.desk;
            match next {
                Next::Serve(span) => self.guests.serve(requester, span, now, desk),
                Next::Wait => self.guests.suspend(requester, now),
                Next::WaitUntil(at) => self.guests.suspend_until(requester, (now, at), desk),
                Next::Over(past) => self.guests.settled(requester, past, now, (desk, probe)),
            }
            self.reserve();
        }
    }

    /// Volumes learn which systems have reserved them.
    fn reserve(&mut self) {
        let (now, desk, probe) = (self.now, &mut self.desk, &mut self.probe);
        while let Some(reservation) = self.serialization.reservation() {
            match reservation {
                Reservation::Reserve(volume) => self.channel.reserve(volume, now, desk, probe),
                Reservation::Release(volume) => self.channel.release(volume, now, desk, probe),
            }
        }
    }

    /// Notifies one requester of the end of its wait for the lock or a resource; returns whether there was one.
    #[inline(always)]
    fn wake(&mut self) -> bool {
        let Some(requester) = self.serialization.woken() else { return false };
        self.guests.serialized(requester, self.now, &mut self.desk, &mut self.probe);
        true
    }

    /// A requester needs a processor of its place.
    #[inline]
    fn ready(&mut self, requester: Requester) {
        let (now, desk, probe) = (self.now, &mut self.desk, &mut self.probe);
        let left = self.guests.requesters[requester.index()].needs;
        match self.guests.runs_in(requester).expect("a ready requester runs somewhere") {
            RunsIn::Partition { partition, rank } => {
                self.supervisors.ready((partition, Job { requester, left, rank }), now, desk, probe);
            }
            RunsIn::Thread(plan) => {
                let RequesterState { group, came, .. } = self.guests.requesters[requester.index()];
                let asking = Asking { requester, guest: group, came, needs: left, plan };
                self.cec.thread_ready(&asking, now, desk, probe);
            }
            RunsIn::Machine(machine) => {
                let activity = self.guests.requesters[requester.index()].activity;
                let left = match self.guests.spins_for(requester) {
                    Some(lock) => Left::Spin(lock),
                    None if activity == Activity::Pacing => Left::Charged(left),
                    None if activity == Activity::Intercepted => Left::Simulated(left),
                    None => Left::Work(left),
                };
                self.control.ready((machine, requester, left), now, desk, probe);
            }
        }
    }

    /// Separate from the rest, which is shorter and faster for slices, where no signal is needed.
    #[inline(never)]
    fn waits(&mut self, logical: Logical) {
        // Work that came at the same instant may have found it first.
        let in_wait = if self.control.has(logical) {
            self.control.is_in_wait(logical)
        } else {
            self.supervisors.is_in_wait(logical)
        };
        if in_wait {
            self.cec.waits(logical, self.now, &mut self.desk, &mut self.probe);
        }
    }

    /// A requester has been served by a virtual processor, and goes on; then the logical one that carried it does.
    ///
    /// Most programs then ask for at most one thing: more time of a processor.  That and the work of the logical one
    /// need no place in the list, where nothing else is before them.
    #[inline]
    fn used(&mut self, requester: Requester, logical: Logical, charged: Span) {
        let (now, desk, probe) = (self.now, &mut self.desk, &mut self.probe);
        self.guests.charge(requester, charged);
        self.guests.resume(requester, now, desk, probe);
        if desk.serializing.is_empty()
            && desk.due.only().is_some()
            && let Some(&ProcessorDue::Ready(ready)) = desk.processors.only()
        {
            desk.due.pop();
            desk.processors.pop();
            self.ready(ready);
            return self.after_served(logical);
        }
        if desk.serializing.is_empty() && desk.due.is_empty() {
            return self.after_served(logical);
        }
        desk.processor(|| ProcessorDue::FindWork(logical));
    }

    #[inline]
    fn after_served(&mut self, logical: Logical) {
        let (now, desk, probe) = (self.now, &mut self.desk, &mut self.probe);
        if let Some((requester, charged)) = self.control.after_served(logical, now, desk, probe) {
            self.guests.charge(requester, charged);
        }
    }

    #[inline(never)]
    fn wants(&mut self, logical: Logical, wanted: Wanted) {
        self.cec.wants((logical, wanted), self.now, &mut self.desk, &mut self.probe);
    }

    #[cold]
    fn pop(&mut self, partition: Partition) {
        let dispatched = self.supervisors.is_dispatched(partition);
        if !dispatched {
            self.supervisors.call((partition, Wanted::Work), &mut self.desk);
        }
        self.guests.pop((partition, dispatched), self.now, &mut self.desk, &mut self.probe);
    }

    #[inline(never)]
    fn slice_over(&mut self, physical: Physical) {
        self.cec.slice_over(physical, self.now, &mut self.desk, &mut self.probe);
    }
}

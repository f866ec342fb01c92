//! The whole machine while it runs: every event goes to its transition, every effect to its target.
//!
//! Read [`World::step`], then `carry_out`.  All else is one event or one effect that takes more than a line.

use crate::cec::{Asking, Cec};
use crate::changes::Changes;
use crate::channel::Channel;
use crate::control_program::{ControlPrograms, Left, Release};
use crate::effect::{GuestEffect, Outbox, PendingEffect, ProcessorEffect, Wanted};
use crate::event::{Event, Kind, Slots};
use crate::guest::supervisor::{Job, Supervisors};
use crate::guest::{Activity, Guests, MOST_PRESENT, RequesterState, RunsIn, ranks};
use crate::ids::{Exposure, Group, Logical, Partition, Paths, Physical, Pool, Requester, Volume};
use crate::pending::Pending;
use crate::plan::{Change, Plan, Srm};
use crate::serialization::{Next, Reservation, Serialization};
use crate::signal::Probe;
use kernel::calendar::Calendar;
use kernel::draw::Streams;
use units::{Span, Tod};

/// A machine that runs.
pub struct World<C: Calendar, P: Probe> {
    now: Tod,
    events: u64,
    pending: Pending<C>,
    checksum: u64,
    changes: Changes,
    /// Volumes, exposures, pools, paths.
    pub channel: Channel,
    /// Processors, where they are shared.
    pub cec: Cec,
    /// The supervisors of partitions.
    pub supervisors: Supervisors,
    /// The control programs of partitions.
    pub control: ControlPrograms,
    /// The service of ENQ and DEQ.
    pub serialization: Serialization,
    /// The guests, which run programs.
    pub guests: Guests,
    /// The observer.
    pub probe: P,
}

/// A load from outside that outgrows the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overrun {
    /// When it was noticed.
    pub at: Tod,
    /// How many were there.
    pub present: usize,
}

impl<C: Calendar, P: Probe> World<C, P> {
    /// The machine of a plan at the start of simulated time, for one replication.
    pub fn new(plan: &Plan, streams: &Streams, probe: P) -> Self {
        let channel = Channel::new(plan, streams);
        let guests = Guests::new(plan, streams);
        let cec = Cec::new(plan, streams);
        let supervisors = Supervisors::new(plan, &ranks(plan), streams);
        let control = ControlPrograms::new(plan, streams);
        let slots = Slots::new(|kind| match kind {
            Kind::Transferred => channel.paths.len(),
            Kind::Carried => channel.channel_paths.lanes(),
            Kind::PhaseOver => channel.exposures.len(),
            Kind::Resume => guests.closed(),
            Kind::Arrival => guests.groups.len(),
            Kind::Change => usize::from(!plan.changes.is_empty()),
            Kind::Work => supervisors.logical.len(),
            Kind::Slice => cec.physical(),
            Kind::Enablement | Kind::Timer | Kind::Control => supervisors.partitions.len(),
            Kind::Release => control.limited(),
            Kind::Period | Kind::Slack => cec.thread_groups(),
        });
        let mut world = World {
            now: Tod::START,
            events: 0,
            pending: Pending::new(slots),
            checksum: 0,
            changes: Changes::new(&plan.changes),
            channel,
            cec,
            supervisors,
            control,
            serialization: Serialization::new(plan, streams),
            guests,
            probe,
        };
        world.entitle();
        world.control.begin(Tod::START, &mut world.pending, &mut world.probe);
        for physical in 0..world.cec.physical() {
            world.cec.begin(Physical(physical as u32), Tod::START, &mut world.pending, &mut world.probe);
            world.carry_out();
        }
        for partition in (0..world.supervisors.partitions.len()).map(|number| Partition(number as u32)) {
            if let Some(every) = world.supervisors.looks_every(partition) {
                world.pending.at(Event::Enablement(partition), Tod::START + every);
            }
            world.guests.first_pop(partition, &mut world.pending);
        }
        for requester in 0..world.guests.closed() {
            let requester = Requester(requester as u32);
            world.guests.begin(requester, Tod::START, &mut world.pending, &mut world.probe);
            world.carry_out();
        }
        for group in 0..world.guests.groups.len() {
            world.guests.open(Group(group as u32), Tod::START, &mut world.pending);
            world.carry_out();
        }
        world
    }

    /// Stated times count from this instant, which has not passed: those of changes and of recorded arrivals.  Until it
    /// is called none of them comes.
    pub fn count_from(&mut self, start: Tod) {
        debug_assert!(self.now <= start, "stated times are to come");
        self.changes.count_from(start, &mut self.pending);
        self.guests.count_from(start, &mut self.pending);
    }

    /// The instant of the last event, or up to which the machine was run.
    pub fn now(&self) -> Tod {
        self.now
    }

    /// How many events happened.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// A number that depends on every event so far and its instant: equal runs have equal checksums.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// When the next event happens; [`Tod::NEVER`] when none will.
    pub fn next(&self) -> Tod {
        self.pending.next()
    }

    /// Lets everything happen that is due before or at an instant, which is then the time of the clock.
    ///
    /// # Errors
    /// [`Overrun`] when a load from outside outgrows the machine.
    pub fn run_until(&mut self, at: Tod) -> Result<(), Overrun> {
        while !self.run_some(at, A_WHILE)? {}
        Ok(())
    }

    /// Lets at most this many events happen that are due before or at an instant.  Returns whether all
    /// of them did; the instant is then the time of the clock.
    ///
    /// # Errors
    /// [`Overrun`] when a load from outside outgrows the machine.
    #[inline]
    pub fn run_some(&mut self, at: Tod, most: u32) -> Result<bool, Overrun> {
        let mut done = false;
        for _ in 0..most {
            if !self.step(at) {
                self.now = at;
                done = true;
                break;
            }
        }
        // No load outgrows a machine in a few events: it is enough to look now and then.
        let present = self.guests.present();
        if present > MOST_PRESENT { Err(Overrun { at: self.now, present }) } else { Ok(done) }
    }

    /// Lets the next event happen if it is due by an instant; says whether it was.
    #[inline(always)]
    pub fn step(&mut self, due: Tod) -> bool {
        let (at, slot) = self.pending.take(due);
        if at == Tod::NEVER {
            return false;
        }
        let event = self.pending.slots.event(slot, self.pending.passing);
        debug_assert!(self.now <= at, "time runs forward");
        self.now = at;
        self.events += 1;
        self.checksum = (self.checksum ^ at.units() ^ u64::from(slot)).wrapping_mul(0x0000_0100_0000_01b3);
        let (now, pending, probe) = (self.now, &mut self.pending, &mut self.probe);
        match event {
            Event::Transferred(paths) => self.channel.transferred(paths, now, pending, probe),
            Event::Carried(lane) => self.channel.carried(lane, now, pending, probe),
            Event::PhaseOver(exposure) => self.phase_over(exposure),
            Event::Resume(requester) => self.resume(requester),
            Event::Arrival(group) => self.guests.arrive(group, now, pending, probe),
            Event::Change => self.change(),
            Event::Work(logical) if self.control.has(logical) => {
                self.control.work_over(logical, now, pending, probe);
                if let Some((requester, logical, charged)) = self.pending.used.take() {
                    self.used(requester, logical, charged);
                }
            }
            Event::Work(logical) => self.supervisors.work_over(logical, pending),
            Event::Slice(physical) => self.slice_over(physical),
            Event::Enablement(partition) => self.supervisors.adjust(partition, now, pending, probe),
            Event::Timer(partition) => self.pop(partition),
            Event::Control(partition) => self.control.decide(partition, now, pending, probe),
            Event::Release(number) => self.control.released(number, now, pending, probe),
            Event::Period(group) => self.cec.period_over(group, now, pending, probe),
            Event::Slack(group) => self.cec.slack(group, now, pending, probe),
        }
        self.carry_out();
        self.pending.calendar.end();
        true
    }

    /// The phase of an exposure is over.  An I/O that is done needs no place in the list where nothing is before it.
    #[inline(always)]
    fn phase_over(&mut self, exposure: Exposure) {
        let (now, pending, probe) = (self.now, &mut self.pending, &mut self.probe);
        let Some(requester) = self.channel.serve(exposure, now, pending, probe) else { return };
        if pending.has_effects() {
            return pending.done(requester);
        }
        if let Some(io) = self.guests.io_done_to_io(requester, now, pending, probe) {
            pending.request(requester, io);
        }
    }

    /// A guest is through thinking or computing.  The same is true of the I/O that it asks for.
    #[inline(always)]
    fn resume(&mut self, requester: Requester) {
        let (now, pending, probe) = (self.now, &mut self.pending, &mut self.probe);
        // Most guests now wait for something else: the next event is then known long before this one is over.
        pending.end_early();
        let Some(io) = self.guests.resume_to_io(requester, now, pending, probe) else { return };
        if pending.has_effects() {
            return pending.request(requester, io);
        }
        self.channel.request((requester, io), now, pending, probe);
    }

    /// Carries out effects until none is left, the oldest first.
    #[inline(always)]
    fn carry_out(&mut self) {
        loop {
            if !self.pending.serializing.is_empty() {
                self.serialize();
            }
            let Some(effect) = self.pending.effects.take() else {
                if self.wake() {
                    continue;
                }
                return;
            };
            match *effect {
                PendingEffect::Request(requester, io) => {
                    self.channel.request((requester, io), self.now, &mut self.pending, &mut self.probe);
                }
                PendingEffect::Done(requester) => {
                    self.guests.io_done(requester, self.now, &mut self.pending, &mut self.probe)
                }
                PendingEffect::Guest(effect) => self.carry_out_for_guests(effect),
                PendingEffect::Processor => self.carry_out_for_processors(),
            }
        }
    }

    #[inline(never)]
    fn carry_out_for_guests(&mut self, effect: GuestEffect) {
        let (now, pending, probe) = (self.now, &mut self.pending, &mut self.probe);
        match effect {
            GuestEffect::Granted(requester) => self.guests.granted(requester, now, pending, probe),
            GuestEffect::Deliver(front_end) => self.guests.deliver(front_end, now, pending, probe),
        }
    }

    /// Apart from the rest, which is shorter and faster for machines whose processors are not shared.
    #[inline(never)]
    fn carry_out_for_processors(&mut self) {
        let (now, pending, probe) = (self.now, &mut self.pending, &mut self.probe);
        match *pending.processors.take().expect("a mark stands for an effect") {
            ProcessorEffect::Ready(requester) => self.ready(requester),
            ProcessorEffect::Served(requester, logical) => {
                self.guests.resume(requester, now, pending, probe);
                self.serialize();
                self.pending.push_for_processors(|| ProcessorEffect::FindWork(logical));
            }
            ProcessorEffect::Calls(requester, call) => self.cec.thread_calls((requester, call), now, pending),
            ProcessorEffect::Yields(requester, logical) => {
                let named = self.guests.named_by(requester);
                self.control.yields((logical, named), now, pending, probe);
            }
            ProcessorEffect::Freed(requester, lock, next) => {
                let machine = self.guests.requesters[requester.index()].machine;
                self.control.freed(Release { machine, releaser: requester, lock, next }, now, pending, probe);
            }
            ProcessorEffect::GivesWay(logical, to) => self.cec.gives_way((logical, to), now, pending, probe),
            ProcessorEffect::Interrupt(exposure) => {
                let partition = self.channel.interrupts(exposure);
                self.supervisors.interrupt((partition, exposure), now, pending, probe);
            }
            ProcessorEffect::Clear(exposure, logical) => {
                self.channel.clear(exposure, now, pending, probe);
                pending.push_for_processors(|| ProcessorEffect::FindWork(logical));
            }
            ProcessorEffect::Dispatched(logical) if self.control.has(logical) => {
                let core = self.cec.core_of(logical);
                self.control.carried((logical, core), now, pending, probe);
            }
            ProcessorEffect::Dispatched(logical) => {
                self.guests.dispatched(self.supervisors.logical[logical.index()].partition, now, probe);
                self.supervisors.dispatched(logical, now, pending, probe);
            }
            ProcessorEffect::Undispatched(logical) if self.control.has(logical) => {
                self.control.dropped(logical, now, pending, probe);
            }
            ProcessorEffect::Undispatched(logical) => self.supervisors.undispatched(logical, now, pending, probe),
            ProcessorEffect::FindWork(logical) if self.control.has(logical) => self.after_served(logical),
            ProcessorEffect::FindWork(logical) if self.cec.has_threads() => {
                self.cec.find_work(logical, now, pending, probe)
            }
            ProcessorEffect::FindWork(logical) => self.supervisors.find_work(logical, now, pending, probe),
            ProcessorEffect::Waits(logical) => self.waits(logical),
            ProcessorEffect::Wants(logical, wanted) => self.wants(logical, wanted),
        }
    }

    /// A requester inside a request to the service of ENQ and DEQ goes on with it, until it needs a processor or waits.
    #[inline(never)]
    fn serialize(&mut self) {
        let now = self.now;
        while let Some((requester, call)) = self.pending.serializing.pop_front() {
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
            let pending = &mut self.pending;
            match next {
                Next::Serve(span) => self.guests.serve(requester, span, now, pending),
                Next::Wait => self.guests.suspend(requester, now),
                Next::WaitUntil(at) => self.guests.suspend_until(requester, (now, at), pending),
                Next::Over(past) => self.guests.settled(requester, past, now, (pending, probe)),
            }
            self.reserve();
        }
    }

    /// Volumes learn which systems have reserved them.
    fn reserve(&mut self) {
        let (now, pending, probe) = (self.now, &mut self.pending, &mut self.probe);
        while let Some(reservation) = self.serialization.reservation() {
            match reservation {
                Reservation::Reserve(volume) => self.channel.reserve(volume, now, pending, probe),
                Reservation::Release(volume) => self.channel.release(volume, now, pending, probe),
            }
        }
    }

    /// Notifies one requester of the end of its wait for the lock or a resource; returns whether there was one.
    #[inline(always)]
    fn wake(&mut self) -> bool {
        let Some(requester) = self.serialization.woken() else { return false };
        self.guests.serialized(requester, self.now, &mut self.pending, &mut self.probe);
        true
    }

    /// A requester needs a processor of its place.
    #[inline]
    fn ready(&mut self, requester: Requester) {
        let (now, pending, probe) = (self.now, &mut self.pending, &mut self.probe);
        let left = self.guests.requesters[requester.index()].needs;
        match self.guests.runs_in(requester).expect("a ready requester runs somewhere") {
            RunsIn::Partition { partition, rank } => {
                self.supervisors.ready((partition, Job { requester, left, rank }), now, pending, probe);
            }
            RunsIn::Thread(plan) => {
                let RequesterState { group, came, .. } = self.guests.requesters[requester.index()];
                let asking = Asking { requester, guest: group, came, needs: left, plan };
                self.cec.thread_ready(&asking, now, pending, probe);
            }
            RunsIn::Machine(machine) => {
                let activity = self.guests.requesters[requester.index()].activity;
                let left = match self.guests.spins_for(requester) {
                    Some(lock) => Left::Spin(lock),
                    None if activity == Activity::Pacing => Left::Charged(left),
                    None if activity == Activity::Intercepted => Left::Simulated(left),
                    None => Left::Work(left),
                };
                self.control.ready((machine, requester, left), now, pending, probe);
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
            self.cec.waits(logical, self.now, &mut self.pending, &mut self.probe);
        }
    }

    /// A requester has been served by a virtual processor, and goes on; then the logical one that carried it does.
    ///
    /// Most programs then ask for at most one thing: more time of a processor.  That and the work of the logical one
    /// need no place in the list, where nothing else is before them.
    #[inline]
    fn used(&mut self, requester: Requester, logical: Logical, charged: Span) {
        let (now, pending, probe) = (self.now, &mut self.pending, &mut self.probe);
        self.guests.charge(requester, charged);
        self.guests.resume(requester, now, pending, probe);
        if pending.serializing.is_empty()
            && pending.effects.only().is_some()
            && let Some(&ProcessorEffect::Ready(ready)) = pending.processors.only()
        {
            pending.effects.pop();
            pending.processors.pop();
            self.ready(ready);
            return self.after_served(logical);
        }
        if pending.serializing.is_empty() && pending.effects.is_empty() {
            return self.after_served(logical);
        }
        pending.push_for_processors(|| ProcessorEffect::FindWork(logical));
    }

    #[inline]
    fn after_served(&mut self, logical: Logical) {
        let (now, pending, probe) = (self.now, &mut self.pending, &mut self.probe);
        if let Some((requester, charged)) = self.control.after_served(logical, now, pending, probe) {
            self.guests.charge(requester, charged);
        }
    }

    #[inline(never)]
    fn wants(&mut self, logical: Logical, wanted: Wanted) {
        self.cec.wants((logical, wanted), self.now, &mut self.pending, &mut self.probe);
    }

    #[cold]
    fn pop(&mut self, partition: Partition) {
        let dispatched = self.supervisors.is_dispatched(partition);
        if !dispatched {
            self.supervisors.call((partition, Wanted::Work), &mut self.pending);
        }
        self.guests.pop((partition, dispatched), self.now, &mut self.pending, &mut self.probe);
    }

    #[inline(never)]
    fn slice_over(&mut self, physical: Physical) {
        self.cec.slice_over(physical, self.now, &mut self.pending, &mut self.probe);
    }

    /// Carries out the next of the stated changes, and says when another is due.
    #[cold]
    fn change(&mut self) {
        let (now, pending, probe) = (self.now, &mut self.pending, &mut self.probe);
        match self.changes.take(pending) {
            Change::PoolAliases { pool, online } => {
                self.channel.vary_pool((Pool(pool as u32), online), now, pending, probe);
            }
            Change::BoundAliases { volume, online } => {
                self.channel.vary_bound((Volume(volume as u32), online), now, pending, probe);
            }
            Change::Paths { control_unit, online } => {
                self.channel.vary_paths((Paths(control_unit as u32), online), now, pending, probe);
            }
            Change::Reserve { volume } => self.channel.reserve(Volume(volume as u32), now, pending, probe),
            Change::Release { volume } => self.channel.release(Volume(volume as u32), now, pending, probe),
            Change::Share { partition, share } => {
                self.cec.promise((Partition(partition as u32), share), now, pending, probe);
            }
            Change::Slice { slice } => self.cec.reslice(slice, now, pending),
            Change::Online { partition, online } => {
                let configured = (Partition(partition as u32), online);
                self.supervisors.configure(configured, now, pending, probe);
                let is_busy = |logical| self.supervisors.is_busy(logical);
                self.cec.configure(configured, is_busy, now, (pending, probe));
            }
            Change::Add { partition } => {
                let partition = Partition(partition as u32);
                self.cec.add(partition, now, pending, probe);
                self.serialization.join(partition);
            }
            Change::Delete { partition } => {
                let partition = Partition(partition as u32);
                self.cec.delete(partition, now, pending, probe);
                self.serialization.leave(partition, now, probe);
                self.reserve();
            }
            Change::Srm { partition, srm } => {
                let partition = Partition(partition as u32);
                if let Srm::Polarization(polarization) = srm {
                    self.cec.polarize((partition, polarization), now, pending);
                }
                self.control.set((partition, srm), now, pending, probe);
            }
            Change::Exit(change) => self.serialization.change(change),
        }
        self.entitle();
    }

    /// Control programs learn what their partitions are entitled to.
    fn entitle(&mut self) {
        self.control.entitle(|partition| self.cec.entitled(partition));
    }
}

/// Events between two looks at how many are present.
const A_WHILE: u32 = 1 << 18;

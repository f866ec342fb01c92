//! Guests run programs: think, compute, do I/O, hold resources, send messages; some are always there, others come and leave.

pub mod arrivals;
mod draws;
mod exchange;
pub mod front_end;
pub mod minidisk;
mod place;
pub mod program;
mod requester;
pub mod resource;
mod sampler;
mod serializing;
pub mod spin_lock;
mod state;
mod steps;
pub mod supervisor;
mod thread_lock;

pub use place::{RunsIn, ranks};
pub use requester::{Activity, RequesterState};
pub use state::resource::Held;
pub use state::thread_lock::Trial;

use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Group, Machine, Partition, Requester, Volume};
use crate::io::Io;
use crate::plan::{Arrival, GuestPlan, PartitionPlan, Plan, RunsInPlan, SampleTaken};
use crate::signal::{Probe, Signal};
use arrivals::Arrivals;
use kernel::distribution::Sampler;
use kernel::draw::{Draw, Streams};
use place::Place;
use program::{Draws, Program};
use state::exchange::Call;
use state::front_end::FrontEndState;
use state::minidisk::MinidiskState;
use state::resource::{Holds, ResourceState};
use state::sampler::SamplerState;
use state::spin_lock::SpinLocks;
use state::thread_lock::ThreadLockState;
use units::{Span, Tod};

/// The users of one program.
#[derive(Clone, Debug)]
pub struct GroupState {
    /// Their program.
    program: Program,
    /// Streams of the program's spans and choices.
    draws: Draws,
    /// Where they come from.
    arrivals: Arrivals,
    /// Where they run; none where they compute at full speed.
    place: Option<Place>,
    /// The cost of starting an I/O, if any.
    ssch: Option<(Sampler, Draw)>,
    /// How many are there now.
    pub present: u32,
    /// The first of them, where they are always there.
    first: u32,
}

/// All guests.
#[derive(Clone, Debug)]
pub struct Guests {
    /// As in the plan.
    pub groups: Vec<GroupState>,
    /// Closed guests first, in the order of the groups.  Then the drivers of front ends and the measurement programs of
    /// partitions; then guests that pass through.
    pub requesters: Vec<RequesterState>,
    /// As in the plan.
    pub minidisks: Vec<MinidiskState>,
    /// As in the plan.
    pub resources: Vec<ResourceState>,
    /// As in the plan.
    pub front_ends: Vec<FrontEndState>,
    /// The holds of requesters; those that never hold anything may be missing.
    pub holds: Vec<Holds>,
    /// The spin locks of virtual machines.
    pub spin_locks: SpinLocks,
    /// Locks that threads share, as in the plan.
    pub thread_locks: Vec<ThreadLockState>,
    /// The callers of guests that serve a request; the others may be missing.
    calls: Vec<Option<Call>>,
    /// The measurement program of each partition that has one.
    samplers: Vec<Option<SamplerState>>,
    closed: usize,
    /// How many stand for a front end or for a partition.
    stand_ins: usize,
    /// Places of guests that left, for new ones.
    vacant: Vec<Requester>,
}

/// More would mean that an open load outgrows the machine: the run then fails instead of filling memory.
pub const MOST_PRESENT: usize = 1_000_000;

impl Guests {
    /// The guests of a plan, none of them started.
    pub fn new(plan: &Plan, streams: &Streams) -> Self {
        let closed = |(number, guest): (usize, &GuestPlan)| {
            let count = if let Arrival::Closed { count } = guest.arrival { count } else { 0 };
            let mut place = guest.runs_in.map(|own| Place::new(plan, own));
            (0..count).map(move |_| RequesterState::new(Group(number as u32), next_machine(&mut place)))
        };
        let mut requesters: Vec<RequesterState> = plan.guests.iter().enumerate().flat_map(closed).collect();
        let closed = requesters.len();
        let stand_ins = plan.front_ends.len() + plan.partitions.len();
        let groups = plan.guests.len() as u32;
        requesters
            .extend((groups..groups + stand_ins as u32).map(|group| RequesterState::new(Group(group), Machine(0))));
        let drivers = (closed as u32..).map(Requester);
        let front_ends = plan.front_ends.iter().zip(drivers);
        Guests {
            groups: groups_of(plan, streams),
            requesters,
            minidisks: plan.minidisks.iter().map(|minidisk| MinidiskState::new(minidisk, streams)).collect(),
            resources: plan.resources.iter().map(|resource| ResourceState::new(resource, streams)).collect(),
            front_ends: front_ends
                .map(|(front_end, driver)| FrontEndState::new(front_end, (plan, driver), streams))
                .collect(),
            holds: Vec::new(),
            spin_locks: SpinLocks::new(plan, streams),
            thread_locks: plan.thread_locks.iter().map(ThreadLockState::new).collect(),
            calls: Vec::new(),
            samplers: samplers(plan, closed + plan.front_ends.len(), streams),
            closed,
            stand_ins,
            vacant: Vec::new(),
        }
    }

    /// A partition is dispatched.
    pub fn dispatched(&mut self, partition: Partition, now: Tod, probe: &mut impl Probe) {
        self.dispatched_to_sampler(partition, now, probe);
        self.dispatched_to_front_ends(partition);
    }

    /// How many groups there are, front ends and measurement programs as groups of one.
    pub fn groups(&self) -> usize {
        self.groups.len() + self.stand_ins
    }

    /// How many are always there.
    pub fn closed(&self) -> usize {
        self.closed
    }

    /// How many are there now.
    pub fn present(&self) -> usize {
        self.requesters.len() - self.stand_ins - self.vacant.len()
    }

    /// A closed guest begins, at the start of the simulation.
    pub fn begin(&mut self, requester: Requester, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        self.join(requester, now, probe);
        self.go_on(requester, now, effects, probe);
    }

    fn join(&mut self, requester: Requester, now: Tod, probe: &mut impl Probe) {
        let group = self.requesters[requester.index()].group;
        // Front ends and measurement programs have no program, and are not counted.
        if let Some(group) = self.groups.get_mut(group.index()) {
            group.present += 1;
        }
        let state = &mut self.requesters[requester.index()];
        (state.came, state.began) = (now, now);
        probe.signal(now, Signal::Joined(group, requester));
    }

    /// The driver of a front end or a partition has nothing to do.
    fn leave(&mut self, requester: Requester, now: Tod, probe: &mut impl Probe) {
        let state = &mut self.requesters[requester.index()];
        state.activity = Activity::Absent;
        probe.signal(now, Signal::Left(state.group, requester));
    }

    /// The first arrival of a group, if chance decides it.
    pub fn open(&mut self, group: Group, now: Tod, effects: &mut impl Outbox) {
        if let Some(first) = self.groups[group.index()].arrivals.first(now) {
            effects.at(Event::Arrival(group), first);
        }
    }

    /// Recorded arrivals count from this instant.
    pub fn count_from(&mut self, start: Tod, effects: &mut impl Outbox) {
        for (number, group) in self.groups.iter_mut().enumerate() {
            if let Some(first) = group.arrivals.count_from(start) {
                effects.at(Event::Arrival(Group(number as u32)), first);
            }
        }
    }

    /// A guest arrives from outside; the time of the next is set.
    pub fn arrive(&mut self, group: Group, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let (recorded, next) = self.groups[group.index()].arrivals.come(now);
        if let Some(next) = next {
            effects.at(Event::Arrival(group), next);
        }
        let requester = self.come(group);
        let Some(asked) = recorded else { return self.begin(requester, now, effects, probe) };
        self.join(requester, now, probe);
        self.requesters[requester.index()].since = now;
        self.ask((requester, asked), now, effects, probe);
    }

    /// A place for a guest that passes through.
    fn come(&mut self, group: Group) -> Requester {
        let machine = next_machine(&mut self.groups[group.index()].place);
        self.take_place(RequesterState::new(group, machine))
    }

    /// The same in this state.
    fn take_place(&mut self, state: RequesterState) -> Requester {
        match self.vacant.pop() {
            Some(requester) => {
                self.requesters[requester.index()] = state;
                requester
            }
            None => {
                self.requesters.push(state);
                Requester(self.requesters.len() as u32 - 1)
            }
        }
    }

    /// A guest runs the program of a group from now on, because another program started it.
    #[cold]
    fn spawn(&mut self, group: Group, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let requester = self.come(group);
        self.join(requester, now, probe);
        let state = &mut self.requesters[requester.index()];
        (state.activity, state.since) = (Activity::Thinking, now);
        effects.at(Event::Resume(requester), now);
    }

    /// A requester is through thinking or computing.
    pub fn resume(&mut self, requester: Requester, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        if let Some(io) = self.resume_to_io(requester, now, effects, probe) {
            effects.request(requester, io);
        }
    }

    /// The same, and the I/O that it asks for next, if it does.
    #[inline(always)]
    pub(crate) fn resume_to_io(
        &mut self,
        requester: Requester,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) -> Option<Io> {
        let state = &self.requesters[requester.index()];
        let (group, span) = (state.group, now - state.since);
        // The most common first: they cost no jump through a table.
        if matches!(state.activity, Activity::Thinking) {
            probe.signal(now, Signal::Thought(group, span));
        } else if matches!(state.activity, Activity::Computing) {
            probe.signal(now, Signal::Computed(group, span));
        } else if !self.is_through(requester, now, effects, probe) {
            return None;
        }
        self.go_on_to_io(requester, now, effects, probe)
    }

    /// The same of something else that takes time; returns whether the program goes on.
    #[inline(never)]
    fn is_through(
        &mut self,
        requester: Requester,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) -> bool {
        let state = &self.requesters[requester.index()];
        let span = now - state.since;
        match state.activity {
            Activity::Pacing | Activity::Intercepted => probe.signal(now, Signal::Computed(state.group, span)),
            Activity::Avoiding(minidisk) => {
                probe.signal(now, Signal::Avoided(state.group, minidisk, span));
                self.pass_turn(requester, now, effects, probe);
            }
            Activity::Starting(asked) => {
                probe.signal(now, Signal::Computed(state.group, span));
                self.requesters[requester.index()].since = now;
                self.ask((requester, asked), now, effects, probe);
                return false;
            }
            Activity::Sampling(partition) => {
                probe.signal(now, Signal::Computed(state.group, span));
                self.take_sample(partition, now, probe);
                self.leave(requester, now, probe);
                return false;
            }
            Activity::Spinning(depth) => {
                self.try_again((requester, depth), now, effects, probe);
                return false;
            }
            Activity::Arriving(kind, depth) => {
                probe.signal(now, Signal::Computed(state.group, span));
                return self.lock(requester, (kind, depth), now, (effects, probe));
            }
            Activity::Trying(lock, trial) => {
                if trial == Trial::First {
                    probe.signal(now, Signal::Computed(state.group, span));
                }
                return self.tried(requester, (lock, trial), now, (effects, probe));
            }
            Activity::Serializing | Activity::Enqueued => {
                self.serialized(requester, now, effects, probe);
                return false;
            }
            Activity::Requesting(group, reply) => {
                self.answer(requester, (group, reply), now, (effects, probe));
                return false;
            }
            Activity::Exchanging => {
                self.replied(requester, now, effects, probe);
                return false;
            }
            Activity::Thinking | Activity::Computing => unreachable!("they are handled where they end"),
            Activity::InTurn(_)
            | Activity::Waiting(_)
            | Activity::Queueing(_)
            | Activity::Messaging(..)
            | Activity::Absent => {
                unreachable!(
                    "only a requester that lets time pass, has had a processor or is served by a cache resumes"
                )
            }
        }
        true
    }

    /// The I/O of a requester is done.
    pub fn io_done(&mut self, requester: Requester, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        if let Some(io) = self.io_done_to_io(requester, now, effects, probe) {
            effects.request(requester, io);
        }
    }

    /// The same, and the I/O that the requester asks for next, if it does.
    #[inline(always)]
    pub(crate) fn io_done_to_io(
        &mut self,
        requester: Requester,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) -> Option<Io> {
        let state = &self.requesters[requester.index()];
        let Activity::Waiting(volume) = state.activity else {
            unreachable!("an I/O ends for a requester that waits for it")
        };
        let span = now - state.since;
        probe.signal(now, Signal::Responded(state.group, volume, span));
        if let Some(minidisk) = state.minidisk {
            probe.signal(now, Signal::ThroughMinidisk(minidisk, span));
            self.pass_turn(requester, now, effects, probe);
        }
        if let Some(front_end) = self.drives(requester) {
            self.deliver(front_end, now, effects, probe);
            return None;
        }
        self.go_on_to_io(requester, now, effects, probe)
    }

    /// A requester is charged for a virtual processor.
    #[inline]
    pub fn charge(&mut self, requester: Requester, charged: Span) {
        self.requesters[requester.index()].charged += charged;
    }

    /// The place of a requester, if it runs in a partition.
    pub fn runs_in(&self, requester: Requester) -> Option<RunsIn> {
        let state = &self.requesters[requester.index()];
        match self.groups.get(state.group.index()) {
            Some(group) => group.place.map(|place| place.of(state.machine)),
            None => self.sampler_runs_in(requester),
        }
    }

    /// Where a requester's I/O goes, when it waits for one.
    pub fn waits_for(&self, requester: Requester) -> Option<Volume> {
        match self.requesters[requester.index()].activity {
            Activity::Waiting(volume) => Some(volume),
            Activity::Thinking
            | Activity::Computing
            | Activity::Pacing
            | Activity::Intercepted
            | Activity::Arriving(..)
            | Activity::Spinning(_)
            | Activity::Trying(..)
            | Activity::Requesting(..)
            | Activity::Exchanging
            | Activity::Starting(_)
            | Activity::Sampling(_)
            | Activity::Serializing
            | Activity::Enqueued
            | Activity::Queueing(_)
            | Activity::Messaging(..)
            | Activity::InTurn(_)
            | Activity::Avoiding(_)
            | Activity::Absent => None,
        }
    }
}

impl GroupState {
    fn new(plan: &Plan, guest: &GuestPlan, streams: &Streams) -> Self {
        let ssch = guest.runs_in.and_then(RunsInPlan::partition).and_then(|own| plan.partitions[own].ssch);
        let program = Program::compile(&guest.program);
        GroupState {
            draws: Draws::new(&program, &guest.name, streams),
            program,
            arrivals: Arrivals::new(&guest.arrival, &guest.name, streams),
            place: guest.runs_in.map(|own| Place::new(plan, own)),
            ssch: ssch.map(|ssch| (ssch.sampler(), streams.stream(&format!("guest/{}/ssch", guest.name)))),
            present: 0,
            first: 0,
        }
    }
}

/// The groups of a plan; those of closed populations follow each other.
fn groups_of(plan: &Plan, streams: &Streams) -> Vec<GroupState> {
    let mut first = 0;
    let made = |guest: &GuestPlan| {
        let group = GroupState { first, ..GroupState::new(plan, guest, streams) };
        first += if let Arrival::Closed { count } = guest.arrival { count } else { 0 };
        group
    };
    plan.guests.iter().map(made).collect()
}

/// The measurement programs of the partitions, whose stand-ins begin with this number.
fn samplers(plan: &Plan, first: usize, streams: &Streams) -> Vec<Option<SamplerState>> {
    let sampler = |(number, partition): (usize, &PartitionPlan)| {
        let own = partition.sampler?;
        let requester = Requester((first + number) as u32);
        let priority = match own.taken {
            SampleTaken::AtTheTimer => None,
            SampleTaken::ByTask { priority, .. } => Some(priority),
        };
        let runs_in = priority.map(|priority| RunsIn::partition(plan, (number, priority)));
        Some(SamplerState::new(&own, (&partition.name, requester), runs_in, streams))
    };
    plan.partitions.iter().enumerate().map(sampler).collect()
}

/// The machine whose turn it is, where they run in machines.
fn next_machine(place: &mut Option<Place>) -> Machine {
    place.as_mut().map_or(Machine(0), Place::next)
}

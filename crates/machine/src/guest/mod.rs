//! Guests run programs: think, compute, do I/O, repeat; some are always there, others come from outside and leave.
//!
//! It leaves out who has a processor when: a guest in a partition says that it is ready and is told when it was served; one
//! in none computes at full speed.

pub mod arrivals;
pub mod minidisk;
pub mod program;
mod requester;
pub mod supervisor;

pub use requester::{Activity, RequesterState};

use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Group, Partition, Requester, Volume};
use crate::io::Io;
use crate::plan::{Arrival, Plan, RunsInPlan};
use crate::signal::{Probe, Signal};
use arrivals::Arrivals;
use kernel::draw::Streams;
use minidisk::MinidiskState;
use program::{Asked, Draws, Operation, Program, Target};
use units::Tod;

/// The users of one program.
#[derive(Clone, Debug)]
pub struct GroupState {
    /// What they do.
    program: Program,
    /// Streams of the program's spans and choices.
    draws: Draws,
    /// Where they come from.
    arrivals: Arrivals,
    /// Where they run, and how urgently; none where they compute at full speed.
    runs_in: Option<RunsIn>,
    /// How many are there now.
    pub present: u32,
}

/// The partition of a group, and its place among the priorities in use there: 0 goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunsIn {
    /// Which partition.
    pub partition: Partition,
    /// How urgent.
    pub rank: usize,
}

/// All guests.
#[derive(Clone, Debug)]
pub struct Guests {
    /// As in the plan.
    pub groups: Vec<GroupState>,
    /// Closed guests first, in the order of the groups; then whoever passes through.
    pub requesters: Vec<RequesterState>,
    /// As in the plan.
    pub minidisks: Vec<MinidiskState>,
    closed: usize,
    /// Places of those who left, for those who come.
    vacant: Vec<Requester>,
}

/// More would mean that an open load outgrows the machine: the run then fails instead of filling memory.
pub const MOST_PRESENT: usize = 1_000_000;

impl Guests {
    /// The guests of a plan, none of them started.
    pub fn new(plan: &Plan, streams: &Streams) -> Self {
        let mut requesters = Vec::new();
        let mut groups = Vec::new();
        for (number, guest) in plan.guests.iter().enumerate() {
            if let Arrival::Closed { count } = guest.arrival {
                requesters.extend((0..count).map(|_| RequesterState::new(Group(number as u32))));
            }
            groups.push(GroupState {
                program: Program::compile(&guest.program),
                draws: Draws::new(&guest.name, streams),
                arrivals: Arrivals::new(&guest.arrival, &guest.name, streams),
                runs_in: guest.runs_in.map(|own| RunsIn::new(plan, own)),
                present: 0,
            });
        }
        let minidisks = plan.minidisks.iter().map(|minidisk| MinidiskState::new(minidisk, streams)).collect();
        let closed = requesters.len();
        Guests { groups, requesters, minidisks, closed, vacant: Vec::new() }
    }

    /// How many are always there.
    pub fn closed(&self) -> usize {
        self.closed
    }

    /// How many are there now.
    pub fn present(&self) -> usize {
        self.requesters.len() - self.vacant.len()
    }

    /// A closed guest begins, at the start of the simulation.
    pub fn begin(&mut self, requester: Requester, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        self.join(requester, now, probe);
        self.go_on(requester, now, effects, probe);
    }

    fn join(&mut self, requester: Requester, now: Tod, probe: &mut impl Probe) {
        let group = self.requesters[requester.index()].group;
        self.groups[group.index()].present += 1;
        probe.signal(now, Signal::Joined(group, requester));
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

    /// Somebody comes from outside; the next will come.
    pub fn arrive(&mut self, group: Group, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let (recorded, next) = self.groups[group.index()].arrivals.come(now);
        if let Some(next) = next {
            effects.at(Event::Arrival(group), next);
        }
        let requester = self.vacant.pop().unwrap_or_else(|| {
            self.requesters.push(RequesterState::new(group));
            Requester(self.requesters.len() as u32 - 1)
        });
        self.requesters[requester.index()] = RequesterState::new(group);
        let Some(asked) = recorded else { return self.begin(requester, now, effects, probe) };
        self.join(requester, now, probe);
        self.requesters[requester.index()].since = now;
        self.ask((requester, asked), now, effects, probe);
    }

    /// A requester is through thinking or computing.
    #[inline(always)]
    pub fn resume(&mut self, requester: Requester, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let state = &self.requesters[requester.index()];
        let span = now - state.since;
        match state.activity {
            Activity::Thinking => probe.signal(now, Signal::Thought(state.group, span)),
            Activity::Computing => probe.signal(now, Signal::Computed(state.group, span)),
            Activity::Avoiding(minidisk) => {
                probe.signal(now, Signal::Avoided(state.group, minidisk, span));
                self.pass_turn(requester, now, effects, probe);
            }
            Activity::InTurn(_) | Activity::Waiting(_) | Activity::Absent => {
                unreachable!("only who thinks, computes or is served by a cache resumes")
            }
        }
        self.go_on(requester, now, effects, probe);
    }

    /// The I/O of a requester is done.
    #[inline(always)]
    pub fn io_done(&mut self, requester: Requester, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let state = &self.requesters[requester.index()];
        let Activity::Waiting(volume) = state.activity else { unreachable!("an I/O ends for who waits for it") };
        let span = now - state.since;
        probe.signal(now, Signal::Responded(state.group, volume, span));
        if let Some(minidisk) = state.minidisk {
            probe.signal(now, Signal::ThroughMinidisk(minidisk, span));
            self.pass_turn(requester, now, effects, probe);
        }
        self.go_on(requester, now, effects, probe);
    }

    /// Runs the program up to the next step that takes time.
    #[inline(always)]
    fn go_on(&mut self, requester: Requester, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let state = &mut self.requesters[requester.index()];
        let number = state.group;
        let group = &mut self.groups[number.index()];
        state.since = now;
        loop {
            match group.program.next(&mut state.position, &mut group.draws) {
                Operation::Think(span) => {
                    state.activity = Activity::Thinking;
                    return effects.at(Event::Resume(requester), now + span);
                }
                Operation::Compute(span) => {
                    state.activity = Activity::Computing;
                    return match group.runs_in {
                        Some(_) => {
                            state.needs = span;
                            effects.ready(requester);
                        }
                        None => effects.at(Event::Resume(requester), now + span),
                    };
                }
                Operation::Io(asked) => return self.ask((requester, asked), now, effects, probe),
                Operation::End => {
                    probe.signal(now, Signal::Cycled(number));
                    if requester.index() >= self.closed {
                        state.activity = Activity::Absent;
                        group.present -= 1;
                        self.vacant.push(requester);
                        return probe.signal(now, Signal::Left(number, requester));
                    }
                }
            }
        }
    }

    /// A requester asks for an I/O, and waits for it from now on.
    #[inline(always)]
    fn ask(
        &mut self,
        (requester, asked): (Requester, Asked),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        match asked.target {
            Target::Volume(volume) => {
                self.requesters[requester.index()].activity = Activity::Waiting(volume);
                effects.request(requester, Io { volume, transfer: asked.transfer });
            }
            Target::Minidisk(minidisk) => self.ask_minidisk((requester, minidisk, asked), now, effects, probe),
        }
    }

    /// Where a requester runs, if his group runs in a partition.
    pub fn runs_in(&self, requester: Requester) -> Option<RunsIn> {
        self.groups[self.requesters[requester.index()].group.index()].runs_in
    }

    /// Where a requester's I/O goes, when it waits for one.
    pub fn waits_for(&self, requester: Requester) -> Option<Volume> {
        match self.requesters[requester.index()].activity {
            Activity::Waiting(volume) => Some(volume),
            Activity::Thinking
            | Activity::Computing
            | Activity::InTurn(_)
            | Activity::Avoiding(_)
            | Activity::Absent => None,
        }
    }
}

/// The priorities in use in a partition, the highest first.
fn priorities(plan: &Plan, partition: usize) -> Vec<u8> {
    let own = plan.guests.iter().filter_map(|guest| guest.runs_in).filter(|own| own.partition == partition);
    let mut used: Vec<u8> = own.map(|own| own.priority).collect();
    used.sort_unstable();
    used.dedup();
    used.reverse();
    used
}

impl RunsIn {
    fn new(plan: &Plan, own: RunsInPlan) -> Self {
        let used = priorities(plan, own.partition);
        let rank = used.iter().position(|used| *used == own.priority).expect("the guest itself uses it");
        RunsIn { partition: Partition(own.partition as u32), rank }
    }
}

/// How many priorities each partition has in use.
pub fn ranks(plan: &Plan) -> Vec<usize> {
    (0..plan.partitions.len()).map(|partition| priorities(plan, partition).len()).collect()
}

//! Guests run programs: think, compute, do I/O, repeat; some are always there, others come from outside and leave.
//!
//! It leaves out who shares their processors: a guest computes at full speed until partitions and a control program
//! stand between it and the machine.

pub mod program;
mod requester;

pub use requester::{Activity, RequesterState};

use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Group, Requester, Volume};
use crate::plan::{Arrival, Plan};
use crate::signal::{Probe, Signal};
use kernel::distribution::Sampler;
use kernel::draw::{Draw, Streams};
use program::{Operation, Program};
use units::Tod;

/// The users of one program.
#[derive(Clone, Debug)]
pub struct GroupState {
    /// What they do.
    program: Program,
    /// Streams of the program's spans and choices.
    draw: Draw,
    /// Time between arrivals from outside; none for a closed population.
    between_arrivals: Option<(Sampler, Draw)>,
    /// How many are there now.
    pub present: u32,
}

/// All guests.
#[derive(Clone, Debug)]
pub struct Guests {
    /// As in the plan.
    pub groups: Vec<GroupState>,
    /// Closed guests first, in the order of the groups; then whoever passes through.
    pub requesters: Vec<RequesterState>,
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
            let stream = |purpose: &str| streams.stream(&format!("guest/{}/{purpose}", guest.name));
            let between_arrivals = match guest.arrival {
                Arrival::Closed { count } => {
                    requesters.extend((0..count).map(|_| RequesterState::new(Group(number as u32))));
                    None
                }
                Arrival::Open { rate } => Some((program::between_arrivals(rate), stream("arrivals"))),
            };
            let program = Program::compile(&guest.program);
            groups.push(GroupState { program, draw: stream("program"), between_arrivals, present: 0 });
        }
        let closed = requesters.len();
        Guests { groups, requesters, closed, vacant: Vec::new() }
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
        let group = self.requesters[requester.index()].group;
        self.groups[group.index()].present += 1;
        probe.signal(now, Signal::Joined(group));
        self.go_on(requester, now, effects, probe);
    }

    /// The first arrival of a group, if it is open.
    pub fn open(&mut self, group: Group, now: Tod, effects: &mut impl Outbox) {
        if let Some((between, draw)) = &mut self.groups[group.index()].between_arrivals {
            effects.at(Event::Arrival(group), now + between.draw(draw));
        }
    }

    /// Somebody comes from outside; the next will come.
    pub fn arrive(&mut self, group: Group, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        self.open(group, now, effects);
        let requester = self.vacant.pop().unwrap_or_else(|| {
            self.requesters.push(RequesterState::new(group));
            Requester(self.requesters.len() as u32 - 1)
        });
        self.requesters[requester.index()] = RequesterState::new(group);
        self.begin(requester, now, effects, probe);
    }

    /// A requester is through thinking or computing.
    #[inline(always)]
    pub fn resume(&mut self, requester: Requester, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let state = &self.requesters[requester.index()];
        let span = now - state.since;
        match state.activity {
            Activity::Thinking => probe.signal(now, Signal::Thought(state.group, span)),
            Activity::Computing => probe.signal(now, Signal::Computed(state.group, span)),
            Activity::Waiting(_) | Activity::Absent => unreachable!("only who thinks or computes resumes"),
        }
        self.go_on(requester, now, effects, probe);
    }

    /// The I/O of a requester is done.
    #[inline(always)]
    pub fn io_done(&mut self, requester: Requester, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let state = &self.requesters[requester.index()];
        let Activity::Waiting(volume) = state.activity else { unreachable!("an I/O ends for who waits for it") };
        probe.signal(now, Signal::Responded(state.group, volume, now - state.since));
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
            match group.program.next(&mut state.position, &mut group.draw) {
                Operation::Think(span) => {
                    state.activity = Activity::Thinking;
                    return effects.at(Event::Resume(requester), now + span);
                }
                Operation::Compute(span) => {
                    state.activity = Activity::Computing;
                    return effects.at(Event::Resume(requester), now + span);
                }
                Operation::Io(volume) => {
                    state.activity = Activity::Waiting(volume);
                    return effects.request(requester, volume);
                }
                Operation::End => {
                    probe.signal(now, Signal::Cycled(number));
                    if requester.index() >= self.closed {
                        state.activity = Activity::Absent;
                        group.present -= 1;
                        self.vacant.push(requester);
                        return probe.signal(now, Signal::Left(number));
                    }
                }
            }
        }
    }

    /// Where a requester's I/O goes, when it waits for one.
    pub fn waits_for(&self, requester: Requester) -> Option<Volume> {
        match self.requesters[requester.index()].activity {
            Activity::Waiting(volume) => Some(volume),
            Activity::Thinking | Activity::Computing | Activity::Absent => None,
        }
    }
}

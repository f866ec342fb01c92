//! Linux's fair scheduler with its bandwidth controller: threads in groups, each processor with run queues of its own,
//! and groups that are stopped when their quota is used up.
//!
//! To the rest of the machine a group is a partition with a logical processor on every physical one: its run queue there.

mod bandwidth;
mod calls;
mod fair;
mod limits;
mod placement;
mod queue;
mod running;
mod shared_data;

pub use queue::Asking;

use super::domain::Domain;
use super::places::Places;
use crate::effect::Outbox;
use crate::ids::{Logical, Partition, Physical, Requester};
use crate::plan::{CfsPlan, CgroupPlan, Processors};
use crate::signal::{Occupant, Phase, Probe, Signal, Standing, Threading};
use bandwidth::Bandwidth;
use fair::Virtually;
use kernel::draw::Draw;
use queue::{Queue, Thread};
use shared_data::SharedData;
use units::{Span, Tod};

/// The processors and the groups on them.
#[derive(Clone, Debug)]
pub(super) struct Cfs {
    plan: CfsPlan,
    /// The time to begin with another thread than before.
    switch: Span,
    groups: Vec<GroupState>,
    processors: Vec<Processor>,
    /// Which of them have nothing to run, and which have more than one thread that no limit stops.
    idle: Places,
    crowded: Places,
    /// Of requesters; those that never ran may be missing.
    threads: Vec<Thread>,
}

/// A group.
#[derive(Clone, Debug)]
struct GroupState {
    /// The first of its logical processors.
    logical: u32,
    /// At the weight that is usual, 1024.
    weight: u64,
    /// The weights of its threads that run or want to, together.
    load: u64,
    /// A run queue for each processor.
    queues: Vec<Queue>,
    bandwidth: Option<Bandwidth>,
    shared: Option<SharedData>,
}

/// A processor.
#[derive(Clone, Debug)]
struct Processor {
    runs: Option<Running>,
    /// The groups that have threads here, in their order: no look goes through all groups of the machine.
    present: Vec<u32>,
    /// How many threads run here or want to.
    crowd: usize,
    /// How many of them no limit stops here.
    open: usize,
    /// The time up to which the running thread has been charged.
    since: Tod,
    /// Where the mean of its groups was last.
    floor: Virtually,
    /// The last signal of its state.
    phase: Phase,
}

/// The thread that runs on a processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Running {
    group: usize,
    requester: Requester,
    state: State,
}

/// How far it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// It runs.
    Runs,
    /// Its slice is over, or that of its group.
    HadItsSlice,
    /// It yields.
    Yields,
    /// It is through, and has not said whether it goes on.
    Leaving,
    /// The same, and its slice is over as well.
    LeavingLate,
}

impl State {
    /// Whether it is through.
    fn is_leaving(self) -> bool {
        match self {
            State::Runs | State::HadItsSlice | State::Yields => false,
            State::Leaving | State::LeavingLate => true,
        }
    }

    /// It is through.
    fn leaves(self) -> State {
        match self {
            State::Runs | State::Leaving => State::Leaving,
            State::HadItsSlice | State::Yields | State::LeavingLate => State::LeavingLate,
        }
    }

    /// It goes on after it was through: that does not give it another slice.
    fn goes_on(self) -> State {
        match self {
            State::Runs | State::Leaving => State::Runs,
            State::HadItsSlice | State::Yields | State::LeavingLate => State::HadItsSlice,
        }
    }
}

impl Cfs {
    /// The groups of a plan on this many processors, without threads.  The end of each group's first period is drawn
    /// from a stream of its own: it is not in step with the start, nor with ticks.
    pub(super) fn new(
        (plan, switch): (CfsPlan, Span),
        processors: usize,
        domains: &[Domain],
        phases: &mut [Draw],
    ) -> Self {
        let state = |(domain, draw): (&Domain, &mut Draw)| {
            let Processors::Cgroup(own) = domain.processors else { unreachable!("all partitions are groups here") };
            GroupState::new(own, domain.logical.start, (plan.bandwidth_slice, processors), draw)
        };
        let idle = Processor {
            runs: None,
            present: Vec::new(),
            crowd: 0,
            open: 0,
            since: Tod::START,
            floor: 0,
            phase: Phase::Idle,
        };
        Cfs {
            plan,
            switch,
            groups: domains.iter().zip(phases).map(state).collect(),
            processors: vec![idle; processors],
            idle: Places::all(processors),
            crowded: Places::none(processors),
            threads: Vec::new(),
        }
    }

    /// A thread wants to run: it goes on where it just was, or has woken.
    pub(super) fn ready(&mut self, asking: &Asking, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let requester = asking.requester;
        let unknown = Thread::new(asking);
        if self.threads.len() <= requester.index() {
            self.threads.resize(requester.index() + 1, unknown);
        }
        if let Some(place) = self.leaving(requester) {
            if self.threads[requester.index()].is(asking) {
                let thread = &mut self.threads[requester.index()];
                thread.left = asking.needs + std::mem::take(&mut thread.spends);
                let runs = self.processors[place].runs.as_mut().expect("it is there");
                runs.state = runs.state.goes_on();
                return;
            }
            self.sleep(place, now, (effects, probe));
        }
        if !self.threads[requester.index()].is(asking) {
            self.threads[requester.index()] = unknown;
        }
        let thread = &mut self.threads[requester.index()];
        (thread.left, thread.woke) = (asking.needs + std::mem::take(&mut thread.spends), Some(now));
        let place = self.place(requester);
        self.wake(requester, place, now, (effects, probe));
    }

    /// The processor whose thread has ended its step and may go on.
    fn leaving(&self, requester: Requester) -> Option<usize> {
        let place = self.threads[requester.index()].last?;
        let own = |runs: &Running| runs.requester == requester && runs.state.is_leaving();
        self.processors[place].runs.as_ref().is_some_and(own).then_some(place)
    }

    /// A thread of a group joins its run queue on a processor, and may take the processor.
    fn wake(
        &mut self,
        requester: Requester,
        place: usize,
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        self.charge(place, now);
        let (group, at) = (self.group_of(requester), self.arrives(requester, place));
        let (own, thread) = (Partition(group as u32), &self.threads[requester.index()]);
        probe.signal(now, Signal::Threading(own, Threading::Runnable(1)));
        if thread.last.is_some_and(|last| last != place) {
            probe.signal(now, Signal::Threading(own, Threading::Migrated(thread.guest)));
        }
        self.enqueue(requester, (group, place), at);
        self.is_to_have_runtime((group, place), now, (effects, probe));
        self.look_after(requester, (group, place), now, (effects, probe));
    }

    /// The virtual time at which a thread begins in its new queue: negative lag at its last queue still counts.
    fn arrives(&self, requester: Requester, place: usize) -> Virtually {
        let (thread, queues) = (&self.threads[requester.index()], &self.groups[self.group_of(requester)].queues);
        let ahead = thread.last.map_or(0, |last| (thread.rank.at - queues[last].mean(&self.threads)).max(0));
        queues[place].mean(&self.threads) + ahead
    }

    /// A thread takes its place in a queue; a queue that was empty takes its own among the groups.
    fn enqueue(&mut self, requester: Requester, (group, place): (usize, usize), at: Virtually) {
        let slice = self.plan.base_slice;
        let thread = &mut self.threads[requester.index()];
        thread.rank = fair::Competitor::placed(at, thread.weight, slice);
        thread.last = Some(place);
        let weight = thread.weight;
        let comes = self.groups[group].queues[place].threads.is_empty();
        self.groups[group].load += weight;
        self.groups[group].queues[place].add(requester, weight);
        let processor = &mut self.processors[place];
        processor.crowd += 1;
        if comes {
            let at = processor.present.partition_point(|other| (*other as usize) < group);
            processor.present.insert(at, group as u32);
            self.joins((group, place));
        }
        if !self.groups[group].queues[place].stopped {
            self.opens(place, 1);
        }
    }

    /// So many more threads of a processor are stopped by no limit.
    fn opens(&mut self, place: usize, threads: isize) {
        let open = &mut self.processors[place].open;
        *open = open.checked_add_signed(threads).expect("no more are stopped than there are");
        self.crowded.set(place, *open > 1);
    }

    /// A group competes for a processor from now on: at its old place, if the others have not passed that.
    fn joins(&mut self, (group, place): (usize, usize)) {
        let others = self.competing(place).filter(|other| *other != group);
        let mean = fair::mean(self.ranked(place, others)).unwrap_or(self.processors[place].floor);
        let weight = self.weight_of(group, place);
        let queue = &mut self.groups[group].queues[place];
        queue.rank = fair::Competitor::placed(queue.rank.at.max(mean), weight, self.plan.base_slice);
    }

    /// The groups that compete for a processor, in their order.
    fn competing(&self, place: usize) -> impl Iterator<Item = usize> + Clone {
        let present = self.processors[place].present.iter().map(|group| *group as usize);
        present.filter(move |group| self.groups[*group].queues[place].competes())
    }

    /// How far each of some groups is on a processor, and its weight there.
    fn ranked(
        &self,
        place: usize,
        groups: impl Iterator<Item = usize> + Clone,
    ) -> impl Iterator<Item = (fair::Competitor, u64)> + Clone {
        groups.map(move |group| (self.groups[group].queues[place].rank, self.weight_of(group, place)))
    }

    /// The weight of a group on a processor: its part of the group's weight is that of its threads there (Linux,
    /// sched-design-CFS: group scheduling; as the kernel divides shares, ASSUME: without smoothing).
    fn weight_of(&self, group: usize, place: usize) -> u64 {
        let GroupState { weight, load, queues, .. } = &self.groups[group];
        (weight * queues[place].load / (*load).max(1)).max(LIGHTEST)
    }

    fn group_of(&self, requester: Requester) -> usize {
        self.threads[requester.index()].plan.group.index()
    }

    fn logical(&self, (group, place): (usize, usize)) -> Logical {
        Logical(self.groups[group].logical + place as u32)
    }

    /// Signals the state of a group's queue on a processor, if it has changed.
    fn tell(&mut self, (group, place): (usize, usize), now: Tod, probe: &mut impl Probe) {
        let runs = self.processors[place].runs.filter(|runs| runs.group == group);
        let logical = self.logical((group, place));
        let queue = &mut self.groups[group].queues[place];
        let stands = match runs {
            Some(runs) => (Standing::Working, Occupant::Requester(runs.requester)),
            None if queue.threads.is_empty() => (Standing::Off, Occupant::Nobody),
            None => (Standing::Pending, Occupant::Nobody),
        };
        if stands != queue.told {
            queue.told = stands;
            probe.signal(now, Signal::Stands(logical, stands.0, stands.1));
        }
    }

    /// Says what a processor does, if it does something else than before.
    fn tell_of(&mut self, place: usize, now: Tod, probe: &mut impl Probe) {
        let phase = match self.processors[place].runs {
            Some(runs) => Phase::Carrying(self.logical((runs.group, place))),
            None => Phase::Idle,
        };
        if phase != self.processors[place].phase {
            self.processors[place].phase = phase;
            probe.signal(now, Signal::Carries(Physical(place as u32), phase));
        }
    }
}

/// The least weight that a group has on a processor.
const LIGHTEST: u64 = 2;

impl GroupState {
    fn new(plan: CgroupPlan, logical: u32, (slice, processors): (Span, usize), draw: &mut Draw) -> Self {
        let bandwidth = plan.limit.map(|limit| {
            let phase = (draw.unit() * limit.period.units() as f64) as u64;
            Bandwidth::new(limit, slice, (processors, Tod::START + Span::from_units(phase)))
        });
        GroupState {
            logical,
            weight: (u64::from(plan.weight) * 1024 + 50) / 100,
            load: 0,
            queues: vec![Queue::new(); processors],
            bandwidth,
            shared: plan.shared.map(|shared| SharedData::new(shared, processors)),
        }
    }
}

//! The supervisor of a partition: it dispatches guests on its logical processors, and handles its I/O interrupts.
//!
//! Work goes by priority, first come, first served among equals; an interrupted guest is at the front again.  A
//! dispatched processor in wait takes an interrupt, else one that is enabled for I/O.  Before a handler leaves it tests
//! for pending interrupts and takes them (TPI; Partitioning Large Processors, 5.0).

mod configure;
mod enablement;
mod interrupts;
mod processor;

pub use processor::{Job, LogicalState, Work};

use enablement::Enablement;

use crate::effect::{Outbox, Wanted};
use crate::event::Event;
use crate::ids::{Exposure, Logical, Partition, Requester};
use crate::plan::{CecPlan, DispatcherPlan, Plan};
use crate::signal::{Probe, Signal, Taken};
use kernel::distribution::Sampler;
use kernel::draw::{Draw, Streams};
use std::collections::VecDeque;
use std::ops::Range;
use units::{Span, Tod};

/// The supervisors of all partitions.
#[derive(Clone, Debug, Default)]
pub struct Supervisors {
    /// As in the plan.
    pub partitions: Vec<SupervisorState>,
    /// Those of the first partition first.
    pub logical: Vec<LogicalState>,
    /// Whether waiters and wanted processors are to be signalled: a processor is then given up in wait.
    tells: bool,
}

/// The supervisor of one partition.
#[derive(Clone, Debug)]
pub struct SupervisorState {
    /// Its logical processors.
    logical: Range<u32>,
    /// Guests that are ready and have no processor, for each priority in use, the highest first.
    ready: Vec<VecDeque<Job>>,
    /// I/Os that have ended and were not noticed, the oldest first.
    pub pending: VecDeque<Exposure>,
    enablement: Enablement,
    slih: Sampler,
    draw: Draw,
}

impl Supervisors {
    /// The supervisors of a plan, idle, none of their processors carried.
    pub fn new(plan: &Plan, ranks: &[usize], streams: &Streams) -> Self {
        let prsm = |cec: &CecPlan| match cec.dispatcher {
            DispatcherPlan::Slices(_) | DispatcherPlan::Cfs(_) => false,
            DispatcherPlan::Prsm(_) => true,
        };
        let mut supervisors = Supervisors { tells: plan.cec.as_ref().is_some_and(prsm), ..Supervisors::default() };
        for (number, partition) in plan.partitions.iter().enumerate() {
            let first = supervisors.logical.len() as u32;
            let enabled = partition.enabled_first();
            let lp = |lp| {
                let mut state = LogicalState::new(Partition(number as u32), lp < enabled, partition.reload);
                state.online = lp < partition.online_first();
                state
            };
            supervisors.logical.extend((0..partition.logical).map(lp));
            supervisors.partitions.push(SupervisorState {
                logical: first..first + partition.logical,
                ready: vec![VecDeque::new(); ranks[number]],
                pending: VecDeque::new(),
                enablement: Enablement::new(partition),
                slih: partition.slih.sampler(),
                draw: streams.stream(&format!("partition/{}/slih", partition.name)),
            });
        }
        supervisors
    }

    /// A physical processor runs a logical one: it resumes its work, interrupts and more urgent guests first.
    pub fn dispatched(&mut self, logical: Logical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        self.logical[logical.index()].carried(logical, now, effects);
        self.logical[logical.index()].tell(logical, now, probe);
        if self.takes_pending((logical, Taken::Slih), now, effects, probe) {
            return;
        }
        if self.is_in_wait(logical) {
            return self.find_work(logical, now, effects, probe);
        }
        self.gives_way(logical, now, (effects, probe));
    }

    /// A guest that became ready while a processor was undispatched takes it from a less urgent one.
    fn gives_way(&mut self, logical: Logical, now: Tod, (effects, probe): (&mut impl Outbox, &mut impl Probe)) {
        let partition = self.logical[logical.index()].partition;
        let most_urgent = self.partitions[partition.index()].ready.iter().position(|ready| !ready.is_empty());
        let Some(rank) = most_urgent.filter(|rank| self.logical[logical.index()].runs_less_urgent_than(*rank)) else {
            return;
        };
        let next = self.partitions[partition.index()].ready[rank].pop_front().expect("somebody is ready");
        self.preempt(logical, next, now, (effects, probe));
    }

    /// No physical processor carries a logical one any more: what it was doing waits.
    pub fn undispatched(&mut self, logical: Logical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let state = &mut self.logical[logical.index()];
        state.dropped(logical, now, effects);
        state.tell(logical, now, probe);
        if self.tells && state.has_work() {
            state.call(logical, Wanted::Work, effects);
        }
    }

    /// A requester needs a processor: the one it was just on, else one in wait, else one with less urgent work.
    pub fn ready(
        &mut self,
        (partition, job): (Partition, Job),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let processors = self.partitions[partition.index()].logical.clone();
        let all = || processors.clone().map(Logical);
        let own = all().find(|lp| self.logical[lp.index()].work == Work::Leaving(job.requester));
        let waiting = || all().find(|lp| self.is_in_wait(*lp));
        if let Some(logical) = own.or_else(waiting) {
            return self.run(logical, job, now, (effects, probe));
        }
        let less_urgent = all().filter(|lp| self.logical[lp.index()].runs_less_urgent_than(job.rank));
        match less_urgent.max_by_key(|lp| self.logical[lp.index()].rank()) {
            Some(logical) => self.preempt(logical, job, now, (effects, probe)),
            None => {
                probe.signal(now, Signal::Ready(partition, job.requester));
                self.partitions[partition.index()].ready[job.rank].push_back(job);
            }
        }
        if self.tells {
            self.call((partition, Wanted::Work), effects);
        }
    }

    /// What a logical processor was doing is over: a requester is through, or an interrupt has been handled.
    pub fn work_over(&mut self, logical: Logical, effects: &mut impl Outbox) {
        let state = &mut self.logical[logical.index()];
        match state.work {
            Work::Job(job) => {
                state.work = Work::Leaving(job.requester);
                effects.served(job.requester, logical);
            }
            Work::Interrupt { exposure, .. } => effects.clear(exposure, logical),
            Work::None | Work::Leaving(_) => unreachable!("no instant is set for a processor without work"),
        }
    }

    /// A logical processor has done its work: pending interrupts first, then the interrupted or ready guest.
    pub fn find_work(&mut self, logical: Logical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let partition = self.logical[logical.index()].partition;
        match self.logical[logical.index()].work {
            Work::Job(_) => return,
            Work::Interrupt { interrupted, .. } => {
                if let Some(job) = interrupted {
                    self.put_back(partition, job);
                }
                self.logical[logical.index()].work = Work::None;
                if self.takes_pending((logical, Taken::Tpi), now, effects, probe) {
                    return;
                }
            }
            Work::Leaving(_) | Work::None => {
                self.logical[logical.index()].work = Work::None;
                let enabled = self.logical[logical.index()].enabled;
                if enabled && self.takes_pending((logical, Taken::Slih), now, effects, probe) {
                    return;
                }
            }
        }
        if !self.logical[logical.index()].online {
            return self.leaves(logical, now, effects, probe);
        }
        let next = self.partitions[partition.index()].ready.iter_mut().find_map(VecDeque::pop_front);
        match next {
            Some(job) => self.run(logical, job, now, (effects, probe)),
            None => {
                if self.takes_pending((logical, Taken::Slih), now, effects, probe) {
                    return;
                }
                self.logical[logical.index()].tell(logical, now, probe);
                if self.tells {
                    assert!(
                        self.logical[logical.index()].is_carried(),
                        "a processor that looks for work is dispatched"
                    );
                    effects.waits(logical);
                }
            }
        }
    }

    fn run(&mut self, logical: Logical, job: Job, now: Tod, (effects, probe): (&mut impl Outbox, &mut impl Probe)) {
        let state = &mut self.logical[logical.index()];
        let over = state.begin(Work::Job(job), job.left, now);
        state.tell(logical, now, probe);
        effects.at(Event::Work(logical), over);
    }

    /// A more urgent guest preempts: the preempted one is ready again.
    fn preempt(&mut self, logical: Logical, job: Job, now: Tod, (effects, probe): (&mut impl Outbox, &mut impl Probe)) {
        let state = &mut self.logical[logical.index()];
        let (partition, preempted) = (state.partition, state.take_job(logical, now, effects));
        probe.signal(now, Signal::Ready(partition, preempted.requester));
        self.put_back(partition, preempted);
        self.run(logical, job, now, (effects, probe));
    }

    /// An interrupted or preempted guest goes before all of the same priority.
    fn put_back(&mut self, partition: Partition, job: Job) {
        self.partitions[partition.index()].ready[job.rank].push_front(job);
    }

    /// Whether any logical processor of a partition is carried.
    pub fn is_dispatched(&self, partition: Partition) -> bool {
        let mut own = self.partitions[partition.index()].logical.clone();
        own.any(|logical| self.logical[logical as usize].is_carried())
    }

    /// A logical processor that is in wait and not carried is wanted, if that is to be said and there is one.
    #[inline(never)]
    pub fn call(&mut self, (partition, wanted): (Partition, Wanted), effects: &mut impl Outbox) -> bool {
        if !self.tells {
            return false;
        }
        let mut own = self.partitions[partition.index()].logical.clone().map(Logical);
        let Some(logical) = own.find(|lp| self.logical[lp.index()].may_be_called()) else { return false };
        self.logical[logical.index()].call(logical, wanted, effects);
        true
    }

    /// Whether a logical processor is carried and has nothing to do.
    pub fn is_in_wait(&self, logical: Logical) -> bool {
        let state = &self.logical[logical.index()];
        state.is_carried() && state.online && state.work == Work::None
    }

    /// How long the next interrupt of a partition is handled.
    fn draw_slih(&mut self, partition: Partition) -> Span {
        let state = &mut self.partitions[partition.index()];
        state.slih.draw(&mut state.draw)
    }

    /// Guests that are ready in a partition and have no processor.
    pub fn waiting(&self, partition: Partition) -> impl Iterator<Item = Requester> + '_ {
        self.partitions[partition.index()].ready.iter().flatten().map(|job| job.requester)
    }
}

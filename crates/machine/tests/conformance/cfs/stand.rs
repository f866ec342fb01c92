//! The test stand: small machines of threads that run by themselves, and what is read from their signals.

use crate::stand::Log;
use kernel::calendar::TreeCalendar;
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::ids::{Partition, Physical};
use machine::plan::{
    Arrival, CecPlan, CfsPlan, CgroupPlan, DispatcherPlan, GuestPlan, PartitionPlan, Plan, Processors, RunsInPlan,
    Step, ThreadLockPlan, ThreadPlan, YieldRule,
};
use machine::signal::{Occupant, Signal, Standing, Threading};
use machine::world::World;
use units::{Span, Tod};

/// Every group here has this period, in ms.
pub const PERIOD: u64 = 100;

/// A kernel that notices everything at once.
pub const EXACT: CfsPlan = CfsPlan {
    bandwidth_slice: Span::from_ms(5),
    base_slice: Span::from_ms(3),
    tick: Span::ZERO,
    wakeup_preemption: true,
    yields: YieldRule::Forfeit,
    steps_notice: true,
};

/// A group that may run for so long in each period.
pub fn limited(quota: u64) -> CgroupPlan {
    CgroupPlan::limited(Span::from_ms(quota), Span::from_ms(PERIOD))
}

/// Computing for so long, in us.
pub fn compute(us: u64) -> Step {
    Step::Compute(Distribution::Constant(Span::from_us(us)))
}

/// Waiting for so long, in us.
pub fn think(us: u64) -> Step {
    Step::Think(Distribution::Constant(Span::from_us(us)))
}

/// Waiting for longer than any test lasts.
pub fn rests() -> Step {
    think(10_000_000)
}

/// Computing for longer than any test lasts.
pub fn burns() -> Step {
    compute(10_000_000)
}

/// Computing for so long under the first lock, in us.
pub fn under_lock(us: u64) -> Step {
    Step::ThreadLock { lock: 0, steps: vec![compute(us)] }
}

/// The thread, its processor, and the start and end of its run, in us.
pub type Run = (u32, u32, i64, i64);

/// A machine of threads, and from when on its times count.
pub struct Stand {
    plan: Plan,
    zero: Tod,
}

impl Stand {
    /// Groups on this many processors; times count from the start.
    pub fn new(processors: u32, kernel: CfsPlan, groups: &[CgroupPlan]) -> Stand {
        let named = |(number, group): (usize, &CgroupPlan)| {
            PartitionPlan::new(&format!("G{number}"), processors, Processors::Cgroup(*group))
        };
        let cec = CecPlan { processors, dispatcher: DispatcherPlan::Cfs(kernel), switch: Span::ZERO };
        let partitions = groups.iter().enumerate().map(named).collect();
        Stand { plan: Plan { cec: Some(cec), partitions, ..Plan::default() }, zero: Tod::START }
    }

    /// The same; times count from the first end of a period of the first group, which is drawn.
    pub fn periodic(processors: u32, kernel: CfsPlan, groups: &[CgroupPlan]) -> Stand {
        let share = Streams::new(1, 0).stream("cgroup/G0/phase").unit();
        let phase = Span::from_units((share * Span::from_ms(PERIOD).units() as f64) as u64);
        Stand { zero: Tod::START + phase, ..Stand::new(processors, kernel, groups) }
    }

    /// Times count from the first tick that is not before that, and this much later.
    pub fn after_a_tick(mut self, tick: Span, later: Span) -> Stand {
        let ticks = (self.zero - Tod::START).units().div_ceil(tick.units());
        self.zero = Tod::START + Span::from_units(ticks * tick.units()) + later;
        self
    }

    /// A lock that threads share.
    pub fn lock(mut self, lock: ThreadLockPlan) -> Stand {
        self.plan.thread_locks.push(lock);
        self
    }

    /// A thread of a group of usual weight that may run anywhere.
    pub fn thread(self, group: u32, program: Vec<Step>) -> Stand {
        self.told((group, 0, None), program)
    }

    /// A thread of the first group on a processor of its own.
    pub fn pinned(self, processor: u32, program: Vec<Step>) -> Stand {
        self.told((0, 0, Some(processor)), program)
    }

    /// A thread with a nice level and perhaps a processor of its own; its program begins at zero.
    pub fn told(mut self, (group, nice, processor): (u32, i8, Option<u32>), program: Vec<Step>) -> Stand {
        let thread = ThreadPlan { group: Partition(group), nice, processor: processor.map(Physical) };
        let until_zero = Step::Think(Distribution::Constant(self.zero - Tod::START));
        let begins = Some(until_zero).filter(|_| self.zero > Tod::START);
        let guest = GuestPlan {
            name: format!("T{}", self.plan.guests.len()),
            arrival: Arrival::Closed { count: 1 },
            runs_in: Some(RunsInPlan::Cgroup(thread)),
            program: begins.into_iter().chain(program).collect(),
            ..Default::default()
        };
        self.plan.guests.push(guest);
        self
    }

    /// The runs up to an instant in us, by their starts; a run still under way ends there.
    pub fn runs(&self, until: u64) -> Vec<Run> {
        let processors = self.plan.cec.as_ref().expect("it has processors").processors;
        let end = self.zero + Span::from_us(until);
        let mut open: Vec<Option<(u32, Tod)>> = vec![None; self.plan.partitions.len() * processors as usize];
        let mut runs = Vec::new();
        for (at, signal) in self.log(end) {
            let Signal::Stands(logical, standing, occupant) = signal else { continue };
            let place = &mut open[logical.index()];
            runs.extend(place.take().map(|(who, since)| (logical.0 % processors, who, since, at)));
            if let (Standing::Working, Occupant::Requester(who)) = (standing, occupant) {
                *place = Some((who.0, at));
            }
        }
        for (logical, place) in open.into_iter().enumerate() {
            let place = place.filter(|(_, since)| *since < end);
            runs.extend(place.map(|(who, since)| (logical as u32 % processors, who, since, end)));
        }
        runs.sort_by_key(|(processor, _, since, _)| (*since, *processor));
        let us = |at: Tod| self.us(at);
        runs.into_iter().map(|(processor, who, since, until)| (processor, who, us(since), us(until))).collect()
    }

    /// From when to when a thread ran up to an instant, wherever.
    pub fn of(&self, thread: u32, until: u64) -> Vec<(i64, i64)> {
        self.runs(until).into_iter().filter(|run| run.1 == thread).map(|(_, _, from, to)| (from, to)).collect()
    }

    /// The signals on threads of the first group up to an instant, and their times.
    pub fn said(&self, until: u64) -> Vec<(i64, Threading)> {
        let said = |(at, signal): (Tod, Signal)| match signal {
            Signal::Threading(Partition(0), what) => Some((self.us(at), what)),
            _ => None,
        };
        self.log(self.zero + Span::from_us(until)).into_iter().filter_map(said).collect()
    }

    fn log(&self, end: Tod) -> Vec<(Tod, Signal)> {
        let mut world: World<TreeCalendar, Log> = World::new(&self.plan, &Streams::new(1, 0), Log::default());
        world.run_until(end).expect("there are no arrivals from outside");
        world.probe.0
    }

    /// Microseconds since zero, to the nearest: a thread that resumes has a unit of the clock first.
    fn us(&self, at: Tod) -> i64 {
        let units = at.units() as f64 - self.zero.units() as f64;
        (units / Span::from_us(1).units() as f64).round() as i64
    }
}

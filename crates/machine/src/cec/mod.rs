//! The processors of the machine and how the partitions that share them get them: in fixed slices, by weight, or thread
//! by thread.

pub mod cfs;
mod domain;
pub mod entitlement;
mod places;
pub mod prsm;
mod rotation;
mod slices;

pub use cfs::Asking;
pub use rotation::{Rotation, Sharing, Turn};

use crate::effect::{Outbox, ThreadCall, Wanted};
use crate::event::Event;
use crate::ids::{Logical, Partition, Physical, Requester};
use crate::plan::{CecPlan, DispatcherPlan, GroupPlan, PartitionPlan, Plan, Polarization, Processors, Share};
use crate::signal::{Phase, Probe, Signal, Varied};
use cfs::Cfs;
use domain::Domain;
use kernel::draw::{Draw, Streams};
use prsm::Prsm;
use slices::Slices;
use std::ops::Range;
use units::{Percent, Span, Tod};

/// The physical processors.
#[derive(Clone, Debug, Default)]
pub struct Cec {
    /// As in the plan.
    domains: Vec<Domain>,
    /// The logical processors on the first physical ones while their partitions are there: those of dedicated partitions.
    dedicated: Vec<(Logical, Partition)>,
    /// Whether it does.
    carries: Vec<bool>,
    /// How many processors are shared.
    shared: u32,
    dispatcher: Dispatcher,
    /// The caps of groups of partitions, in processors' worth.
    group_caps: Vec<f64>,
    /// The logical processors that go offline as soon as they have nothing to do.
    leaving: Vec<Logical>,
}

/// By which rules shared processors go round.
#[derive(Clone, Debug, Default)]
enum Dispatcher {
    /// None are shared.
    #[default]
    None,
    Slices(Slices),
    Prsm(Prsm),
    Cfs(Cfs),
}

impl Cec {
    /// The processors of a plan; none where guests do not share any.
    pub fn new(plan: &Plan, streams: &Streams) -> Self {
        let Some(cec) = &plan.cec else { return Cec::default() };
        let (mut domains, mut dedicated, mut logical) = (Vec::new(), Vec::new(), 0);
        for (number, partition) in plan.partitions.iter().enumerate() {
            let own = logical..logical + partition.logical;
            if partition.processors == Processors::Dedicated {
                dedicated.extend(own.clone().map(|lp| (Logical(lp), Partition(number as u32))));
            }
            logical = own.end;
            let online = (0..partition.logical).map(|number| number < partition.online_first()).collect();
            domains.push(Domain { logical: own, online, active: partition.active, processors: partition.processors });
        }
        let shared = cec.processors - dedicated.len() as u32;
        let processors = Physical(dedicated.len() as u32)..Physical(cec.processors);
        let own = |partition: &PartitionPlan| streams.stream(&format!("cgroup/{}/phase", partition.name));
        let mut phases: Vec<Draw> = plan.partitions.iter().map(own).collect();
        let dispatcher = Dispatcher::new((cec, &plan.lpar_groups), processors, &domains, &mut phases);
        let carries = vec![false; dedicated.len()];
        let group_caps = plan.lpar_groups.iter().map(|group| group.cap).collect();
        Cec { domains, dedicated, carries, shared, dispatcher, group_caps, leaving: Vec::new() }
    }

    /// How many physical processors there are: those of dedicated partitions first, then the shared ones.
    pub fn physical(&self) -> usize {
        self.dedicated.len() + self.shared as usize
    }

    /// A processor begins: a dedicated one carries its logical processor, a shared one begins its first turn.
    pub fn begin(&mut self, physical: Physical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        match (self.dedicated.get(physical.index()), &mut self.dispatcher) {
            (Some((_, partition)), _) if !self.domains[partition.index()].active => {}
            // Its partition may have been there all the time, deleted and added at one instant.
            (Some(_), _) if self.carries[physical.index()] => {}
            (Some((logical, _)), _) => {
                self.carries[physical.index()] = true;
                probe.signal(now, Signal::Carries(physical, Phase::Dedicated(*logical)));
                effects.dispatched(*logical);
            }
            // No partition has anything to run yet.
            (None, Dispatcher::None | Dispatcher::Cfs(_)) => {}
            (None, Dispatcher::Slices(slices)) => slices.begin((physical, &self.domains), now, effects, probe),
            (None, Dispatcher::Prsm(prsm)) => prsm.begin(physical, now, effects, probe),
        }
    }

    /// A partition's entitlement, in processors' worth, and the usable entitlement of the others beside it.
    ///
    /// Entitlement is shared processors x weight / sum of weights (z/VM 7.2 documentation, PR/SM Concepts).  With
    /// slices it is x target / sum of targets.  A dedicated partition has all of its own.
    pub fn entitled(&self, partition: Partition) -> (f64, f64) {
        let claim = |domain: &Domain| match domain.processors {
            Processors::Dedicated => 0.0,
            Processors::Weighted(plan) => f64::from(plan.weight),
            Processors::Shared { target, .. } => target.fraction(),
            Processors::Cgroup(plan) => f64::from(plan.weight),
        };
        let domain = &self.domains[partition.index()];
        let logical = f64::from(domain.logical.end - domain.logical.start);
        if domain.processors == Processors::Dedicated {
            return (logical, 0.0);
        }
        let claims: f64 = self.domains.iter().filter(|domain| domain.active).map(claim).sum();
        let shared = f64::from(self.shared);
        let (due_in_group, of_group) = self.entitled_in_group(domain);
        let cap = match domain.processors {
            Processors::Weighted(plan) => plan.cap.unwrap_or(f64::INFINITY).min(of_group),
            Processors::Shared { maximum, .. } => shared * maximum.fraction(),
            Processors::Dedicated | Processors::Cgroup(_) => f64::INFINITY,
        };
        let most = logical.min(shared).min(cap);
        let entitled = if domain.active { (shared * claim(domain) / claims).min(most).min(due_in_group) } else { 0.0 };
        (entitled, most - entitled)
    }

    /// The part of its group's cap that a partition is due by its weight, and the whole of that cap; no bounds without one.
    ///
    /// "Each partition gets an entitled share of the group capacity" by its weight (z/OS MVS Planning: Workload Management,
    /// Defining group capacity; there of a limit in MSU).
    fn entitled_in_group(&self, domain: &Domain) -> (f64, f64) {
        let weighted = |domain: &Domain| match domain.processors {
            Processors::Weighted(plan) => Some((plan.group?, f64::from(plan.weight))),
            Processors::Shared { .. } | Processors::Cgroup(_) | Processors::Dedicated => None,
        };
        let Some((group, weight)) = weighted(domain) else { return (f64::INFINITY, f64::INFINITY) };
        let present = self.domains.iter().filter(|domain| domain.active).filter_map(weighted);
        let all: f64 = present.filter(|(own, _)| *own == group).map(|(_, weight)| weight).sum();
        (self.group_caps[group] * weight / all, self.group_caps[group])
    }

    /// The physical processor that carries a logical one.
    pub fn core_of(&self, logical: Logical) -> u32 {
        if let Some(own) = self.dedicated.iter().position(|(dedicated, _)| *dedicated == logical) {
            return own as u32;
        }
        match &self.dispatcher {
            Dispatcher::None => unreachable!("somebody carries it"),
            Dispatcher::Slices(slices) => slices.carrier(logical),
            Dispatcher::Prsm(prsm) => prsm.carrier(logical),
            Dispatcher::Cfs(cfs) => cfs.place_of(logical) as u32,
        }
    }

    /// A slice or a run of a physical processor is over, or the switch before it, or it looks for work.
    pub fn slice_over(&mut self, physical: Physical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        match (self.dedicated.get(physical.index()), &mut self.dispatcher) {
            (Some((_, partition)), _) if self.domains[partition.index()].active => {
                self.begin(physical, now, effects, probe);
            }
            (Some(_), _) if !self.carries[physical.index()] => {}
            (Some((logical, _)), _) => {
                self.carries[physical.index()] = false;
                probe.signal(now, Signal::Carries(physical, Phase::Idle));
                effects.undispatched(*logical);
            }
            (None, Dispatcher::None) => unreachable!("nothing is shared"),
            (None, Dispatcher::Slices(slices)) => slices.slice_over((physical, &self.domains), now, effects, probe),
            (None, Dispatcher::Prsm(prsm)) => prsm.run_over(physical, now, effects, probe),
            (None, Dispatcher::Cfs(cfs)) => cfs.look(physical, now, effects, probe),
        }
    }

    /// A logical processor that is carried has nothing to do.
    pub fn waits(&mut self, logical: Logical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        if !self.leaving.is_empty() && self.leaving.contains(&logical) {
            return self.leave(logical, now, effects, probe);
        }
        match &mut self.dispatcher {
            Dispatcher::None | Dispatcher::Slices(_) | Dispatcher::Cfs(_) => {}
            Dispatcher::Prsm(prsm) => prsm.waits(logical, now, effects, probe),
        }
    }

    /// A logical processor gives its physical one up (DIAGNOSE X'44'), or gives it to one that it names (X'9C').
    pub fn gives_way(
        &mut self,
        (logical, to): (Logical, Option<Logical>),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        match &mut self.dispatcher {
            Dispatcher::None | Dispatcher::Slices(_) | Dispatcher::Cfs(_) => {}
            Dispatcher::Prsm(prsm) => prsm.gives_way((logical, to), now, effects, probe),
        }
    }

    /// A logical processor that is not carried has something to do.
    pub fn wants(
        &mut self,
        (logical, wanted): (Logical, Wanted),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        match &mut self.dispatcher {
            Dispatcher::None | Dispatcher::Slices(_) | Dispatcher::Cfs(_) => {}
            Dispatcher::Prsm(prsm) => prsm.wants((logical, wanted), now, effects, probe),
        }
    }

    /// Whether threads compete for the processors.
    pub fn has_threads(&self) -> bool {
        matches!(self.dispatcher, Dispatcher::Cfs(_))
    }

    /// How many groups of threads there are.
    pub fn thread_groups(&self) -> usize {
        if self.has_threads() { self.domains.len() } else { 0 }
    }

    /// A thread wants to run.
    pub fn thread_ready(&mut self, asking: &Asking, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        self.threads().ready(asking, now, effects, probe);
    }

    /// A thread calls the scheduler.
    pub fn thread_calls(&mut self, (requester, call): (Requester, ThreadCall), now: Tod, effects: &mut impl Outbox) {
        self.threads().calls(requester, call, now, effects);
    }

    /// A thread was through, and all that followed from it has happened.
    pub fn find_work(&mut self, logical: Logical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        self.threads().find_work(logical, now, effects, probe);
    }

    /// The period of a group of threads is over.
    pub fn period_over(&mut self, group: Partition, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        self.threads().period_over(group, now, effects, probe);
    }

    /// Runtime that processors gave back to a group of threads goes to stopped ones.
    pub fn slack(&mut self, group: Partition, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        self.threads().slack(group, now, effects, probe);
    }

    fn threads(&mut self) -> &mut Cfs {
        match &mut self.dispatcher {
            Dispatcher::Cfs(cfs) => cfs,
            Dispatcher::None | Dispatcher::Slices(_) | Dispatcher::Prsm(_) => {
                unreachable!("threads have their scheduler")
            }
        }
    }

    /// A partition is promised something else, from the next slice or dispatch on.
    pub fn promise(
        &mut self,
        (partition, share): (Partition, Share),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let domain = &mut self.domains[partition.index()];
        let varied = match (&mut domain.processors, share) {
            (Processors::Weighted(plan), Share::Weight(weight)) => {
                plan.weight = weight;
                Varied::Weight(weight)
            }
            (Processors::Shared { target, maximum }, Share::Slices { target: aim, maximum: most }) => {
                *target = aim.unwrap_or(*target);
                *maximum = most.unwrap_or(*maximum);
                Varied::Target(millionths(*target), millionths(*maximum))
            }
            (
                Processors::Weighted(_) | Processors::Shared { .. } | Processors::Cgroup(_) | Processors::Dedicated,
                _,
            ) => {
                unreachable!("a partition is promised what it has")
            }
        };
        probe.signal(now, Signal::PartitionVaried(partition, varied));
        self.dispatcher.changed(&self.domains, now, effects);
    }

    /// The slice of an equal share is another one, from the next slice of each processor on.
    pub fn reslice(&mut self, slice: Span, now: Tod, effects: &mut impl Outbox) {
        let Dispatcher::Slices(slices) = &mut self.dispatcher else {
            unreachable!("only a machine that goes round in slices has a scheduling parameter")
        };
        slices.reslice(slice);
        self.dispatcher.changed(&self.domains, now, effects);
    }

    /// How the share of a partition that has one by weight lies on its logical processors, from now on.
    pub fn polarize(
        &mut self,
        (partition, polarization): (Partition, Polarization),
        now: Tod,
        effects: &mut impl Outbox,
    ) {
        if let Processors::Weighted(plan) = &mut self.domains[partition.index()].processors {
            plan.polarization = polarization;
            self.dispatcher.changed(&self.domains, now, effects);
        }
    }

    /// Configures the first logical processors of a partition online, this many, and the others offline.
    ///
    /// One that handles an interrupt goes offline when the handler is through.
    pub fn configure(
        &mut self,
        (partition, online): (Partition, u32),
        is_busy: impl Fn(Logical) -> bool,
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        let domain = &mut self.domains[partition.index()];
        probe.signal(now, Signal::PartitionVaried(partition, Varied::Online(online)));
        self.leaving.retain(|leaving| !domain.logical.contains(&leaving.0));
        for (number, logical) in domain.logical.clone().map(Logical).enumerate() {
            let wanted = (number as u32) < online;
            let is_online = &mut domain.online[number];
            if *is_online && !wanted && is_busy(logical) {
                self.leaving.push(logical);
            } else if *is_online != wanted {
                *is_online = wanted;
                probe.signal(now, Signal::Configured(logical, wanted));
            }
        }
        self.dispatcher.changed(&self.domains, now, effects);
    }

    /// A logical processor that was to go offline has nothing to do any more.
    fn leave(&mut self, logical: Logical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        self.leaving.retain(|leaving| *leaving != logical);
        let owner = self.domains.iter_mut().find(|domain| domain.logical.contains(&logical.0));
        let domain = owner.expect("every logical processor belongs to a partition");
        domain.online[(logical.0 - domain.logical.start) as usize] = false;
        probe.signal(now, Signal::Configured(logical, false));
        self.dispatcher.changed(&self.domains, now, effects);
    }

    /// A partition that was not there is there.
    pub fn add(&mut self, partition: Partition, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        self.set_active((partition, true), now, effects, probe);
    }

    /// A partition is not there any more.
    pub fn delete(&mut self, partition: Partition, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        self.set_active((partition, false), now, effects, probe);
    }

    /// Its processors look again, one after the other, each in an event of its own.
    fn set_active(
        &mut self,
        (partition, active): (Partition, bool),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let domain = &mut self.domains[partition.index()];
        assert!(domain.active != active, "only an absent one is added, only a present one is deleted");
        domain.active = active;
        probe.signal(now, Signal::PartitionVaried(partition, if active { Varied::Added } else { Varied::Deleted }));
        for (number, _) in self.dedicated.iter().enumerate().filter(|(_, (_, owner))| *owner == partition) {
            effects.at(Event::Slice(Physical(number as u32)), now);
        }
        self.dispatcher.changed(&self.domains, now, effects);
    }
}

impl Dispatcher {
    fn new(
        (cec, groups): (&CecPlan, &[GroupPlan]),
        shared: Range<Physical>,
        domains: &[Domain],
        phases: &mut [Draw],
    ) -> Self {
        match cec.dispatcher {
            DispatcherPlan::Slices(slices) => Dispatcher::Slices(Slices::new((cec.switch, slices), shared, domains)),
            DispatcherPlan::Prsm(prsm) => Dispatcher::Prsm(Prsm::new((cec.switch, prsm), shared, (domains, groups))),
            DispatcherPlan::Cfs(cfs) => {
                Dispatcher::Cfs(Cfs::new((cfs, cec.switch), cec.processors as usize, domains, phases))
            }
        }
    }

    /// Partitions have changed.
    fn changed(&mut self, domains: &[Domain], now: Tod, effects: &mut impl Outbox) {
        match self {
            // The language changes nothing of a group of threads.
            Dispatcher::None | Dispatcher::Cfs(_) => {}
            Dispatcher::Slices(slices) => slices.changed(domains, now, effects),
            Dispatcher::Prsm(prsm) => prsm.changed(domains, now, effects),
        }
    }
}

fn millionths(share: Percent) -> u32 {
    (share.fraction() * 1e6 + 0.5) as u32
}

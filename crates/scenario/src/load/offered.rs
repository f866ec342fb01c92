//! How much of everything arrivals from outside keep busy, with the guests that they spawn.

use super::reach::Reach;
use machine::plan::{
    Arrival, Batch, Choice, EnqStep, EnqueueAccess, GuestPlan, IoPlan, MinidiskPlan, Plan, Ret, RunsInPlan,
    SampleTaken, ServicePlan, Step, Target,
};
use std::collections::BTreeMap;

/// No rate is above this: what is more is too much of anything.
const MOST_PER_SECOND: f64 = 1e30;

/// The load of each part, in busy units: exposures of each volume, units of each resource, processors of each
/// partition, virtual processors of each kind of virtual machine, minidisks and front ends.
pub struct Load {
    pub volumes: Vec<f64>,
    pub minidisks: Vec<f64>,
    pub resources: Vec<f64>,
    pub front_ends: Vec<f64>,
    pub partitions: Vec<f64>,
    pub virtual_machines: Vec<f64>,
    /// Of each enqueue, by the resource that is meant: how many hold it exclusively.
    pub enqueues: Vec<BTreeMap<usize, f64>>,
    /// How many hold each spin lock, in all its virtual machines.
    pub spin_locks: Vec<f64>,
    /// How much of each physical processor threads use that stay on it.
    pub pinned: BTreeMap<u32, f64>,
    reach: Reach,
    /// How often a second a guest of each group begins its program.
    begins: Vec<f64>,
}

/// The load of a plan.
pub fn offered(plan: &Plan) -> Load {
    let none = |count: usize| vec![0.0; count];
    let mut load = Load {
        volumes: none(plan.volumes.len()),
        minidisks: none(plan.minidisks.len()),
        resources: none(plan.resources.len()),
        front_ends: none(plan.front_ends.len()),
        partitions: plan.partitions.iter().map(|partition| partition.sampler.map_or(0.0, sampling)).collect(),
        virtual_machines: none(plan.virtual_machines.len()),
        enqueues: vec![BTreeMap::new(); plan.enqueues.len()],
        spin_locks: none(plan.spin_locks.len()),
        pinned: BTreeMap::new(),
        reach: Reach::new(plan),
        begins: plan.guests.iter().map(from_outside).collect(),
    };
    for number in spawners_first(plan) {
        let per_second = load.begins[number].min(MOST_PER_SECOND);
        if per_second > 0.0 {
            load.add((&plan.guests[number].program, number), per_second, plan);
        }
    }
    load
}

/// How much of a processor the measurement program of a partition takes.
fn sampling(sampler: machine::plan::SamplerPlan) -> f64 {
    match sampler.taken {
        SampleTaken::AtTheTimer => 0.0,
        SampleTaken::ByTask { takes, .. } => takes.mean().seconds() / sampler.cycle.seconds(),
    }
}

/// How many of a group come from outside, a second.
fn from_outside(guest: &GuestPlan) -> f64 {
    match &guest.arrival {
        Arrival::Open { rate, batch: Batch::Of(size) } => rate.per_second() * f64::from(*size),
        Arrival::Open { rate, batch: Batch::Geometric { mean } } => rate.per_second() * mean,
        Arrival::Closed { .. } | Arrival::Spawned | Arrival::Replay { .. } => 0.0,
    }
}

/// The groups in an order in which each comes after all that spawn it or have it answer.
fn spawners_first(plan: &Plan) -> Vec<usize> {
    let mut spawns: Vec<Vec<usize>> = vec![Vec::new(); plan.guests.len()];
    let mut spawners = vec![0_usize; plan.guests.len()];
    for (number, guest) in plan.guests.iter().enumerate() {
        spawned(&guest.program, &mut spawns[number]);
        spawns[number].iter().for_each(|target| spawners[*target] += 1);
    }
    let mut order: Vec<usize> = (0..plan.guests.len()).filter(|number| spawners[*number] == 0).collect();
    let mut next = 0;
    while let Some(number) = order.get(next).copied() {
        next += 1;
        for target in &spawns[number] {
            spawners[*target] -= 1;
            if spawners[*target] == 0 {
                order.push(*target);
            }
        }
    }
    order
}

/// Every group that some steps have begin its program, once for each step that does.
fn spawned(steps: &[Step], found: &mut Vec<usize>) {
    for step in steps {
        match step {
            Step::Spawn { guest } | Step::Exchange { guest, .. } => found.push(*guest),
            Step::Repeat { steps, .. }
            | Step::RepeatMean { steps, .. }
            | Step::Hold { steps, .. }
            | Step::ThreadLock { steps, .. }
            | Step::Lock { steps, .. } => spawned(steps, found),
            Step::Enq(enq) => spawned(enq.steps.as_deref().unwrap_or_default(), found),
            Step::Choose(choices) => choices.iter().for_each(|(_, steps)| spawned(steps, found)),
            Step::Think(_)
            | Step::Compute(_)
            | Step::Pace(_)
            | Step::Intercept(_)
            | Step::Io(_)
            | Step::Message { .. }
            | Step::Deq { .. } => {}
        }
    }
}

/// Whether a DEQ of an enqueue is this step, or inside it.
fn releases(step: &Step, enqueue: usize) -> bool {
    let inside = |steps: &[Step]| steps.iter().any(|step| releases(step, enqueue));
    match step {
        Step::Deq { enqueue: released } => *released == enqueue,
        Step::Repeat { steps, .. }
        | Step::RepeatMean { steps, .. }
        | Step::Hold { steps, .. }
        | Step::ThreadLock { steps, .. }
        | Step::Lock { steps, .. } => inside(steps),
        Step::Enq(enq) => inside(enq.steps.as_deref().unwrap_or_default()),
        Step::Choose(choices) => choices.iter().any(|(_, steps)| inside(steps)),
        Step::Think(_)
        | Step::Compute(_)
        | Step::Pace(_)
        | Step::Intercept(_)
        | Step::Io(_)
        | Step::Exchange { .. }
        | Step::Message { .. }
        | Step::Spawn { .. } => false,
    }
}

/// The time of some steps for a guest that never waits, in seconds.
fn seconds(steps: &[Step], plan: &Plan) -> f64 {
    steps.iter().map(|step| step_seconds(step, plan)).sum()
}

fn step_seconds(step: &Step, plan: &Plan) -> f64 {
    match step {
        Step::Think(span) | Step::Compute(span) => span.mean().seconds(),
        Step::Intercept(simulated) => simulated.seconds(),
        Step::Io(io) => {
            shares(&io.choice).into_iter().map(|(target, share)| share * io_seconds(io, target, plan)).sum()
        }
        Step::Repeat { times, steps } => f64::from(*times) * seconds(steps, plan),
        Step::RepeatMean { mean, steps } => mean * seconds(steps, plan),
        Step::Hold { steps, .. } | Step::Lock { steps, .. } | Step::ThreadLock { steps, .. } => seconds(steps, plan),
        Step::Enq(enq) => pair_seconds(plan) + seconds(enq.steps.as_deref().unwrap_or_default(), plan),
        Step::Exchange { guest, request, reply } => {
            request.seconds() + seconds(&plan.guests[*guest].program, plan) + reply.seconds()
        }
        Step::Choose(choices) => {
            let total: f64 = choices.iter().map(|(weight, _)| weight).sum();
            choices.iter().map(|(weight, steps)| weight / total * seconds(steps, plan)).sum()
        }
        Step::Message { front_end, .. } => carrying_seconds(*front_end, plan),
        // A paced guest uses what its pace leaves it, and no more.
        Step::Pace(_) | Step::Spawn { .. } | Step::Deq { .. } => 0.0,
    }
}

/// The least processor time of an ENQ and its DEQ, with any exits.
fn pair_seconds(plan: &Plan) -> f64 {
    plan.serialization.as_ref().map_or(0.0, |own| (own.costs.enq + own.costs.deq).seconds())
}

fn io_seconds(io: &IoPlan, target: Target, plan: &Plan) -> f64 {
    match target {
        Target::Volume(volume) => service_seconds(io.bytes, &plan.volumes[volume].service),
        Target::Minidisk(minidisk) => {
            let MinidiskPlan { volume, cache, .. } = plan.minidisks[minidisk];
            let avoided = cache.map_or(0.0, |cache| cache.read_hits.fraction() * io.reads.fraction());
            let hit = cache.map_or(0.0, |cache| cache.time.mean().seconds());
            (1.0 - avoided) * service_seconds(io.bytes, &plan.volumes[volume].service) + avoided * hit
        }
    }
}

/// How long an I/O of a front end takes.
fn carrying_seconds(front_end: usize, plan: &Plan) -> f64 {
    service_seconds(0, &plan.volumes[plan.front_ends[front_end].volume].service)
}

impl Load {
    /// Some steps of a guest, this many times a second.
    fn add(&mut self, (steps, number): (&[Step], usize), per_second: f64, plan: &Plan) {
        let guest = &plan.guests[number];
        for (at, step) in steps.iter().enumerate() {
            match step {
                Step::Think(_) | Step::Pace(_) | Step::Deq { .. } => {}
                Step::Enq(enq) => {
                    self.compute(guest, per_second * pair_seconds(plan), plan);
                    self.add_enq((enq, &steps[at + 1..]), number, per_second, plan);
                    self.add((enq.steps.as_deref().unwrap_or_default(), number), per_second, plan);
                }
                Step::Compute(span) => self.compute(guest, per_second * span.mean().seconds(), plan),
                Step::Intercept(simulated) => self.compute(guest, per_second * simulated.seconds(), plan),
                Step::Io(io) => {
                    let ssch = guest.runs_in.and_then(RunsInPlan::partition).and_then(|own| plan.partitions[own].ssch);
                    self.compute(guest, per_second * ssch.map_or(0.0, |ssch| ssch.mean().seconds()), plan);
                    for (target, share) in shares(&io.choice) {
                        self.add_io(io, target, per_second * share, plan);
                    }
                }
                Step::Repeat { times, steps } => self.add((steps, number), per_second * f64::from(*times), plan),
                Step::RepeatMean { mean, steps } => self.add((steps, number), per_second * mean, plan),
                Step::Hold { resource, steps } => {
                    self.resources[*resource] += per_second * seconds(steps, plan);
                    self.add((steps, number), per_second, plan);
                }
                Step::Choose(choices) => {
                    let total: f64 = choices.iter().map(|(weight, _)| weight).sum();
                    for (weight, steps) in choices {
                        self.add((steps, number), per_second * weight / total, plan);
                    }
                }
                Step::Message { front_end, .. } => self.add_message(*front_end, per_second, plan),
                Step::Lock { lock, steps } => {
                    self.spin_locks[*lock] += per_second * seconds(steps, plan);
                    self.add((steps, number), per_second, plan);
                }
                // Only threads that are always there take such a lock: they are no load from outside.
                Step::ThreadLock { steps, .. } => self.add((steps, number), per_second, plan),
                Step::Spawn { guest } | Step::Exchange { guest, .. } => self.begins[*guest] += per_second,
            }
        }
    }

    /// An ENQ, and the steps after it, if it is kept.  Only exclusive requests that wait count.
    fn add_enq(&mut self, (enq, after): (&EnqStep, &[Step]), number: usize, per_second: f64, plan: &Plan) {
        if enq.access != EnqueueAccess::Exclusive || enq.ret != Ret::None {
            return;
        }
        let Some(resource) = self.reach.resource(enq.enqueue, (number, &plan.guests[number])) else { return };
        let until = after.iter().position(|step| releases(step, enq.enqueue)).unwrap_or(after.len());
        let held = enq.steps.as_deref().unwrap_or(&after[..until]);
        *self.enqueues[enq.enqueue].entry(resource).or_default() += per_second * seconds(held, plan);
    }

    fn compute(&mut self, guest: &GuestPlan, processors: f64, plan: &Plan) {
        match guest.runs_in {
            Some(RunsInPlan::Partition { partition, .. }) => self.partitions[partition] += processors,
            Some(RunsInPlan::Cgroup(thread)) => {
                self.partitions[thread.group.index()] += processors;
                if let Some(own) = thread.processor {
                    *self.pinned.entry(own.0).or_default() += processors;
                }
            }
            Some(RunsInPlan::VirtualMachine { machines }) => {
                self.virtual_machines[machines] += processors;
                self.partitions[plan.virtual_machines[machines].partition] += processors;
            }
            None => {}
        }
    }

    /// At best every I/O of a front end takes along as many messages as it may.
    fn add_message(&mut self, front_end: usize, per_second: f64, plan: &Plan) {
        let carrier = &plan.front_ends[front_end];
        let most = carrier.first_messages.map_or(carrier.messages, |first| first.max(carrier.messages));
        let ios = per_second / most;
        let gap = plan.volumes[carrier.volume].gap.seconds();
        self.front_ends[front_end] += ios * (carrying_seconds(front_end, plan) + gap);
        self.add_interrupts(carrier.volume, ios, plan);
    }

    fn add_io(&mut self, io: &IoPlan, target: Target, per_second: f64, plan: &Plan) {
        let exposure = |volume: usize| {
            service_seconds(io.bytes, &plan.volumes[volume].service) + plan.volumes[volume].gap.seconds()
        };
        match target {
            Target::Volume(volume) => {
                self.volumes[volume] += per_second * exposure(volume);
                self.add_interrupts(volume, per_second, plan);
            }
            Target::Minidisk(minidisk) => {
                // An avoided I/O has its turn like any other.
                let MinidiskPlan { volume, cache, .. } = plan.minidisks[minidisk];
                let avoided = cache.map_or(0.0, |cache| cache.read_hits.fraction() * io.reads.fraction());
                self.volumes[volume] += per_second * (1.0 - avoided) * exposure(volume);
                self.add_interrupts(volume, per_second * (1.0 - avoided), plan);
                self.minidisks[minidisk] += per_second * io_seconds(io, target, plan);
            }
        }
    }

    /// Each I/O of a partition ends with an interrupt, which takes one of its processors.
    fn add_interrupts(&mut self, volume: usize, per_second: f64, plan: &Plan) {
        if let Some(partition) = plan.volumes[volume].partition {
            self.partitions[partition] += per_second * plan.partitions[partition].slih.mean().seconds();
        }
    }
}

/// Which part of the I/Os goes where.
fn shares(choice: &Choice) -> Vec<(Target, f64)> {
    match choice {
        Choice::Fixed(target) => vec![(*target, 1.0)],
        Choice::Uniform(targets) => targets.iter().map(|target| (*target, 1.0 / targets.len() as f64)).collect(),
        Choice::Weighted(weights) | Choice::Own { weights, .. } => {
            let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
            weights.iter().map(|(target, weight)| (*target, weight / total)).collect()
        }
    }
}

/// How long an I/O that is alone takes.
fn service_seconds(bytes: u32, service: &ServicePlan) -> f64 {
    let parts =
        [service.pend.mean(), service.disconnect.mean(), service.connect.mean(), service.connect_per_concurrent];
    let transfer = service.connect_per_kib.seconds() * f64::from(bytes) / 1_024.0;
    parts.into_iter().map(|span| span.seconds()).sum::<f64>() + transfer
}

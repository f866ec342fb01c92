//! Volumes whose requests move in lockstep: nothing in their loop is random, so replications hardly differ.

use crate::language::VOLUMES;
use crate::problems::Problems;
use crate::resolved::Table;
use kernel::distribution::Distribution;
use machine::plan::{Arrival, Choice, GuestPlan, Plan, ServicePlan, Step, Target};
use units::Problem;

/// Warns of volumes of constant service that several guests queue for whose programs draw nothing.
///
/// Guests that are asked the same way every time keep the places in which they began.
pub fn check(root: &Table, plan: &Plan, warnings: &mut Problems<'_>) {
    // Other partitions and guests come between.
    if plan.cec.is_some() {
        return;
    }
    for (index, (table, volume)) in root.tables(&VOLUMES).iter().zip(&plan.volumes).enumerate() {
        let asks = |guest: &&GuestPlan| requests(&guest.program, (index, plan));
        let guests: Vec<&GuestPlan> = plan.guests.iter().filter(asks).collect();
        let several = guests.iter().filter_map(|guest| circulating(guest)).sum::<u32>() > 1;
        if !several || !has_constant_service(&volume.service) || !guests.iter().all(|guest| has_constant_loop(guest)) {
            continue;
        }
        let problem = Problem::new("its requests move in lockstep")
            .key(table.title())
            .because(
                "think and service times are constant, so replications differ only by their start, and ± means nothing",
            )
            .allowed(["a random think or service time, such as exponential = \"1 ms\""]);
        warnings.add(table.at, problem);
    }
}

/// How many guests of a group circulate; none where they come from outside.
fn circulating(guest: &GuestPlan) -> Option<u32> {
    match guest.arrival {
        Arrival::Closed { count } => Some(count),
        Arrival::Open { .. } | Arrival::Spawned | Arrival::Replay { .. } => None,
    }
}

fn has_constant_service(service: &ServicePlan) -> bool {
    [&service.pend, &service.disconnect, &service.connect].into_iter().all(is_constant)
}

/// Whether a guest circulates and nothing in its program is drawn at random.
fn has_constant_loop(guest: &GuestPlan) -> bool {
    circulating(guest).is_some() && guest.program.iter().all(is_constant_step)
}

fn is_constant_step(step: &Step) -> bool {
    match step {
        Step::Think(span) | Step::Compute(span) => is_constant(span),
        Step::Io(io) => matches!(io.choice, Choice::Fixed(Target::Volume(_))),
        Step::Repeat { steps, .. } | Step::Hold { steps, .. } => steps.iter().all(is_constant_step),
        Step::RepeatMean { .. } | Step::Choose(_) => false,
        // Others come between, whose times are not known here.
        Step::Pace(_)
        | Step::Intercept(_)
        | Step::Lock { .. }
        | Step::ThreadLock { .. }
        | Step::Enq(_)
        | Step::Deq { .. }
        | Step::Exchange { .. }
        | Step::Message { .. }
        | Step::Spawn { .. } => false,
    }
}

fn is_constant(span: &Distribution) -> bool {
    matches!(span, Distribution::Constant(_))
}

/// Whether steps do an I/O that may go to a volume.
fn requests(steps: &[Step], (volume, plan): (usize, &Plan)) -> bool {
    let inside = |steps: &[Step]| requests(steps, (volume, plan));
    let is = |target: &Target| match *target {
        Target::Volume(number) => number == volume,
        Target::Minidisk(number) => plan.minidisks[number].volume == volume,
    };
    steps.iter().any(|step| match step {
        Step::Io(io) => match &io.choice {
            Choice::Fixed(target) => is(target),
            Choice::Uniform(targets) => targets.iter().any(is),
            Choice::Weighted(weights) | Choice::Own { weights, .. } => weights.iter().any(|(target, _)| is(target)),
        },
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
        | Step::Deq { .. }
        | Step::Exchange { .. }
        | Step::Message { .. }
        | Step::Spawn { .. } => false,
    })
}

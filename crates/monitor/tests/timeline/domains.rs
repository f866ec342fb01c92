//! Two domains in slices, worked out by hand: the user of each processor, I/Os that wait for their interrupt, and causes.

use super::{spans, traced, waits, window};
use crate::plans::{closed, io, plan, volume};
use kernel::distribution::Distribution;
use machine::plan::{CecPlan, Dispatching, PartitionPlan, Plan, Processors, RunsInPlan, Step};
use monitor::{LaneKind, WaitKind};
use units::{Percent, Span};

const fn constant(us: u64) -> Distribution {
    Distribution::Constant(Span::from_us(us))
}

fn domain(name: &str, logical: u32) -> PartitionPlan {
    let half = Processors::Shared { target: Percent::new(50.0), maximum: Percent::new(100.0) };
    PartitionPlan { slih: constant(100), ..PartitionPlan::new(name, logical, half) }
}

/// Slices of 1 ms on this many processors: to OWN before 0, to OTHER from 0 to 1 ms, and so on.
fn halved(mut plan: Plan, processors: u32, dispatching: Dispatching) -> Plan {
    plan.cec = Some(CecPlan::slices(processors, Span::from_ms(1), dispatching, Span::ZERO));
    plan.partitions = vec![domain("OWN", processors), domain("OTHER", processors)];
    for disk in &mut plan.volumes {
        disk.partition = Some(0);
    }
    for guest in &mut plan.guests {
        guest.runs_in = Some(RunsInPlan::Partition { partition: usize::from(guest.name == "OTHER"), priority: 0 });
    }
    plan
}

/// Two guests compute 0.3 ms and use A for 1 ms; K uses B for 2.05 ms each time; a handler takes 0.1 ms.  In the other
/// domain one computes 1.2 ms and thinks 0.5 ms.
fn two_domains() -> Plan {
    let mut disks = vec![volume("A", constant(1_000)), volume("B", constant(2_050))];
    disks[1].device.0 += 1;
    let compute = |us| Step::Compute(constant(us));
    let mut guests = vec![
        closed(2, vec![compute(300), io(0)]),
        closed(1, vec![io(1)]),
        closed(1, vec![compute(1_200), Step::Think(constant(500))]),
    ];
    for (guest, name) in guests.iter_mut().zip(["G", "K", "OTHER"]) {
        guest.name = name.into();
    }
    halved(plan(disks, guests), 1, Dispatching::Together)
}

/// OWN has the processor from -1 ms: #1 computes, then #2. #1 gets A at -0.7 ms, #2 asks for it at -0.4 ms and waits.
/// A ends at 0.3 ms, in the slice of OTHER, and is handled when OWN is back at 1 ms. B ends at 1.05 ms, during that handling,
/// and is handled next, so that #1 gets the processor at 1.2 ms.
#[test]
fn a_domain_without_its_slice_lets_its_interrupts_wait() {
    let machine = two_domains();
    let timeline = traced(&machine, &window(0, 3_000));
    assert_eq!(
        spans(&timeline),
        [
            "OWN 0 - 0..1000  not-dispatched",
            "OWN 0 G #1 1000..1100 A handling-interrupt",
            "OWN 0 K 1100..1200 B handling-interrupt",
            "OWN 0 G #1 1200..1500  working",
            "OWN 0 - 1500..2000  in-wait",
            "OWN 0 - 2000..3000  not-dispatched",
            "OTHER 0 OTHER 0..1000  working",
            "OTHER 0 OTHER 1000..2000  work-not-dispatched",
            "OTHER 0 OTHER 2000..2200  working",
            "OTHER 0 - 2200..2700  in-wait",
            "OTHER 0 OTHER 2700..3000  working",
            "1000 G #1 -700..300 A busy",
            "1000 G #1 300..1100 A interrupt-pending",
            "1000 G #2 1100..2100 A busy",
            "1000 G #2 2100.. A interrupt-pending",
            "1001 K -1000..1050 B busy",
            "1001 K 1050..1200 B interrupt-pending",
            "1001 K 1200.. B busy",
        ]
    );
    assert_eq!(
        waits(&timeline),
        [
            "G #2 -400..1100 A: base busy, no alias",
            "G #1 300..1000 A: I/O ended, OWN not dispatched",
            "OTHER 1000..2000 OTHER: ready, OTHER not dispatched",
            "K 1050..1100 B: I/O ended, handler busy",
            "G #1 1100..1200 OWN: ready, no processor of OWN free",
            "G #1 1500.. A: base busy, no alias",
            "G #2 2100..3000 A: I/O ended, OWN not dispatched",
        ]
    );
}

#[test]
fn a_lane_says_that_it_is_a_processor_and_a_wait_where_it_is() {
    let machine = two_domains();
    let timeline = traced(&machine, &window(0, 3_000));
    let first = &timeline.lanes[0];
    assert_eq!((first.name.as_str(), first.kind, first.of.as_str()), ("OWN 0", LaneKind::LogicalProcessor, "OWN"));
    let at: Vec<_> = timeline.waits.iter().map(|wait| (wait.kind, timeline.lanes[wait.lane].name.as_str())).collect();
    assert_eq!(at[1..4], [(WaitKind::Interrupt, "1000"), (WaitKind::Ready, "OTHER 0"), (WaitKind::Interrupt, "1001")]);
}

/// In antiphase the second processor has the slice that the first has not: a task on the first waits for that slice.
#[test]
fn in_antiphase_a_wait_names_the_processor() {
    let guests = closed(1, vec![Step::Compute(constant(1_300)), io(0)]);
    let machine = halved(plan(vec![volume("A", constant(100))], vec![guests]), 2, Dispatching::Apart);
    let timeline = traced(&machine, &window(0, 1_000));
    assert_eq!(waits(&timeline), ["1 GUESTS 0..1000 OWN: ready, OWN 0 not dispatched"]);
}

/// An interrupt preempts a task that computes, but not on a processor that is not enabled.
#[test]
fn an_interrupt_takes_a_processor_only_where_it_may() {
    let waits_of = |enabled| {
        let (busy, mut other) = (closed(1, vec![Step::Compute(constant(700)), io(0)]), closed(1, vec![io(1)]));
        other.name = "K".into();
        let mut machine = halved(
            plan(vec![volume("A", constant(9_000)), volume("B", constant(1_200))], vec![busy, other]),
            1,
            Dispatching::Together,
        );
        machine.guests[0].program[0] = Step::Compute(constant(1_700));
        machine.partitions[0].enabled = enabled;
        machine.partitions.truncate(1);
        waits(&traced(&machine, &window(0, 1_000)))
    };
    assert_eq!(waits_of(1), ["1 GUESTS 200..300 OWN: ready, no processor of OWN free"]);
    assert_eq!(waits_of(0), ["K 200..700 B: I/O ended, OWN busy and not enabled"]);
}

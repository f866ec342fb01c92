//! Control programs worked out by hand: states of virtual processors, their processors, lock holders, and causes of waits.

use super::{from_to, spans, traced, waits, window};
use crate::plans::control_program::{machines, plan};
use kernel::distribution::Distribution;
use machine::plan::{Arrival, Change, ChangePlan, GuestPlan, Plan, RunsInPlan, Srm, Step, VmShare};
use units::Span;

/// Another on the one processor, which wakes 0.2 ms later and computes for 0.1 ms.
fn with_another() -> Plan {
    let mut machine = plan(1);
    let constant = |us| Distribution::Constant(Span::from_us(us));
    machine.virtual_machines.push(machines("LATE", 1, VmShare::Relative(100)));
    machine.guests.push(GuestPlan {
        name: "LATER".into(),
        arrival: Arrival::Closed { count: 1 },
        runs_in: Some(RunsInPlan::VirtualMachine { machines: 1 }),
        program: vec![Step::Think(constant(1_200)), Step::Compute(constant(100))],
        ..Default::default()
    });
    machine
}

/// VM has the lock for 8 of the 18 us in which it wakes.  At 0.2 ms LATE wakes: VM, which has computed for 112 us, is
/// interrupted, fills the caches again for 50 us and computes for the remaining 388 us. Each is taken off in 38 us and its
/// wait is simulated in 40.
#[test]
fn a_wake_up_interrupts_the_running_one() {
    let machine = with_another();
    let timeline = traced(&machine, &window(0, 1_000));
    assert_eq!(
        spans(&timeline),
        [
            "ZVM 0 - 0..18  control-program",
            "ZVM 0 VM 0 18..200  working",
            "ZVM 0 - 200..218  control-program",
            "ZVM 0 VM 0 218..734  working",
            "ZVM 0 LATE 0 734..982  working",
            "ZVM 0 - 982..  in-wait",
            "ZVM SRMSLOCK - 0..8  locked",
            "ZVM SRMSLOCK - 200..208  locked",
            "ZVM SRMSLOCK - 656..664  locked",
            "ZVM SRMSLOCK - 904..912  locked",
            "VM 0 VM 0 0..18  waking",
            "VM 0 VM 0 18..200  running",
            "VM 0 VM 0 200..218  interrupted",
            "VM 0 VM 0 218..734  running",
            "LATE 0 LATE 0 200..218  waking",
            "LATE 0 LATE 0 218..734  cpu-wait",
            "LATE 0 LATE 0 734..982  running",
        ]
    );
    assert_eq!(
        waits(&timeline),
        [
            "VM 0 0..18 ZVM: waking: its interrupt is not handled yet",
            "VM 0 200..218 ZVM: interrupted: ZVM 0 handles a wake-up or is not carried",
            "LATE 0 200..218 ZVM: waking: its interrupt is not handled yet",
            "LATE 0 218..734 ZVM: CPU wait at ZVM 0 behind VM 0",
        ]
    );
}

#[test]
fn a_lane_says_which_processor_runs_it_or_has_taken_it() {
    let machine = plan(2);
    let timeline = traced(&machine, &window(0, 300));
    let on = timeline.spans.iter().filter_map(|span| {
        let from_to = from_to(&timeline, span.from, span.to);
        Some(format!("{} {from_to} {}", timeline.lanes[span.lane].name, timeline.lanes[span.on?].name))
    });
    let on: Vec<String> = on.collect();
    let lock = ["ZVM SRMSLOCK 0..8 ZVM 0", "ZVM SRMSLOCK 8..18 ZVM 1"];
    assert_eq!(on, [lock[0], lock[1], "VM 0 18.. ZVM 0", "VM 1 28.. ZVM 1"]);
}

#[test]
fn decisions_and_what_set_srm_sets_are_changes() {
    let mut machine = plan(1);
    let srm = Change::Srm { partition: 0, srm: Srm::CpuPad(3.0) };
    machine.changes.push(ChangePlan { at: Span::from_us(500), change: srm });
    let timeline = traced(&machine, &window(0, 10_000));
    let said: Vec<&str> = timeline.changes.iter().map(|(_, what)| what.as_str()).collect();
    assert_eq!(said[0], "SET SRM CPUPAD 300 % in ZVM");
    assert!(said[1].starts_with("ZVM: unparked 1, from now on 1; used 0."), "{}", said[1]);
}

#[test]
fn without_a_length_a_window_has_some_forty_dispatches() {
    let machine = plan(2);
    let timeline = traced(&machine, &monitor::Window { length: None, ..window(0, 0) });
    let running = timeline.spans.iter().filter(|span| span.state == monitor::State::Running).count();
    assert!((40..60).contains(&running), "{running}");
}

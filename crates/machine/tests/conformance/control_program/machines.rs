//! Virtual machines: which virtual processor does a requester get, when does it wait, and what is each charged?

use super::stand::{Served, System, machines, plan, settings};
use crate::stand::us;
use machine::control_program::Left;
use machine::plan::control_program::{ControlProgramPlan, CostsPlan, LockMode, LockPlan};
use machine::signal::control_program::Control;
use machine::signal::control_program::VirtualStanding::{Idle, Running, Waking};
use units::{Span, Tod};

/// One machine of this many virtual processors, on as many logical ones.
fn system(virtuals: u32) -> System {
    System::new(&plan(virtuals, settings(), vec![machines(1, virtuals)]))
}

/// List work holds the lock for 7 us, a dispatch takes 2, an entry 5, to wait 4, to simulate that 3.
fn costly(virtuals: u32) -> System {
    let costs = CostsPlan {
        dispatch: Span::from_us(2),
        entry: Span::from_us(5),
        wait: Span::from_us(4),
        simulate: Span::from_us(3),
        ..CostsPlan::default()
    };
    let lock =
        LockPlan { mode: LockMode::Shared, hold: Span::from_us(7), per_waiter: Span::ZERO, ..LockPlan::default() };
    System::new(&plan(1, ControlProgramPlan { costs, lock, ..settings() }, vec![machines(1, virtuals)]))
}

fn needs(system: &mut System, requester: u32, at: Tod) {
    system.ready_in(0, requester, Left::Work(Span::from_us(100)), at);
}

fn running(system: &System, virtuals: u32) -> Vec<u32> {
    (0..virtuals).filter(|number| system.standing(*number) == Running).collect()
}

/// ASSUME: a guest operating system keeps its work on a processor.
#[test]
fn a_requester_takes_the_virtual_processor_that_it_had_last() {
    let mut system = system(3);
    for requester in 0..3 {
        needs(&mut system, requester, us(0));
    }
    system.run_to(us(100));
    for requester in [1, 2, 0] {
        let now = system.now;
        needs(&mut system, requester, now);
        assert_eq!(running(&system, 3), [requester]);
        system.run_to(now + Span::from_us(100));
    }
}

#[test]
fn it_takes_another_that_is_free_if_it_can_not() {
    let mut system = system(2);
    needs(&mut system, 0, us(0));
    system.run_to(us(100));
    needs(&mut system, 7, us(100));
    assert_eq!(running(&system, 2), [0], "any: it has had none");
    needs(&mut system, 0, us(110));
    assert_eq!(running(&system, 2), [0, 1]);
}

/// A guest that leaves gives its number to one that comes, in whichever machine.
#[test]
fn a_number_that_comes_again_in_another_machine_gets_a_virtual_processor_there() {
    let costs = CostsPlan { wait: Span::from_us(4), ..CostsPlan::default() };
    let mut system = System::new(&plan(1, ControlProgramPlan { costs, ..settings() }, vec![machines(2, 1)]));
    needs(&mut system, 0, us(0));
    system.over(0, us(100));
    assert_eq!(system.standing(0), Running, "it is on its way to a wait");
    system.ready_in(1, 0, Left::Work(Span::from_us(100)), us(101));
    assert_eq!(system.standing(1), Waking);
    system.run_to(us(1_000));
    assert_eq!((system.standing(0), system.served.len()), (Idle, 2));
}

#[test]
fn it_queues_in_its_machine_if_none_is_free() {
    let mut system = system(1);
    for requester in [4, 2, 3] {
        needs(&mut system, requester, us(0));
    }
    system.run_to(us(400));
    let served = |requester| Served { requester, logical: 0, charged: Span::from_us(100) };
    assert_eq!(system.served, [served(4), served(2), served(3)], "first come, first served");
    assert_eq!(system.standing(0), Idle);
}

#[test]
fn a_virtual_processor_that_is_through_takes_the_next_of_its_machine_without_leaving() {
    let mut system = costly(1);
    needs(&mut system, 0, us(0));
    needs(&mut system, 1, us(3));
    system.over(0, us(7));
    assert_eq!(system.due(0), Some(us(7 + 2 + 5 + 100)));
    system.over(0, us(114));
    assert_eq!((system.on(0), system.due(0)), (Some(0), Some(us(214))), "no list work, no dispatch, no entry");
    assert!(
        system.said.iter().all(|signal| matches!(signal, Control::Spent(..) | Control::Stands(..))),
        "{:?}",
        system.said
    );
    assert_eq!(system.simulated, [], "it has not waited");
    system.over(0, us(214));
    assert_eq!(system.served[1].charged, Span::from_us(100), "the entry was the other's");
}

#[test]
fn one_that_wants_more_at_once_goes_on_without_leaving() {
    let mut system = costly(1);
    system.ready_again_and_again(0, 0, Left::Work(Span::from_us(100)), us(0));
    system.over(0, us(7));
    system.over(0, us(114));
    assert_eq!((system.on(0), system.due(0)), (Some(0), Some(us(214))));
}

#[test]
fn the_requester_that_wants_more_at_once_goes_before_those_that_wait() {
    let mut system = system(1);
    system.ready_again_and_again(0, 0, Left::Work(Span::from_us(100)), us(0));
    needs(&mut system, 1, us(10));
    system.run_to(us(350));
    let order: Vec<u32> = system.served.iter().map(|served| served.requester).collect();
    assert_eq!(order, [0, 0, 0], "its virtual processor is its while it has work");
}

/// HiperDispatch, Table 1: chargeable CP time is spent for a guest, and charged to it.
#[test]
fn simulating_the_wait_is_charged_to_the_machine_it_served() {
    let mut system = costly(1);
    needs(&mut system, 5, us(0));
    system.run_to(us(114));
    assert_eq!(system.simulated, [(5, Span::from_us(3))]);
    assert_eq!((system.on(0), system.due(0)), (Some(0), Some(us(114 + 7 + 4 + 3))));
    system.over(0, us(128));
    let spent = system.spent(0);
    assert_eq!(spent.chargeable, Span::from_us(3));
    assert_eq!(spent.emulation, Span::from_us(105));
    assert_eq!(spent.system, Span::from_us(7 + 2 + 7 + 4));
    assert_eq!(system.charged, [Span::from_us(108)]);
}

#[test]
fn where_simulating_takes_no_time_none_is_charged() {
    let mut system = system(1);
    needs(&mut system, 0, us(0));
    system.run_to(us(100));
    assert_eq!(system.simulated, []);
}

/// The exerciser computes until this much has been charged, which the wait at the end of it is part of.
#[test]
fn a_guest_that_computes_up_to_a_charge_is_charged_just_that() {
    let mut system = costly(1);
    system.ready_in(0, 0, Left::Charged(Span::from_us(100)), us(0));
    system.over(0, us(7));
    assert_eq!(system.due(0), Some(us(7 + 2 + 97)), "an entry of 5, and 92");
    system.run_to(us(200));
    assert_eq!(system.charged, [Span::from_us(100)]);
}

#[test]
fn the_cost_of_an_interrupt_counts_too() {
    let mut system = costly(2);
    system.ready_in(0, 0, Left::Charged(Span::from_us(100)), us(0));
    system.over(0, us(7));
    system.ready_in(0, 1, Left::Charged(Span::from_us(100)), us(50));
    system.run_to(us(500));
    assert_eq!(system.charged, [Span::from_us(100); 2], "one was entered twice");
}

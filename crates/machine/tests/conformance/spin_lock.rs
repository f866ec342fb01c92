//! Spin locks: the holder, the spinners, their turns, and the target of each yield.

use crate::guest::{House, closed};
use crate::stand::us;
use kernel::distribution::Distribution;
use machine::effect::Effect;
use machine::event::Event;
use machine::guest::Activity;
use machine::ids::{Group, Machine, Requester, SpinLock};
use machine::plan::control_program::SpinPlan;
use machine::plan::{
    GuestPlan, LockOrder, Plan, ResourcePlan, RunsInPlan, SpinLockPlan, Step, VirtualMachinePlan, VmShare,
};
use machine::signal::{Signal, Use};
use units::Span;

const A: Requester = Requester(0);
const B: Requester = Requester(1);
const C: Requester = Requester(2);
const D: Requester = Requester(3);
const USERS: Group = Group(0);
const LOCK: SpinLock = SpinLock(0);

pub fn kind(name: &str, count: u32) -> VirtualMachinePlan {
    VirtualMachinePlan {
        name: name.into(),
        partition: 0,
        count,
        virtual_processors: 4,
        share: VmShare::Relative(100),
        limit: None,
        footprint: None,
        spin: SpinPlan::default(),
        ..Default::default()
    }
}

pub fn compute(us: u64) -> Step {
    Step::Compute(Distribution::Constant(Span::from_us(us)))
}

pub fn think(us: u64) -> Step {
    Step::Think(Distribution::Constant(Span::from_us(us)))
}

fn locked(lock: usize, steps: Vec<Step>) -> Step {
    Step::Lock { lock, steps }
}

fn locks(name: &str, machines: usize, count: u32, order: LockOrder) -> SpinLockPlan {
    SpinLockPlan { name: name.into(), machines, count, order, ..Default::default() }
}

fn users(count: u32, program: Vec<Step>) -> GuestPlan {
    let runs_in = Some(RunsInPlan::VirtualMachine { machines: 0 });
    GuestPlan { name: "USERS".into(), arrival: closed(count), runs_in, program, ..Default::default() }
}

/// This many users in machines of one kind, with these locks.
fn house(machines: u32, (count, program): (u32, Vec<Step>), spin_locks: Vec<SpinLockPlan>) -> House {
    let virtual_machines = vec![kind("VM", machines)];
    House::of(&Plan { guests: vec![users(count, program)], virtual_machines, spin_locks, ..Plan::default() })
}

/// Each computes for 10 us, takes the lock, computes for 5 us and gives it back; all of them have begun.
fn contention(count: u32, order: LockOrder) -> House {
    let program = vec![compute(10), locked(0, vec![compute(5)]), think(20)];
    let mut house = house(1, (count, program), vec![locks("L", 0, 1, order)]);
    for number in 0..count {
        assert_eq!(house.begin(Requester(number), us(0)), [Effect::Ready(Requester(number))]);
    }
    house
}

fn taken(requester: Requester, waited: Option<u64>) -> Signal {
    Signal::SpinLock(LOCK, Use::Taken(USERS, requester, waited.map(Span::from_us)))
}

fn awaited(requester: Requester) -> Signal {
    Signal::SpinLock(LOCK, Use::Awaited(requester))
}

fn given(requester: Requester, held: u64) -> Signal {
    Signal::SpinLock(LOCK, Use::Given(requester, Span::from_us(held)))
}

const ORDERS: [LockOrder; 3] = [LockOrder::Unordered, LockOrder::Ticket, LockOrder::Queued];

#[test]
fn a_guest_that_finds_it_free_has_it_at_once_and_goes_on() {
    for order in ORDERS {
        let mut house = contention(1, order);
        assert_eq!(house.resume(A, us(10)), [Effect::Ready(A)]);
        assert_eq!(house.said[1..], [taken(A, None)]);
        assert_eq!(house.guests.requesters[0].activity, Activity::Computing);
        assert_eq!(house.resume(A, us(15)), [Effect::At(Event::Resume(A), us(35))], "no notice is needed");
        assert_eq!(house.said[1..], [given(A, 5)]);
    }
}

#[test]
fn a_guest_that_finds_it_held_spins_and_needs_a_processor_for_that() {
    for order in ORDERS {
        let mut house = contention(2, order);
        house.resume(A, us(10));
        assert_eq!(house.resume(B, us(12)), [Effect::Ready(B)]);
        assert_eq!(house.said[1..], [awaited(B)]);
        assert_eq!((house.guests.spins_for(B), house.guests.spins_for(A)), (Some(LOCK), None));
        assert_eq!(house.resume(B, us(14)), [Effect::Ready(B)], "a try that fails");
        assert_eq!((&house.said[..], house.guests.spins_for(B)), (&[][..], Some(LOCK)));
    }
}

#[test]
fn a_release_is_signalled_to_the_spinners() {
    for (order, next) in [(LockOrder::Unordered, None), (LockOrder::Ticket, Some(B)), (LockOrder::Queued, Some(B))] {
        let mut house = contention(3, order);
        for requester in [A, B, C] {
            house.resume(requester, us(10));
        }
        let effects = house.resume(A, us(15));
        assert_eq!(effects, [Effect::Freed(A, LOCK, next), Effect::At(Event::Resume(A), us(35))], "{order:?}");
    }
}

#[test]
fn its_wait_is_from_the_first_try_to_the_acquisition() {
    let mut house = contention(2, LockOrder::Unordered);
    house.resume(A, us(10));
    house.resume(B, us(12));
    house.resume(A, us(15));
    assert_eq!(house.resume(B, us(17)), [Effect::Ready(B)]);
    assert_eq!(house.said, [taken(B, Some(5))]);
    house.resume(B, us(22));
    assert_eq!(house.said[1..], [given(B, 5)], "the time that it has spun for it is not held");
}

#[test]
fn without_an_order_the_first_try_has_it() {
    let mut house = contention(3, LockOrder::Unordered);
    for requester in [A, B, C] {
        house.resume(requester, us(10));
    }
    house.resume(A, us(15));
    house.resume(C, us(16));
    assert_eq!(house.said, [taken(C, Some(6))]);
    house.resume(B, us(17));
    assert_eq!((&house.said[..], house.guests.spins_for(B)), (&[][..], Some(LOCK)));
}

#[test]
fn without_an_order_a_newcomer_may_be_first() {
    let mut house = contention(3, LockOrder::Unordered);
    house.resume(A, us(10));
    house.resume(B, us(11));
    house.resume(A, us(15));
    house.resume(C, us(15));
    assert_eq!(house.said[1..], [taken(C, None)]);
    assert_eq!(house.resume(B, us(16)), [Effect::Ready(B)]);
    assert_eq!(house.guests.spins_for(B), Some(LOCK));
}

#[test]
fn by_turns_a_newcomer_goes_behind() {
    for order in [LockOrder::Ticket, LockOrder::Queued] {
        let mut house = contention(4, order);
        for requester in [A, B, D] {
            house.resume(requester, us(10));
        }
        house.resume(A, us(15));
        house.resume(C, us(15));
        assert_eq!(house.said[1..], [awaited(C)], "it is free, but not for it");
        assert_eq!(house.resume(D, us(16)), [Effect::Ready(D)], "nor for the second");
        house.resume(B, us(17));
        assert_eq!(house.said, [taken(B, Some(7))]);
        assert_eq!(house.resume(B, us(22))[0], Effect::Freed(B, LOCK, Some(D)));
        house.resume(D, us(23));
        assert_eq!(house.resume(D, us(28))[0], Effect::Freed(D, LOCK, Some(C)));
    }
}

/// The known weakness of an order: no other may have it meanwhile.
#[test]
fn one_whose_turn_it_is_and_that_does_not_try_delays_the_others() {
    for order in [LockOrder::Ticket, LockOrder::Queued] {
        let mut house = contention(3, order);
        for requester in [A, B, C] {
            house.resume(requester, us(10));
        }
        house.resume(A, us(15));
        for later in 16..30 {
            house.resume(C, us(later));
            assert_eq!(house.guests.spins_for(C), Some(LOCK), "{order:?}: B has not run since");
        }
        assert_eq!(house.guests.held_spin_locks().count(), 0, "and it is free");
    }
}

/// The targets that three spinning requesters name while the first holds the lock, and after it released it.
#[test]
fn a_yield_names_the_holder_or_the_spinner_ahead() {
    let cases = [
        (LockOrder::Unordered, [Some(A), Some(A), Some(A)], [None, None, None]),
        (LockOrder::Ticket, [Some(A), Some(A), Some(A)], [None, Some(B), Some(B)]),
        (LockOrder::Queued, [Some(A), Some(B), Some(C)], [None, Some(B), Some(C)]),
    ];
    for (order, held, free) in cases {
        let mut house = contention(4, order);
        for requester in [A, B, C, D] {
            house.resume(requester, us(10));
        }
        assert_eq!([B, C, D].map(|requester| house.guests.named_by(requester)), held, "{order:?}");
        assert_eq!(house.guests.named_by(A), None, "the holder does not yield");
        house.resume(A, us(15));
        assert_eq!([B, C, D].map(|requester| house.guests.named_by(requester)), free, "{order:?}, free");
    }
}

#[test]
fn its_holder_is_known_and_since_when() {
    let mut house = contention(2, LockOrder::Unordered);
    assert_eq!(house.guests.held_spin_locks().count(), 0);
    house.resume(A, us(10));
    house.resume(B, us(12));
    assert_eq!(house.guests.held_spin_locks().collect::<Vec<_>>(), [(LOCK, us(10))]);
    house.resume(A, us(15));
    house.resume(B, us(17));
    assert_eq!(house.guests.held_spin_locks().collect::<Vec<_>>(), [(LOCK, us(17))]);
}

#[test]
fn each_machine_has_its_own() {
    let program = vec![locked(0, vec![compute(5)])];
    let mut house = house(2, (4, program), vec![locks("L", 0, 1, LockOrder::Unordered)]);
    for requester in [A, B, C, D] {
        house.begin(requester, us(0));
        house.resume(requester, us(0));
    }
    let machines = [A, B, C, D].map(|requester| house.guests.requesters[requester.index()].machine);
    assert_eq!(machines, [Machine(0), Machine(1), Machine(0), Machine(1)], "by turns");
    assert_eq!(
        [A, B, C, D].map(|requester| house.guests.spins_for(requester)),
        [None, None, Some(LOCK), Some(SpinLock(1))]
    );
    assert_eq!((house.guests.named_by(C), house.guests.named_by(D)), (Some(A), Some(B)));
}

#[test]
fn of_several_alike_each_is_taken_equally_often() {
    let program = vec![locked(0, vec![compute(5)])];
    let mut house = house(1, (1, program), vec![locks("L", 0, 4, LockOrder::Unordered)]);
    house.begin(A, us(0));
    let mut taken = [0; 4];
    for at in 1..4_000 {
        house.resume(A, us(at));
        for signal in &house.said {
            if let Signal::SpinLock(lock, Use::Taken(..)) = signal {
                taken[lock.index()] += 1;
            }
        }
    }
    let all: i32 = taken.iter().sum();
    assert!(all > 1_900 && taken.iter().all(|times| (times * 4 - all).abs() < all / 5), "{taken:?}");
}

#[test]
fn a_guest_that_needs_one_of_several_waits_for_that_one() {
    let program = vec![locked(0, vec![compute(5)])];
    let mut house = house(1, (20, program), vec![locks("L", 0, 2, LockOrder::Unordered)]);
    for number in 0..20 {
        house.begin(Requester(number), us(0));
        house.resume(Requester(number), us(0));
    }
    let held: Vec<SpinLock> = house.guests.held_spin_locks().map(|(lock, _)| lock).collect();
    assert_eq!(held.len(), 2);
    let for_each = [0, 1].map(|lock| {
        (0..20).filter(|number| house.guests.spins_for(Requester(*number)) == Some(SpinLock(lock))).count()
    });
    assert!(for_each.iter().sum::<usize>() == 18 && for_each.iter().all(|count| *count > 2), "{for_each:?}");
}

#[test]
fn locks_of_different_kinds_of_machine_are_different() {
    let guests = [0, 1].map(|machines| GuestPlan {
        name: format!("G{machines}"),
        runs_in: Some(RunsInPlan::VirtualMachine { machines }),
        ..users(2, vec![locked(machines, vec![compute(5)])])
    });
    let spin_locks = vec![locks("L0", 0, 1, LockOrder::Unordered), locks("L1", 1, 1, LockOrder::Unordered)];
    let virtual_machines = vec![kind("VM0", 1), kind("VM1", 2)];
    let plan = Plan { guests: guests.to_vec(), virtual_machines, spin_locks, ..Plan::default() };
    let mut house = House::of(&plan);
    for requester in [A, B, C, D] {
        house.begin(requester, us(0));
        house.resume(requester, us(0));
    }
    assert_eq!([A, B, C, D].map(|requester| house.guests.spins_for(requester)), [None, Some(LOCK), None, None]);
    let held: Vec<u32> = house.guests.held_spin_locks().map(|(lock, _)| lock.0).collect();
    assert_eq!(held, [0, 1, 2], "that of the first kind, and those of the two machines of the second");
}

#[test]
fn of_two_in_each_other_the_inner_one_is_given_back_first() {
    let program = vec![locked(0, vec![compute(1), locked(1, vec![compute(2)]), compute(3)]), think(9)];
    let spin_locks = vec![locks("O", 0, 1, LockOrder::Unordered), locks("I", 0, 1, LockOrder::Unordered)];
    let mut house = house(1, (1, program), spin_locks);
    house.begin(A, us(0));
    house.resume(A, us(0));
    house.resume(A, us(1));
    assert_eq!(house.guests.held_spin_locks().count(), 2);
    house.resume(A, us(3));
    let inner = Signal::SpinLock(SpinLock(1), Use::Given(A, Span::from_us(2)));
    assert_eq!(house.said[1..], [inner]);
    house.resume(A, us(6));
    assert_eq!(house.said[1..], [given(A, 6)]);
}

#[test]
fn a_spinner_for_the_inner_one_holds_the_outer_one_all_the_time() {
    let group = |name: &str, program: Vec<Step>| GuestPlan { name: name.into(), ..users(1, program) };
    let guests = vec![
        group("BOTH", vec![locked(0, vec![locked(1, vec![compute(2)])]), think(9)]),
        group("INNER", vec![locked(1, vec![compute(20)]), think(9)]),
        group("OUTER", vec![locked(0, vec![compute(1)]), think(9)]),
    ];
    let spin_locks = vec![locks("O", 0, 1, LockOrder::Unordered), locks("I", 0, 1, LockOrder::Unordered)];
    let plan = Plan { guests, virtual_machines: vec![kind("VM", 1)], spin_locks, ..Plan::default() };
    let mut house = House::of(&plan);
    [A, B, C].iter().for_each(|requester| drop(house.begin(*requester, us(0))));
    house.resume(B, us(0));
    house.resume(A, us(1));
    house.resume(C, us(2));
    assert_eq!([A, B, C].map(|requester| house.guests.spins_for(requester)), [Some(SpinLock(1)), None, Some(LOCK)]);
    assert_eq!(
        [A, C].map(|requester| house.guests.named_by(requester)),
        [Some(B), Some(A)],
        "each names the holder of the lock that it wants"
    );
    assert_eq!(house.resume(B, us(20))[0], Effect::Freed(B, SpinLock(1), None));
    house.resume(A, us(21));
    assert_eq!(house.resume(A, us(23))[0], Effect::Freed(A, LOCK, None));
}

#[test]
fn a_guest_that_thought_gets_a_virtual_processor_before_it_tries() {
    let program = vec![think(10), locked(0, vec![compute(5)])];
    let mut house = house(1, (2, program), vec![locks("L", 0, 1, LockOrder::Unordered)]);
    house.begin(A, us(0));
    assert_eq!(house.resume(A, us(10)), [Effect::Ready(A)]);
    assert_eq!(house.guests.requesters[0].needs, Span::ZERO);
    assert_eq!(house.guests.held_spin_locks().count(), 0, "not yet");
    assert_eq!(house.resume(A, us(13)), [Effect::Ready(A)]);
    assert_eq!(house.said[1..], [taken(A, None)], "when it runs");
    let waited = Signal::Computed(USERS, Span::from_us(3));
    assert_eq!(house.said[0], waited, "until then it counts as computing");
}

#[test]
fn a_guest_that_got_a_resource_gets_a_virtual_processor_before_it_tries() {
    let held = Step::Hold { resource: 0, steps: vec![locked(0, vec![compute(5)]), think(10)] };
    let resource = ResourcePlan { name: "R".into(), count: 1, members: 1, ..Default::default() };
    let mut house = House::of(&Plan {
        guests: vec![users(2, vec![held])],
        virtual_machines: vec![kind("VM", 1)],
        spin_locks: vec![locks("L", 0, 1, LockOrder::Unordered)],
        resources: vec![resource],
        ..Plan::default()
    });
    assert_eq!(house.begin(A, us(0)), [Effect::Ready(A)]);
    assert_eq!(house.begin(B, us(0)), [], "it waits for the resource");
    house.resume(A, us(0));
    house.resume(A, us(5));
    let effects = house.resume(A, us(15));
    assert_eq!(effects, [Effect::Granted(B)]);
    let effects = house.after(|guests, effects, record| guests.granted(B, us(15), effects, record));
    assert_eq!(effects, [Effect::Ready(B)]);
    assert_eq!(house.guests.held_spin_locks().count(), 0);
}

#[test]
fn a_guest_that_just_computed_tries_on_the_processor_that_it_has() {
    let mut house = contention(1, LockOrder::Unordered);
    let effects = house.resume(A, us(10));
    assert_eq!(effects, [Effect::Ready(A)], "for what it does with it");
    assert_eq!(house.guests.requesters[0].needs, Span::from_us(5));
}

#[test]
fn it_may_be_taken_again_at_once_but_by_turns_not_before_those_that_wait() {
    for order in ORDERS {
        let program = vec![locked(0, vec![compute(5)])];
        let mut house = house(1, (2, program), vec![locks("L", 0, 1, order)]);
        [A, B].iter().for_each(|requester| drop(house.begin(*requester, us(0))));
        house.resume(A, us(0));
        house.resume(B, us(1));
        house.resume(A, us(5));
        let again = house.guests.spins_for(A).is_none();
        assert_eq!(again, order == LockOrder::Unordered, "{order:?}");
        assert_eq!(house.guests.spins_for(B), Some(LOCK));
    }
}

#[test]
fn a_group_that_is_closed_never_forgets_a_lock_at_the_end_of_its_program() {
    let program = vec![Step::Repeat { times: 3, steps: vec![locked(0, vec![compute(5)])] }];
    let mut house = house(1, (1, program), vec![locks("L", 0, 1, LockOrder::Ticket)]);
    house.begin(A, us(0));
    let mut count = [0, 0];
    for at in 1..100 {
        house.resume(A, us(at));
        for signal in &house.said {
            match signal {
                Signal::SpinLock(_, Use::Taken(_, _, None)) => count[0] += 1,
                Signal::SpinLock(_, Use::Given(..)) => count[1] += 1,
                _ => {}
            }
        }
    }
    assert!(count[0] == count[1] + 1 && count[1] > 90, "{count:?}");
}

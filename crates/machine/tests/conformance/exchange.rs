//! Exchanges: which machine answers which caller, and when does the caller go on?
//!
//! ASSUME: a connection is with one server for good; the callers of one machine take servers by turns.

use crate::guest::{House, closed};
use crate::spin_lock::{compute, kind, think};
use crate::stand::us;
use machine::effect::Effect;
use machine::event::Event;
use machine::guest::Activity;
use machine::ids::{Group, Machine, Requester, SpinLock};
use machine::plan::{Arrival, Batch, GuestPlan, LockOrder, Plan, RunsInPlan, SpinLockPlan, Step};
use machine::signal::{Signal, Use};
use units::{PerSecond, Span, Tod};

const CLIENTS: Group = Group(0);
const SERVERS: Group = Group(1);

fn asks(group: usize, request: u64, reply: u64) -> Step {
    Step::Exchange { guest: group, request: Span::from_us(request), reply: Span::from_us(reply) }
}

fn group(name: &str, arrival: Arrival, machines: Option<usize>, program: Vec<Step>) -> GuestPlan {
    let runs_in = machines.map(|machines| RunsInPlan::VirtualMachine { machines });
    GuestPlan { name: name.into(), arrival, runs_in, program, ..Default::default() }
}

fn servers(machines: Option<usize>, program: Vec<Step>) -> GuestPlan {
    group("SERVERS", Arrival::Spawned, machines, program)
}

/// This many clients call a server, which computes for 40 us, at once and then after 200 us each. There are no machines.
fn house(clients: u32) -> House {
    let clients = group("CLIENTS", closed(clients), None, vec![asks(1, 100, 300), think(200)]);
    House::of(&Plan { guests: vec![clients, servers(None, vec![compute(40)])], ..Plan::default() })
}

/// This many clients, in this many machines, and servers in this many others.
fn in_machines(count: u32, clients: u32, servers_in: u32) -> House {
    let clients_in = kind("CLIENT", clients);
    let caller = group("CLIENTS", closed(count), Some(0), vec![asks(1, 10, 10)]);
    let virtual_machines = vec![clients_in, kind("SERVER", servers_in)];
    let guests = vec![caller, servers(Some(1), vec![compute(40)])];
    House::of(&Plan { guests, virtual_machines, ..Plan::default() })
}

fn resumes(requester: u32, at: Tod) -> Effect {
    Effect::At(Event::Resume(Requester(requester)), at)
}

/// The requesters that joined a group in the last transition.
fn joined(house: &House) -> Vec<(Group, u32)> {
    let one = |signal: &Signal| match signal {
        Signal::Joined(group, requester) => Some((*group, requester.0)),
        _ => None,
    };
    house.said.iter().filter_map(one).collect()
}

#[test]
fn request_and_reply_take_their_times_and_the_callee_its_own_between_them() {
    let mut house = house(1);
    assert_eq!(house.begin(Requester(0), us(0)), [resumes(0, us(100))]);
    assert_eq!(house.resume(Requester(0), us(100)), [resumes(1, us(140))], "a server computes for 40 us");
    assert_eq!(joined(&house), [(SERVERS, 1)]);
    assert_eq!(house.resume(Requester(1), us(140)), [resumes(0, us(440))]);
    assert!(house.said.contains(&Signal::Left(SERVERS, Requester(1))));
    assert_eq!(house.resume(Requester(0), us(440)), [resumes(0, us(640))], "and then it thinks");
    assert_eq!(
        house.said,
        [Signal::Exchanged(CLIENTS, Span::from_us(440))],
        "from the request to the end of the reply"
    );
}

#[test]
fn a_caller_does_nothing_else() {
    let mut house = house(1);
    house.begin(Requester(0), us(0));
    assert!(matches!(house.guests.requesters[0].activity, Activity::Requesting(SERVERS, _)));
    house.resume(Requester(0), us(100));
    assert_eq!(house.guests.requesters[0].activity, Activity::Exchanging);
    house.resume(Requester(1), us(140));
    assert_eq!(house.guests.requesters[0].activity, Activity::Exchanging, "while the reply is on its way too");
    assert_eq!(house.guests.waits_for(Requester(0)), None);
}

#[test]
fn bytes_on_the_way_may_take_no_time() {
    let clients = group("CLIENTS", closed(1), None, vec![asks(1, 0, 0), think(200)]);
    let mut house = House::of(&Plan { guests: vec![clients, servers(None, vec![compute(40)])], ..Plan::default() });
    assert_eq!(house.begin(Requester(0), us(0)), [resumes(0, us(0))]);
    house.resume(Requester(0), us(0));
    assert_eq!(house.resume(Requester(1), us(40)), [resumes(0, us(40))]);
}

#[test]
fn every_caller_has_a_callee_of_its_own() {
    let mut house = house(3);
    for caller in 0..3 {
        house.begin(Requester(caller), us(0));
    }
    for caller in 0..3 {
        let at = us(100 + u64::from(caller));
        assert_eq!(house.resume(Requester(caller), at), [resumes(3 + caller, at + Span::from_us(40))]);
    }
    for (callee, caller) in [(5, 2), (3, 0), (4, 1)] {
        assert_eq!(house.resume(Requester(callee), us(150)), [resumes(caller, us(450))], "in the order of completion");
    }
}

#[test]
fn a_place_that_was_left_answers_the_next() {
    let mut house = house(2);
    house.begin(Requester(0), us(0));
    house.begin(Requester(1), us(0));
    house.resume(Requester(0), us(100));
    house.resume(Requester(2), us(140));
    assert_eq!(house.resume(Requester(1), us(150)), [resumes(2, us(190))]);
    assert_eq!(house.resume(Requester(2), us(190)), [resumes(1, us(490))], "not the caller before");
}

#[test]
fn a_spawned_requester_sends_no_reply() {
    let clients = group("CLIENTS", closed(1), None, vec![asks(1, 10, 10), Step::Spawn { guest: 1 }, think(500)]);
    let mut house = House::of(&Plan { guests: vec![clients, servers(None, vec![compute(40)])], ..Plan::default() });
    house.begin(Requester(0), us(0));
    house.resume(Requester(0), us(10));
    house.resume(Requester(1), us(50));
    let effects = house.resume(Requester(0), us(60));
    assert_eq!(effects, [resumes(1, us(60)), resumes(0, us(560))], "the place of the callee");
    house.resume(Requester(1), us(60));
    assert_eq!(house.resume(Requester(1), us(100)), [], "no caller waits for it");
}

/// The k-th caller, which is in machine k mod n of its own kind, is served in machine (k div n) mod m.
#[test]
fn the_callers_of_one_machine_take_the_machines_of_the_others_by_turns() {
    for (clients, servers) in [(1, 1), (1, 3), (2, 3), (3, 2), (4, 4)] {
        let mut house = in_machines(24, clients, servers);
        for caller in 0..24 {
            house.begin(Requester(caller), us(0));
            let effects = house.resume(Requester(caller), us(10));
            let [Effect::Ready(callee)] = effects[..] else { panic!("somebody computes: {effects:?}") };
            let (own, other) = (house.guests.requesters[caller as usize], house.guests.requesters[callee.index()]);
            assert_eq!(own.machine, Machine(caller % clients));
            assert_eq!(
                other.machine,
                Machine(clients + (caller / clients) % servers),
                "{caller}: {clients}, {servers}"
            );
        }
    }
}

#[test]
fn a_caller_is_always_served_in_the_same_machine() {
    let mut house = in_machines(6, 2, 3);
    let mut seen = [None; 6];
    (0..6).for_each(|caller| drop(house.begin(Requester(caller), us(0))));
    for round in 0..20 {
        // In another order each time.
        for nth in 0..6 {
            let caller = (nth * 5 + round) % 6;
            let at = us(u64::from(round) * 1_000 + u64::from(nth) * 100);
            let effects = house.resume(Requester(caller), at);
            let [Effect::Ready(callee)] = effects[..] else { panic!("{effects:?}") };
            let machine = house.guests.requesters[callee.index()].machine;
            assert_eq!(*seen[caller as usize].get_or_insert(machine), machine);
            house.resume(callee, at);
            house.resume(Requester(caller), at);
        }
    }
}

#[test]
fn callers_of_two_groups_are_counted_apart() {
    let caller = |name: &str| group(name, closed(3), Some(0), vec![asks(2, 10, 10)]);
    let guests = vec![caller("ONE"), caller("OTHER"), servers(Some(1), vec![compute(40)])];
    let virtual_machines = vec![kind("CLIENT", 1), kind("SERVER", 3)];
    let mut house = House::of(&Plan { guests, virtual_machines, ..Plan::default() });
    let mut machines = Vec::new();
    for caller in 0..6 {
        house.begin(Requester(caller), us(0));
        let effects = house.resume(Requester(caller), us(10));
        let [Effect::Ready(callee)] = effects[..] else { panic!("{effects:?}") };
        machines.push(house.guests.requesters[callee.index()].machine.0);
    }
    assert_eq!(machines, [1, 2, 3, 1, 2, 3]);
}

#[test]
fn callers_from_outside_are_served_by_turns() {
    let open = Arrival::Open { rate: PerSecond::new(100.0), batch: Batch::Of(1) };
    let guests = vec![group("CLIENTS", open, Some(0), vec![asks(1, 10, 10)]), servers(Some(1), vec![compute(40)])];
    let virtual_machines = vec![kind("CLIENT", 1), kind("SERVER", 3)];
    let mut house = House::of(&Plan { guests, virtual_machines, ..Plan::default() });
    let mut machines = Vec::new();
    for nth in 0..7 {
        let at = us(1_000 * nth);
        let effects = house.after(|guests, effects, record| guests.arrive(CLIENTS, at, effects, record));
        let Some(Effect::At(Event::Resume(caller), _)) = effects.last() else { panic!("{effects:?}") };
        let effects = house.resume(*caller, at + Span::from_us(10));
        let [Effect::Ready(callee)] = effects[..] else { panic!("{effects:?}") };
        machines.push(house.guests.requesters[callee.index()].machine.0);
    }
    assert_eq!(machines, [1, 2, 3, 1, 2, 3, 1]);
}

#[test]
fn an_arrival_from_outside_leaves_after_its_reply() {
    let open = Arrival::Open { rate: PerSecond::new(100.0), batch: Batch::Of(1) };
    let guests = vec![group("CLIENTS", open, None, vec![asks(1, 10, 10)]), servers(None, vec![compute(40)])];
    let mut house = House::of(&Plan { guests, ..Plan::default() });
    house.after(|guests, effects, record| guests.arrive(CLIENTS, us(0), effects, record));
    house.resume(Requester(0), us(10));
    assert_eq!(house.guests.present(), 2);
    assert_eq!(house.resume(Requester(1), us(50)), [resumes(0, us(60))]);
    assert_eq!(house.resume(Requester(0), us(60)), []);
    assert!(house.said.contains(&Signal::Left(CLIENTS, Requester(0))));
    assert_eq!(house.guests.present(), 0);
}

#[test]
fn a_callee_may_call_another() {
    let guests = vec![
        group("CLIENTS", closed(2), Some(0), vec![asks(1, 1, 2), think(50)]),
        servers(Some(1), vec![compute(10), asks(2, 3, 4), compute(20)]),
        group("STORES", Arrival::Spawned, Some(2), vec![compute(30)]),
    ];
    let virtual_machines = vec![kind("CLIENT", 1), kind("SERVER", 2), kind("STORE", 2)];
    let mut house = House::of(&Plan { guests, virtual_machines, ..Plan::default() });
    house.begin(Requester(0), us(0));
    assert_eq!(house.resume(Requester(0), us(1)), [Effect::Ready(Requester(2))]);
    assert_eq!(house.resume(Requester(2), us(11)), [resumes(2, us(14))]);
    assert_eq!(house.resume(Requester(2), us(14)), [Effect::Ready(Requester(3))]);
    assert_eq!(house.resume(Requester(3), us(44)), [resumes(2, us(48))]);
    assert_eq!(house.resume(Requester(2), us(48)), [Effect::Ready(Requester(2))]);
    assert_eq!(house.said, [Signal::Exchanged(SERVERS, Span::from_us(37))]);
    assert_eq!(house.resume(Requester(2), us(68)), [resumes(0, us(70))]);
    house.resume(Requester(0), us(70));
    assert_eq!(house.said, [Signal::Exchanged(CLIENTS, Span::from_us(70))], "all of it");
}

#[test]
fn groups_may_be_in_the_same_machines() {
    let guests = vec![group("CLIENTS", closed(2), Some(0), vec![asks(1, 1, 2)]), servers(Some(0), vec![compute(10)])];
    let mut house = House::of(&Plan { guests, virtual_machines: vec![kind("VM", 2)], ..Plan::default() });
    for caller in 0..2 {
        house.begin(Requester(caller), us(0));
        house.resume(Requester(caller), us(1));
    }
    let machines: Vec<u32> = house.guests.requesters.iter().map(|state| state.machine.0).collect();
    assert_eq!(machines, [0, 1, 0, 0]);
}

#[test]
fn after_the_reply_the_caller_needs_a_virtual_processor_to_take_a_lock() {
    let guests = vec![
        group("CLIENTS", closed(1), Some(0), vec![asks(1, 1, 2), Step::Lock { lock: 0, steps: vec![compute(5)] }]),
        servers(None, vec![compute(10)]),
    ];
    let lock =
        SpinLockPlan { name: "L".into(), machines: 0, count: 1, order: LockOrder::Unordered, ..Default::default() };
    let plan = Plan { guests, virtual_machines: vec![kind("VM", 1)], spin_locks: vec![lock], ..Plan::default() };
    let mut house = House::of(&plan);
    house.begin(Requester(0), us(0));
    house.resume(Requester(0), us(1));
    house.resume(Requester(1), us(11));
    assert_eq!(house.resume(Requester(0), us(13)), [Effect::Ready(Requester(0))]);
    assert_eq!(house.guests.held_spin_locks().count(), 0);
    house.resume(Requester(0), us(20));
    assert!(house.said.contains(&Signal::SpinLock(SpinLock(0), Use::Taken(CLIENTS, Requester(0), None))));
}

//! The cost of an uncontended pair of ENQ and DEQ on one core, beside a plain lock table: maps in shards behind mutexes.

use serialization::service::{Caller, Deq, Enq, Outbox, Service};
use serialization::{Access, DeqRet, Requester, ResourceName, Ret, Scope};
use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Mutex;
use std::time::Instant;

const PAIRS: usize = 2_000_000;
const ROUNDS: usize = 5;
const TASKS: u32 = 64;
const NAMES: [usize; 3] = [1, 1_000, 100_000];
/// Nanoseconds that a pair may take.
const WANTED: f64 = 150.0;

fn names(count: usize) -> Vec<ResourceName> {
    (0..count)
        .map(|k| ResourceName::new(b"SLICES", format!("USER{:03}.PROJECT.DATA{k:07}", k % 500).as_bytes()))
        .map(|name| name.expect("a name"))
        .collect()
}

fn service(names: &[ResourceName], held: bool) -> f64 {
    let mut service = Service::default();
    let mut outbox = Outbox::new();
    let caller = Caller::PROBLEM_PROGRAM;
    let by = |task| Requester { system: 1, space: 1, task };
    let enq = |name, by| Enq {
        name,
        scope: Scope::Systems,
        access: Access::Exclusive,
        ret: Ret::None,
        reserve: None,
        by,
        caller,
    };
    for (k, name) in names.iter().enumerate().filter(|(k, _)| held && k % 2 == 1) {
        let space = Requester { system: 1, space: (2 + k / 10_000) as u16, task: k as u32 % TASKS };
        service.enq(&enq(name, space), &mut outbox);
    }
    let free: Vec<&ResourceName> = names.iter().step_by(1 + usize::from(held && names.len() > 1)).collect();
    per_pair(|pair| {
        let name = free[pair.wrapping_mul(7919) % free.len()];
        let by = by(pair as u32 % TASKS);
        black_box(service.enq(&enq(name, by), &mut outbox));
        let deq = Deq { name, scope: Scope::Systems, ret: DeqRet::None, by, caller };
        black_box(service.deq(&deq, &mut outbox));
    })
}

/// Sixty-four shards of a standard map from names to the task that has them.
fn plain_table(names: &[ResourceName]) -> f64 {
    let shards: Vec<Mutex<HashMap<Vec<u8>, u32>>> = (0..64).map(|_| Mutex::default()).collect();
    per_pair(|pair| {
        let name = &names[pair.wrapping_mul(7919) % names.len()];
        let shard = &shards[name.hash() as usize % shards.len()];
        let task = pair as u32 % TASKS;
        let had = shard.lock().expect("nobody panics").insert(name.bytes().to_vec(), task);
        assert!(had.is_none());
        black_box(shard.lock().expect("nobody panics").remove(name.bytes()));
    })
}

fn per_pair(mut pair: impl FnMut(usize)) -> f64 {
    let rounds = (0..ROUNDS).map(|_| {
        let started = Instant::now();
        for number in 0..PAIRS {
            pair(number);
        }
        started.elapsed().as_secs_f64() * 1e9 / PAIRS as f64
    });
    rounds.fold(f64::INFINITY, f64::min)
}

fn main() {
    println!(
        "An uncontended ENQ and DEQ, best of {ROUNDS} rounds of {PAIRS} pairs by {TASKS} tasks; wanted: under {WANTED} ns."
    );
    println!(
        "{:>9}  {:>12}  {:>20}  {:>12}  {:>6}",
        "names", "ENQ+DEQ, ns", "with half held, ns", "plain, ns", "ratio"
    );
    for count in NAMES {
        let names = names(count);
        let (alone, among) = (service(&names, false), service(&names, count > 1));
        let plain = plain_table(&names);
        println!("{count:>9}  {alone:>12.1}  {among:>20.1}  {plain:>12.1}  {:>6.2}", alone / plain);
    }
}

//! HyperPAV: two volumes that share a pool, under each redispatch policy, against their Markov chain.

use super::pool_chain::Chain;
use super::trial::Trial;
use crate::plans::{closed, exponential, io, numbers, plan, volume};
use machine::plan::{AliasPoolPlan, Aliasing, Plan, Redispatch, Step};

fn machine(chain: &Chain) -> Plan {
    let volumes = ["A", "B"].map(|name| volume(name, exponential(1_000))).to_vec();
    let think_us = (1e3 * chain.think) as u64;
    let program = |volume| vec![Step::Think(exponential(think_us)), io(volume)];
    let guests = (0..2).map(|number| {
        let mut guest = closed(chain.guests[number] as u32, program(number));
        guest.name = format!("GUESTS OF {number}");
        guest
    });
    let mut plan = plan(volumes, guests.collect());
    let aliases = numbers(chain.aliases as u16);
    plan.alias_pools.push(AliasPoolPlan {
        name: "POOL".into(),
        aliases,
        redispatch: chain.redispatch,
        ..Default::default()
    });
    for volume in &mut plan.volumes {
        volume.aliasing = Aliasing::HyperPav { pool: 0 };
    }
    plan
}

fn compare(chain: Chain) {
    const SECONDS: u64 = 100;
    let name = format!("pool of {} for {:?}, {:?}", chain.aliases, chain.guests, chain.redispatch);
    let (trial, theory) = (Trial::run(&name, &machine(&chain), SECONDS), chain.equilibrium());
    for number in 0..2 {
        let (throughput, queue) = (theory.throughput[number], theory.queue[number]);
        let of = |figure: &str| format!("{figure} of {number}");
        trial.agrees(&of("I/Os per ms"), |interval| interval.volumes[number].io_per_s.value / 1e3, throughput);
        trial.agrees(&of("queue"), |interval| interval.volumes[number].queue_depth.value, queue);
        let response = 1.0 + queue / throughput;
        trial.agrees(&of("response"), |interval| interval.volumes[number].response_ms.value, response);
    }
    let on_aliases = |interval: &measures::IntervalTotals| {
        interval.volumes.iter().map(|volume| volume.alias_io_per_s.value / 1e3).sum()
    };
    trial.agrees("I/Os on aliases", on_aliases, theory.on_aliases);
    let ms = 1e3 * SECONDS as f64;
    trial.agrees("tries", |interval| interval.pools[0].tries.value / ms, theory.tries);
    trial.agrees("fails", |interval| interval.pools[0].fails.value / ms, theory.fails);
    let free = chain.aliases as f64 - theory.on_aliases;
    trial.agrees("free", |interval| interval.pools[0].free_mean.value, free);
}

#[test]
fn redispatch_none() {
    compare(Chain { guests: [4, 3], think: 2.0, aliases: 2, redispatch: Redispatch::None });
}

#[test]
fn redispatch_same_volume() {
    compare(Chain { guests: [4, 3], think: 2.0, aliases: 2, redispatch: Redispatch::SameVolume });
}

#[test]
fn redispatch_pool_fifo() {
    compare(Chain { guests: [4, 3], think: 2.0, aliases: 2, redispatch: Redispatch::PoolFifo });
}

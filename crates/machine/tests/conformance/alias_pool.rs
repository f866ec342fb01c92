//! A HyperPAV pool: an alias for any of its bases, for one I/O; and what MRIODHPP counts.

use crate::stand::{A, B, Stand, pooled, us};
use machine::ids::{Exposure, Pool, Volume};
use machine::plan::{AliasPoolPlan, Aliasing, DeviceNumber, Redispatch};
use machine::signal::Signal;

const POOL: Pool = Pool(0);

/// HyperPAV, introduction: "an alias device in a given pool can perform I/O on behalf of any base device in said pool".
#[test]
fn an_alias_works_for_any_base_of_its_pool() {
    let mut stand = Stand::new(&pooled(2, 1, Redispatch::None));
    for (volume, at) in [(A, 0), (B, 1_000)] {
        assert_eq!(stand.request(0, volume, us(at)), Some(volume.0));
        assert_eq!(stand.request(1, volume, us(at + 10)), Some(2));
        assert_eq!(stand.channel.exposures[2].io.volume, volume);
        stand.phase_over(volume.0, us(at + 100));
        stand.phase_over(2, us(at + 110));
    }
}

/// The same: only a busy base sends its requests to the pool.
#[test]
fn a_free_base_asks_for_no_alias() {
    let mut stand = Stand::new(&pooled(2, 1, Redispatch::None));
    stand.request(0, A, us(0));
    assert!(!stand.said.iter().any(|signal| matches!(signal, Signal::AliasTried(..))));
    assert_eq!(stand.channel.pools[0].free(), 1);
}

/// HyperPAV, "DASD Tuning via HyperPAV": "the base with which a HyperPAV alias is affiliated changes for every I/O".
#[test]
fn an_alias_is_lent_for_one_io() {
    let mut stand = Stand::new(&pooled(2, 1, Redispatch::None));
    stand.request(0, A, us(0));
    assert_eq!(stand.request(1, A, us(10)), Some(2));
    assert_eq!(stand.channel.pools[0].free(), 0);
    stand.phase_over(0, us(100));
    assert_eq!(stand.phase_over(2, us(110)), None);
    assert!(stand.said.contains(&Signal::AliasFreed(POOL, 1)));
    assert_eq!(stand.channel.pools[0].free(), 1, "it is back after its I/O");
}

#[test]
fn an_alias_of_another_pool_is_out_of_reach() {
    let mut plan = pooled(2, 1, Redispatch::None);
    let aliases = vec![DeviceNumber(0x3000)];
    plan.alias_pools.push(AliasPoolPlan {
        name: "OTHER".into(),
        aliases,
        redispatch: Redispatch::None,
        ..Default::default()
    });
    plan.volumes[1].aliasing = Aliasing::HyperPav { pool: 1 };
    let mut stand = Stand::new(&plan);
    stand.request(0, A, us(0));
    assert_eq!(stand.request(1, A, us(0)), Some(2));
    assert_eq!(stand.request(2, A, us(0)), None, "the alias of the other pool is free");
    assert_eq!(stand.channel.pools[1].free(), 1);
}

/// MRIODHPP, `IODHPP_HPPTRIES`: "the number of times CP went to the pool to try to get an alias"; `IODHPP_HPPFAILS`:
/// "those tries where CP came up empty"; `IODHPP_HPPMINCT` and `IODHPP_HPPMAXCT` are updated at each try with the free
/// aliases it found.  All four follow from the number that each try signals.
#[test]
fn a_try_reports_how_many_aliases_it_found_free() {
    let mut stand = Stand::new(&pooled(2, 2, Redispatch::None));
    let mut tried = |volume: Volume, at| {
        stand.request(at as u32, volume, us(at));
        let tries: Vec<u32> = stand
            .said
            .iter()
            .filter_map(|signal| if let Signal::AliasTried(POOL, free) = signal { Some(*free) } else { None })
            .collect();
        tries
    };
    assert_eq!(tried(A, 0), [], "the base was free: no try");
    assert_eq!(tried(A, 1), [2]);
    assert_eq!(tried(B, 2), []);
    assert_eq!(tried(B, 3), [1]);
    assert_eq!(tried(A, 4), [0], "a fail");
    assert_eq!(tried(B, 5), [0], "a fail");
}

#[test]
fn a_pool_without_aliases_fails_every_try() {
    let mut stand = Stand::new(&pooled(1, 0, Redispatch::None));
    stand.request(0, A, us(0));
    assert_eq!(stand.request(1, A, us(1)), None);
    assert!(stand.said.contains(&Signal::AliasTried(POOL, 0)));
}

/// ASSUME: lent in the order in which they became free, so that all are about equally busy, as the reports show.
#[test]
fn the_alias_that_has_been_free_longest_is_lent_first() {
    let mut stand = Stand::new(&pooled(1, 3, Redispatch::None));
    stand.request(0, A, us(0));
    assert_eq!(stand.request(1, A, us(10)), Some(1));
    assert_eq!(stand.request(2, A, us(20)), Some(2));
    stand.phase_over(0, us(100));
    stand.phase_over(1, us(110));
    stand.request(3, A, us(111));
    assert_eq!(stand.request(4, A, us(112)), Some(3), "never used so far");
    stand.phase_over(2, us(120));
    assert_eq!(stand.request(5, A, us(130)), Some(1), "back since 110, the other since 120");
    assert!(stand.channel.exposures[Exposure(2).index()].is_idle());
}

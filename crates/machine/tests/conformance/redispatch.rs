//! Redispatch: what an alias does when its I/O ends and requests wait.  No document says which policy is z/VM's, so each
//! is held to what its name promises.

use crate::stand::{A, B, Stand, classic, pooled, us, volumes};
use machine::ids::{Requester, Volume};
use machine::io::Io;
use machine::plan::{Aliasing, DeviceNumber, Redispatch};
use machine::signal::{Signal, Waited};

/// Both bases and the alias (exposure 2, working for A) are busy; B's requester 10 has waited longer than A's 11, 12.
fn two_volumes_wait(policy: Redispatch) -> Stand {
    let mut stand = Stand::new(&pooled(2, 1, policy));
    assert_eq!(stand.request(0, A, us(0)), Some(0));
    assert_eq!(stand.request(1, A, us(0)), Some(2));
    assert_eq!(stand.request(2, B, us(50)), Some(1));
    assert_eq!(stand.request(10, B, us(60)), None);
    assert_eq!(stand.request(11, A, us(70)), None);
    assert_eq!(stand.request(12, A, us(80)), None);
    stand
}

#[test]
fn none_takes_no_request_up() {
    let mut stand = two_volumes_wait(Redispatch::None);
    assert_eq!(stand.phase_over(2, us(100)), None);
    assert_eq!(stand.channel.pools[0].free(), 1);
    assert_eq!((stand.waiting(A), stand.waiting(B)), (2, 1));
}

#[test]
fn with_none_a_new_request_gets_the_alias_while_older_ones_wait() {
    let mut stand = two_volumes_wait(Redispatch::None);
    stand.phase_over(2, us(100));
    assert_eq!(stand.request(13, A, us(101)), Some(2));
}

#[test]
fn same_volume_takes_the_longest_waiter_at_the_volume_just_served() {
    let mut stand = two_volumes_wait(Redispatch::SameVolume);
    assert_eq!(stand.phase_over(2, us(100)), Some((11, 2)), "B's 10 has waited longer, but at B");
    assert_eq!(stand.channel.exposures[2].io.volume, A);
    assert!(
        stand
            .said
            .iter()
            .any(|signal| matches!(signal, Signal::Started(Io { volume: A, .. }, _, Requester(11), Waited::InQueue)))
    );
    assert_eq!(stand.channel.pools[0].free(), 0, "the alias was not back in between");
    assert!(
        !stand.said.iter().any(|signal| matches!(signal, Signal::AliasTried(..))),
        "and no requester had to ask for it"
    );
}

#[test]
fn same_volume_leaves_other_volumes_alone() {
    let mut stand = two_volumes_wait(Redispatch::SameVolume);
    stand.phase_over(2, us(100));
    stand.phase_over(0, us(100));
    assert_eq!(stand.waiting(A), 0, "11 is on the alias, 12 on the base");
    assert_eq!(stand.phase_over(2, us(200)), None, "B's 10 still waits");
    assert_eq!((stand.waiting(B), stand.channel.pools[0].free()), (1, 1));
}

/// The alias belongs to no volume: which is "the same" changes with every I/O.
#[test]
fn the_same_volume_is_the_one_of_the_last_io() {
    let mut stand = Stand::new(&pooled(2, 1, Redispatch::SameVolume));
    for (requester, volume, at) in [(0, A, 0), (1, B, 50), (2, B, 60), (10, A, 70), (11, B, 80)] {
        stand.request(requester, volume, us(at));
    }
    assert_eq!(stand.phase_over(2, us(160)), Some((11, 2)), "the alias worked for B; A's 10 has waited longer");
    assert_eq!(stand.channel.exposures[2].io.volume, B);
}

#[test]
fn pool_fifo_takes_the_longest_waiter_at_any_volume() {
    let mut stand = two_volumes_wait(Redispatch::PoolFifo);
    assert_eq!(stand.phase_over(2, us(100)), Some((10, 2)));
    assert_eq!(stand.channel.exposures[2].io.volume, B);
    assert_eq!(stand.phase_over(2, us(200)), Some((11, 2)));
    assert_eq!(stand.channel.exposures[2].io.volume, A);
}

#[test]
fn in_pool_fifo_a_base_takes_its_own_out_of_the_middle() {
    let mut stand = two_volumes_wait(Redispatch::PoolFifo);
    assert_eq!(stand.phase_over(0, us(100)), Some((11, 0)), "A's base: the order of the pool is now 10, 12");
    assert_eq!(stand.phase_over(2, us(100)), Some((10, 2)));
    assert_eq!(stand.phase_over(2, us(200)), Some((12, 2)));
    assert_eq!((stand.waiting(A), stand.waiting(B)), (0, 0));
}

#[test]
fn in_pool_fifo_a_base_may_take_the_first_or_the_last() {
    let mut stand = Stand::new(&pooled(2, 1, Redispatch::PoolFifo));
    for (requester, volume, at) in [(0, B, 0), (1, A, 10), (2, A, 10), (10, A, 20), (11, B, 30)] {
        stand.request(requester, volume, us(at));
    }
    assert_eq!(stand.phase_over(1, us(100)), Some((11, 1)), "B's base: the last of the pool's order");
    assert_eq!(stand.request(12, B, us(105)), None);
    assert_eq!(stand.phase_over(0, us(110)), Some((10, 0)), "A's base: the first of it");
    assert_eq!(stand.phase_over(2, us(110)), Some((12, 2)), "the alias: the last one");
    assert_eq!(stand.request(13, A, us(120)), None, "the order takes up again after it was empty");
    assert_eq!(stand.phase_over(1, us(200)), None);
    assert_eq!(stand.phase_over(2, us(210)), Some((13, 2)));
}

#[test]
fn a_bound_alias_redispatches_at_its_own_volume() {
    for policy in [Redispatch::SameVolume, Redispatch::PoolFifo] {
        let mut stand = Stand::new(&classic(2, policy));
        for (requester, volume) in [(0, A), (1, A), (2, B), (3, B), (10, B), (11, A)] {
            stand.request(requester, volume, us(0));
        }
        assert_eq!(stand.phase_over(2, us(100)), Some((11, 2)), "A's alias; B's 10 has waited longer");
    }
}

#[test]
fn same_volume_makes_a_volume_with_aliases_one_queue_with_many_tellers() {
    let aliases = (0..2).map(DeviceNumber).collect();
    let mut stand = Stand::new(&volumes(1, &Aliasing::Pav { aliases, redispatch: Redispatch::SameVolume }));
    for requester in 0..9 {
        stand.request(requester, A, us(u64::from(requester)));
    }
    for (turn, exposure) in (0..6).map(|turn| (turn, turn % 3)) {
        let at = us(u64::from(100 * (1 + turn / 3) + exposure));
        assert_eq!(stand.phase_over(exposure, at), Some((turn + 3, exposure)), "in the order of arrival");
    }
}

/// Three volumes, one alias, requests and ends in a long mixed order: the order of the pool is that of a plain list.
#[test]
fn the_order_of_a_pool_is_that_of_a_plain_list() {
    let mut stand = Stand::new(&pooled(3, 1, Redispatch::PoolFifo));
    let mut draw = kernel::draw::Streams::new(5, 0).stream("order");
    let (mut oracle, mut idle): (Vec<(u32, Volume)>, Vec<u32>) = (Vec::new(), (0..40).collect());
    let mut longest = 0;
    for now in 0..100_000 {
        if let Some((exposure, at)) = stand.earliest().filter(|(_, at)| *at <= us(now)) {
            let served = |&(_, volume): &(u32, Volume)| exposure == 3 || volume.0 == exposure;
            let place = oracle.iter().position(served);
            let expected = place.map(|place| (oracle.remove(place).0, exposure));
            assert_eq!(stand.phase_over(exposure, at), expected);
            idle.extend(stand.done.drain(..).map(|requester| requester.0));
        } else if draw.below(25) == 0 && !idle.is_empty() {
            let requester = idle.swap_remove(draw.below(idle.len() as u32) as usize);
            let volume = Volume(draw.below(3));
            if stand.request(requester, volume, us(now)).is_none() {
                oracle.push((requester, volume));
            }
        }
        longest = oracle.len().max(longest);
    }
    assert!(longest > 10, "the queues were long: {longest}");
}

//! Placement: are dispatch vectors balanced as each method promises, and is every move needed?

use kernel::draw::{Draw, Streams};
use machine::control_program::placement::{Placeable, Placement, Unparked};
use machine::ids::Logical;
use machine::plan::control_program::Method;
use machine::signal::control_program::Distance;

/// Four cores a chip.
fn distance(one: u32, other: u32) -> Distance {
    match (one == other, one / 4 == other / 4) {
        (true, _) => Distance::Same,
        (false, true) => Distance::Chip,
        (false, false) => Distance::Book,
    }
}

fn unparked(logicals: &[u32]) -> Vec<Unparked> {
    logicals.iter().map(|number| Unparked { logical: Logical(*number), core: *number }).collect()
}

/// Virtual processors: machine, home, predicted use.
fn who(those: &[(u32, u32, f64)]) -> Vec<Placeable> {
    let one = |(machine, home, predicted): &(u32, u32, f64)| Placeable {
        machine: *machine,
        home: Logical(*home),
        predicted: *predicted,
    };
    those.iter().map(one).collect()
}

fn placed(method: Method, who: &[Placeable], logicals: &[u32]) -> Vec<u32> {
    let mut placement = Placement::new(who.len(), logicals.len());
    placement.place(method, who, &unparked(logicals), distance).iter().map(|home| home.0).collect()
}

fn moved(who: &[Placeable], homes: &[u32]) -> usize {
    who.iter().zip(homes).filter(|(one, home)| one.home.0 != **home).count()
}

fn counts(homes: &[u32], logicals: &[u32]) -> Vec<usize> {
    logicals.iter().map(|number| homes.iter().filter(|home| *home == number).count()).collect()
}

fn uses(who: &[Placeable], homes: &[u32], logicals: &[u32]) -> Vec<f64> {
    let used = |number: &u32| {
        let there = who.iter().zip(homes).filter(|(_, home)| *home == number);
        there.map(|(one, _)| one.predicted).sum()
    };
    logicals.iter().map(used).collect()
}

fn any(draw: &mut Draw) -> (Vec<Placeable>, Vec<u32>) {
    let logicals: Vec<u32> = (0..12).filter(|_| draw.below(3) > 0).collect();
    let logicals = if logicals.is_empty() { vec![3] } else { logicals };
    let mut those = Vec::new();
    for machine in 0..1 + draw.below(8) {
        for _ in 0..1 + draw.below(5) {
            those.push((machine, draw.below(12), draw.unit()));
        }
    }
    (who(&those), logicals)
}

#[test]
fn reshuffle_moves_none_where_vectors_are_balanced() {
    let who = who(&[(0, 1, 0.9), (0, 1, 0.9), (1, 0, 0.0), (1, 2, 0.0)]);
    assert_eq!(placed(Method::Reshuffle, &who, &[0, 1, 2]), [1, 1, 0, 2]);
}

#[test]
fn reshuffle_moves_the_last_off_a_vector_with_more_than_its_part() {
    let who = who(&[(0, 0, 0.1), (1, 0, 0.1), (2, 0, 0.1), (3, 1, 0.1), (4, 0, 0.1)]);
    assert_eq!(placed(Method::Reshuffle, &who, &[0, 1]), [0, 0, 0, 1, 1]);
}

#[test]
fn reshuffle_moves_those_whose_vector_is_parked() {
    let who = who(&[(0, 3, 0.1), (1, 1, 0.1), (2, 2, 0.1), (3, 3, 0.1)]);
    assert_eq!(placed(Method::Reshuffle, &who, &[0, 1, 2]), [0, 1, 2, 0]);
}

#[test]
fn reshuffle_keeps_siblings_near_where_there_is_room() {
    let who = who(&[(0, 5, 0.1), (0, 9, 0.1), (1, 0, 0.1), (2, 4, 0.1)]);
    let homes = placed(Method::Reshuffle, &who, &[0, 1, 4, 5, 6]);
    assert_eq!(homes, [5, 6, 0, 4], "6 is on the chip of 5, 1 is not");
}

#[test]
fn reshuffle_puts_siblings_on_one_vector_last() {
    let who = who(&[(0, 20, 0.1), (0, 20, 0.1), (0, 20, 0.1), (1, 20, 0.1), (1, 20, 0.1), (1, 20, 0.1)]);
    assert_eq!(placed(Method::Reshuffle, &who, &[0, 1, 2]), [0, 1, 2, 0, 1, 2]);
}

#[test]
fn reshuffle_balances_by_count_with_as_few_moves_as_that_takes() {
    let mut draw = Streams::new(5, 0).stream("reshuffle");
    for _ in 0..500 {
        let (who, logicals) = any(&mut draw);
        let homes = placed(Method::Reshuffle, &who, &logicals);
        let (each, more) = (who.len() / logicals.len(), who.len() % logicals.len());
        let counts_now = counts(&homes, &logicals);
        assert!(counts_now.iter().all(|count| (each..=each + 1).contains(count)));
        assert_eq!(counts_now.iter().filter(|count| **count > each).count(), more);
        let before: Vec<u32> = who.iter().map(|placed| placed.home.0).collect();
        let had = counts(&before, &logicals);
        let kept: usize = had.iter().map(|count| *count.min(&each)).sum();
        let one_more = had.iter().filter(|count| **count > each).count().min(more);
        assert_eq!(moved(&who, &homes), who.len() - kept - one_more);
    }
}

#[test]
fn reshuffle_once_done_is_done() {
    let mut draw = Streams::new(6, 0).stream("again");
    for method in [Method::Reshuffle, Method::None] {
        for _ in 0..200 {
            let (mut who, logicals) = any(&mut draw);
            let homes = placed(method, &who, &logicals);
            for (one, home) in who.iter_mut().zip(&homes) {
                one.home = Logical(*home);
            }
            assert_eq!(placed(method, &who, &logicals), homes);
        }
    }
}

#[test]
fn rebalance_places_the_machine_that_uses_most_first_and_siblings_side_by_side() {
    let who = who(&[(0, 0, 0.1), (1, 0, 0.5), (1, 0, 0.3), (1, 0, 0.4), (2, 0, 0.2)]);
    let homes = placed(Method::Rebalance, &who, &[0, 1, 2, 4]);
    assert_eq!(homes[1..4], [0, 2, 1], "the second machine, its biggest first");
    assert_eq!((homes[4], homes[0]), (4, 4), "the third where nothing is used, then the first where least is");
}

#[test]
fn rebalance_spreads_equal_machines_evenly() {
    // Eight light tiles on eight processors: three virtual processors of 27 % each.
    let those: Vec<_> = (0..24).map(|number| (number / 3, 7, 0.27)).collect();
    let homes = placed(Method::Rebalance, &who(&those), &[0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(counts(&homes, &[0, 1, 2, 3, 4, 5, 6, 7]), [3; 8]);
    for siblings in homes.chunks(3) {
        assert!(siblings.windows(2).all(|two| two[1] == (two[0] + 1) % 8), "{siblings:?}");
    }
}

#[test]
fn rebalance_before_anything_was_used_counts() {
    let those: Vec<_> = (0..6).map(|number| (number / 2, 9, 0.0)).collect();
    assert_eq!(placed(Method::Rebalance, &who(&those), &[0, 1, 2]), [0, 1, 2, 0, 1, 2]);
}

#[test]
fn rebalance_moves_none_unless_it_gets_better() {
    let balanced = who(&[(0, 2, 0.5), (1, 0, 0.5), (2, 1, 0.5)]);
    assert_eq!(placed(Method::Rebalance, &balanced, &[0, 1, 2]), [2, 0, 1]);
    let lopsided = who(&[(0, 2, 0.5), (1, 2, 0.5), (2, 1, 0.5)]);
    assert_eq!(placed(Method::Rebalance, &lopsided, &[0, 1, 2]), [0, 1, 2]);
}

#[test]
fn rebalance_places_anew_when_somebodys_vector_is_parked() {
    let who = who(&[(0, 2, 0.5), (1, 0, 0.4), (2, 1, 0.3)]);
    assert_eq!(placed(Method::Rebalance, &who, &[0, 1]), [0, 1, 1]);
}

#[test]
fn rebalance_is_never_less_balanced_than_what_was_there() {
    let mut draw = Streams::new(7, 0).stream("rebalance");
    let squares = |used: Vec<f64>| used.iter().map(|load| load * load).sum::<f64>();
    for _ in 0..500 {
        let (who, _) = any(&mut draw);
        let logicals: Vec<u32> = (0..12).collect();
        let before: Vec<u32> = who.iter().map(|placed| placed.home.0).collect();
        let homes = placed(Method::Rebalance, &who, &logicals);
        let (then, now) = (uses(&who, &before, &logicals), uses(&who, &homes, &logicals));
        assert!(squares(now) <= squares(then) + 1e-12);
    }
}

#[test]
fn without_a_method_only_those_move_whose_vector_is_parked() {
    let who = who(&[(0, 0, 0.9), (0, 0, 0.9), (1, 3, 0.1), (1, 1, 0.1), (2, 3, 0.1)]);
    assert_eq!(placed(Method::None, &who, &[0, 1, 2]), [0, 0, 2, 1, 1]);
}

#[test]
fn every_virtual_processor_gets_an_unparked_home_whatever_the_method() {
    let mut draw = Streams::new(8, 0).stream("everybody");
    let mut placement = Placement::new(8, 4);
    for round in 0..600 {
        let (who, logicals) = any(&mut draw);
        let method = [Method::Reshuffle, Method::Rebalance, Method::None][round % 3];
        let homes = placement.place(method, &who, &unparked(&logicals), distance);
        assert_eq!(homes.len(), who.len());
        assert!(homes.iter().all(|home| logicals.contains(&home.0)));
    }
}

#[test]
fn without_virtual_processors_none_is_placed() {
    assert_eq!(placed(Method::Reshuffle, &[], &[0]), Vec::<u32>::new());
    assert_eq!(placed(Method::Rebalance, &[], &[0]), Vec::<u32>::new());
}

#[test]
#[should_panic(expected = "has to be unparked")]
fn one_processor_has_to_be_unparked() {
    placed(Method::None, &who(&[(0, 0, 0.1)]), &[]);
}

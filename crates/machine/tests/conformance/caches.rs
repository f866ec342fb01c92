//! Caches: is what is slow and what is displaced what the closed form and the sizes say?

use kernel::draw::{Draw, Streams};
use machine::control_program::caches::{Caches, Coldness};
use machine::ids::Virtual;
use machine::plan::{CacheLevel, Footprint, SharedBy, Topology};
use machine::signal::control_program::Distance;
use units::Span;

const TOUCHED_IN: Span = Span::from_ms(1);

fn level(shared_by: SharedBy, kib: u64, beyond: f64) -> CacheLevel {
    CacheLevel { name: format!("{shared_by:?}"), shared_by, kib, beyond }
}

/// Two cores a chip, two chips a book; 100, 300 and 900 KiB.
fn topology() -> Topology {
    let levels =
        vec![level(SharedBy::Core, 100, 1.5), level(SharedBy::Chip, 300, 2.0), level(SharedBy::Book, 900, 4.0)];
    Topology { name: "small".into(), cores_per_chip: 2, chips_per_book: 2, cores_per_book: None, levels }
}

fn footprint(kib: u64) -> Option<Footprint> {
    Some(Footprint { kib, touched_in: TOUCHED_IN })
}

/// As many virtual processors as footprints, on eight cores.
fn caches(footprints: &[u64]) -> Caches {
    let footprints: Vec<_> = footprints.iter().map(|kib| footprint(*kib)).collect();
    Caches::new(Some(&topology()), 8, &footprints)
}

/// Runs a context on a core, and returns how cold it found the caches.
fn run(caches: &mut Caches, who: u32, core: u32, elapsed: Span) -> f64 {
    let cold = caches.enter(Virtual(who), core);
    caches.leave(Virtual(who), cold, elapsed);
    cold.a
}

fn warm(caches: &mut Caches, who: u32, core: u32) {
    run(caches, who, core, Span::from_ms(100));
}

fn close(one: f64, other: f64) -> bool {
    (one - other).abs() <= 1e-9 * one.abs().max(other.abs()).max(1.0)
}

#[test]
fn a_context_in_no_cache_is_as_slow_as_beyond_the_last_level() {
    let mut caches = caches(&[50]);
    let cold = caches.enter(Virtual(0), 0);
    assert!(close(1.0 + cold.a, 4.0));
    assert_eq!(cold.resident(), [0, 0, 0]);
}

#[test]
fn a_context_that_stays_is_warm() {
    let mut caches = caches(&[50]);
    warm(&mut caches, 0, 3);
    let cold = caches.enter(Virtual(0), 3);
    assert_eq!(cold, Coldness::WARM);
    assert_eq!(cold.resident(), [1_000_000; 3]);
}

#[test]
fn a_context_that_moves_keeps_its_part_of_caches_that_serve_the_new_core() {
    for (core, slow, resident) in
        [(1, 1.5, [0, 1_000_000, 1_000_000]), (2, 2.0, [0, 0, 1_000_000]), (4, 4.0, [0, 0, 0])]
    {
        let mut caches = caches(&[50]);
        warm(&mut caches, 0, 0);
        let cold = caches.enter(Virtual(0), core);
        assert!(close(1.0 + cold.a, slow), "to core {core}: {}", cold.a);
        assert_eq!(cold.resident(), resident);
    }
}

#[test]
fn what_is_left_behind_is_given_up() {
    let mut caches = caches(&[50]);
    warm(&mut caches, 0, 0);
    caches.enter(Virtual(0), 2);
    assert_eq!((caches.occupancy(0, 0), caches.occupancy(1, 0), caches.occupancy(2, 0)), (0.0, 0.0, 50.0));
    assert_eq!((caches.resides(Virtual(0), 0), caches.resides(Virtual(0), 1)), (Some(2), Some(1)));
    assert!(close(1.0 + caches.enter(Virtual(0), 0).a, 2.0), "it comes back to cold caches");
}

#[test]
fn what_is_missing_shrinks_by_e_in_the_time_of_the_footprint() {
    let mut caches = caches(&[50]);
    run(&mut caches, 0, 0, TOUCHED_IN);
    let left = (-1.0_f64).exp();
    assert!(close(caches.resident(Virtual(0), 0), 50.0 * (1.0 - left)));
    assert!(close(caches.enter(Virtual(0), 0).a, 3.0 * left));
}

#[test]
fn a_stretch_cut_in_two_is_as_good_as_a_whole() {
    let (mut cut, mut whole) = (caches(&[50]), caches(&[50]));
    for part in [300, 500] {
        run(&mut cut, 0, 0, Span::from_us(part));
    }
    run(&mut whole, 0, 0, Span::from_us(800));
    assert!(close(cut.enter(Virtual(0), 0).a, whole.enter(Virtual(0), 0).a));
}

#[test]
fn work_is_what_the_speed_adds_up_to() {
    let mut caches = caches(&[50]);
    let cold = caches.enter(Virtual(0), 0);
    let (mut done, step) = (0.0, 0.001);
    for number in 0..3_000 {
        let at = (f64::from(number) + 0.5) * step;
        done += step / (1.0 + cold.a * (-at).exp());
    }
    let work = caches.work(cold, Virtual(0), TOUCHED_IN * 3);
    assert!((work.ms() - done).abs() < 1e-6, "{} {done}", work.ms());
}

#[test]
fn elapsed_and_work_are_each_others_inverse() {
    let mut caches = caches(&[50]);
    let mut draw = Streams::new(1, 0).stream("inverse");
    for _ in 0..2_000 {
        let cold = caches.enter(Virtual(0), draw.below(8));
        let work = Span::from_units(draw.below(1 << 24).into());
        let elapsed = caches.elapsed(cold, Virtual(0), work);
        assert!(elapsed >= work);
        let back = caches.work(cold, Virtual(0), elapsed);
        assert!(back.units().abs_diff(work.units()) <= 1, "{work} took {elapsed} and did {back}");
        let within = Span::from_units((draw.unit() * elapsed.units() as f64) as u64);
        let part = caches.work(cold, Virtual(0), within);
        assert!(part <= within && part <= work + Span::from_units(1));
        caches.leave(Virtual(0), cold, elapsed);
    }
}

#[test]
fn in_warm_caches_work_takes_as_long_as_it_is() {
    let mut caches = caches(&[50]);
    warm(&mut caches, 0, 0);
    let cold = caches.enter(Virtual(0), 0);
    for units in [0, 1, 12_345_678_901, u64::MAX / 2] {
        let work = Span::from_units(units);
        assert_eq!(caches.elapsed(cold, Virtual(0), work), work);
        assert_eq!(caches.work(cold, Virtual(0), work), work);
    }
}

/// Two cores a chip and three for partitions in a book of two chips: the second chip of each book has one.
#[test]
fn a_book_with_fewer_processors_than_cores_ends_early() {
    let fewer = Topology { cores_per_book: Some(3), ..topology() };
    let caches = Caches::new(Some(&fewer), 8, &[]);
    assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|core| caches.cache_of(1, core)), [0, 0, 1, 2, 2, 3, 4, 4]);
    assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|core| caches.cache_of(2, core)), [0, 0, 0, 1, 1, 1, 2, 2]);
    assert_eq!((caches.caches(0), caches.caches(1), caches.caches(2)), (8, 5, 3));
    let distances = [1, 2, 3].map(|core| caches.distance(0, core));
    assert_eq!(distances, [Distance::Chip, Distance::Book, Distance::Far]);
}

#[test]
fn a_book_of_all_its_cores_is_one_without_a_number() {
    let whole = Topology { cores_per_book: Some(4), ..topology() };
    let (given, plain) = (Caches::new(Some(&whole), 8, &[]), Caches::new(Some(&topology()), 8, &[]));
    for level in 0..3 {
        assert_eq!(given.caches(level), plain.caches(level));
        assert!((0..8).all(|core| given.cache_of(level, core) == plain.cache_of(level, core)));
    }
}

#[test]
fn caches_do_not_matter_without_footprint_or_topology_or_levels() {
    let flat = Topology { levels: vec![], ..topology() };
    for (topology, footprint) in [(Some(&topology()), None), (None, footprint(50)), (Some(&flat), footprint(50))] {
        let mut caches = Caches::new(topology, 8, &[footprint]);
        for core in [0, 7] {
            let cold = caches.enter(Virtual(0), core);
            assert_eq!(cold, Coldness::WARM);
            assert_eq!(caches.elapsed(cold, Virtual(0), TOUCHED_IN), TOUCHED_IN);
            caches.leave(Virtual(0), cold, TOUCHED_IN);
        }
        assert!((0..caches.levels()).all(|level| caches.occupancy(level, 0) == 0.0));
    }
}

#[test]
fn a_footprint_is_at_most_the_cache() {
    let mut caches = caches(&[500]);
    warm(&mut caches, 0, 0);
    let held = [0, 1, 2].map(|level| caches.resident(Virtual(0), level));
    assert_eq!(held, [100.0, 300.0, 500.0]);
    assert_eq!(caches.enter(Virtual(0), 0), Coldness::WARM);
}

#[test]
fn no_context_loses_before_the_cache_is_full() {
    let mut caches = caches(&[60, 40]);
    warm(&mut caches, 0, 0);
    warm(&mut caches, 1, 0);
    assert!(close(caches.occupancy(0, 0), 100.0));
    assert!(close(caches.resident(Virtual(0), 0), 60.0));
}

#[test]
fn in_a_full_cache_the_others_lose_in_proportion_to_what_they_have() {
    let mut caches = caches(&[60, 30, 55]);
    for who in 0..3 {
        warm(&mut caches, who, 0);
    }
    let held = [0, 1, 2].map(|who| caches.resident(Virtual(who), 0));
    assert!(close(held[0], 30.0) && close(held[1], 15.0) && close(held[2], 55.0), "{held:?}");
}

#[test]
fn a_chip_without_a_neighbour_is_a_chip() {
    let caches = Caches::new(Some(&topology()), 5, &[]);
    assert_eq!((caches.caches(0), caches.caches(1), caches.caches(2)), (5, 3, 2));
    assert_eq!((caches.cache_of(0, 4), caches.cache_of(1, 4), caches.cache_of(2, 4)), (4, 2, 1));
    assert_eq!([0, 1, 2].map(|level| caches.capacity(level)), [100.0, 300.0, 900.0]);
}

#[test]
fn cores_are_apart_by_chip_and_book() {
    let known = Caches::new(Some(&topology()), 8, &[]);
    let apart = [0, 1, 2, 3, 4].map(|core| known.distance(0, core));
    assert_eq!(apart, [Distance::Same, Distance::Chip, Distance::Book, Distance::Book, Distance::Far]);
    let unknown = Caches::new(None, 8, &[]);
    assert_eq!((unknown.distance(3, 3), unknown.distance(0, 7)), (Distance::Same, Distance::Chip));
}

#[test]
fn what_all_have_is_what_a_cache_holds_and_never_more_than_fits() {
    let mut draw = Streams::new(7, 0).stream("conservation");
    let sizes: Vec<u64> = (0..40).map(|_| 1 + u64::from(draw.below(250))).collect();
    let mut caches = caches(&sizes);
    for round in 0..20_000 {
        let elapsed = Span::from_us(draw.below(4_000).into());
        run(&mut caches, draw.below(40), draw.below(8), elapsed);
        if round % 97 == 0 {
            assert_conserved(&caches, 40);
        }
    }
    assert_conserved(&caches, 40);
}

fn assert_conserved(caches: &Caches, owners: u32) {
    for level in 0..caches.levels() {
        let mut sums = vec![0.0; caches.caches(level) as usize];
        for who in (0..owners).map(Virtual) {
            if let Some(cache) = caches.resides(who, level) {
                sums[cache as usize] += caches.resident(who, level);
            }
        }
        for (cache, sum) in (0..).zip(sums) {
            let held = caches.occupancy(level, cache);
            assert!(close(sum, held), "level {level}, cache {cache}: {sum} of {held}");
            assert!(held <= caches.capacity(level) * (1.0 + 1e-12));
        }
    }
}

#[test]
fn a_factor_for_a_cache_is_as_good_as_walking_over_all_contexts() {
    let mut draw = Streams::new(8, 0).stream("walking");
    let sizes: Vec<u64> = (0..12).map(|_| 1 + u64::from(draw.below(120))).collect();
    let mut caches = caches(&sizes);
    let mut walked = vec![0.0_f64; 12];
    for _ in 0..5_000 {
        let (who, elapsed) = (draw.below(12), Span::from_us(draw.below(9_000).into()));
        run(&mut caches, who, 0, elapsed);
        walk(&mut walked, who as usize, (sizes[who as usize] as f64).min(100.0), elapsed);
        for (at, expected) in (0..).zip(&walked) {
            let held = caches.resident(Virtual(at), 0);
            assert!((held - expected).abs() < 1e-6, "{at} has {held}, not {expected}");
        }
    }
}

/// One context runs in the one cache of 100 KiB, and all others are visited.
fn walk(walked: &mut [f64], who: usize, wants: f64, elapsed: Span) {
    let left = (-(elapsed.units() as f64) / TOUCHED_IN.units() as f64).exp();
    let has = wants - (wants - walked[who]) * left;
    walked[who] = 0.0;
    let others: f64 = walked.iter().sum();
    for held in walked.iter_mut() {
        *held *= ((100.0 - has) / others.max(100.0 - has)).min(1.0);
    }
    walked[who] = has;
}

#[test]
fn a_context_displaced_for_ever_has_nothing_and_not_less() {
    let mut caches = caches(&[90, 100, 80]);
    warm(&mut caches, 0, 0);
    for round in 0..10_000 {
        run(&mut caches, 1 + round % 2, 0, Span::from_us(700));
        let held = caches.resident(Virtual(0), 0);
        assert!((0.0..=90.0).contains(&held));
    }
    assert!(caches.resident(Virtual(0), 0) < 1e-30);
    assert!(close(1.0 + caches.enter(Virtual(0), 0).a, 1.5 + warmth(&caches)), "only the innermost is small");
}

/// What the chip's cache misses of the first of three: 270 KiB fit in 300.
fn warmth(caches: &Caches) -> f64 {
    let missing = 1.0 - caches.resident(Virtual(0), 1) / 90.0;
    0.5 * missing
}

#[test]
fn the_same_runs_leave_the_same_bits() {
    let history = |draw: &mut Draw| {
        let mut caches = caches(&[70, 80, 90, 250]);
        let colds =
            (0..500).map(|_| run(&mut caches, draw.below(4), draw.below(8), Span::from_us(draw.below(900).into())));
        colds.map(f64::to_bits).collect::<Vec<_>>()
    };
    let draw = || Streams::new(9, 0).stream("bits");
    assert_eq!(history(&mut draw()), history(&mut draw()));
}

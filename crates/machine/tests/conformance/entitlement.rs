//! Entitlement: is every number what the manuals print, and what the rules say where they print none?

use machine::cec::entitlement::{Assumed, Claim, Entitlement, Fraction, Part, Refused, entitlements, vertical};

fn weighing(weights: &[(u32, u32)]) -> Vec<Claim> {
    weights.iter().map(|(weight, logicals)| Claim { part: Part::Weight(*weight), logicals: *logicals }).collect()
}

fn dedicated(logicals: u32) -> Claim {
    Claim { part: Part::Dedicated, logicals }
}

fn made(cores: u32, claims: &[Claim]) -> Vec<Entitlement> {
    entitlements(cores, claims).expect("fine claims")
}

fn counts(over: u64, under: u64, logicals: u32) -> (u32, u32, u32) {
    let vertical = vertical(Fraction::new(over, under), logicals);
    (vertical.high, vertical.medium, vertical.low)
}

#[test]
fn shares_are_those_of_the_example_of_the_planning_guide() {
    // Use of processing weights: ZVSE, ZOSTEST, ZVM on 6 CPs: 23.1, 7.7, 69.2 %; per logical 23.1, 1.3, 34.6 %.
    let claims = weighing(&[(300, 1), (100, 6), (900, 2)]);
    let of = made(6, &claims);
    let shares: Vec<f64> = of.iter().map(|partition| partition.share.expect("it shares").value()).collect();
    let printed = |share: f64| format!("{:.1}", 100.0 * share);
    assert_eq!(shares.iter().map(|share| printed(*share)).collect::<Vec<_>>(), ["23.1", "7.7", "69.2"]);
    let each = shares.iter().zip(&claims).map(|(share, claim)| printed(share / f64::from(claim.logicals)));
    assert_eq!(each.collect::<Vec<_>>(), ["23.1", "1.3", "34.6"]);
}

#[test]
fn logical_cores_have_what_the_example_without_capping_prints() {
    // Example 2, Without processor resource capping: 50, 60 and 40 % of a physical core on 6 of them.
    let of = made(6, &weighing(&[(500, 6), (300, 3), (200, 3)]));
    let each: Vec<Fraction> = of.iter().map(|partition| partition.horizontal).collect();
    assert_eq!(each, [Fraction::new(1, 2), Fraction::new(3, 5), Fraction::new(2, 5)]);
}

#[test]
fn six_hundred_of_a_thousand_on_eight_cores_is_five_processors_at_all_times() {
    // Enabling HiperDispatch for z/OS Logical Partitions: 4.8 processors; of 8 logical ones 5 active, 3 at times.
    let of = made(8, &weighing(&[(600, 8), (400, 8)]));
    assert_eq!(of[0].cores, Fraction::new(48, 10));
    assert_eq!((of[0].vertical.high, of[0].vertical.medium, of[0].vertical.low), (4, 1, 3));
    assert_eq!(of[0].vertical.each, Some(Fraction::new(8, 10)));
}

#[test]
fn twenty_eight_percent_of_thirty_two_is_eight_and_one_and_twenty_six_is_seven_and_two() {
    assert_eq!(counts(32 * 28, 100, 12), (8, 1, 3));
    assert_eq!(counts(32 * 26, 100, 12), (7, 2, 3));
}

#[test]
fn a_fraction_of_exactly_a_half_is_one_medium() {
    assert_eq!(counts(5, 2, 4), (2, 1, 1));
    assert_eq!(counts(2_499, 1_000, 4), (1, 2, 1));
}

#[test]
fn a_whole_number_is_a_high_less_and_two_mediums_of_a_half() {
    let three = vertical(Fraction::new(3, 1), 5);
    assert_eq!((three.high, three.medium, three.low), (2, 2, 1));
    assert_eq!(three.each, Some(Fraction::new(1, 2)));
    assert_eq!(three.assumed, None);
}

#[test]
fn less_than_a_core_and_a_half_has_no_high() {
    assert_eq!(counts(14, 10, 4), (0, 2, 2));
    assert_eq!(counts(7, 10, 4), (0, 1, 3));
    assert_eq!(vertical(Fraction::new(7, 10), 4).assumed, None);
}

#[test]
fn less_than_half_a_core_is_one_medium() {
    let small = vertical(Fraction::new(3, 10), 2);
    assert_eq!((small.high, small.medium, small.low), (0, 1, 1));
    assert_eq!(small.each, Some(Fraction::new(3, 10)));
    assert_eq!(small.assumed, Some(Assumed::BelowHalf));
}

#[test]
fn with_fewer_logical_cores_the_last_are_missing() {
    let tight = vertical(Fraction::new(42, 10), 4);
    assert_eq!((tight.high, tight.medium, tight.low), (3, 1, 0));
    assert_eq!(tight.each, Some(Fraction::new(1, 1)));
    assert_eq!(tight.assumed, Some(Assumed::FewLogicals));
    assert_eq!(counts(42, 10, 2), (2, 0, 0));
}

#[test]
fn high_medium_and_low_are_all_the_logical_cores_and_carry_the_entitlement() {
    for under in 1..=12 {
        for over in 1..=12 * under {
            for logicals in 1..=14 {
                let entitled = Fraction::new(over, under);
                let of = vertical(entitled, logicals);
                assert_eq!(of.high + of.medium + of.low, logicals);
                let mediums = of.each.map_or(0.0, |each| f64::from(of.medium) * each.value());
                let carried = f64::from(of.high) + mediums;
                assert!((carried - entitled.value().min(f64::from(logicals))).abs() < 1e-12);
                assert!(of.each.is_none_or(|each| each.value() > 0.0 && each.value() <= 1.0));
            }
        }
    }
}

#[test]
fn a_dedicated_partition_has_its_cores_and_all_are_high() {
    // LPAR Entitlement Calculator: 15 cores with dedicated partitions of 7 have 8 to share.
    let claims = [dedicated(3), dedicated(4), weighing(&[(10, 8)])[0], weighing(&[(30, 8)])[0]];
    let of = made(15, &claims);
    assert_eq!((of[0].vertical.high, of[0].vertical.medium, of[0].vertical.low), (3, 0, 0));
    assert_eq!(of[1].cores, Fraction::new(4, 1));
    assert_eq!((of[2].cores, of[3].cores), (Fraction::new(2, 1), Fraction::new(6, 1)));
}

#[test]
fn a_partition_alone_is_high_whatever_its_weight() {
    for weight in [1, 999] {
        let of = made(6, &weighing(&[(weight, 4)]));
        assert_eq!((of[0].vertical.high, of[0].vertical.medium, of[0].vertical.low), (4, 0, 0));
        assert_eq!(of[0].vertical.assumed, Some(Assumed::Alone));
        assert_eq!(of[0].contended, Fraction::new(4, 1));
    }
    assert_eq!(made(6, &weighing(&[(5, 9)]))[0].vertical.low, 3);
}

#[test]
fn what_one_cannot_use_is_divided_among_the_others_by_weight() {
    let of = made(6, &weighing(&[(300, 1), (100, 6), (900, 2)]));
    let busy: Vec<Fraction> = of.iter().map(|partition| partition.contended).collect();
    assert_eq!(busy, [Fraction::new(1, 1), Fraction::new(3, 1), Fraction::new(2, 1)]);
    // Two on a three-way never have more than 67 % (Processing Weights).
    assert_eq!(made(3, &weighing(&[(999, 2), (1, 3)]))[0].contended, Fraction::new(2, 1));
}

#[test]
fn dividing_may_take_others_over_their_limit_in_turn() {
    let of = made(10, &weighing(&[(600, 1), (300, 4), (100, 10)]));
    let busy: Vec<Fraction> = of.iter().map(|partition| partition.contended).collect();
    assert_eq!(busy, [Fraction::new(1, 1), Fraction::new(4, 1), Fraction::new(5, 1)]);
}

#[test]
fn nothing_is_lost_unless_all_have_too_few_logical_cores() {
    for cores in 1..=9 {
        for weights in [[1, 1, 1], [999, 1, 500], [10, 20, 30]] {
            for logicals in [[1, 1, 1], [9, 9, 9], [1, 2, 9], [2, 1, 4], [3, 3, 3]] {
                let claims: Vec<(u32, u32)> = weights.into_iter().zip(logicals).collect();
                let of = made(cores, &weighing(&claims));
                let entitled: f64 = of.iter().map(|partition| partition.cores.value()).sum();
                let busy: f64 = of.iter().map(|partition| partition.contended.value()).sum();
                assert!((entitled - f64::from(cores)).abs() < 1e-12);
                let usable: u32 = logicals.iter().sum();
                assert!((busy - f64::from(cores.min(usable))).abs() < 1e-12, "{cores} {claims:?}: {busy}");
                assert!(of.iter().all(|partition| partition.contended.value() <= f64::from(partition.most) + 1e-12));
            }
        }
    }
}

#[test]
fn what_cannot_be_computed_is_refused() {
    assert_eq!(entitlements(4, &[dedicated(3), dedicated(2)]), Err(Refused::Dedicated));
    assert_eq!(entitlements(3, &[dedicated(3), weighing(&[(1, 1)])[0]]), Err(Refused::NoneLeft));
    assert_eq!(entitlements(3, &weighing(&[(1, 1), (0, 1)])), Err(Refused::Nothing(1)));
    assert_eq!(entitlements(3, &[dedicated(0)]), Err(Refused::Nothing(0)));
    assert_eq!(entitlements(3, &[]), Ok(vec![]));
}

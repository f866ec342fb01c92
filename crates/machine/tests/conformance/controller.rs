//! The controller: does it use as many processors as the prediction, the settings and the entitlement say?

use machine::control_program::controller::{Controller, Observed, Standing};
use machine::plan::control_program::{ControllerPlan, ExcessUse, Method, Polarization, SrmPlan, Unparking};
use machine::signal::control_program::Decision;
use units::{Percent, Span};

fn plan() -> ControllerPlan {
    ControllerPlan {
        every: Span::SECOND * 2,
        history: 10,
        percentile: Percent::new(90.0),
        margin: 0.0,
        tv_threshold: 1.5,
        start: None,
        ..Default::default()
    }
}

fn srm(unparking: Unparking, cpupad: f64) -> SrmPlan {
    SrmPlan {
        polarization: Polarization::Vertical,
        method: Method::Reshuffle,
        cpupad,
        excess_use: ExcessUse::High,
        unparking,
        slice: Span::from_ms(5),
        ..Default::default()
    }
}

fn standing(entitled: f64, others_leave: f64) -> Standing {
    Standing { entitled, others_leave, before: 5 }
}

/// The first decision on 32 logical processors.
fn decided(srm: &SrmPlan, standing: Standing, observed: Observed) -> Decision {
    Controller::new(&plan(), 32).decide(srm, standing, observed)
}

fn after(srm: &SrmPlan, standing: Standing, used: f64) -> u32 {
    decided(srm, standing, Observed { used, guests: used }).after
}

/// The prediction after these intervals, at a percentile of the last ten.
fn predicted(percentile: f64, used: &[f64]) -> f64 {
    let plan = ControllerPlan { percentile: Percent::new(percentile), ..plan() };
    let mut controller = Controller::new(&plan, 32);
    let decide = |used: &f64| {
        let observed = Observed { used: *used, guests: *used };
        controller.decide(&srm(Unparking::Large, 1.0), standing(32.0, 0.0), observed)
    };
    used.iter().map(decide).last().expect("an interval").predicted
}

#[test]
fn large_unparks_the_fewest_that_consume_what_is_delivered_whatever_is_used() {
    // Controlling Vertical-Low Logical Cores: 2358 % are projected to be delivered, 24 are unparked.
    for used in [0.1, 13.25, 23.0] {
        assert_eq!(after(&srm(Unparking::Large, 1.0), standing(20.0, 3.58), used), 24);
    }
}

#[test]
fn small_unparks_what_the_projection_and_the_pad_need() {
    // The same: 1325 % are projected, and 200 % are the pad: 16 are unparked.
    assert_eq!(after(&srm(Unparking::Small, 2.0), standing(32.0, 0.0), 13.25), 16);
}

#[test]
fn small_unparks_no_vertical_low_that_is_not_powered() {
    // An Unparking Example: entitled to 905 %, eight high, two medium and a low.
    assert_eq!(after(&srm(Unparking::Small, 1.0), standing(9.05, 0.0), 10.5), 10);
    assert_eq!(after(&srm(Unparking::Small, 1.0), standing(9.05, 1.5), 9.5), 11);
    assert_eq!(after(&srm(Unparking::Small, 1.0), standing(9.05, 1.5), 7.5), 9);
}

#[test]
fn medium_unparks_what_it_is_entitled_to() {
    assert_eq!(after(&srm(Unparking::Medium, 1.0), standing(9.05, 20.0), 25.0), 10);
}

#[test]
fn excess_use_hopes_for_more_the_higher_it_is() {
    let hoped = [ExcessUse::None, ExcessUse::Low, ExcessUse::Medium, ExcessUse::High].map(|excess_use| {
        let srm = SrmPlan { excess_use, ..srm(Unparking::Large, 1.0) };
        let decision = decided(&srm, standing(10.0, 8.0), Observed { used: 5.0, guests: 5.0 });
        (decision.hoped, decision.after)
    });
    assert_eq!(hoped, [(0.0, 10), (4.0, 14), (6.0, 16), (8.0, 18)]);
}

#[test]
fn at_a_high_ratio_need_and_pad_bind_whatever_unparking_says() {
    // z/VM Performance Report, 6.3, Table 1: the ratio is total over guests; a pad of 6400 % is no parking by it.
    let observed = Observed { used: 12.3, guests: 5.6 };
    for unparking in [Unparking::Large, Unparking::Small] {
        for (cpupad, expected) in [(0.0, 13), (1.0, 14), (3.0, 16), (64.0, 32)] {
            let decision = decided(&srm(unparking, cpupad), standing(32.0, 0.0), observed);
            assert!(decision.tv_parks);
            assert_eq!(decision.after, expected, "{unparking:?}, pad {cpupad}");
        }
    }
}

#[test]
fn below_the_threshold_the_ratio_parks_none() {
    let decision = decided(&srm(Unparking::Large, 1.0), standing(32.0, 0.0), Observed { used: 7.49, guests: 5.0 });
    assert!(!decision.tv_parks);
    assert_eq!(decision.after, 32);
    let decision = decided(&srm(Unparking::Large, 1.0), standing(32.0, 0.0), Observed { used: 7.5, guests: 5.0 });
    assert!(decision.tv_parks);
    assert_eq!(decision.after, 9);
}

#[test]
fn the_ratio_is_one_where_no_guest_ran() {
    let decision = decided(&srm(Unparking::Large, 1.0), standing(32.0, 0.0), Observed { used: 0.2, guests: 0.0 });
    assert_eq!((decision.tv, decision.after), (1.0, 32));
}

#[test]
fn there_is_at_least_one_and_there_are_no_more_than_logical_processors() {
    assert_eq!(after(&srm(Unparking::Small, 0.0), standing(3.0, 0.0), 0.0), 1);
    assert_eq!(after(&srm(Unparking::Medium, 0.0), standing(0.0, 0.0), 0.0), 1);
    assert_eq!(after(&srm(Unparking::Large, 0.0), standing(40.0, 9.0), 0.0), 32);
}

#[test]
fn sums_that_are_whole_but_for_rounding_are_whole() {
    assert_eq!(after(&srm(Unparking::Small, 0.1), standing(32.0, 0.0), 0.2 + 2.7), 3);
}

#[test]
fn the_prediction_is_the_percentile_by_the_nearest_rank() {
    let ten: Vec<f64> = [4, 10, 2, 8, 6, 1, 9, 3, 7, 5].map(f64::from).to_vec();
    assert_eq!(
        [100.0, 90.0, 85.0, 50.0, 10.0, 0.0].map(|percentile| predicted(percentile, &ten)),
        [10.0, 9.0, 9.0, 5.0, 1.0, 1.0]
    );
    assert_eq!(predicted(90.0, &ten[..3]), 10.0);
    assert_eq!(predicted(50.0, &ten[..1]), 4.0);
}

#[test]
fn only_the_last_intervals_count() {
    let mut used = vec![30.0];
    used.extend([1.0; 9]);
    assert_eq!(predicted(100.0, &used), 30.0);
    used.push(2.0);
    assert_eq!(predicted(100.0, &used), 2.0);
    used.extend([1.0; 10]);
    assert_eq!(predicted(100.0, &used), 1.0);
}

#[test]
fn a_margin_is_added_to_the_prediction() {
    let plan = ControllerPlan { margin: 0.4, ..plan() };
    let mut controller = Controller::new(&plan, 8);
    let observed = Observed { used: 2.0, guests: 2.0 };
    let decision = controller.decide(&srm(Unparking::Small, 1.0), standing(8.0, 0.0), observed);
    assert_eq!((decision.predicted, decision.after), (2.4, 4));
}

#[test]
fn a_decision_reports_its_inputs() {
    let observed = Observed { used: 6.0, guests: 3.0 };
    let decision = decided(&srm(Unparking::Large, 1.5), standing(7.0, 2.0), observed);
    let expected = Decision {
        used: 6.0,
        tv: 2.0,
        predicted: 6.0,
        cpupad: 1.5,
        entitled: 7.0,
        hoped: 2.0,
        tv_parks: true,
        before: 5,
        after: 8,
    };
    assert_eq!(decision, expected);
}

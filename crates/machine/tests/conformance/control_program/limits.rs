//! Limits: does a virtual machine get the most that it may have, and never more?
//!
//! CP SET SHARE LIMITHARD.  ASSUME: time accrued while a virtual processor does not run is kept for one slice. One that has
//! reached its limit waits until it may run for a tenth of a slice.

use super::stand::{SLICE, System, machines, plan, s, settings};
use crate::stand::us;
use machine::control_program::Left;
use machine::event::Event;
use machine::ids::Virtual;
use machine::plan::control_program::{ControlProgramPlan, CostsPlan, VirtualMachinePlan};
use machine::signal::control_program::Control;
use machine::signal::control_program::VirtualStanding::{Idle, Limited, Running};
use units::{Percent, Span, Tod};

fn limited(percent: f64, virtual_processors: u32) -> VirtualMachinePlan {
    VirtualMachinePlan { limit: Some(Percent::new(percent)), ..machines(1, virtual_processors) }
}

fn system(logical: u32, kinds: Vec<VirtualMachinePlan>) -> System {
    System::new(&plan(logical, settings(), kinds))
}

/// When a virtual processor had its runs, and how long they were.
fn runs(system: &System, number: u32) -> Vec<(Tod, Span)> {
    let one = |(at, control): &(Tod, Control)| match control {
        Control::Spent(_, spent) if spent.on == Some(Virtual(number)) => Some((*at, spent.emulation)),
        _ => None,
    };
    system.log.iter().filter_map(one).collect()
}

/// By how much a virtual processor was at most ahead of a rate, over any span of time, in microseconds.
fn most_ahead(runs: &[(Tod, Span)], rate: f64) -> f64 {
    let in_us = |units: u64| units as f64 / Span::from_us(1).units() as f64;
    let (mut had, mut least, mut most) = (0.0, 0.0f64, 0.0f64);
    for (end, run) in runs {
        let accrued = |at: u64| rate * in_us(at);
        least = least.min(had - accrued(end.units() - run.units()));
        had += in_us(run.units());
        most = most.max(had - accrued(end.units()) - least);
    }
    most
}

#[test]
fn it_never_gets_more_than_accrues_and_what_one_slice_keeps() {
    for percent in [1.0, 5.0, 25.0, 60.0, 95.0] {
        let mut system = system(1, vec![limited(percent, 1), machines(1, 1)]);
        system.ready_for_ever(0, us(0));
        for nth in 0..40 {
            system.run_to(us(50_000 * nth));
            system.ready(1, 37 * nth * nth, us(50_000 * nth));
        }
        let rate = percent / 100.0;
        let ahead = most_ahead(&runs(&system, 0), rate);
        assert!(ahead <= SLICE as f64 * (1.0 - rate) + 0.1, "{percent} %: {ahead} us ahead");
    }
}

#[test]
fn alone_it_gets_all_of_it() {
    for percent in [0.5, 1.0, 5.0, 25.0, 60.0, 95.0] {
        let mut system = system(1, vec![limited(percent, 1)]);
        system.ready_for_ever(0, us(0));
        system.run_to(s(2));
        let had = 50.0 * system.spent(0).emulation.seconds();
        assert!((had / percent - 1.0).abs() < 0.02, "{had} of {percent} %");
    }
}

#[test]
fn one_at_its_limit_waits_until_it_may_run_for_a_tenth_of_a_slice() {
    let mut system = system(1, vec![limited(25.0, 1)]);
    system.ready_for_ever(0, us(0));
    let release = Event::Release(Virtual(0));
    let unit = Span::from_units(1);
    assert_eq!((system.standing(0), system.event(release)), (Limited, Some(us(300) + unit)), "it begins with nothing");
    system.happens(release, us(300) + unit);
    assert_eq!(system.standing(0), Running);
    let end = system.due(0).expect("it runs");
    assert!(end >= us(400) && end <= us(400) + unit * 4, "100 us are a tenth of a slice: {end}");
    system.over(0, end);
    let again = system.event(release).expect("it has had it");
    assert!(again >= us(700) && again <= us(700) + unit * 8, "{again}");
}

#[test]
fn what_accrues_meanwhile_is_kept_for_one_slice() {
    let mut system = system(1, vec![limited(25.0, 1)]);
    system.ready_for_ever(0, s(1));
    assert_eq!(system.due(0), Some(s(1) + Span::from_us(SLICE)), "a whole slice at once");
    system.over(0, s(1) + Span::from_us(SLICE));
    assert_eq!(system.standing(0), Limited, "and no other");
}

#[test]
fn one_at_its_limit_leaves_the_processor_to_others() {
    let mut system = system(1, vec![limited(25.0, 1), machines(1, 1)]);
    system.ready_for_ever(0, us(0));
    system.ready_for_ever(1, us(0));
    assert_eq!((system.standing(0), system.on(0)), (Limited, Some(1)));
    system.run_to(s(1));
    assert_eq!(system.spent(0).emulation, Span::SECOND, "no other waits for it");
}

#[test]
fn it_is_of_all_processors_and_divided_among_the_virtual_ones() {
    let mut system = system(4, vec![limited(25.0, 2)]);
    for requester in 0..2 {
        system.ready_again_and_again(0, requester, Left::Work(Span::SECOND), us(0));
    }
    system.run_to(s(1));
    for number in 0..2 {
        let had = system.charged[number].seconds();
        assert!((had - 0.5).abs() < 0.005, "half of one processor each: {had}");
    }
}

#[test]
fn one_beyond_a_whole_processor_each_holds_none_back() {
    let mut system = system(4, vec![limited(50.0, 1)]);
    system.ready_for_ever(0, us(0));
    system.run_to(s(1));
    assert_eq!(system.spent(0).emulation, Span::SECOND);
}

/// It is held back by what it was charged, not by what it ran.
#[test]
fn what_is_simulated_for_it_counts() {
    let costs = CostsPlan { simulate: Span::from_us(50), ..CostsPlan::default() };
    let mut system = System::new(&plan(1, ControlProgramPlan { costs, ..settings() }, vec![limited(40.0, 1)]));
    for nth in 0..20_000 {
        let at = us(100 * nth);
        system.run_to(at);
        if system.standing(0) == Idle {
            system.ready(0, 50, at);
        }
    }
    let had = system.charged[0].seconds() / 2.0;
    assert!((0.3..=0.401).contains(&had), "{had}");
}

//! Do the pages on guests that spin agree with their tables, and do they name the rows of the toolkit that they omit?

use measures::{ControlProgramTotals, Figure, IntervalTotals, LockTotals, SpinLockTotals, VirtualMachineTotals};
use proptest::prelude::*;
use reports::{Log, privileged_operations_page, spin_lock_page, system_counter_page};
use units::Span;

fn machine(kind: &str, number: u64, x44: f64, x9c: f64) -> VirtualMachineTotals {
    let exact = Figure::exact;
    VirtualMachineTotals {
        emulation_percent: exact(200.0),
        spinning_percent: exact(50.0),
        x44_per_s: exact(x44),
        fast_x44_per_s: exact(x44 * 0.75),
        x9c_per_s: exact(x9c),
        intercepts_per_s: exact(0.25 * x9c),
        ..VirtualMachineTotals::unknown("ZVM".into(), kind.into(), number)
    }
}

fn program(scale: f64) -> ControlProgramTotals {
    let exact = |value: f64| Figure::exact(scale * value);
    ControlProgramTotals {
        x44_per_s: exact(4000.0),
        fast_x44_per_s: exact(3000.0),
        x9c_per_s: exact(2000.0),
        x9c_yielded_per_s: exact(400.0),
        x9c_not_ready_per_s: exact(8.0),
        x9c_wait_per_s: exact(0.0),
        x9c_soft_wait_per_s: exact(0.25),
        x9c_dispatched_per_s: exact(1591.75),
        sensed_per_s: exact(0.0),
        dispatches_per_s: exact(9000.0),
        stolen_per_s: exact(12.3),
        looks_per_s: exact(500.0),
        slice_ends_per_s: exact(1400.0),
        ..ControlProgramTotals::unknown("ZVM".into())
    }
}

fn lock(kind: &str, number: u64, name: &str, contended: f64) -> SpinLockTotals {
    let exact = Figure::exact;
    SpinLockTotals {
        taken_per_s: exact(4.0 * contended + 1000.0),
        contended_per_s: exact(contended),
        contended_percent: exact(100.0 * contended / (4.0 * contended + 1000.0)),
        wait_us: if contended > 0.0 { exact(20.0 + number as f64) } else { Figure::ZERO },
        longest_wait_ms: if contended > 0.0 { exact(2.5 + number as f64) } else { Figure::ZERO },
        held_us: exact(6.0),
        held_percent: exact(30.0 + number as f64),
        spinning: exact(contended * 20e-6),
        ..SpinLockTotals::unknown("ZVM".into(), kind.into(), number, name.into())
    }
}

fn totals(scale: f64) -> IntervalTotals {
    let mut totals = IntervalTotals::new("ZVM", Span::SECOND * 10);
    totals.virtual_machines = vec![
        machine("CLIENT", 0, 0.0, scale * 300.0),
        machine("CLIENT", 1, 0.0, scale * 100.0),
        machine("SERVER", 0, scale * 1200.0, 0.0),
    ];
    totals.control_programs = vec![program(scale)];
    let yields_per_s = Figure::exact(scale * 70.0);
    totals.locks = vec![LockTotals { yields_per_s, ..LockTotals::unknown("ZVM".into(), "SRMSLOCK".into()) }];
    totals.spin_locks = vec![
        lock("CLIENT", 0, "dcache", scale * 1000.0),
        lock("CLIENT", 1, "dcache", scale * 3000.0),
        lock("SERVER", 0, "pages", 0.0),
    ];
    totals
}

fn log() -> Log {
    let second = |seconds: u64| Span::SECOND * seconds;
    Log {
        run: "an example".into(),
        system: "ZVM".into(),
        length: second(20),
        mean: totals(1.0),
        intervals: vec![(second(10), totals(0.5)), (second(20), totals(1.5))],
        note: "simulated, seed 1".into(),
    }
}

/// The words of the rows that begin with this, in their order.
fn rows(page: &str, begin: &str) -> Vec<Vec<String>> {
    let words = |line: &str| line.split_whitespace().map(str::to_string).collect();
    page.lines().filter(|line| line.trim_start().starts_with(begin)).map(words).collect()
}

/// The row of an operation, on either side of the page: count and rate.
fn operation(page: &str, begin: &str, name: &str) -> [String; 2] {
    let line = page.lines().find(|line| line.trim_start().starts_with(begin) && line.contains(name));
    let (_, behind) = line.and_then(|line| line.split_once(name)).unwrap_or_else(|| panic!("{name}: {page}"));
    let mut words = behind.split_whitespace().map(str::to_string);
    [(); 2].map(|()| words.next().unwrap_or_default())
}

#[test]
fn means_come_first_and_every_interval_has_its_rows_by_its_end() {
    for (page, count) in
        [(privileged_operations_page(&log()), 4), (system_counter_page(&log()), 10), (spin_lock_page(&log()), 4)]
    {
        let begins = [">>Mean>>", "00:00:10", "00:00:20"];
        assert_eq!(begins.map(|begin| rows(&page, begin).len()), [count; 3], "{page}");
        assert!(page.find(">>Mean>>") < page.find("00:00:10 "), "{page}");
    }
}

#[test]
fn yields_are_a_row_for_each_machine_and_add_up() {
    let mean = rows(&privileged_operations_page(&log()), ">>Mean>>");
    assert_eq!(mean[0][1..], ["CLIENT#0", ".0", ".0", "-", "300", "300", "100.0", "50.0", "25.0", "75.0"]);
    assert_eq!(mean[2][1..], ["SERVER", "1200", "900", "75.0", ".0", "1200", ".0", "50.0", "25.0", ".0"]);
    assert_eq!(mean[3][1..], [">>Total>", "1200", "900", "75.0", "400", "1600", "25.0", "150.0", "25.0", "100"]);
}

#[test]
fn a_guest_that_does_not_yield_has_no_percentages_of_it() {
    let mut log = log();
    log.mean.virtual_machines = vec![VirtualMachineTotals {
        emulation_percent: Figure::ZERO,
        spinning_percent: Figure::ZERO,
        ..machine("IDLE", 0, 0.0, 0.0)
    }];
    let mean = rows(&privileged_operations_page(&log), ">>Mean>>");
    assert_eq!(mean[0][1..], ["IDLE", ".0", ".0", "-", ".0", ".0", "-", ".0", "-", ".0"]);
}

#[test]
fn counts_are_rates_times_the_length_of_their_own_interval() {
    let page = system_counter_page(&log());
    assert_eq!(operation(&page, ">>Mean>>", "FP simul of Diag.X'44'"), ["60000", "3000"]);
    assert_eq!(operation(&page, "00:00:10", "FP simul of Diag.X'44'"), ["15000", "1500"]);
    assert_eq!(operation(&page, "00:00:20", "FP simul of Diag.X'44'"), ["45000", "4500"]);
}

#[test]
fn outcomes_have_the_names_of_fcx102() {
    let page = system_counter_page(&log());
    let mean = |name: &str| operation(&page, ">>Mean>>", &format!("Diag.X'9C' {name}"));
    assert_eq!(mean("Not Ready"), ["160", "8.0"]);
    assert_eq!(mean("Wait State"), ["0", ".0"]);
    assert_eq!(mean("Soft Wait"), ["5", ".2"]);
    assert_eq!(mean("Alr.Dispat."), ["31835", "1592"]);
}

#[test]
fn what_ended_a_slice_was_not_fast() {
    let page = system_counter_page(&log());
    assert_eq!(operation(&page, ">>Mean>>", "Diag.X'44', slice ended"), ["20000", "1000"]);
    let mut log = log();
    log.mean.control_programs[0].fast_x44_per_s = Figure::exact(4000.0 + 1e-9);
    assert_eq!(operation(&system_counter_page(&log), ">>Mean>>", "Diag.X'44', slice ended"), ["0", ".0"]);
}

#[test]
fn yields_of_the_control_program_itself_are_those_of_its_locks() {
    assert_eq!(operation(&system_counter_page(&log()), ">>Mean>>", "CP issued X'44', X'9C'"), ["1400", "70.0"]);
}

#[test]
fn the_page_of_system_counters_says_what_it_leaves_out() {
    let page = system_counter_page(&log());
    let notes: String = page.lines().take_while(|line| !line.is_empty()).collect();
    for row in [
        "El. time slice drops",
        "Fast-path SIGP simulat.",
        "Nr. of SIE executions",
        "SIE intercepts",
        "enabled wait",
        "CP issued Diag.X'44'",
    ] {
        assert!(notes.contains(row), "{row}: {page}");
    }
}

#[test]
fn waits_are_weighted_by_their_number() {
    let mean = rows(&spin_lock_page(&log()), ">>Mean>>");
    assert_eq!(mean[0][1..], ["dcache", "CLIENT#0", "5000", "1000", "20.0", "20.00", "2.500", "6.000", "30.0", ".02"]);
    assert_eq!(mean[2][1..], ["pages", "SERVER", "1000", ".0", ".0", "-", "-", "6.000", "30.0", ".00"]);
    assert_eq!(mean[3][1..], [">>Total>", "19000", "4000", "21.1", "20.75", "3.500", "6.000", "-", ".08"]);
}

#[test]
fn many_locks_are_a_row_for_each_name_of_a_kind() {
    let mut log = log();
    let of = |name: &'static str| (0..32).map(move |number| lock("SERVER", number, name, 100.0));
    log.mean.spin_locks = of("pages").chain(of("dcache")).collect();
    let page = spin_lock_page(&log);
    let mean = rows(&page, ">>Mean>>");
    assert_eq!(mean[0][1..3], ["pages", "SERVER(32)"]);
    assert_eq!(
        mean[1][1..],
        ["dcache", "SERVER(32)", "44800", "3200", "7.1", "35.50", "33.50", "6.000", "45.5", ".06"]
    );
    assert_eq!(mean.len(), 3);
    assert!(page.contains("of all machines of a kind"), "{page}");
}

#[test]
fn a_system_without_spin_locks_has_a_page_without_rows() {
    let page = spin_lock_page(&Log { mean: IntervalTotals::new("", Span::ZERO), intervals: Vec::new(), ..log() });
    assert!(page.lines().last().is_some_and(|line| line.starts_with(" End Time")), "{page}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn any_numbers_leave_every_row_its_columns(
        values in prop::collection::vec(prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(0.0), 0.0..1e7_f64], 64),
    ) {
        let mut log = log();
        let figures = std::array::from_fn(|at| Figure::exact(values[at]));
        log.mean.virtual_machines = vec![VirtualMachineTotals::unknown("Z".into(), "A B".into(), 0).with(figures)];
        let figures = std::array::from_fn(|at| Figure::exact(values[at]));
        log.mean.control_programs = vec![ControlProgramTotals::unknown("Z".into()).with(figures)];
        let figures = std::array::from_fn(|at| Figure::exact(values[at]));
        let unknown = SpinLockTotals::unknown("Z".into(), "A B".into(), 0, "D CACHE".into());
        log.mean.spin_locks = vec![unknown.with(figures)];
        for (page, columns) in [(privileged_operations_page(&log), 11), (spin_lock_page(&log), 11)] {
            prop_assert_eq!(rows(&page, ">>Mean>>")[0].len(), columns, "{}", page);
        }
        for name in ["FP simul of Diag.X'44'", "Diag.X'9C' Soft Wait", "Looks at other vectors"] {
            let page = system_counter_page(&log);
            prop_assert!(operation(&page, ">>Mean>>", name).iter().all(|text| !text.is_empty()), "{}", page);
        }
    }
}

//! Do logs of a control program say what its tables say, means first, each interval by its end, totals last?

use measures::{ControlProcessorTotals, DecisionRow, Figure, IntervalTotals, LockTotals, VirtualMachineTotals};
use proptest::prelude::*;
use reports::{
    Log, Parking, ShareSetting, Unparking, lock_log_page, parking_page, processor_log_page, share_page,
    user_state_page, vector_page,
};
use units::Span;

fn processor(number: u64, busy: f64) -> ControlProcessorTotals {
    let exact = Figure::exact;
    ControlProcessorTotals {
        emulation_percent: exact(busy / 2.0),
        chargeable_cp_percent: exact(busy / 8.0),
        nonchargeable_cp_percent: exact(3.0 * busy / 8.0),
        spin_percent: exact(busy / 4.0),
        busy_percent: exact(busy),
        wait_percent: exact(100.0 - busy),
        parked_percent: exact(0.0),
        entitlement_percent: exact(100.0),
        vector_empty_percent: exact(62.04),
        vector_depth: exact(0.5),
        dispatches_per_s: exact(1000.0 * number as f64),
        moved_percent: exact(10.0 * number as f64),
        stolen_chip_per_s: exact(12.3),
        stolen_book_per_s: exact(0.2),
        stolen_far_per_s: exact(0.0),
        looks_per_s: exact(5000.0),
        ..ControlProcessorTotals::unknown("ZVM".into(), number, "Vh".into())
    }
}

fn lock(collisions: f64) -> LockTotals {
    let exact = Figure::exact;
    LockTotals {
        collisions_per_s: exact(collisions),
        spin_us_per_collision: exact(15.85),
        spin_percent: exact(collisions * 15.85e-4),
        exclusive_collisions_per_s: exact(collisions / 2.0),
        exclusive_spin_us_per_collision: exact(30.7),
        exclusive_spin_percent: exact(collisions * 15.35e-4),
        shared_collisions_per_s: exact(0.0),
        shared_spin_us_per_collision: Figure::UNKNOWN,
        shared_spin_percent: exact(0.0),
        ..LockTotals::unknown("ZVM".into(), "SRMSLOCK".into())
    }
}

fn machine(kind: &str, number: u64, running: f64) -> VirtualMachineTotals {
    let exact = Figure::exact;
    VirtualMachineTotals {
        emulation_percent: exact(60.0),
        chargeable_cp_percent: exact(21.0),
        charged_percent: exact(81.0),
        running: exact(running),
        ready_wait: exact(0.3),
        waking: exact(0.0),
        interrupted: exact(0.0),
        idle: exact(2.6 - running),
        limited: exact(0.1),
        share: exact(12.5),
        ..VirtualMachineTotals::unknown("ZVM".into(), kind.into(), number)
    }
}

fn totals(scale: f64) -> IntervalTotals {
    let mut totals = IntervalTotals::new("ZVM", Span::SECOND * 10);
    totals.control_processors = (0..3).map(|number| processor(number, scale * 20.0 * (1 + number) as f64)).collect();
    totals.locks = vec![lock(scale * 273_000.0)];
    totals.virtual_machines = (0..2).map(|number| machine("LIGHT", number, 0.8)).collect();
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

fn decision(at: f64, tv: f64, used: f64, [before, after]: [f64; 2]) -> DecisionRow {
    let exact = Figure::exact;
    DecisionRow {
        at_s: exact(at),
        used: exact(used),
        tv: exact(tv),
        predicted: exact(used + 0.25),
        cpupad: exact(1.0),
        entitled: exact(16.0),
        hoped: exact(0.0),
        tv_parks: exact(f64::from(tv >= 1.5)),
        before: exact(before),
        after: exact(after),
        ..DecisionRow::unknown("ZVM".into())
    }
}

/// The words of the rows that begin with these, in their order.
fn rows(page: &str, begin: &str) -> Vec<Vec<String>> {
    let words = |line: &str| line.split_whitespace().map(str::to_string).collect();
    page.lines().filter(|line| line.trim_start().starts_with(begin)).map(words).collect()
}

#[test]
fn means_come_first_and_every_interval_has_its_rows_by_its_end() {
    for page in [processor_log_page(&log()), vector_page(&log())] {
        let names = |begin: &str| rows(&page, begin).iter().map(|row| row[1].clone()).collect::<Vec<_>>();
        for begin in [">>Mean>>", "00:00:10", "00:00:20"] {
            assert_eq!(names(begin), ["0", "1", "2", ">>Total>"], "{page}");
        }
        assert!(page.find(">>Mean>>") < page.find("00:00:10 "), "{page}");
    }
}

#[test]
fn one_interval_is_its_mean() {
    let log = Log { intervals: Vec::new(), ..log() };
    let page = lock_log_page(&log);
    assert_eq!(page.lines().last().map(|line| line.starts_with(" >>Mean>> >>Total>")), Some(true), "{page}");
}

#[test]
fn processors_add_up() {
    let page = processor_log_page(&log());
    let mean = rows(&page, ">>Mean>>");
    let expected = ["0", "Vh", "100.0", "20.0", "10.0", "2.5", "7.5", "5.0", "80.0", ".0", "2.00", "62.0", ".50"];
    assert_eq!(mean[0][1..], expected);
    let expected = ["300.0", "120.0", "60.0", "15.0", "45.0", "30.0", "180.0", ".0", "2.00", "-", "1.50"];
    assert_eq!(mean[3][2..], expected);
}

#[test]
fn a_processor_on_which_no_guest_ran_has_no_ratio() {
    let mut log = log();
    log.mean.control_processors = vec![processor(0, 0.0)];
    assert_eq!(rows(&processor_log_page(&log), ">>Mean>>")[0][11], "-");
}

#[test]
fn moves_are_a_share_of_all_dispatches() {
    let mean = rows(&vector_page(&log()), ">>Mean>>");
    assert_eq!(mean[1][3..9], ["1000", "10.0", "12.3", ".2", ".0", "5000"]);
    assert_eq!(mean[3][2..8], ["3000", "16.7", "36.9", ".6", ".0", "15000"]);
}

#[test]
fn the_lock_log_has_the_groups_and_headings_of_fcx265() {
    let page = lock_log_page(&log());
    let lines: Vec<&str> = page.lines().skip_while(|line| !line.is_empty()).skip(1).take(4).collect();
    let words = |line: &str| {
        let words = line.split_whitespace().map(|word| word.trim_matches(['<', '>', '-']).to_string());
        words.filter(|word| !word.is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(words(lines[0]), ["Spin", "Lock", "Collision", "Activity"]);
    assert_eq!(words(lines[1]), ["Combined", "Exclusive", "Shared"]);
    let group = ["Colls", "AvgSpin", "Spin", "CADs"];
    assert_eq!(words(lines[2]), [&["Interval"][..], &group, &group, &group].concat());
    let group = ["/sec", "usec", "%Busy", "/sec"];
    assert_eq!(words(lines[3]), [&["End", "Time", "LockName"][..], &group, &group, &group].concat());
}

#[test]
fn the_mean_spin_is_over_the_collisions_of_all_locks() {
    let mut log = log();
    let other = LockTotals { spin_percent: Figure::exact(7.735), ..lock(91_000.0) };
    log.mean.locks = vec![lock(273_000.0), LockTotals { lock: "OTHERLCK".into(), ..other }];
    let mean = rows(&lock_log_page(&log), ">>Mean>>");
    assert_eq!(
        mean[0][1..],
        ["SRMSLOCK", "273000", "15.85", "432.7", "-", "136500", "30.70", "419.1", "-", ".0", ".000", ".000", "-"]
    );
    assert_eq!(mean[2][1..5], [">>Total>", "364000", "12.10", "440.4"]);
}

#[test]
fn states_are_parts_of_the_time_of_all_virtual_processors() {
    let mean = rows(&user_state_page(&log()), ">>Mean>>");
    assert_eq!(mean[0][1..], ["LIGHT#0", "26.7", "10.0", ".0", ".0", "3.3", "60.0"]);
    assert_eq!(mean[2][1..], [">>Total>", "26.7", "10.0", ".0", ".0", "3.3", "60.0"]);
}

#[test]
fn a_machine_that_is_alone_of_its_kind_has_no_number() {
    let mut log = log();
    log.mean.virtual_machines.push(machine("OPERATOR", 0, 0.1));
    assert_eq!(rows(&user_state_page(&log), ">>Mean>>")[2][1], "OPERATOR");
}

#[test]
fn many_machines_are_a_row_per_kind() {
    let mut log = log();
    let of = |kind: &'static str, count: u64| (0..count).map(move |number| machine(kind, number, 0.8));
    log.mean.virtual_machines = of("LIGHT", 60).chain(of("HEAVY", 2)).collect();
    let settings = [ShareSetting { kind: "HEAVY".into(), share: "5%".into(), limit_percent: Some(80.0) }];
    let mean = rows(&share_page(&log, 8, &settings), ">>Mean>>");
    assert_eq!(mean[0][1..7], ["LIGHT(60)", "-", "750.0", "6000.0", "4860.0", "3600.0"]);
    assert_eq!(mean[1][1..], ["HEAVY(2)", "5%", "25.0", "200.0", "162.0", "120.0", "42.0", "160.0", "10.0", "3.3"]);
    assert_eq!(mean.len(), 3);
}

#[test]
fn decisions_say_which_bound_made_the_number() {
    let why = |hoped: f64, tv: f64, unparking: Unparking| {
        let row = DecisionRow { hoped: Figure::exact(hoped), ..decision(1.0, tv, 10.1, [16.0, 12.0]) };
        let parking = Parking { logical: 24, unparking: vec![unparking], set: Vec::new() };
        rows(&parking_page(&log(), &[row], &parking), "00:00:01")[0][12..].join(" ")
    };
    assert_eq!(why(0.0, 1.2, Unparking::Large), "entitled");
    assert_eq!(why(4.0, 1.2, Unparking::Large), "entitled + hoped for");
    assert_eq!(why(9.5, 1.2, Unparking::Large), "all there are");
    assert_eq!(why(9.5, 2.2, Unparking::Large), "need, as T/V is high");
    assert_eq!(why(4.0, 1.2, Unparking::Medium), "entitled, as UNPARKING MEDIUM says");
    assert_eq!(why(4.0, 2.2, Unparking::Medium), "need, as T/V is high");
    assert_eq!(why(4.0, 1.2, Unparking::Small), "need, as UNPARKING SMALL says");
    assert_eq!(why(-6.0, 2.2, Unparking::Small), "entitled");
}

#[test]
fn settings_are_between_decisions_and_the_warm_up_is_not_in_the_mean() {
    let decisions = [decision(-3.0, 1.2, 7.0, [16.0, 16.0]), decision(1.0, 2.36, 10.1, [16.0, 12.0])];
    let set = vec![(1.0, "SET SRM CPUPAD 300%".to_string())];
    let page = parking_page(&log(), &decisions, &Parking { logical: 16, set, ..Parking::default() });
    let body: Vec<&str> = page.lines().skip_while(|line| !line.starts_with(" >>Mean>>")).collect();
    let starts: Vec<&str> = body.iter().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(starts, [">>Mean>>", "-00:00:03", "00:00:01", "00:00:01"], "{page}");
    assert!(body[2].ends_with("SET SRM CPUPAD 300%"), "{page}");
    assert_eq!(rows(&page, ">>Mean>>")[0][1..3], ["10.1", "2.36"]);
}

#[test]
fn a_control_program_that_decided_nothing_has_a_page_without_rows() {
    let page = parking_page(&log(), &[], &Parking { logical: 16, ..Parking::default() });
    assert!(page.lines().last().is_some_and(|line| line.starts_with(" at ")), "{page}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn any_numbers_leave_every_row_its_columns(
        values in prop::collection::vec(prop_oneof![Just(f64::NAN), Just(f64::INFINITY), Just(0.0), 0.0..1e7_f64], 32),
    ) {
        let figures = std::array::from_fn(|at| Figure::exact(values[at]));
        let mut log = log();
        log.mean.control_processors = vec![ControlProcessorTotals::unknown("Z".into(), 63, "Vl".into()).with(figures)];
        let figures = std::array::from_fn(|at| Figure::exact(values[at]));
        log.mean.locks = vec![LockTotals::unknown("Z".into(), "SRM LOCK".into()).with(figures)];
        let figures = std::array::from_fn(|at| Figure::exact(values[at]));
        log.mean.virtual_machines = vec![VirtualMachineTotals::unknown("Z".into(), "A B".into(), 0).with(figures)];
        let pages = [
            (processor_log_page(&log), 14), (vector_page(&log), 11), (lock_log_page(&log), 14),
            (user_state_page(&log), 8), (share_page(&log, 64, &[]), 11),
        ];
        for (page, columns) in pages {
            prop_assert_eq!(rows(&page, ">>Mean>>")[0].len(), columns, "{}", page);
        }
    }
}

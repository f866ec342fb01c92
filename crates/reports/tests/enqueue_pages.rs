//! Do the pages on resources by name say what their tables say, whatever the names and the numbers?

use measures::{Contended, Contender, ContentionRow, EnqueueTotals, Figure, IntervalTotals};
use proptest::prelude::*;
use reports::{contention_page, enqueue_page};
use units::Span;

/// A resource that was in contention so often.
fn resource(qname: &str, rname: &str, contentions: f64) -> EnqueueTotals {
    let exact = Figure::exact;
    EnqueueTotals {
        requests_per_s: exact(123.45),
        contentions: exact(contentions),
        contention_min_ms: exact(0.125),
        contention_max_ms: exact(12.5),
        contention_total_ms: exact(if contentions > 0.0 { 1234.56 } else { 0.0 }),
        contention_mean_ms: exact(3.25),
        queue_1_percent: exact(60.0),
        queue_2_percent: exact(25.0),
        queue_3_percent: exact(10.0),
        queue_4_percent: exact(5.0),
        queue_depth: exact(1.84),
        wait_ms: exact(2.5),
        exclusive_waiters_max: exact(4.0),
        shared_waiters_max: exact(7.0),
        ..EnqueueTotals::unknown("R".into(), qname.into(), rname.into(), "SYSTEMS".into(), 1)
    }
}

fn interval(enqueues: Vec<EnqueueTotals>) -> IntervalTotals {
    IntervalTotals { enqueues, ..IntervalTotals::new("PLEX", Span::SECOND * 60) }
}

/// The lines below the heading of the page.
fn body(page: &str) -> Vec<String> {
    let heading = page.lines().position(|line| line.contains("MAJOR")).expect("there is a heading");
    page.lines().skip(heading + 1).map(str::to_string).collect()
}

fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

#[test]
fn a_row_has_the_columns_of_record_77_in_their_order() {
    let page = enqueue_page(&interval(vec![resource("SYSDSN", "PROD.DATA", 380.0)]), "");
    let heading = page.lines().find(|line| line.contains("MAJOR")).expect("there is a heading");
    assert_eq!(
        words(heading).join(" "),
        "MAJOR MINOR SCOPE PER SEC MIN MAX TOT AVG 1 2 3 4+ LNGTH AVG EXCL SHARE EVENT"
    );
    let expected = "SYSDSN PROD.DATA SYSTEMS 123.5 0.125 12.500 1234.6 3.250 60.0 25.0 10.0 5.0 1.84 2.500 4 7 380";
    let rows = body(&page);
    assert_eq!(rows.iter().map(|row| words(row).join(" ")).collect::<Vec<_>>(), [expected]);
}

#[test]
fn resources_that_were_not_in_contention_are_omitted() {
    let page = enqueue_page(&interval(vec![resource("A", "IDLE", 0.0), resource("B", "BUSY", 1.0)]), "");
    assert_eq!(
        (page.contains("IDLE"), page.contains("BUSY"), page.contains("no resource was in")),
        (false, true, false)
    );
}

/// No wait began in the interval, and one task waited all the time.
#[test]
fn a_contention_that_goes_on_from_before_is_on_the_page() {
    let on = EnqueueTotals { contention_total_ms: Figure::exact(60_000.0), ..resource("A", "STUCK", 0.0) };
    let page = enqueue_page(&interval(vec![on]), "");
    assert!(page.contains("STUCK") && !page.contains("no resource was in contention"), "{page}");
}

#[test]
fn without_contention_the_page_says_so_and_has_its_heading() {
    for enqueues in [vec![], vec![resource("A", "IDLE", 0.0)]] {
        let page = enqueue_page(&interval(enqueues), "");
        assert!(page.contains("Note no resource was in contention") && page.contains("MAJOR"), "{page}");
        assert_eq!(body(&page), Vec::<String>::new());
    }
}

#[test]
fn figures_that_are_not_known_are_dashes() {
    let unknown = EnqueueTotals {
        contentions: Figure::exact(1.0),
        ..EnqueueTotals::unknown("R".into(), "Q".into(), "N".into(), "SYSTEM".into(), 1)
    };
    let page = enqueue_page(&interval(vec![unknown]), "");
    assert_eq!(words(&body(&page)[0]), [&["Q", "N", "SYSTEM"][..], &["-"; 13], &["1"]].concat());
}

#[test]
fn members_are_one_row_with_their_number() {
    let members = EnqueueTotals { members: 12, ..resource("SYSDSN", "TABLE", 3.0) };
    assert!(body(&enqueue_page(&interval(vec![members]), ""))[0].contains("TABLE.(12)"));
}

#[test]
fn the_longest_names_are_printed_whole_and_columns_widen_with_them() {
    let (long, short) = ("N".repeat(255), "SHORT");
    let page = enqueue_page(&interval(vec![resource("QQQQQQQQ", &long, 1.0), resource("Q", short, 1.0)]), "");
    let rows = body(&page);
    assert!(rows[0].contains(&long));
    let scope = |row: &str| row.find("SYSTEMS").expect("it has a scope");
    assert_eq!(scope(&rows[0]), scope(&rows[1]), "scopes stand below each other");
}

#[test]
fn a_name_with_control_characters_stays_on_its_line() {
    let page = enqueue_page(&interval(vec![resource("Q\nQ", "A\r\nB\tC", 1.0)]), "");
    assert_eq!(body(&page).len(), 1, "{page}");
}

#[test]
fn numbers_that_overflow_their_columns_push_them_and_what_is_none_is_a_dash() {
    let big = EnqueueTotals {
        requests_per_s: Figure::exact(98_765_432.1),
        contention_total_ms: Figure::exact(987_654_321.0),
        contention_mean_ms: Figure::exact(f64::INFINITY),
        contention_max_ms: Figure::exact(1e12),
        ..resource("Q", "BIG", 99_999_999.0)
    };
    let rows = body(&enqueue_page(&interval(vec![big, resource("Q", "SMALL", 1.0)]), ""));
    let words = words(&rows[0]);
    assert_eq!(
        [words[3], words[5], words[6], words[7], words[16]],
        ["98765432.1", "-", "987654321.0", "-", "99999999"]
    );
    assert_eq!(rows[0].len(), rows[1].len(), "flush right");
}

#[test]
fn every_line_of_a_note_is_a_note() {
    let page = enqueue_page(&interval(vec![]), "of one run\n\nby hand");
    assert!(page.contains("Note of one run\nNote by hand\nNote CONTENTION TIME"), "{page}");
}

/// A request: scope, minor name, system, task, status, blockers, and the number of its deadlock.
fn row(scope: &str, rname: &str, who: [&str; 4], deadlock: f64) -> ContentionRow {
    let [partition, task, status, blockers] = who.map(String::from);
    let (enqueue, qname, rname, scope) = ("R".to_string(), "SYSDSN".to_string(), rname.to_string(), scope.to_string());
    ContentionRow {
        at_s: Figure::exact(60.0),
        since_ms: Figure::exact(1234.5678),
        deadlock: Figure::exact(deadlock),
        ..ContentionRow::unknown(
            Contended { enqueue, qname, rname, scope },
            Contender { partition, task, access: "EXCLUSIVE".into(), status, blockers },
        )
    }
}

/// One owner and two waiters, one behind the other.
fn queue(scope: &str, rname: &str, partition: &str) -> Vec<ContentionRow> {
    vec![
        row(scope, rname, [partition, "JOB.1", "OWN", ""], 0.0),
        row(scope, rname, [partition, "JOB.2", "WAIT", "JOB.1"], 0.0),
        row(scope, rname, [partition, "JOB.3", "WAIT", "JOB.1 JOB.2"], 0.0),
    ]
}

#[test]
fn a_queue_has_a_head_and_a_line_for_each_request_in_its_order() {
    let page = contention_page(&queue("SYSTEM", "PROD.DATA", "SYS1"), "");
    let lines: Vec<&str> = page.lines().collect();
    assert_eq!(lines[1..4], ["At 60.000 s", "", "S=SYSTEM  SYSDSN   PROD.DATA"]);
    assert_eq!(words(lines[4]).join(" "), "SYSNAME JOBNAME EXC/SHR STATUS FOR MSEC BLOCKED BY");
    let rows: Vec<String> = lines[5..].iter().map(|line| words(line).join(" ")).collect();
    let expected = [
        "SYS1 JOB.1 EXCLUSIVE OWN 1234.568",
        "SYS1 JOB.2 EXCLUSIVE WAIT 1234.568 JOB.1",
        "SYS1 JOB.3 EXCLUSIVE WAIT 1234.568 JOB.1 JOB.2",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn without_contention_the_list_says_so() {
    let page = contention_page(&[], "of one run");
    assert_eq!(page.lines().skip(1).collect::<Vec<_>>(), ["Note of one run", "NO ENQ RESOURCE CONTENTION EXISTS"]);
}

/// The heads of the queues of a page.
fn heads(rows: &[ContentionRow]) -> Vec<String> {
    contention_page(rows, "").lines().filter(|line| line.starts_with("S=")).map(str::to_string).collect()
}

#[test]
fn queues_of_one_name_in_two_systems_are_two_and_a_global_one_is_one() {
    let both = |scope| [queue(scope, "N", "SYS1"), queue(scope, "N", "SYS2")].concat();
    assert_eq!(heads(&both("SYSTEM")).len(), 2);
    assert_eq!(heads(&both("SYSTEMS")), ["S=SYSTEMS SYSDSN   N"]);
}

#[test]
fn queues_of_different_names_are_apart() {
    let rows = [queue("SYSTEM", "A", "SYS1"), queue("SYSTEM", "B", "SYS1")].concat();
    assert_eq!(heads(&rows), ["S=SYSTEM  SYSDSN   A", "S=SYSTEM  SYSDSN   B"]);
}

#[test]
fn each_deadlock_names_its_tasks_once_in_their_order() {
    let rows = [
        row("SYSTEM", "A", ["SYS1", "JOB.2", "OWN", ""], 1.0),
        row("SYSTEM", "A", ["SYS1", "JOB.1", "WAIT", "JOB.2"], 1.0),
        row("SYSTEM", "A", ["SYS1", "JOB.9", "WAIT", "JOB.2"], 0.0),
        row("SYSTEM", "B", ["SYS1", "JOB.1", "OWN", ""], 1.0),
        row("SYSTEM", "B", ["SYS1", "JOB.2", "WAIT", "JOB.1"], 1.0),
        row("SYSTEM", "C", ["SYS1", "JOB.7", "OWN", ""], 2.0),
    ];
    let page = contention_page(&rows, "");
    let said: Vec<&str> = page.lines().filter(|line| line.starts_with("DEADLOCK")).collect();
    assert_eq!(said, ["DEADLOCK 1: JOB.1 JOB.2", "DEADLOCK 2: JOB.7"]);
    assert!(!contention_page(&queue("SYSTEM", "A", "SYS1"), "").contains("DEADLOCK"));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn whatever_the_names_there_is_a_line_for_each_resource(
        names in prop::collection::vec((any::<String>(), any::<String>()), 0..6), value in any::<f64>(),
    ) {
        let rows: Vec<EnqueueTotals> = names.iter().map(|(major, minor)| {
            EnqueueTotals { wait_ms: Figure::exact(value), ..resource(major, minor, 1.0) }
        }).collect();
        let page = enqueue_page(&interval(rows), "");
        prop_assert_eq!(body(&page).len(), names.len());
        prop_assert!(page.ends_with('\n') && !page.chars().any(|ch| ch.is_control() && ch != '\n'));
    }

    #[test]
    fn whatever_the_names_there_is_a_line_for_each_request(
        names in prop::collection::vec((any::<String>(), any::<String>()), 1..6), since in any::<f64>(),
    ) {
        let rows: Vec<ContentionRow> = names.iter().map(|(minor, task)| {
            let made = row("SYSTEM", minor, ["SYS1", task, "WAIT", task], 0.0);
            ContentionRow { since_ms: Figure::exact(since), ..made }
        }).collect();
        let page = contention_page(&rows, "");
        let queues = page.lines().filter(|line| line.starts_with("S=SYSTEM")).count();
        prop_assert_eq!(page.lines().count(), 2 + 3 * queues + rows.len());
        prop_assert!(!page.chars().any(|ch| ch.is_control() && ch != '\n'));
    }
}

//! Are all problems of a page reported, each with its place and at once?

use records::fcx108::DevicePage;
use units::Problem;

const PAGE: &str = include_str!("../../../published/hyperpav/device-reports/Y032181H.txt");

fn problems(bytes: impl Into<Vec<u8>>) -> Vec<Problem> {
    DevicePage::read(bytes, "page.txt").expect_err("the page is refused")
}

fn places(bytes: impl Into<Vec<u8>>) -> Vec<(usize, usize)> {
    problems(bytes).iter().map(|problem| (problem.line.unwrap_or(0), problem.column.unwrap_or(0))).collect()
}

fn only(bytes: impl Into<Vec<u8>>) -> String {
    let problems = problems(bytes);
    assert_eq!(problems.len(), 1, "{}", units::listing(&problems));
    problems[0].to_string()
}

#[test]
fn a_letter_in_a_number_is_shown_with_its_column() {
    let page = PAGE.replace("651", "6x1");
    assert_eq!(only(page), "page.txt:12:36: 522B I/O: `6x1` is not a number; allowed: a number as 711, 1.84 or .2");
}

#[test]
fn all_problems_come_at_once_in_the_order_of_the_page() {
    let page =
        PAGE.replace("651", "6x1").replace(" 98", " 9B").replace("2.4   .0", "2..  NaN").replace("4  578", "4    ");
    let places = places(page.replace(".98", ".x8"));
    assert_eq!(places, [(12, 36), (12, 77), (16, 67), (16, 72), (23, 38)]);
}

#[test]
fn a_row_cut_short_is_one_problem() {
    let page = PAGE.replace("608    .0   .2   .2  1.1  1.5  1.5   .0  .00", "608    .0   .2");
    assert_eq!(
        only(page),
        "page.txt:19:50: 5249: the row ends here, before `Disc`; a row needs every field that is read"
    );
}

#[test]
fn a_field_that_runs_on_is_not_read_as_less() {
    let page = PAGE.replace("  .0  .90", "  .0  .901");
    assert!(problems(page).iter().all(|problem| problem.what.contains("runs on")));
}

#[test]
fn numbers_without_a_blank_between_them_are_not_guessed_apart() {
    assert!(only(PAGE.replace("   .0  .98", "   .001.98")).contains("`.0` runs on into another column"));
    let beside_unknown = PAGE.replace("Resp CUWt Qued", "Resp What Qued").replace("2.9   .0  .98", "2.9   .001.98");
    assert!(only(beside_unknown).contains("522B Qued: `01.98` runs on into another column"));
}

#[test]
fn a_row_beside_its_headings_is_not_read_wrongly() {
    for blanks in 1..=9 {
        let page = PAGE.replace("BWPVS1    ", &format!("BWPVS1    {}", " ".repeat(blanks)));
        assert!(DevicePage::read(page, "page").is_err(), "shifted by {blanks}");
    }
    let page = PAGE.replace("BWPVS1  ", "BWPVS1     ");
    let text = only(page);
    assert!(
        text.contains("12:32: 522B ths: `0` does not end where its heading ends; the row reaches beyond"),
        "{text}"
    );
}

#[test]
fn a_page_without_its_heading_is_refused_once() {
    let page: String = PAGE.split_inclusive('\n').filter(|line| !line.contains("Addr")).collect();
    assert!(only(page).contains("the page has no heading line"));
    assert!(only("nothing of the kind\n").contains("the page has no heading line"));
}

#[test]
fn a_misspelt_heading_is_named() {
    let text = only(PAGE.replace("Serv Resp", "Srve Resp"));
    assert!(text.starts_with("page.txt:10:61: Serv: the heading `Serv` is missing; `Srve` is there instead"), "{text}");
}

#[test]
fn rows_under_a_damaged_heading_add_no_problems_of_their_own() {
    assert_eq!(problems(PAGE.replace("Addr Type", "Adress  T")).len(), 2);
}

#[test]
fn wrong_encodings_are_named_as_such() {
    let wide: Vec<u8> = PAGE.encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert!(only(wide).contains("UTF-16"));
    assert!(only(b"\xC6\xC3\xE7\xF1\xF0\xF8\x40\xD9\xA4\x95".as_slice()).contains("EBCDIC"));
    assert!(only("").contains("empty"));
    assert!(only(b"\x7fELF\0\x01\x02".as_slice()).contains("not text"));
}

#[test]
fn foreign_bytes_matter_within_fields_only() {
    let damaged = |from: &str, to: &[u8]| {
        let at = PAGE.find(from).unwrap();
        [&PAGE.as_bytes()[..at], to, &PAGE.as_bytes()[at + from.len()..]].concat()
    };
    assert!(only(damaged("BWPVS1", b"BWPV\xDC1")).starts_with("page.txt:12:18: 522B Label/ID: "));
    assert!(DevicePage::read(damaged("General", b"G\xE9n\xE9ral"), "page").is_ok());
}

#[test]
fn a_device_twice_and_a_base_without_row_are_reported() {
    assert!(only(PAGE.replace(" 522B ", " 522a ")).contains("device 522A was already on line 11"));
    let classic = PAGE.replace("5249 3390-3", "5249 ->5300");
    assert!(only(classic).contains("the base 5300 has no row"));
    assert!(only(PAGE.replace("5249 3390-3", "5249 ->52x0")).contains("names no base"));
}

#[test]
fn numbers_that_no_device_reaches_are_refused() {
    let page = " Addr Type   Label/ID                      I/O Pend Disc Conn Serv Qued\n \
                522A 3390   A                     99999999999   .2   .2   .9  1.3  1.8\n";
    assert!(only(page).contains("99999999999 is larger than any device can reach"));
}

#[test]
fn pages_without_disks_are_refused_with_the_reason() {
    let head: String = PAGE.split_inclusive('\n').take(10).collect();
    assert!(only(head.clone()).contains("nothing under the headings"));
    let tapes = format!("{head} 0590 3490   TAPE01         0   1    0    .0   .0   .0   .0   .0   .0   .0  .00\n");
    assert!(only(tapes).contains("none of the 1 lines"));
}

#[test]
fn pages_of_other_reports_in_the_file_are_passed_over_and_counted() {
    let other = "1FCX109  Run 2007/06/05 14:33:16         DEVICE CPOWNED\n\n Page Slots 12\n";
    let page = DevicePage::read(format!("{other}{PAGE}{other}"), "page.txt").expect("the DEVICE page is used");
    assert_eq!(page.rows().len(), 16);
    let passed = page.skipped().iter().filter(|line| line.why.to_string() == "a line of another page").count();
    assert_eq!(passed, 4);
}

#[test]
fn another_report_or_another_interval_in_the_file_is_reported() {
    assert!(problems(PAGE.replace("FCX108", "FCX102")).iter().any(|problem| problem.what == "the page is FCX102"));
    let other = PAGE.replace("13:16:46", "13:26:47").replace("13:26:47\nFor", "13:36:47\nFor");
    assert!(problems(format!("{PAGE}{other}")).iter().any(|problem| problem.what == "another interval begins here"));
}

#[test]
fn prose_among_the_rows_is_reported() {
    assert!(only(format!("{PAGE}In this workload we see\n")).contains("is not a device number"));
}

#[test]
fn a_page_full_of_errors_of_one_kind_is_answered_once_with_their_count() {
    let rows = PAGE.matches(" .0 ").count();
    let all = problems(PAGE.replace(" .0 ", " .x "));
    assert!(rows > 20 && all.len() < 10, "{rows} wrong numbers are {} problems", all.len());
    assert!(all.iter().any(|problem| problem.what.contains("of this kind")), "{all:?}");
}

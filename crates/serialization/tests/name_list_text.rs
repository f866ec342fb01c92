//! Is a `GRSRNLxx` text read to the column, kept to the byte, and changed in one entry alone?

use serialization::name_list::{Entry, Kind, List, NameListText};

const SHIPPED: &str = include_str!("../../../scenarios/name-lists/GRSRNL00.txt");

fn read(text: &str) -> NameListText {
    NameListText::read(text.as_bytes(), "GRSRNL00").expect("a text")
}

fn problems(text: &str) -> Vec<String> {
    let problems = NameListText::read(text.as_bytes(), "GRSRNL00").expect_err("problems");
    problems.iter().map(ToString::to_string).collect()
}

fn entry(list: List, kind: Kind, qname: &str, rname: Option<&str>) -> Entry {
    Entry::new(list, kind, qname.as_bytes(), rname.map(str::as_bytes)).expect("an entry")
}

#[test]
fn the_shipped_example_is_read_without_a_warning() {
    let text = read(SHIPPED);
    let entries = text.lists().entries();
    assert_eq!(entries.len(), 10);
    assert_eq!(entries[9], entry(List::Conversion, Kind::Specific, "APPL1", Some("MASTER FILE")));
    assert_eq!(text.place(9), (20, 1));
    assert_eq!(text.warnings(), []);
    assert_eq!(text.to_bytes(), SHIPPED.as_bytes());
}

#[test]
fn all_problems_are_reported_at_once_and_in_order() {
    let told = problems(
        "RNLDEF RNL(EXCLU) TYPE(SPECIFIC) QNAME(TOOLONGNAME)\n\
         RNLDEF TYPE(GENERIC)\n\
         RNLDEF RNL(CON) TYPE(PATERN) QNAME(A) QNAME(B)\n",
    );
    assert_eq!(
        told,
        [
            "GRSRNL00:1:1: RNAME: TYPE(SPECIFIC) without RNAME; a specific entry gives the whole name",
            "GRSRNL00:1:12: RNL: there is no `EXCLU`; allowed: INCL, EXCL, CON; did you mean EXCL?",
            "GRSRNL00:1:40: QNAME: the qname has 11 characters; allowed: 1 to 8 characters",
            "GRSRNL00:2:1: RNL: the statement has no RNL; allowed: RNL(value)",
            "GRSRNL00:2:1: QNAME: the statement has no QNAME; allowed: QNAME(value)",
            "GRSRNL00:3:22: TYPE: there is no `PATERN`; allowed: SPECIFIC, GENERIC, PATTERN; did you mean PATTERN?",
            "GRSRNL00:3:39: QNAME: QNAME is given again; a statement has one QNAME",
        ]
    );
}

#[test]
fn an_entry_that_is_there_already_is_reported_with_the_first_line() {
    let one = "RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(A)\n";
    assert_eq!(
        problems(&format!("{one}RNLDEF QNAME('A') RNL(INCL) TYPE(GENERIC)\n")),
        ["GRSRNL00:2:1: RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(A) is given again; line 1 gives it"]
    );
}

#[test]
fn a_text_without_statements_and_one_in_ebcdic_are_refused() {
    assert!(problems("/* nothing */")[0].starts_with("GRSRNL00: has no statement"));
    let ebcdic = [0xd9, 0xd5, 0xd3, 0xc4, 0xc5, 0xc6, 0x40];
    let told = NameListText::read(&ebcdic, "GRSRNL00").expect_err("a problem");
    assert!(told[0].to_string().starts_with("GRSRNL00: is in EBCDIC"));
}

#[test]
fn a_name_too_long_is_reported_where_it_starts() {
    let long = format!("RNLDEF RNL(CON) TYPE(GENERIC) QNAME(A) RNAME(\n{}\n{0}\n{0}\n{0}\n)", "X".repeat(71));
    assert_eq!(problems(&long), ["GRSRNL00:2:1: RNAME: the rname has 284 characters; allowed: 1 to 255 characters"]);
}

#[test]
fn changing_an_entry_leaves_every_other_byte() {
    let mut text = read(SHIPPED);
    text.replace(4, &entry(List::Exclusion, Kind::Specific, "SYSDSN", Some("SYS1.DUMP00"))).expect("a change");
    let line = "RNLDEF RNL(EXCL) TYPE(GENERIC)  QNAME(SYSDSN) RNAME(SYS1.DUMP)";
    let changed = "RNLDEF RNL(EXCL) TYPE(SPECIFIC)  QNAME(SYSDSN) RNAME(SYS1.DUMP00)";
    assert_eq!(text.to_bytes(), SHIPPED.replace(line, changed).as_bytes());
}

#[test]
fn an_rname_is_added_changed_and_taken_away() {
    let one = "/* a */ RNLDEF RNL(CON) TYPE(GENERIC) QNAME(A) /* b */\r\n";
    let mut text = read(one);
    text.replace(0, &entry(List::Conversion, Kind::Generic, "A", Some("b"))).expect("a change");
    assert_eq!(text.to_bytes(), one.replace("QNAME(A)", "QNAME(A) RNAME('b')").as_bytes());
    text.replace(0, &entry(List::Conversion, Kind::Generic, "A", None)).expect("a change");
    assert_eq!(text.to_bytes(), one.replace("QNAME(A)", "QNAME(A) ").as_bytes());
}

#[test]
fn a_name_for_which_the_line_has_no_room_has_lines_of_its_own() {
    let mut text = read("RNLDEF RNL(CON) TYPE(GENERIC) QNAME(A) RNAME(B)\r\n");
    let long = entry(List::Conversion, Kind::Generic, "A", Some(&"L".repeat(100)));
    text.replace(0, &long).expect("a change");
    let wanted = format!(
        "RNLDEF RNL(CON) TYPE(GENERIC) QNAME(A) \r\n       RNAME({}\r\n{})\r\n",
        "L".repeat(58),
        "L".repeat(42)
    );
    assert_eq!(String::from_utf8_lossy(text.to_bytes()), wanted);
}

#[test]
fn sequence_numbers_are_kept_and_not_read() {
    let line = |text: &str, number: &str| format!("{text:71} {number}\n");
    let one = line("RNLDEF RNL(INCL) TYPE(GENERIC)", "00010000") + &line(" QNAME(A)", "00020000");
    let mut text = read(&one);
    text.replace(0, &entry(List::Exclusion, Kind::Generic, "B", None)).expect("a change");
    assert_eq!(text.to_bytes(), one.replace("INCL", "EXCL").replace("(A)", "(B)").as_bytes());
}

#[test]
fn an_entry_cannot_become_one_that_is_there_already() {
    let mut text = read(SHIPPED);
    let there = text.lists().entries()[1].clone();
    assert!(text.replace(2, &there).expect_err("a problem")[0].what.ends_with("is given again"));
    assert_eq!(text.to_bytes(), SHIPPED.as_bytes());
}

#[test]
fn what_is_written_is_read_back() {
    let entries = read(SHIPPED).lists().entries().to_vec();
    let written = NameListText::write(&entries);
    assert_eq!(read(&written).lists().entries(), entries);
    assert!(written.starts_with("RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SYSDSN)\n"));
}

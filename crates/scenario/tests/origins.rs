//! Does `explain` show the origin of every number?

use crate::sample::{SAMPLE, read, with};
use scenario::{Explained, Role};

fn row(text: &str, key: &str) -> Explained {
    let scenario = read(text);
    let found = scenario.explain().iter().find(|row| row.key == key).cloned();
    found.unwrap_or_else(|| panic!("no row {key} among {:#?}", scenario.explain()))
}

#[track_caller]
fn rests_on(text: &str, key: &str, role: Role, why: &str) {
    let row = row(text, key);
    assert_eq!((row.role, row.why.as_str()), (role, why), "{key}");
}

#[test]
fn a_number_without_a_note_comes_from_the_document() {
    let text = with("\"A document\"", "\"A document\"\nreport = \"R1\"");
    rests_on(&text, "volume.A.service.pend", Role::Input, "A document, R1");
}

#[test]
fn a_note_covers_its_table_and_below() {
    let text = with("pend = \"0.2 ms\"", "calibrated = \"two runs\", pend = \"0.2 ms\"");
    rests_on(&text, "volume.A.service.pend", Role::Calibrated, "two runs");
    rests_on(&text, "volume.A.service.connect.exponential", Role::Calibrated, "two runs");
    rests_on(&text, "volume.B.service.connect.erlang", Role::Input, "A document");
}

#[test]
fn the_nearest_note_counts() {
    let text = with("exponential = \"0.85 ms\"", "exponential = \"0.85 ms\", borrowed = \"elsewhere\"")
        .replace("pend =", "assume = \"a guess\", pend =");
    rests_on(&text, "volume.A.service.pend", Role::Assumed, "a guess");
    rests_on(&text, "volume.A.service.connect.exponential", Role::Borrowed, "elsewhere");
}

#[test]
fn a_note_may_cite() {
    let text = with("{ think = \"0.15 ms\"", "{ think = \"0.15 ms\", source = \"a manual\"");
    rests_on(&text, "guest.G.program.1.think", Role::Input, "a manual");
}

#[test]
fn a_note_at_the_top_covers_everything() {
    let text = with("[source]\ndocument = \"A document\"\n", "assume = \"an example\"\n");
    rests_on(&text, "guest.G.count", Role::Assumed, "an example");
}

/// No document covers an unwritten value, whatever notes are around it.
#[test]
fn a_default_says_why() {
    let text = with("pend = \"0.2 ms\"", "calibrated = \"two runs\", pend = \"0.2 ms\"");
    let why = "every request is found in the control unit's cache";
    rests_on(&text, "volume.A.service.disconnect", Role::Default, why);
    assert_eq!(row(&text, "volume.A.service.disconnect").value, "0 ms");
}

#[test]
fn numbers_keep_the_text_they_were_written_with() {
    for (key, value) in [
        ("measure.interval", "1 min"),
        ("guest.OPEN.arrivals", "500/s"),
        ("guest.OPEN.program.1.io.weighted.A", "3"),
        ("volume.B.service.connect.stages", "4"),
        ("measure.warm_up", "auto"),
        ("alias_pool.POOL.redispatch", "none"),
    ] {
        assert_eq!(row(SAMPLE, key).value, value, "{key}");
    }
}

#[test]
fn names_and_device_numbers_are_no_numbers() {
    let scenario = read(SAMPLE);
    let named = |row: &&Explained| row.key.ends_with(".device") || row.key.ends_with(".name") || row.value == "0200";
    assert_eq!(scenario.explain().iter().find(named), None);
}

//! Are the readings that a fit left read with their scenario, and is its checksum independent of them?

use crate::sample::{DOMAINS, read, read_set, refused};
use scenario::Plain;

const LEFT: &str = "
[fit]
predicts = \"yes\"
reproduces = \"no\"
chance = \"1.2 %\"

[[open]]
value = \"the slice\"
why = \"it is not in the data\"
range = '''
cec.slice=2..5 ms
'''

[[reading]]
name = \"slices of 5 ms\"
set = '''
cec.slice=\"5 ms\"
'''
";

fn left() -> String {
    format!("{DOMAINS}{LEFT}")
}

fn key<'p>(plain: &'p Plain, name: &str) -> &'p Plain {
    match plain {
        Plain::Table(_, keys) => &keys.iter().find(|(key, _)| key == name).expect("a key of the table").1,
        Plain::List(rows) => key(&rows[0], name),
        other => panic!("{other:?} has no keys"),
    }
}

#[test]
fn verdict_open_values_and_readings_are_plain_values() {
    let found = read(&left()).left_open();
    let fit = key(&found, "fit");
    assert_eq!((key(fit, "reproduces"), key(fit, "chance_percent")), (&Plain::Truth(false), &Plain::Number(1.2)));
    assert_eq!(key(key(&found, "opens"), "range"), &Plain::Text("cec.slice=2..5 ms\n".into()));
    assert_eq!(key(key(&found, "readings"), "set"), &Plain::Text("cec.slice=\"5 ms\"\n".into()));
}

#[test]
fn a_scenario_that_was_not_fitted_leaves_nothing_open() {
    assert_eq!(key(&read(DOMAINS).left_open(), "fit"), &Plain::Absent);
    assert_eq!(key(&read(DOMAINS).left_open(), "readings"), &Plain::List(Vec::new()));
}

#[test]
fn readings_do_not_change_the_checksum_and_stay_with_overrides() {
    assert_eq!(read(&left()).checksum(), read(DOMAINS).checksum());
    let set = read_set(&left(), &["cec.slice=4 ms"]);
    assert!(matches!(key(&set.left_open(), "readings"), Plain::List(rows) if rows.len() == 1));
}

#[test]
fn a_reading_without_changes_is_refused() {
    let marked = format!("{DOMAINS}\n§[[reading]]\nname = \"other\"\n");
    refused(&marked, "reading[1].set", "`set` is missing");
}

#[test]
fn a_verdict_is_yes_or_no() {
    let marked = format!("{DOMAINS}\n[fit]\npredicts = §\"perhaps\"\nreproduces = \"yes\"\n");
    refused(&marked, "fit.predicts", "perhaps");
}

#[test]
fn a_reading_of_many_volumes_is_longer_than_a_note() {
    let line = "cec.slice=\"5 ms\"\n";
    let long = left().replacen(line, &line.repeat(1_000), 1);
    assert!(long.len() > 10_000);
    assert_eq!(read(&long).checksum(), read(&left()).checksum());
}

//! Are the axes of a sweep read with their scenario, and is its checksum independent of them?

use crate::sample::{DOMAINS, read, read_set, refused};

const AXES: &str = "\n[[sweep]]\nkey = \"cec.slice\"\nvalues = \"2 ms, 5 ms\"\n\n[[sweep]]\nkey = \"guest.*.count\"\nvalues = \"1..4\"\n";

/// The sample with two axes.
fn swept() -> String {
    format!("{DOMAINS}{AXES}")
}

#[test]
fn axes_are_key_and_values() {
    assert_eq!(read(&swept()).swept(), ["cec.slice=2 ms, 5 ms", "guest.*.count=1..4"]);
}

#[test]
fn a_scenario_without_axes_has_none() {
    assert!(read(DOMAINS).swept().is_empty());
}

#[test]
fn axes_do_not_change_the_checksum() {
    assert_eq!(read(&swept()).checksum(), read(DOMAINS).checksum());
}

#[test]
fn an_override_may_change_the_values() {
    let set = read_set(&swept(), &["sweep.2.values=8..16"]);
    assert_eq!(set.swept()[1], "guest.*.count=8..16");
}

#[test]
fn an_axis_without_values_is_refused() {
    let marked = format!("{DOMAINS}\n§[[sweep]]\nkey = \"cec.slice\"\n");
    refused(&marked, "sweep[1].values", "`values` is missing");
}

#[test]
fn a_misspelt_key_of_an_axis_is_refused_with_the_nearest() {
    let marked = format!("{DOMAINS}{AXES}").replace("values = \"1..4\"", "values = \"1..4\"\n§vales = \"1\"");
    let problem = refused(&marked, "sweep[2].vales", "unknown key");
    assert_eq!(problem.nearest.as_deref(), Some("values"));
}

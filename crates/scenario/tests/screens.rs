//! Are fields of the 580/MDF screens read under their own names, as the keys that they are?

use crate::sample::{DOMAINS, domains_with, read, read_set, refused};

const TYPED: &str = "\"NUMBER OF LP'S\" = 2\nARCHITECTURE_MODE = \"XA\"\n\"STORAGE SIZE\" = \"64M\"\nname = \"IMS\"\n";

/// The first partition of the sample with its keys under the names of the screens.
fn typed() -> String {
    let typed = DOMAINS.replacen("name = \"IMS\"\nlogical_processors = 2\n", TYPED, 1);
    let typed = typed.replacen("target = \"50 %\"", "\"TARGET CPU PERCENTAGE\" = 50", 1);
    typed.replacen("maximum = \"60 %\"", "maximum_cpu_percentage = \"60 %\"", 1)
}

#[test]
fn fields_of_the_screens_are_keys() {
    assert_ne!(typed(), DOMAINS);
    assert_eq!(read(&typed()).plan(), read(DOMAINS).plan());
}

#[test]
fn the_resolved_scenario_has_the_names_of_the_language() {
    let resolved = read(&typed()).resolved_toml().to_string();
    for line in ["logical_processors = 2", "target = \"50 %\"", "maximum = \"60 %\"", "storage_size = \"64M\""] {
        assert!(resolved.lines().any(|written| written == line), "{line}\n{resolved}");
    }
    assert_eq!(read(&resolved).resolved_toml(), resolved);
}

#[test]
fn an_override_may_use_them_too() {
    let set = read_set(DOMAINS, &["partition.IMS.target_cpu_percentage=40 %"]);
    assert_eq!(set.plan(), read_set(DOMAINS, &["partition.IMS.target=40 %"]).plan());
    let typed = read_set(&typed(), &["partition.IMS.target=40 %"]);
    assert_eq!(typed.plan(), set.plan());
}

#[test]
fn a_field_has_one_name_at_a_time() {
    let both = "target = \"50 %\"\n§\"TARGET CPU PERCENTAGE\" = 50";
    let text = domains_with("target = \"50 %\"", both);
    refused(&text, "partition: TARGET CPU PERCENTAGE", "both `target` and `TARGET CPU PERCENTAGE`");
}

#[test]
fn a_percentage_under_its_own_name_still_has_its_unit() {
    let text = domains_with("target = \"50 %\"", "target = §50");
    refused(&text, "partition IMS: target", "the bare number 50");
}

//! Editing a scenario that was read gives what reading it with the same overrides gives.

use scenario::{Edit, Given, Plain, Scenario, outline, starter};
use std::collections::BTreeMap;

fn read(kind: &str, set: &[&str]) -> Scenario {
    let set: Vec<String> = set.iter().map(ToString::to_string).collect();
    Scenario::read(starter(kind).unwrap().as_bytes(), "a.toml", &set).unwrap()
}

fn set(text: &str) -> Edit {
    Edit::Set(text.into())
}

#[test]
fn an_edit_is_an_override() {
    let edited = read("zvm", &[]).with(&[set("cec.machine=z10"), set("partition.ZVM.logical_processors=4")]).unwrap();
    let overridden = read("zvm", &["cec.machine=z10", "partition.ZVM.logical_processors=4"]);
    assert_eq!(edited.checksum(), overridden.checksum());
}

#[test]
fn edits_follow_each_other() {
    let both = read("pool", &[]).with(&[set("measure.intervals=2"), set("measure.interval=\"9 s\"")]).unwrap();
    let one = read("pool", &[]).with(&[set("measure.intervals=2")]).unwrap();
    assert_eq!(one.with(&[set("measure.interval=\"9 s\"")]).unwrap().checksum(), both.checksum());
}

#[test]
fn the_scenario_that_is_edited_stays() {
    let scenario = read("mm1", &[]);
    let before = scenario.checksum().to_string();
    scenario.with(&[set("measure.intervals=2")]).unwrap();
    assert_eq!(scenario.checksum(), before);
}

#[test]
fn every_problem_of_edits_is_reported() {
    let problems = read("mm1", &[]).with(&[set("measure.intervals=0"), set("nothing=1"), set("no value")]).unwrap_err();
    let said: Vec<&str> = problems.iter().map(|problem| problem.what.as_str()).collect();
    assert_eq!(said.len(), 3, "{said:?}");
    assert!(problems.iter().all(|problem| problem.file == "--set"));
}

#[test]
fn a_key_goes_and_its_default_returns() {
    let wide = read("mm1", &["measure.interval=\"9 s\""]);
    let again = wide.with(&[Edit::Remove("measure.interval".into())]).unwrap();
    assert_eq!(again.given("measure.interval").unwrap(), Some(Given::Default));
}

#[test]
fn a_key_goes_from_every_table() {
    let scenario = read("pool", &["volume.*.gap=\"1 ms\""]);
    let edited = scenario.with(&[Edit::Remove("volume.*.gap".into())]).unwrap();
    assert_eq!(edited.checksum(), read("pool", &[]).checksum());
}

#[test]
fn an_unknown_key_does_not_go() {
    let problems = read("mm1", &[]).with(&[Edit::Remove("measure.intervall".into())]).unwrap_err();
    assert_eq!(problems[0].nearest.as_deref(), Some("interval"));
}

#[test]
fn changes_go() {
    let change = "[[change]]\nat = \"1 s\"\naliases = { pool = \"LSS-52\", online = 0 }\n";
    let pool = starter("pool").unwrap().replace("[measure]", &format!("{change}\n[measure]"));
    let scenario = Scenario::read(pool.as_bytes(), "a.toml", &[]).unwrap();
    assert_ne!(scenario.checksum(), read("pool", &[]).checksum());
    assert_eq!(scenario.without_changes().unwrap().checksum(), read("pool", &[]).checksum());
}

#[test]
fn demand_grows_with_virtual_machines_and_their_guests() {
    let grown = read("zvm", &[]).grown(1.5).unwrap();
    let Plain::Table(_, before) = read("zvm", &[]).view() else { panic!("a view is a table") };
    let Plain::Table(_, after) = grown.view() else { panic!("a view is a table") };
    for table in ["virtual_machines", "guests"] {
        for (one, other) in counts(&before, table).into_iter().zip(counts(&after, table)) {
            assert_eq!(other, (one as f64 * 1.5 + 0.5).floor() as u64, "{table}");
        }
    }
}

#[test]
fn demand_grows_with_rates() {
    let grown = read("mm1", &[]).grown(1.5).unwrap();
    assert!(grown.resolved_toml().contains("arrivals = \"750/s\""));
}

#[test]
fn demand_of_one_guest_grows() {
    let factors = BTreeMap::from([("USERS".to_string(), 1.4)]);
    let grown = read("two-pools", &[]).grown_by(&factors).unwrap();
    assert!(grown.resolved_toml().contains("arrivals = \"560/s\""));
    assert!(grown.resolved_toml().contains("count = 8"));
    let grown = read("zvm", &[]).grown_by(&factors).unwrap();
    assert!(grown.resolved_toml().contains("count = 70"));
    assert!(grown.resolved_toml().contains("count = 12"));
}

#[test]
fn once_the_demand_is_the_same_scenario() {
    assert_eq!(read("zvm", &[]).grown(1.0).unwrap().checksum(), read("zvm", &[]).checksum());
}

#[test]
fn too_much_demand_is_a_problem() {
    let problems = read("zvm", &[]).grown(1e6).unwrap_err();
    assert!(problems.iter().any(|problem| problem.what.contains("out of range")), "{problems:?}");
}

#[test]
fn what_decided_a_value_is_known() {
    let scenario = read("two-domains", &["partition.PEMDFI.target=40 %"]);
    let given = |path| scenario.given(path).unwrap();
    assert_eq!(given("cec.processors"), Some(Given::Written));
    assert_eq!(given("cec.switch"), Some(Given::Default));
    assert_eq!(given("partition.PEMDFI.target"), Some(Given::Set));
    assert_eq!(given("cec.machine"), None);
}

#[test]
fn a_resolved_scenario_knows_its_defaults() {
    let resolved = read("two-domains", &[]).resolved_toml().to_string();
    let again = Scenario::read(resolved.as_bytes(), "a.toml", &[]).unwrap();
    assert_eq!(again.given("cec.switch").unwrap(), Some(Given::Default));
}

#[test]
fn an_unknown_path_is_a_problem() {
    let scenario = read("two-domains", &[]);
    assert_eq!(scenario.given("cec.swich").unwrap_err().nearest.as_deref(), Some("switch"));
    assert_eq!(scenario.given("partition.PEMDFX.target").unwrap_err().nearest.as_deref(), Some("PEMDFI"));
    assert!(scenario.given("cec.switch.more").is_err());
}

#[test]
fn what_can_be_understood_of_a_wrong_scenario_is_outlined() {
    let Plain::Table(_, keys) = outline(b"[cec]\nprocessors = \n[[volume]]\nname = \"A\"\n") else { panic!("a table") };
    let value = |name: &str| &keys.iter().find(|(key, _)| key == name).unwrap().1;
    assert!(matches!(value("cec"), Plain::Table(..)));
    assert!(matches!(value("volumes"), Plain::List(volumes) if volumes.len() == 1));
}

#[test]
fn no_bytes_are_too_strange_for_an_outline() {
    for bytes in [&b""[..], b"\xFF\xFE", b"[[[[", b"volume = 1\nguest = \"x\""] {
        assert!(matches!(outline(bytes), Plain::Table(..)));
    }
}

fn counts(view: &[(String, Plain)], table: &str) -> Vec<u64> {
    let Some((_, Plain::List(rows))) = view.iter().find(|(key, _)| key == table) else { return Vec::new() };
    let count = |row: &Plain| match row {
        Plain::Table(_, keys) => keys.iter().find_map(|(key, value)| match value {
            Plain::Count(count) if key == "count" => Some(*count),
            _ => None,
        }),
        _ => None,
    };
    rows.iter().filter_map(count).collect()
}

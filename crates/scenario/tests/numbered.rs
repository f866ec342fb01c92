//! Names that count up and patterns of names: what they mean, and what is refused.

use crate::sample::{problems, read, read_set};
use machine::plan::{Choice, Step, Target};
use units::Span;

/// Numbered channels and volumes, and patterns that mean them.
pub const NUMBERED: &str = r#"name = "Numbered"
assume = "an example"

[[channel]]
name = "[50..53]"
type = "FICON Express8S"

[[control_unit]]
name = "CU"
channels = ["5?"]

[[alias_pool]]
name = "POOL"
aliases = 2

[[volume]]
name = "BWP[S0..S7]"
device = "522A"
control_unit = "CU"
alias_pool = "POOL"
service = { connect = "0.7 ms" }

[[volume]]
name = "PAGE[00..]"
count = 3
device = "6000"
control_unit = "CU"
service = { connect = "0.7 ms" }

[[guest]]
name = "ALL"
count = 3
program = [ { think = "1 ms" }, { io = { uniform = ["BWP*", "PAGE[01..02]"] } }, { io = { weighted = { "PAGE*" = 2, BWPS0 = 1 } } } ]
"#;

fn volumes(text: &str, set: &[&str]) -> Vec<(String, u16)> {
    let scenario = read_set(text, set);
    scenario.plan().volumes.iter().map(|volume| (volume.name.clone(), volume.device.0)).collect()
}

fn refused(text: &str, set: &[&str], key: &str, what: &str) {
    let found = problems(text, set);
    let [problem] = found.as_slice() else { panic!("one problem, not\n{}", units::listing(&found)) };
    assert!(problem.key == key && problem.what.contains(what), "{problem}");
    assert!(problem.line.is_some() != (problem.file == "--set"), "{problem} has no place");
}

#[test]
fn names_and_device_numbers_count_on() {
    let all = volumes(NUMBERED, &[]);
    assert_eq!(all.len(), 11);
    assert_eq!(all[7], ("BWPS7".to_string(), 0x5231));
    assert_eq!(all[10], ("PAGE02".to_string(), 0x6002));
    let plan = read(NUMBERED);
    assert_eq!(plan.plan().channels.iter().map(|own| own.name.as_str()).collect::<Vec<_>>(), ["50", "51", "52", "53"]);
    assert_eq!(plan.plan().control_units[0].channels, [0, 1, 2, 3]);
}

#[test]
fn a_pattern_in_a_program_means_all_of_them_in_their_order() {
    let scenario = read(NUMBERED);
    let [_, Step::Io(uniform), Step::Io(weighted)] = scenario.plan().guests[0].program.as_slice() else { panic!() };
    let named = |numbers: &[usize]| numbers.iter().map(|number| Target::Volume(*number)).collect::<Vec<_>>();
    assert_eq!(uniform.choice, Choice::Uniform(named(&[0, 1, 2, 3, 4, 5, 6, 7, 9, 10])));
    let Choice::Weighted(weights) = &weighted.choice else { panic!() };
    assert_eq!(weights.iter().map(|(_, weight)| *weight).collect::<Vec<_>>(), [2.0, 2.0, 2.0, 1.0]);
}

/// The long form is the same scenario, and what is resolved comes back.
#[test]
fn the_resolved_scenario_has_each_by_itself() {
    let scenario = read(NUMBERED);
    let resolved = scenario.resolved_toml();
    assert!(resolved.contains("name = \"BWPS3\"") && !resolved.contains('*') && !resolved.contains(".."));
    assert_eq!(read(resolved).resolved_toml(), resolved);
    assert_eq!(read(resolved).plan(), scenario.plan());
}

#[test]
fn set_means_one_some_and_all() {
    let gaps = |set: &[&str]| {
        let plan = read_set(NUMBERED, set);
        let gaps: Vec<bool> = plan.plan().volumes.iter().map(|own| own.gap == Span::from_us(100)).collect();
        gaps.iter().filter(|gap| **gap).count()
    };
    assert_eq!(gaps(&["volume.BWPS3.gap=0.1 ms"]), 1);
    assert_eq!(gaps(&["volume.BWP[S2..S4].gap=0.1 ms"]), 3);
    assert_eq!(gaps(&["volume.BWP[S0..S7].gap=0.1 ms"]), 8);
    assert_eq!(gaps(&["volume.PAGE*.gap=0.1 ms"]), 3);
    assert_eq!(gaps(&["volume.*.gap=0.1 ms"]), 11);
    assert_eq!(gaps(&["volume.BWPS3.gap=0.1 ms", "volume.*.gap=0.1 ms", "volume.*S3.gap=0.2 ms"]), 10);
    assert_eq!(volumes(NUMBERED, &["volume.PAGE[00..].count=5"]).len(), 13);
}

#[test]
fn what_is_wrong_with_all_is_said_once() {
    let text = NUMBERED.replacen("connect = \"0.7 ms\"", "conect = \"0.7 ms\"", 1);
    refused(&text, &[], "volume BWPS0: service.conect", "unknown key `conect`");
}

#[test]
fn what_does_not_count_up_is_refused_with_its_place() {
    let with = |from: &str, to: &str| NUMBERED.replacen(from, to, 1);
    refused(&with("[S0..S7]", "[S0..T7]"), &[], "volume BWP[S0..T7]: name", "begins with `S` and ends with `T`");
    refused(&with("BWP[S0..S7]", "BWP*"), &[], "volume BWP*: name", "`*` or `?` in the name");
    refused(&with("count = 3", ""), &[], "volume PAGE[00..]: name", "there is no `count`");
    refused(&with("count = 3", "count = 20000"), &[], "volume PAGE[00..]: count", "`count` is out of range");
    refused(
        &with("device = \"522A\"", "device = \"522A\"\ncount = 7"),
        &[],
        "volume BWP[S0..S7]: count",
        "has 8 names",
    );
    refused(
        &with("device = \"522A\"", "device = \"FFFA\""),
        &[],
        "volume BWP[S0..S7]: device",
        "8 volumes from FFFA run",
    );
    let bound = with("alias_pool = \"POOL\"", "aliases = 1\nfirst_alias = \"7000\"");
    let found = problems(&bound, &[]);
    assert!(found.iter().any(|problem| problem.what == "`first_alias` of 8 volumes"), "{}", units::listing(&found));
    let plain = with("PAGE[00..]", "PAGE00").replace(", \"PAGE[01..02]\"", "");
    refused(&plain, &[], "volume PAGE00: count", "`count` beside a name that does not count up");
}

#[test]
fn a_pattern_that_means_nothing_or_twice_is_refused() {
    let with = |from: &str, to: &str| NUMBERED.replacen(from, to, 1);
    let key = "guest ALL: program[2].io.uniform";
    refused(&with("\"BWP*\"", "\"BWQ*\""), &[], key, "no volumes or minidisks match `BWQ*`");
    refused(&with("\"BWP*\"", "\"BWP*\", \"BWPS3\""), &[], key, "`BWPS3` twice");
    refused(&with("\"BWP*\"", "\"BWP[S0\""), &[], key, "a `[` without `]`");
    refused(
        &with("uniform = [\"BWP*\", \"PAGE[01..02]\"]", "volume = \"BWP*\""),
        &[],
        "guest ALL: program[2].io.volume",
        "`*` in the name",
    );
    refused(NUMBERED, &["volume.BWQ*.gap=1 ms"], "volume.BWQ*.gap", "no volume matches `BWQ*`");
    refused(NUMBERED, &["volume.BWP[S0.gap=1 ms"], "volume.BWP[S0.gap", "a `[` without `]`");
}

/// A numbered guest keeps its count, which is a population, and each has the volume of its place.
const ON_EACH: &str = r#"
[[guest]]
name = "on-BWP[S0..S7]"
count = 2
program = [ { think = "1 ms" }, { repeat = 2, steps = [ { io = { volume = "BWP[S0..S7]" } } ] } ]
"#;

#[test]
fn numbered_guests_count_along_with_their_volumes() {
    let text = format!("{NUMBERED}{ON_EACH}");
    let scenario = read(&text);
    let guests = &scenario.plan().guests[1..];
    assert_eq!(guests.len(), 8);
    for (place, guest) in guests.iter().enumerate() {
        assert_eq!(guest.name, format!("on-BWPS{place}"));
        let Step::Repeat { steps, .. } = &guest.program[1] else { panic!() };
        let Step::Io(io) = &steps[0] else { panic!() };
        assert_eq!(io.choice, Choice::Fixed(Target::Volume(place)));
    }
    let resolved = scenario.resolved_toml();
    assert_eq!(read(resolved).plan(), scenario.plan());
    let counts = |set: &[&str]| {
        read_set(&text, set).explain().iter().filter(|row| row.key.starts_with("guest.on-") && row.value == "5").count()
    };
    assert_eq!(counts(&["guest.on-BWP[S0..S7].count=5"]), 8);
    assert_eq!(counts(&["guest.on-BWPS3.count=5"]), 1);
}

#[test]
fn guests_with_another_number_of_volumes_are_refused() {
    let with = |from: &str, to: &str| format!("{NUMBERED}{}", ON_EACH.replacen(from, to, 1));
    let key = "guest on-BWP[S0..S7]: name";
    refused(&with("volume = \"BWP[S0..S7]\"", "volume = \"BWP[S0..S3]\""), &[], key, "`BWP[S0..S3]` has 4 names");
    refused(&with("on-BWP[S0..S7]", "on-BWP[S0..]"), &[], "guest on-BWP[S0..]: name", "there is no `count`");
}

//! Does a scenario that is written out read back to the same scenario, byte for byte?

use crate::sample::{self, SAMPLE, read, read_set};
use proptest::prelude::*;
use scenario::Scenario;
use std::fmt::Write;

/// Checks that writing, reading and writing gives the same text, plan, origins and measure.
#[track_caller]
fn comes_back(scenario: &Scenario) {
    let again = read(scenario.resolved_toml());
    assert_eq!(again.resolved_toml(), scenario.resolved_toml());
    assert_eq!(again.checksum(), scenario.checksum());
    assert_eq!(again.plan(), scenario.plan());
    assert_eq!(again.measure(), scenario.measure());
    assert_eq!(again.explain(), scenario.explain());
    assert_eq!(again.name(), scenario.name());
}

#[test]
fn the_sample_comes_back() {
    comes_back(&read(SAMPLE));
}

#[test]
fn what_changes_comes_back() {
    comes_back(&read(&sample::dynamic()));
}

#[test]
fn partitions_by_weight_come_back() {
    comes_back(&read(sample::LPARS));
    comes_back(&read_set(sample::LPARS, &["partition.PROD.weight=999", "cec.preemption=never"]));
}

#[test]
fn control_programs_come_back() {
    comes_back(&read(sample::ZVM));
    let barriers = "partition.ZVM.control_program.barriers=[1, 1, 1]";
    let costs = "partition.ZVM.control_program.costs.entry=5.7 us";
    let set = [barriers, costs, "topology.cache.*.beyond=4", "virtual_machine.LIGHT.absolute_share=1 %"];
    comes_back(&read_set(sample::ZVM, &set));
    comes_back(&read_set(sample::ZVM, &["guest.TASKS.program.*.pace=50 %", "change.2.srm.cpupad=6400 %"]));
}

#[test]
fn spin_locks_and_exchanges_come_back() {
    comes_back(&read(sample::SPIN));
    let set = ["virtual_machine.*.spin_try=1 ns", "guest.CONNECTIONS.program.*.reply=3 KiB", "network.LAN.rate=1 kB"];
    comes_back(&read_set(sample::SPIN, &set));
    comes_back(&read_set(sample::SPIN, &["virtual_machine.CLIENT.guest_type=z/OS 1.7", "cec.machine=z990"]));
}

#[test]
fn domains_come_back() {
    comes_back(&read(sample::DOMAINS));
    comes_back(&read_set(sample::DOMAINS, &["cec.slice=0.7 ms", "cec.switch=1 us", "guest.USERS.priority=0"]));
}

#[test]
fn queues_come_back() {
    comes_back(&read(sample::QUEUES));
    let set = ["guest.TERMINALS.program.3.steps.1.steps.2.choose.2.weight=2.5", "partition.*.rmf.cycle=50 ms"];
    comes_back(&read_set(sample::QUEUES, &set));
}

/// No key refers to a change, so it has a number and no name; the number is that in the file, whatever its time.
#[test]
fn changes_keep_their_numbers() {
    let resolved = read(&sample::dynamic()).resolved_toml().to_string();
    let set = ["change.1.at=59 s"];
    assert_eq!(read_set(&resolved, &set).plan(), read_set(&sample::dynamic(), &set).plan());
}

#[test]
fn overrides_come_back() {
    let set =
        ["volume.*.gap=0.1 ms", "volume.A.service={ connect = \"1 ms\" }", "guest.OPEN.program.1.io.weighted.B=2"];
    comes_back(&read_set(SAMPLE, &set));
}

#[test]
fn texts_with_quotes_lines_and_names_with_points_come_back() {
    let text = SAMPLE
        .replace("\"Sample\"", "'It has \"\\\" # é'")
        .replace("\"A\"", "\"A.1\"")
        .replace("A = 3", "\"A.1\" = 3")
        .replace("count = 3", "count = 3\nassume = \"two\\nlines\"");
    comes_back(&read(&text));
}

#[test]
fn every_default_is_written_out_and_marked() {
    let text = read(SAMPLE).resolved_toml().to_string();
    for line in [
        "paths = 4  # default: reports print it; how many there are makes a difference only when some of them go\n",
        "service.connect.per_kib = \"0 ms\"  # default: ",
        "io.bytes = \"4 KiB\"  # default: ",
        "io.reads = \"100 %\"  # default: ",
        "gap = \"0 ms\"  # default: ",
        "service.disconnect = \"0 ms\"  # default: ",
        "redispatch = \"none\"  # default: ",
        "sample = \"2 s\"  # default: ",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
}

/// A mark is no excuse: a default that was edited in the written-out text is an input.
#[test]
fn a_default_that_was_changed_is_an_input() {
    let text = read(SAMPLE).resolved_toml().replace("sample = \"2 s\"", "sample = \"1 s\"");
    let row = read(&text).explain().iter().find(|row| row.key == "measure.sample").cloned().unwrap();
    assert_eq!(row.role, scenario::Role::Input);
}

/// Aliases that were numbered for the writer are numbered anew, so that more of them find room.
#[test]
fn aliases_without_numbers_stay_so() {
    let text = SAMPLE.replace("first_alias = \"0200\"\n", "") + "[[alias_pool]]\nname = \"NEXT\"\naliases = 1\n";
    let resolved = read(&text).resolved_toml().to_string();
    let scenario = read_set(&resolved, &["alias_pool.POOL.aliases=6"]);
    assert_eq!(scenario.plan().alias_pools[0].aliases.len(), 6);
    assert_eq!(scenario.plan().alias_pools[1].aliases[0].0, 0x108);
}

#[test]
fn how_an_override_is_quoted_makes_no_difference() {
    let checksum = |set| read_set(SAMPLE, &[set]).checksum().to_string();
    assert_eq!(checksum("measure.interval=5 min"), checksum("measure.interval = \"5 min\""));
}

#[test]
fn the_checksum_is_that_of_the_text() {
    let (one, other) = (read(SAMPLE), read_set(SAMPLE, &["guest.G.count=4"]));
    assert_eq!(one.checksum().len(), 64);
    assert_ne!(one.checksum(), other.checksum());
}

fn span() -> impl Strategy<Value = String> {
    prop_oneof![
        (1u32..5_000).prop_map(|us| format!("{us} us")),
        (1u32..100_000).prop_map(|n| format!("{}.{:03}ms", n / 1_000, n % 1_000 + 1)),
        (1u32..9).prop_map(|s| format!("{s} s")),
    ]
}

fn distribution() -> impl Strategy<Value = String> {
    let spread = 1u32..40;
    (span(), 0..7, spread).prop_map(|(span, kind, spread)| match kind {
        0 => format!("\"{span}\""),
        1 => format!("{{ constant = \"{span}\", assume = \"guess {spread}\" }}"),
        2 => format!("{{ exponential = \"{span}\" }}"),
        3 => format!("{{ erlang = \"{span}\", stages = {spread}, borrowed = \"there\" }}"),
        4 => format!("{{ hyperexponential = \"{span}\", scv = {}.5 }}", spread),
        5 => format!("{{ gamma = \"{span}\", scv = {} }}", f64::from(spread) / 7.0),
        _ => format!("{{ uniform = [\"{span}\", \"{spread} min\"] }}"),
    })
}

fn volume(number: usize) -> impl Strategy<Value = String> {
    (distribution(), distribution(), 0u32..4, any::<bool>()).prop_map(move |(pend, connect, aliases, unit)| {
        let mut text = format!("[[volume]]\nname = \"V.{number}\"\ndevice = \"{:x}\"\n", 0x100 + number);
        if unit {
            text.push_str("control_unit = \"CU\"\n");
        }
        if aliases > 1 {
            write!(text, "aliases = {aliases}\nredispatch = \"same-volume\"\n").unwrap();
        }
        text + &format!("service = {{ pend = {pend}, connect = {connect}, calibrated = \"runs\" }}\n")
    })
}

fn step() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        distribution().prop_map(|think| format!("{{ think = {think} }}")),
        distribution().prop_map(|compute| format!("{{ compute = {compute}, assume = \"so\" }}")),
        Just("{ io = { volume = \"V.0\" } }".to_string()),
        Just("{ io = { uniform = [\"V.0\", \"V.1\"] } }".to_string()),
        (1u32..99).prop_map(|w| format!("{{ io = {{ weighted = {{ \"V.1\" = {w}, \"V.0\" = 0.{w} }} }} }}")),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        (1u32..5, prop::collection::vec(inner, 1..3))
            .prop_map(|(times, steps)| format!("{{ repeat = {times}, steps = [ {} ] }}", steps.join(", ")))
    })
}

prop_compose! {
    fn scenario()(
        volumes in (volume(0), volume(1)),
        steps in prop::collection::vec(step(), 0..4),
        count in 1u32..50,
        open in any::<bool>(),
    ) -> String {
        let population = if open { format!("arrivals = \"{count}/min\"") } else { format!("count = {count}") };
        format!(
            "name = \"random\"\nassume = \"random\"\n[[control_unit]]\nname = \"CU\"\nsharing = \"{count}.5 %\"\n{}{}\
             [[guest]]\nname = \"G\"\n{population}\nprogram = [ {{ think = \"1 ms\" }}, {} ]\n",
            volumes.0, volumes.1, steps.join(", "),
        )
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_scenario_comes_back(text in scenario()) {
        comes_back(&read(&text));
    }
}

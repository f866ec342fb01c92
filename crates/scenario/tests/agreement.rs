//! Is a scenario refused whose parts do not agree: names, device numbers, pools, programs, totals?

use crate::sample::{self, SAMPLE, problems, read, refused, refused_with, with};
use std::fmt::Write;

#[test]
fn a_name_that_does_not_exist_is_named_with_the_nearest() {
    let problem = refused_with(
        "{ volume = \"A\" }",
        "{ volume = §\"AA\" }",
        "guest G: program[2].io.volume",
        "no volume is called `AA`",
    );
    assert_eq!(problem.allowed, ["A", "B"]);
    let problem =
        refused_with("alias_pool = \"POOL\"", "alias_pool = §\"POLO\"", "volume A: alias_pool", "no alias pool");
    assert_eq!(problem.nearest.as_deref(), Some("POOL"));
    refused_with(
        "weighted = { A = 3, B = 1 }",
        "weighted = { A = 3, §C = 1 }",
        "guest OPEN: program[1].io.weighted",
        "no volume",
    );
    refused_with(
        "weighted = { A = 3, B = 1 }",
        "uniform = [\"A\", §\"C\"]",
        "guest OPEN: program[1].io.uniform",
        "no volume",
    );
}

#[test]
fn a_volume_named_twice_in_a_list_is_refused() {
    refused_with(
        "weighted = { A = 3, B = 1 }",
        "uniform = [\"A\", §\"A\"]",
        "guest OPEN: program[1].io.uniform",
        "`A` twice",
    );
}

#[test]
fn no_two_of_a_kind_have_one_name() {
    let text = SAMPLE.replace("name = \"B\"", "name = §\"A\"").replace("{ A = 3, B = 1 }", "{ A = 3 }");
    refused(&text, "volume[2].name", "a second volume called `A`");
}

#[test]
fn the_same_name_for_parts_of_two_kinds_is_fine() {
    read(&SAMPLE.replace("\"POOL\"", "\"CU\""));
}

#[test]
fn no_two_devices_have_one_number() {
    refused_with("\"0101\"", "§\"100\"", "volume B: device", "0100 a second time; volume A has it");
    refused_with("\"0200\"", "§\"00FF\"", "alias_pool POOL: first_alias", "0100 a second time; volume A has it");
}

#[test]
fn aliases_end_at_ffff() {
    let problem = refused_with("\"0200\"", "§\"FFFF\"", "alias_pool POOL: first_alias", "run past FFFF");
    assert_eq!(problem.allowed, ["up to FFFE"]);
    let text = with("aliases = 2\nfirst_alias = \"0200\"", "aliases = §2").replace("\"0101\"", "\"FFFE\"");
    refused(&text, "alias_pool POOL: aliases", "no room for 2 aliases");
}

#[test]
fn there_are_no_more_devices_than_numbers() {
    let text = with("aliases = 2\nfirst_alias = \"0200\"", "aliases = 65535");
    let found = problems(&text, &[]);
    assert!(found[0].what.contains("65537 devices"), "{}", found[0]);
    assert!(found[0].why.contains("16 bits"));
}

#[test]
fn aliases_without_numbers_follow_the_highest_base_and_step_over_what_is_taken() {
    let text = with("first_alias = \"0200\"\n", "")
        + "[[alias_pool]]\nname = \"FIXED\"\naliases = 2\nfirst_alias = \"0103\"\n\
           [[alias_pool]]\nname = \"LATER\"\naliases = 1\n";
    let plan = read(&text);
    let numbers: Vec<Vec<u16>> =
        plan.plan().alias_pools.iter().map(|pool| pool.aliases.iter().map(|alias| alias.0).collect()).collect();
    assert_eq!(numbers, [vec![0x105, 0x106], vec![0x103, 0x104], vec![0x102]]);
}

#[test]
fn a_pool_belongs_to_one_control_unit() {
    let text = with(
        "control_unit = \"CU\"\nservice = { connect = { erlang",
        "alias_pool = §\"POOL\"\nservice = { connect = { erlang",
    );
    refused(&text, "volume B: control_unit", "a pool belongs to one control unit, and volume A is on `CU`");
}

#[test]
fn connect_grows_in_one_form_only() {
    let text = with("name = \"CU\"\n", "name = \"CU\"\nsharing = \"2 %\"\n");
    read(&text);
    let text = text.replace("\"0.85 ms\" }", "\"0.85 ms\", per_concurrent = §\"0.2 ms\" }");
    refused(&text, "volume A: service.connect.per_concurrent", "whose sharing is above 0");
}

#[test]
fn an_io_takes_time() {
    refused_with(
        "service = { connect = { erlang = \"1 ms\", stages = 4 } }",
        "service = §{ connect = \"0.5 us\" }",
        "volume B: service",
        "takes no time",
    );
}

#[test]
fn a_program_takes_time() {
    let program = "[ { think = \"0.15 ms\" }, { io = { volume = \"A\" } } ]";
    for nothing in ["[ { think = \"0 ms\" } ]", "[ { repeat = 5, steps = [ { compute = \"0 ms\" } ] } ]"] {
        refused_with(program, &format!("§{nothing}"), "guest G: program", "no time at all");
    }
}

#[test]
fn repeats_nest_three_deep() {
    let nested = |depth: usize| {
        let open: String = (0..depth).map(|level| format!("{{ repeat = {}, steps = [ ", level + 2)).collect();
        with("{ think = \"0.15 ms\" }", &format!("{open}{{ think = \"1 ms\" }}{}", " ] }".repeat(depth)))
    };
    read(&nested(3));
    let four = nested(4).replace("repeat = 5", "repeat = §5");
    refused(&four, "guest G: program[1].steps[1].steps[1].steps[1].repeat", "three deep");
}

#[test]
fn an_interval_has_a_sample() {
    refused_with("\"1 min\"", "\"1 min\"\nsample = §\"2 min\"", "measure.sample", "an interval without a sample");
    refused_with("\"1 min\"", "\"1 s\"\nsample = §\"2 s\"", "measure.sample", "samples 2 s apart");
}

#[test]
fn a_short_interval_is_sampled_at_its_end_by_default() {
    let read = |interval: &str| *read(&with("\"1 min\"", interval)).measure();
    assert_eq!(read("\"1 s\"").sample, read("\"1 s\"").interval);
    assert_eq!(read("\"1 min\"").sample.to_string(), "2 s");
    let resolved = sample::read(SAMPLE).resolved_toml().to_string();
    assert_eq!(sample::read_set(&resolved, &["measure.interval=1 s"]).measure().sample.to_string(), "1 s");
}

#[test]
fn no_scenario_runs_for_more_than_a_year() {
    let text = with("\"1 min\"", "\"300 d\"\nintervals = §10000");
    refused(&text, "measure.intervals", "more than a year");
    refused_with("\"1 min\"", "§\"1 d\"\nwarm_up = \"365 d\"", "measure.interval", "more than a year");
}

#[test]
fn a_million_guests_are_too_many() {
    refused_with("count = 3", "count = §1000000", "guest G: count", "1 to 100000");
    let two = with("count = 3", "count = 60000").replace("arrivals = \"500/s\"", "count = §50000");
    refused(&two, "guest OPEN: count", "110000 guests in all");
}

#[test]
fn ten_thousand_and_one_volumes_are_too_many() {
    let mut text = SAMPLE.to_string();
    for number in 0..10_000 {
        write!(
            text,
            "[[volume]]\nname = \"V{number}\"\ndevice = \"{:04X}\"\nservice = {{ connect = \"1 ms\" }}\n",
            0x300 + number
        )
        .unwrap();
    }
    let found = problems(&text, &[]);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].what.as_str(), found[0].allowed[0].as_str()), ("10002 volumes", "up to 10,000 volumes"));
}

#[test]
fn what_nothing_uses_is_a_warning() {
    let text = SAMPLE.to_string() + "[[alias_pool]]\nname = \"IDLE\"\naliases = 0\n";
    let text = text.replace("weighted = { A = 3, B = 1 }", "volume = \"A\"");
    let warnings: Vec<String> = read(&text).warnings().iter().map(|warning| warning.what.clone()).collect();
    assert_eq!(
        warnings,
        ["volume B is not used: no guest does I/O to it", "alias_pool IDLE is not used: no volume borrows from it"]
    );
    assert!(read(SAMPLE).warnings().is_empty());
}

#[test]
fn numbers_from_nowhere_are_a_warning() {
    let found = read(&with("[source]\ndocument = \"A document\"\n", ""));
    assert!(found.warnings()[0].what.contains("numbers come from nowhere"), "{}", found.warnings()[0]);
}

#[test]
fn more_arrivals_than_a_volume_can_serve_are_a_warning() {
    let text = with("weighted = { A = 3, B = 1 }", "volume = \"B\"").replace("count = 3\n", "count = 1\n");
    assert!(read(&text).warnings().is_empty(), "500/s of 1 ms each keep half an exposure busy");
    let warnings = read(&text.replace("500/s", "1500/s")).warnings().to_vec();
    assert_eq!(warnings[0].key, "volume B");
    assert_eq!(warnings[0].what, "arrivals ask for 150 % of what it can do: 1.50 of 1 exposure");
    let repeated =
        text.replace("[ { io = { volume = \"B\" } } ]", "[ { repeat = 3, steps = [ { io = { volume = \"B\" } } ] } ]");
    assert_eq!(read(&repeated).warnings(), warnings);
}

#[test]
fn more_arrivals_than_a_pool_can_serve_are_a_warning() {
    let text = SAMPLE
        .replace(
            "control_unit = \"CU\"\nservice = { connect = { erlang",
            "control_unit = \"CU\"\nalias_pool = \"POOL\"\nservice = { connect = { erlang",
        )
        .replace("weighted = { A = 3, B = 1 }", "uniform = [\"A\", \"B\"]");
    assert!(read(&text).warnings().is_empty());
    let warnings = read(&text.replace("500/s", "4000/s")).warnings().to_vec();
    assert_eq!(warnings[0].key, "alias_pool POOL", "each volume alone could borrow enough");
    assert_eq!(warnings[0].what, "arrivals ask for 102 % of what it can do: 4.10 of 4 exposures");
}

//! Are unknown, missing and mutually exclusive keys refused, and whatever is not a scenario at all?

use crate::sample::{self, SAMPLE, dynamic_with, problems, refused, refused_with, with};
use scenario::Scenario;

#[test]
fn an_unknown_key_is_named_with_the_nearest() {
    let problem = refused_with("service = { pend", "§servce = { pend", "volume A: servce", "unknown key `servce`");
    assert_eq!(problem.nearest.as_deref(), Some("service"));
}

/// Misspelling a required key is one mistake, and said once.
#[test]
fn a_misspelt_required_key_is_not_also_missing() {
    refused_with("device = \"0100\"", "§devce = \"0100\"", "volume A: devce", "did you mean device?");
}

#[test]
fn an_unknown_table_is_named_with_the_nearest() {
    let text = format!("{SAMPLE}\n[[§volumes]]\nname = \"C\"\n");
    assert_eq!(refused(&text, "volumes", "unknown key").nearest.as_deref(), Some("volume"));
    let text = format!("{SAMPLE}\n[§zebra]\nname = \"C\"\n");
    assert_eq!(refused(&text, "zebra", "unknown key").nearest, None);
}

#[test]
fn a_required_key_is_missed_at_its_table() {
    refused_with(
        "[[volume]]\nname = \"A\"\ndevice = \"0100\"\n",
        "§[[volume]]\nname = \"A\"\n",
        "volume A: device",
        "missing",
    );
    refused_with(
        "[[control_unit]]\nname = \"CU\"",
        "[[control_unit]]\nname = \"CU\"\n§[[control_unit]]",
        "control_unit[2].name",
        "missing",
    );
    refused_with(
        "{ pend = \"0.2 ms\", connect = { exponential = \"0.85 ms\" } }",
        "§{ pend = \"0.2 ms\" }",
        "volume A: service.connect",
        "missing",
    );
}

#[test]
fn a_scenario_has_a_name_volumes_and_guests() {
    let found = problems("[measure]\n", &[]);
    let said: Vec<&str> = found.iter().map(|problem| problem.what.as_str()).collect();
    assert_eq!(said, ["`name` is missing", "no guests", "no volumes"]);
}

#[test]
fn an_empty_list_of_volumes_is_no_volumes() {
    let text = "name = \"x\"\nvolume = []\nguest = []\n";
    let said: Vec<String> = problems(text, &[]).into_iter().map(|problem| problem.what).collect();
    assert_eq!(said, ["no guests", "no volumes"]);
}

#[test]
fn an_empty_program_is_refused() {
    refused_with("[ { io = { weighted = { A = 3, B = 1 } } } ]", "§[]", "guest OPEN: program", "no steps");
}

#[test]
fn a_guest_is_counted_or_arrives() {
    refused_with("count = 3", "count = 3\n§arrivals = \"1/s\"", "guest G: arrivals", "both `count` and `arrivals`");
    refused_with(
        "[[guest]]\nname = \"G\"\ncount = 3",
        "§[[guest]]\nname = \"G\"",
        "guest G",
        "none of count, arrivals, replay, arrives",
    );
}

#[test]
fn what_was_recorded_has_no_program() {
    let program = "replay = \"io.csv\"\n§program = [ { io = { volume = \"A\" } } ]\n";
    let text = dynamic_with("replay = \"traces/io.csv\"\n", program);
    refused(&text, "guest TAPE: program", "`program` without `count` or `arrivals` or `arrives`");
    let text = dynamic_with("replay = \"traces/io.csv\"", "replay = \"io.csv\"\n§count = 3");
    refused(&text, "guest TAPE: count", "both `replay` and `count`");
}

#[test]
fn batches_come_with_arrivals_in_one_way() {
    refused_with("count = 3", "count = 3\n§batch = 2", "guest G: batch", "`batch` without `arrivals`");
    let text = dynamic_with("batch = 2", "batch = 2\n§batch_mean = 2.5");
    refused(&text, "guest ZIPF: batch_mean", "batches are all of one size or");
}

#[test]
fn a_change_changes_one_thing_at_its_time() {
    let change = "[[change]]\nat = \"25 s\"\nrelease = \"PAV\"\n";
    let text = dynamic_with(change, "[[change]]\nat = \"25 s\"\nrelease = \"PAV\"\n§reserve = \"A\"\n");
    refused(&text, "change[5].reserve", "a change changes one thing");
    let text = dynamic_with(change, "§[[change]]\nat = \"25 s\"\n");
    refused(&text, "change[5]", "none of aliases, paths, reserve, release");
    let text = dynamic_with(change, "§[[change]]\nrelease = \"PAV\"\n");
    refused(&text, "change[5].at", "a change has its time");
    let text = dynamic_with("{ pool = \"POOL\", online = 1 }", "{ pool = \"POOL\", §volume = \"A\", online = 1 }");
    refused(&text, "change[1].aliases.volume", "both `pool` and `volume`");
    let text = dynamic_with("{ pool = \"POOL\", online = 1 }", "§{ online = 1 }");
    refused(&text, "change[1].aliases", "none of pool, volume");
}

#[test]
fn an_exponent_belongs_to_a_zipf_list() {
    let io = "{ volume = \"A\", §exponent = 2 }";
    refused_with("{ volume = \"A\" }", io, "guest G: program[2].io.exponent", "without `zipf`");
}

#[test]
fn a_volume_has_a_pool_or_aliases_of_its_own() {
    let key = "volume A: aliases";
    refused_with("alias_pool = \"POOL\"\n", "alias_pool = \"POOL\"\n§aliases = 1\n", key, "not both");
}

#[test]
fn a_key_needs_the_key_it_goes_with() {
    let key = "volume B: first_alias";
    refused_with("device = \"0101\"", "device = \"0101\"\n§first_alias = \"0300\"", key, "without `aliases`");
    refused_with(
        "exponential = \"0.85 ms\"",
        "exponential = \"0.85 ms\", §scv = 2",
        "volume A: service.connect.scv",
        "without",
    );
    refused_with(
        "connect = { erlang = \"1 ms\", stages = 4 }",
        "connect = §{ erlang = \"1 ms\" }",
        "volume B: service.connect.stages",
        "missing",
    );
}

#[test]
fn a_distribution_has_one_kind() {
    let key = "volume A: service.connect.constant";
    refused_with(
        "exponential = \"0.85 ms\"",
        "exponential = \"0.85 ms\", §constant = \"1 ms\"",
        key,
        "one distribution",
    );
    refused_with(
        "connect = { exponential = \"0.85 ms\" }",
        "connect = §{ }",
        "volume A: service.connect",
        "none of constant",
    );
}

#[test]
fn growth_belongs_to_connect_only() {
    let pend = "pend = { constant = \"0.2 ms\", §per_concurrent = \"1 ms\" }";
    refused_with("pend = \"0.2 ms\"", pend, "volume A: service.pend.per_concurrent", "unknown key");
}

#[test]
fn a_table_has_one_note() {
    let text = with("count = 3", "count = 3\nassume = \"x\"\n§calibrated = \"y\"");
    refused(&text, "guest G: calibrated", "both `assume` and `calibrated`");
}

#[test]
fn a_step_does_one_thing() {
    let step = "{ think = \"0.15 ms\", §compute = \"1 ms\" }";
    refused_with("{ think = \"0.15 ms\" }", step, "guest G: program[1].compute", "a step does one thing");
    refused_with(
        "{ think = \"0.15 ms\" }",
        "§{ }",
        "guest G: program[1]",
        "none of think, compute, pace, intercept, io, message_in",
    );
    refused_with("{ think = \"0.15 ms\" }", "§\"think\"", "guest G: program[1]", "where a list of steps");
}

#[test]
fn several_syntax_errors_come_at_once() {
    let text = with("aliases = 2", "aliases = ").replace("\"1 min\"", "1 min").replace("count = 3", "count = 3 4");
    let found = problems(&text, &[]);
    let lines: Vec<usize> = found.iter().filter_map(|problem| problem.line).collect();
    let broken = |needle: &str| text[..text.find(needle).unwrap()].matches('\n').count() + 1;
    assert_eq!(lines, [broken("aliases = \n"), broken("count = 3 4"), broken("interval = 1 min")]);
    assert!(found.iter().all(|problem| problem.what.starts_with("not TOML: ")));
}

/// A mistake of syntax does not hide a mistake of meaning elsewhere, nor invent one.
#[test]
fn syntax_errors_and_others_come_together() {
    let text = with("aliases = 2", "aliases = ").replace("\"1 min\"", "60");
    let found = problems(&text, &[]);
    let keys: Vec<&str> = found.iter().map(|problem| problem.key.as_str()).collect();
    assert_eq!(keys, ["", "measure.interval"], "{}", units::listing(&found));
}

#[test]
fn a_key_twice_is_a_syntax_error_at_the_second() {
    refused_with("aliases = 2\n", "aliases = 2\n§aliases = 3\n", "", "duplicate key");
}

#[test]
fn what_is_empty_says_so() {
    for text in ["", "\n\n", "# nothing\n", "\u{feff}"] {
        let found = problems(text, &[]);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].what, "the file says nothing");
    }
}

#[test]
fn what_is_not_utf8_says_so() {
    for (bytes, says) in [(&b"name = \"\xE4\"\n"[..], "0xE4 at offset 8"), (b"\xFF\xFEn\0a\0", "UTF-16")] {
        let found = Scenario::read(bytes, "f", &[]).expect_err("not text");
        assert!(found[0].to_string().contains(says), "{}", found[0]);
        assert_eq!(found[0].line, Some(1));
    }
}

#[test]
fn what_is_far_too_large_says_so() {
    let found = Scenario::read(&vec![b'#'; 17 << 20], "f", &[]).expect_err("too large");
    assert!(found[0].allowed[0].contains("16777216"));
}

#[test]
fn windows_line_ends_and_tabs_are_fine() {
    let text = SAMPLE.replace('\n', "\r\n").replace(" = ", "\t=\t");
    let plain = sample::read(SAMPLE);
    assert_eq!(sample::read(&text).checksum(), plain.checksum());
}

#[test]
fn deep_nesting_ends_in_problems() {
    for (open, close) in [
        ("[", "]"),
        ("{ a = ", " }"),
        ("{ repeat = 2, steps = [ ", " ] }"),
        ("{ choose = [ { weight = 1, steps = [ ", " ] } ] }"),
    ] {
        for depth in [50, 1_000, 100_000] {
            let text = format!("guest = {}1{}", open.repeat(depth), close.repeat(depth));
            assert!(!problems(&text, &[]).is_empty());
        }
    }
    for separator in [".", ".\"b\"."] {
        let keys = format!("a{separator}").repeat(100_000);
        assert!(!problems(&format!("{keys}a = 1\n[{keys}a]\n"), &[]).is_empty());
    }
}

#[test]
fn a_file_of_mistakes_is_cut_and_counted() {
    let text: String = (0..20_000).map(|n| format!("key{n} = 1\n")).collect();
    let found = problems(&text, &[]);
    assert_eq!(found.len(), 1_001);
    assert!(found[1_000].what.contains("more problems"));
}

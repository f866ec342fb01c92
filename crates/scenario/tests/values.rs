//! Is a value that its key cannot hold refused, at its place, with what is allowed?

use crate::sample::{self, dynamic_with, problems, refused_with, with};

const CONNECT: &str = "connect = { exponential = \"0.85 ms\" }";

#[test]
fn a_bare_number_is_no_quantity() {
    let problem = refused_with("\"0.15 ms\" }", "§0.15 }", "guest G: program[1].think", "bare number 0.15");
    assert!(problem.why.contains("unit"));
    refused_with("\"1 min\"", "§60", "measure.interval", "the bare number 60 where a span of time is needed");
}

#[test]
fn a_quantity_needs_its_unit() {
    let problem = refused_with("\"1 min\"", "§\"60\"", "measure.interval", "`60` has no unit");
    assert!(problem.allowed.contains(&"ms".to_string()));
    refused_with("\"500/s\"", "§\"500\"", "guest OPEN: arrivals", "`500` has no unit");
}

#[test]
fn a_unit_must_fit() {
    let problem = refused_with("\"1 min\"", "§\"1 MS\"", "measure.interval", "which does not fit here");
    assert_eq!(problem.nearest.as_deref(), Some("ms"));
    refused_with("\"500/s\"", "§\"500 ms\"", "guest OPEN: arrivals", "which does not fit here");
    refused_with("\"0.2 ms\"", "§\"0.2 %\"", "volume A: service.pend", "which does not fit here");
}

#[test]
fn no_quantity_is_negative() {
    refused_with("\"0.2 ms\"", "§\"-0.2 ms\"", "volume A: service.pend", "is negative");
    refused_with("aliases = 2", "aliases = §-2", "alias_pool POOL: aliases", "-2 is out of range");
}

#[test]
fn no_number_overflows() {
    refused_with("\"1 min\"", "§\"99999999999999999999999 d\"", "measure.interval", "is too large");
    refused_with("\"1 min\"", "§\"1000 d\"", "measure.interval", "`1000 d` is too long");
    refused_with("\"0.2 ms\"", "§\"25 h\"", "volume A: service.pend", "allowed: up to 1 d");
    refused_with("count = 3", "count = §99999999999999999999999", "guest G: count", "beyond 64 bits");
    refused_with("A = 3,", "A = §1e999,", "guest OPEN: program[1].io.weighted.A", "inf is out of range");
}

#[test]
fn a_rate_is_above_zero_and_finite() {
    refused_with("\"500/s\"", "§\"0/s\"", "guest OPEN: arrivals", "is never");
    refused_with("\"500/s\"", "§\"2000000/s\"", "guest OPEN: arrivals", "is too often");
    let digits = format!("§\"{}/s\"", "9".repeat(400));
    refused_with("\"500/s\"", &digits, "guest OPEN: arrivals", "is too often");
    refused_with("\"500/s\"", "§inf", "guest OPEN: arrivals", "bare number inf");
}

#[test]
fn an_amount_of_data_is_whole_bytes_up_to_64_mib() {
    let key = "guest ZIPF: program[1].io.bytes";
    for (bytes, says) in [
        ("\"8 KB\"", "the unit `KB`, which does not fit here; allowed: B, KiB, MiB, kB, MB; did you mean kB?"),
        ("\"8\"", "has no unit"),
        ("8192", "the bare number 8192 where an amount of data is needed; a quantity has a unit"),
        ("\"0.3 KiB\"", "is not a whole number of bytes"),
        ("\"65 MiB\"", "`65 MiB` is out of range; allowed: 0 B to 64 MiB"),
        ("\"-1 B\"", "is negative"),
    ] {
        sample::refused(&dynamic_with("\"8 KiB\"", &format!("§{bytes}")), key, says);
    }
}

#[test]
fn shares_of_reads_and_hits_are_at_most_all() {
    let text = dynamic_with("reads = \"75 %\"", "reads = §\"101 %\"");
    sample::refused(&text, "guest ZIPF: program[1].io.reads", "more than 100 %");
    let text = dynamic_with("read_hits = \"60 %\"", "read_hits = §\"160 %\"");
    sample::refused(&text, "minidisk M1: cache.read_hits", "more than 100 %");
}

#[test]
fn batches_and_exponents_are_in_range() {
    for (old, new, key) in [
        ("batch = 2", "batch = §0", "guest ZIPF: batch"),
        ("batch = 2", "batch = §1001", "guest ZIPF: batch"),
        ("batch_mean = 2.5", "batch_mean = §0.5", "guest BURST: batch_mean"),
        ("exponent = 0.5", "exponent = §-1", "guest ZIPF: program[1].io.exponent"),
        ("exponent = 0.5", "exponent = §nan", "guest ZIPF: program[1].io.exponent"),
        ("online = 2", "online = §9", "change[2].paths.online"),
    ] {
        sample::refused(&dynamic_with(old, new), key, "out of range");
    }
}

#[test]
fn a_file_is_named_in_quotes() {
    sample::refused(&dynamic_with("\"traces/io.csv\"", "§7"), "guest TAPE: replay", "where a path is needed");
    sample::refused(&dynamic_with("\"traces/io.csv\"", "§\"\""), "guest TAPE: replay", "the text is empty");
}

#[test]
fn sharing_is_at_most_all() {
    let key = "control_unit CU: sharing";
    refused_with("\"CU\"\n", "\"CU\"\nsharing = §\"100.5 %\"\n", key, "more than 100 %");
}

#[test]
fn a_wrong_type_is_named_with_the_right_one() {
    refused_with("aliases = 2", "aliases = §\"2\"", "alias_pool POOL: aliases", "the text \"2\" where a whole number");
    refused_with("\"0100\"", "§100", "volume A: device", "hexadecimal, in quotes");
    refused_with("\"Sample\"", "§2007-02-04", "name", "2007-02-04 where text is needed");
    refused_with("{ volume = \"A\" }", "§\"A\"", "guest G: program[2].io", "the text \"A\" where a table [io]");
    refused_with("[[control_unit]]", "§[control_unit]", "control_unit", "double brackets");
}

#[test]
fn a_device_number_is_hexadecimal_and_has_16_bits() {
    refused_with("\"0100\"", "§\"01G0\"", "volume A: device", "not a hexadecimal");
    refused_with("\"0100\"", "§\"10000\"", "volume A: device", "past FFFF");
    refused_with("\"0100\"", "§\"\"", "volume A: device", "not a hexadecimal");
}

#[test]
fn the_spread_of_a_distribution_is_in_range() {
    let connect = |text: &str| with(CONNECT, &format!("connect = {{ {text} }}"));
    let key = "volume A: service.connect.scv";
    sample::refused(&connect("hyperexponential = \"1 ms\", scv = §0.5"), key, "at least 1");
    sample::refused(&connect("gamma = \"1 ms\", scv = §0"), key, "out of range");
    sample::refused(&connect("gamma = \"1 ms\", scv = §nan"), key, "out of range");
    sample::refused(&connect("gamma = \"1 ms\", scv = §-1.0"), key, "out of range");
    sample::refused(&connect("gamma = \"1 ms\", scv = §\"4\""), key, "without quotes");
}

#[test]
fn the_stages_of_an_erlang_are_in_range() {
    for stages in ["0", "1001", "-1"] {
        let key = "volume B: service.connect.stages";
        refused_with("stages = 4", &format!("stages = §{stages}"), key, "out of range");
    }
    refused_with("stages = 4", "stages = §4.5", "volume B: service.connect.stages", "bare number 4.5");
}

#[test]
fn a_uniform_has_two_spans_the_shortest_first() {
    let key = "volume A: service.connect.uniform";
    for (spans, says) in [
        ("[\"1 ms\"]", "1 spans where two are needed"),
        ("[\"1 ms\", \"2 ms\", \"3 ms\"]", "3 spans"),
        ("[\"2 ms\", \"1 ms\"]", "the shortest span comes first"),
    ] {
        refused_with(CONNECT, &format!("connect = {{ uniform = §{spans} }}"), key, says);
    }
    refused_with(CONNECT, "connect = { uniform = [\"1 ms\", §2] }", key, "bare number 2");
}

#[test]
fn only_a_constant_may_be_zero() {
    let key = "volume A: service.connect.exponential";
    let problem = refused_with("\"0.85 ms\"", "§\"0 ms\"", key, "`0 ms` is too short");
    assert_eq!(problem.allowed.len(), 1);
}

#[test]
fn a_weight_is_above_zero_and_finite() {
    let key = "guest OPEN: program[1].io.weighted.A";
    for weight in ["0", "-1", "nan", "-inf"] {
        refused_with("A = 3,", &format!("A = §{weight},"), key, "out of range");
    }
    refused_with("A = 3,", "A = §\"3\",", key, "without quotes");
}

#[test]
fn a_name_has_letters_digits_and_three_signs_only() {
    for (name, says) in [
        ("\\u001b[31m", "`\\u{1b}` in the name"),
        ("a b", "` ` in the name"),
        ("ä", "`ä` in the name"),
        ("", "the name is empty"),
        ("0123456789012345678901234567890123", "has 34 characters"),
    ] {
        refused_with("\"CU\"\n\n", &format!("§\"{name}\"\n\n"), "control_unit[1].name", says);
    }
}

#[test]
fn a_text_says_something_that_can_be_printed() {
    refused_with("\"A document\"", "§\"\"", "source.document", "the text is empty");
    refused_with("\"A document\"", "§\"a\\u0007b\"", "source.document", "control character");
    refused_with("\"Sample\"", "§\"two\\nlines\"", "name", "control character");
}

#[test]
fn a_word_is_one_of_a_few_and_the_nearest_is_named() {
    let pool = with("aliases = 2\n", "aliases = 2\nredispatch = §\"pool_fifo\"\n");
    let problem = sample::refused(&pool, "alias_pool POOL: redispatch", "not one of the allowed words");
    assert_eq!(problem.nearest.as_deref(), Some("pool-fifo"));
    assert_eq!(problem.allowed, ["none", "same-volume", "pool-fifo"]);
}

#[test]
fn counts_of_runs_are_in_range() {
    for key in ["replications", "intervals"] {
        for count in ["0", "10001"] {
            let text = with("[measure]\n", &format!("[measure]\n{key} = §{count}\n"));
            sample::refused(&text, &format!("measure.{key}"), "1 to 10000");
        }
    }
    refused_with("\"1 min\"", "§\"0 s\"", "measure.interval", "too short");
    refused_with("[measure]\n", "[measure]\nwarm_up = §\"automatic\"\n", "measure.warm_up", "\"auto\" or a span");
}

#[test]
fn repeats_are_counted_from_one() {
    let step = "{ repeat = §0, steps = [ { think = \"1 ms\" } ] }";
    refused_with("{ think = \"0.15 ms\" }", step, "guest G: program[1].repeat", "0 is out of range");
}

#[test]
fn all_problems_come_at_once_in_the_order_of_the_file() {
    let text = with("aliases = 2", "aliases = \"2\"").replace("\"0100\"", "100").replace("\"1 min\"", "60");
    let found = problems(&text, &[]);
    let keys: Vec<&str> = found.iter().map(|problem| problem.key.as_str()).collect();
    assert_eq!(keys, ["alias_pool POOL: aliases", "volume A: device", "measure.interval"]);
}

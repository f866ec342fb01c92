//! Channels in a scenario: the numbers of their types, the path groups that they form, and what is refused.

use crate::sample::{SAMPLE, problems, read};
use machine::plan::Discipline;
use units::Span;

const CHANNELS: &str = r#"
[[channel]]
name = "50"
type = "FICON"

[[channel]]
name = "51"
per_io = "50 us"
"#;

fn span(text: &str) -> Span {
    text.parse().unwrap()
}

/// The sample with two channels, and these lines in its control unit.
fn text(unit: &str) -> String {
    let at = SAMPLE.find("[[control_unit]]").expect("the sample has a control unit");
    let head = format!("{}{CHANNELS}\n{}", &SAMPLE[..at], &SAMPLE[at..]);
    let name = head.find("name = \"CU\"").expect("it is called CU");
    format!("{}{unit}\n{}", &head[..name], &head[name..])
}

/// The sample without the paths and the sharing that its control unit has.
fn group(unit: &str) -> String {
    let own = |line: &&str| !line.starts_with("paths = ") && !line.starts_with("sharing = ");
    text(unit).lines().filter(own).chain([""]).collect::<Vec<_>>().join("\n")
}

fn refused(text: &str, key: &str, what: &str) {
    let problems = problems(text, &[]);
    assert!(problems.iter().any(|problem| problem.key == key && problem.what.contains(what)), "{problems:#?}");
}

#[test]
fn a_type_gives_the_numbers_that_are_not_written() {
    let scenario = read(&group("channels = [\"50\", \"51\"]"));
    let plan = scenario.plan();
    let [first, second] = plan.channels.as_slice() else { panic!("two channels") };
    assert_eq!(first.per_io.mean(), span("125.7 us"));
    assert_eq!(first.per_kib, span("10.24 us"));
    assert_eq!((second.per_io.mean(), second.per_kib), (span("50 us"), Span::ZERO));
    assert_eq!((plan.control_units[0].paths, plan.control_units[0].channels.as_slice()), (2, &[0, 1][..]));
}

#[test]
fn another_type_gives_other_numbers_to_what_was_resolved_before() {
    let resolved = read(&group("channels = [\"50\", \"51\"]")).resolved_toml().to_string();
    let again = read(&resolved.replace("type = \"FICON\"", "type = \"zHPF Express8S\""));
    assert_eq!(again.plan().channels[0].per_kib, span("1.28 us"));
    assert_eq!(read(&resolved).resolved_toml(), resolved);
}

#[test]
fn a_path_group_that_contradicts_itself_is_refused() {
    refused(&text("channels = [\"50\", \"51\"]\npaths = 3"), "control_unit CU: paths", "3 paths over 2 channels");
    let escon = group("channels = [\"50\", \"51\"]").replace("per_io = \"50 us\"", "type = \"ESCON\"");
    refused(&escon, "control_unit CU: channels", "held in different ways");
    refused(&group("channels = [\"50\", \"52\"]"), "control_unit CU: channels", "no channel is called `52`");
    refused(&group("channels = [\"50\", \"50\"]"), "control_unit CU: channels", "`50` twice");
    let full = group("channels = [\"51\"]").replace("per_io = \"50 us\"", "holds = \"connection\"");
    refused(&full, "channel 51: duplex", "full duplex on a channel");
}

fn disciplines(text: &str) -> Vec<Discipline> {
    read(text).plan().channels.iter().map(|channel| channel.discipline).collect()
}

/// ESCON carries one I/O at a time; FICON and zHPF interleave frames.
#[test]
fn a_channel_is_shared_where_frames_are_interleaved() {
    use Discipline::{Fifo, Shared};
    let both = group("channels = [\"50\", \"51\"]");
    assert_eq!(disciplines(&both), [Shared, Shared]);
    let escon = both.replace("type = \"FICON\"", "type = \"ESCON\"").replace("per_io = \"50 us\"", "type = \"ESCON\"");
    assert_eq!(disciplines(&escon), [Fifo, Fifo]);
    let half = both.replace("type = \"FICON\"", "type = \"FICON\"\nduplex = \"half\"");
    let half = half.replace("per_io = \"50 us\"", "per_io = \"50 us\"\nduplex = \"half\"");
    assert_eq!(disciplines(&half), [Fifo, Fifo]);
    let fifo = both.replace("type = \"FICON\"", "type = \"FICON\"\ndiscipline = \"fifo\"");
    let fifo = fifo.replace("per_io = \"50 us\"", "per_io = \"50 us\"\ndiscipline = \"fifo\"");
    assert_eq!(disciplines(&fifo), [Fifo, Fifo]);
}

#[test]
fn the_discipline_follows_a_type_that_is_changed_in_what_was_resolved() {
    let resolved = read(&group("channels = [\"50\"]").replace("per_io = \"50 us\"", "")).resolved_toml().to_string();
    assert!(resolved.contains("discipline = \"shared\""), "{resolved}");
    let again = resolved.replace("type = \"FICON\"", "type = \"ESCON\"");
    assert_eq!(disciplines(&again)[0], Discipline::Fifo);
    assert_eq!(read(&resolved).resolved_toml(), resolved);
}

#[test]
fn a_discipline_that_contradicts_the_channel_is_refused() {
    let escon = group("channels = [\"50\"]").replace("type = \"FICON\"", "type = \"ESCON\"\ndiscipline = \"shared\"");
    refused(&escon, "channel 50: discipline", "a shared channel that I/Os have to themselves");
    let mixed = group("channels = [\"50\", \"51\"]").replace("per_io = \"50 us\"", "discipline = \"fifo\"");
    refused(&mixed, "control_unit CU: channels", "serve I/Os in different ways");
    let word = group("channels = [\"50\"]").replace("type = \"FICON\"", "discipline = \"share\"");
    refused(&word, "channel 50: discipline", "share");
}

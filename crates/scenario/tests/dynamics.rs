//! Do changes, minidisks and recorded arrivals agree with the machine that the scenario builds?

use crate::sample::{dynamic, dynamic_with, read, refused};
use machine::plan::{Access, Change, Choice, Record, Step, Target};
use scenario::Scenario;
use units::{Percent, Span};

const RELEASE: &str = "[[change]]\nat = \"25 s\"\nrelease = \"PAV\"\n";

fn warnings(text: &str) -> Vec<String> {
    read(text).warnings().iter().map(|warning| warning.what.clone()).collect()
}

#[test]
fn changes_come_by_time_and_at_one_time_as_in_the_file() {
    let order: Vec<Change> = read(&dynamic()).plan().changes.iter().map(|change| change.change).collect();
    let expected = [
        Change::Paths { control_unit: 1, online: 2 },
        Change::Reserve { volume: 2 },
        Change::BoundAliases { volume: 2, online: 0 },
        Change::Release { volume: 2 },
        Change::PoolAliases { pool: 0, online: 1 },
    ];
    assert_eq!(order, expected);
}

#[test]
fn no_more_come_online_than_were_built() {
    let text = dynamic_with("pool = \"POOL\", online = 1", "pool = \"POOL\", online = §3");
    let problem = refused(&text, "change[1].aliases.online", "3 aliases online where there are 2");
    assert_eq!(problem.allowed, ["0 to 2"]);
    let text = dynamic_with("volume = \"PAV\", online = 0", "volume = \"PAV\", online = §3");
    refused(&text, "change[4].aliases.online", "volume PAV has aliases = 2");
    let text = dynamic_with("control_unit = \"CU2\", online = 2", "control_unit = \"CU2\", online = §5");
    refused(&text, "change[2].paths.online", "control_unit CU2 has paths = 4");
}

#[test]
fn aliases_that_a_volume_does_not_have_cannot_change() {
    let text = dynamic_with("volume = \"PAV\", online = 0", "volume = §\"A\", online = 0");
    let problem =
        refused(&text, "change[4].aliases.volume", "volume A has no aliases of its own; it borrows from pool");
    assert_eq!(problem.allowed[0], "pool = \"POOL\"");
    let text = dynamic_with("volume = \"PAV\", online = 0", "volume = §\"B\", online = 0");
    refused(&text, "change[4].aliases.volume", "volume B has no aliases of its own");
}

#[test]
fn what_is_changed_exists() {
    let text = dynamic_with("pool = \"POOL\", online", "pool = §\"POLO\", online");
    assert_eq!(refused(&text, "change[1].aliases.pool", "no alias pool").nearest.as_deref(), Some("POOL"));
    refused(
        &dynamic_with("reserve = \"PAV\"", "reserve = §\"M2\"").replace(RELEASE, ""),
        "change[3].reserve",
        "no volume is called `M2`; a minidisk has that name",
    );
}

#[test]
fn a_volume_is_released_after_it_was_reserved() {
    let problem = refused(
        &dynamic_with("at = \"25 s\"\nrelease = ", "at = \"15 s\"\nrelease = §"),
        "change[5].release",
        "no system has reserved it",
    );
    assert_eq!(problem.allowed, ["a reserve of `PAV` before 15 s"]);
    let again = format!("{RELEASE}[[change]]\nat = \"24 s\"\nreserve = §\"PAV\"\n");
    refused(&dynamic_with(RELEASE, &again), "change[6].reserve", "reserved at 24 s for the second time");
    read(&dynamic_with(RELEASE, &again.replace("24 s", "26 s").replace('§', "")));
}

#[test]
fn a_reserve_and_a_release_at_one_time_are_read_in_the_order_of_the_file() {
    read(&dynamic_with("at = \"25 s\"", "at = \"20 s\""));
}

#[test]
fn a_change_after_the_end_is_a_doubt() {
    assert_eq!(warnings(&dynamic()), [""; 0]);
    let found = read(&dynamic_with("at = \"30 s\"", "at = \"1 min\"")).warnings().to_vec();
    assert_eq!((found[0].key.as_str(), found.len()), ("change[1].at", 1));
    assert!(found[0].what.contains("a change at 1 min comes after the last interval"), "{}", found[0]);
}

#[test]
fn paths_that_are_not_shared_make_no_difference_unless_all_go() {
    let text = dynamic_with("sharing = \"50 %\"", "sharing = \"0 %\"");
    assert_eq!(warnings(&text), ["2 paths instead of 4 make no difference"]);
    assert_eq!(warnings(&text.replace("\"0 %\"", "\"100 %\"")), ["2 paths instead of 4 make no difference"]);
    let none = text.replace("control_unit = \"CU2\", online = 2", "control_unit = \"CU2\", online = 0");
    let back = format!("{none}[[change]]\nat = \"11 s\"\npaths = {{ control_unit = \"CU2\", online = 4 }}\n");
    assert_eq!(warnings(&back), [""; 0]);
}

#[test]
fn a_volume_and_a_minidisk_have_two_names() {
    let text = dynamic_with("[[minidisk]]\nname = \"M2\"", "[[minidisk]]\nname = §\"B\"").replace("\"M2\"", "\"B\"");
    refused(&text, "minidisk[2].name", "a minidisk called `B` like a volume; volume number 2 has that name");
}

#[test]
fn lists_take_names_of_both_and_one_key_those_of_its_kind() {
    let scenario = read(&dynamic());
    let Step::Io(io) = &scenario.plan().guests[2].program[0] else { panic!("the first step is an I/O") };
    let targets = [Target::Minidisk(0), Target::Volume(2), Target::Minidisk(1)];
    let weights = [1.0, 1.0 / libm::pow(2.0, 0.5), 1.0 / libm::pow(3.0, 0.5)];
    assert_eq!(io.choice, Choice::Weighted(targets.into_iter().zip(weights).collect()));
    assert_eq!((io.bytes, io.reads), (8_192, Percent::new(75.0)));
    let text = dynamic_with("zipf = [\"M1\", \"PAV\", \"M2\"]", "zipf = [\"M1\", \"PAV\", §\"M3\"]");
    let problem = refused(&text, "guest ZIPF: program[1].io.zipf", "no volume or minidisk is called `M3`");
    assert_eq!(problem.allowed, ["A", "B", "PAV", "M1", "M2"]);
    refused(
        &dynamic_with("minidisk = \"M1\"", "minidisk = §\"PAV\""),
        "guest BURST: program[1].io.minidisk",
        "a volume has that name",
    );
}

#[test]
fn a_hit_takes_time() {
    let text = dynamic_with("time = \"0.05 ms\"", "time = §\"0.5 us\"");
    refused(&text, "minidisk M1: cache.time", "a hit that takes no time");
}

#[test]
fn a_minidisk_that_nothing_uses_is_a_doubt() {
    let text = dynamic_with("[[guest]]\nname = \"TAPE\"\nreplay = \"traces/io.csv\"\n", "");
    assert_eq!(warnings(&text), [""; 0]);
    let idle = format!("{text}[[minidisk]]\nname = \"M3\"\nvolume = \"B\"\n");
    assert_eq!(warnings(&idle), ["minidisk M3 is not used: no guest does I/O to it"]);
    assert_eq!(
        warnings(&dynamic().replace("zipf = [\"M1\", \"PAV\", \"M2\"], exponent = 0.5", "volume = \"A\"")),
        [""; 0],
        "the recording may have any volume"
    );
}

#[test]
fn a_batch_offers_as_much_as_its_guests() {
    let text = dynamic_with("arrivals = \"100/s\"\nbatch = 2", "arrivals = \"100/s\"\nbatch = 60");
    let says = "arrivals ask for 159 % of what it can do";
    assert!(warnings(&text).iter().any(|what| what.starts_with(says)), "{:?}", warnings(&text));
    assert_eq!(warnings(&text.replace("batch = 60", "batch_mean = 60.0")), warnings(&text));
}

#[test]
fn a_cache_takes_load_from_its_minidisk() {
    let io = "zipf = [\"M1\", \"PAV\", \"M2\"], exponent = 0.5, bytes = \"8 KiB\", reads = \"75 %\"";
    let text = dynamic_with(io, "minidisk = \"M1\"").replace("batch = 2", "batch = 20");
    assert!(read(&text).warnings().is_empty(), "40 % of 2,025 I/Os per s");
    let writes = text.replace("minidisk = \"M1\"", "minidisk = \"M1\", reads = \"50 %\"");
    assert!(warnings(&writes)[0].starts_with("arrivals ask for 1"), "{:?}", warnings(&writes));
}

#[test]
fn a_warm_up_of_recordings_alone_is_a_doubt() {
    let text = "name = \"x\"\nassume = \"x\"\n[[volume]]\nname = \"A\"\ndevice = \"100\"\nservice.connect = \"1 ms\"\n\
                [[guest]]\nname = \"TAPE\"\nreplay = \"io.csv\"\n";
    let found = read(text).warnings().to_vec();
    assert_eq!((found[0].key.as_str(), found[0].line), ("measure.warm_up", Some(9)));
    assert_eq!(warnings(&format!("{text}[measure]\nwarm_up = \"0 s\"\n")), [""; 0]);
}

fn record(at: Span, target: Target) -> Record {
    Record { at, target, bytes: 4_096, access: Access::Read }
}

#[test]
fn recorded_io_is_supplied_by_guest() {
    let scenario = read(&dynamic());
    let replay = &scenario.replays()[0];
    assert_eq!((replay.guest.as_str(), replay.file.as_str(), replay.supplied), ("TAPE", "traces/io.csv", false));
    assert!(scenario.missing()[0].to_string().starts_with("sample.toml:"), "{}", scenario.missing()[0]);
    let supplied = scenario.supply("TAPE", vec![record(Span::SECOND, Target::Volume(1))]).expect("it fits");
    assert!(supplied.missing().is_empty() && supplied.replays()[0].supplied);
    assert_eq!(supplied.checksum(), scenario.checksum());
    assert_ne!(supplied.plan(), scenario.plan());
}

#[track_caller]
fn not_supplied(scenario: &Scenario, guest: &str, records: Vec<Record>, says: &str) {
    let found = scenario.supply(guest, records).expect_err("something is wrong");
    assert!(units::listing(&found).contains(says), "{}", units::listing(&found));
}

#[test]
fn records_that_do_not_fit_are_refused() {
    let scenario = read(&dynamic());
    let one = || vec![record(Span::SECOND, Target::Volume(0))];
    not_supplied(&scenario, "TAP", one(), "no guest called `TAP` is replayed; allowed: TAPE; did you mean TAPE?");
    not_supplied(&scenario, "TAPE", Vec::new(), "there are no records");
    let back = vec![record(Span::SECOND, Target::Volume(0)), record(Span::ZERO, Target::Volume(0))];
    not_supplied(&scenario, "TAPE", back, "record 2 is before record 1");
    not_supplied(&scenario, "TAPE", vec![record(Span::ZERO, Target::Minidisk(2))], "record 1 goes nowhere");
    not_supplied(&scenario, "TAPE", vec![record(Span::SECOND * 40_000_000, Target::Volume(0))], "more than a year");
}

#[test]
fn records_after_the_end_are_a_doubt() {
    let records = vec![record(Span::SECOND, Target::Volume(0)), record(Span::SECOND * 60, Target::Volume(0))];
    let supplied = read(&dynamic()).supply("TAPE", records).expect("it fits");
    assert_eq!(supplied.warnings()[0].what, "1 of 2 recorded I/Os come after the last interval");
}

#[test]
fn what_a_recording_points_at_is_a_name_or_a_base() {
    let scenario = read(&dynamic());
    let targets = scenario.targets();
    for (text, target) in
        [("A", Target::Volume(0)), ("M2", Target::Minidisk(1)), ("0102", Target::Volume(2)), ("102", Target::Volume(2))]
    {
        assert_eq!(targets.find(text), Ok(target), "{text}");
    }
    let problem = targets.find("PVA").unwrap_err();
    assert_eq!(problem.nearest.as_deref(), Some("PAV"));
    assert_eq!(problem.allowed, ["A", "B", "M1", "M2", "PAV"]);
    assert!(targets.find("0301").unwrap_err().why.contains("an alias of PAV"));
    assert!(targets.find("0201").unwrap_err().why.contains("an alias of POOL"));
    assert_eq!(targets.find("").unwrap_err().nearest, None);
}

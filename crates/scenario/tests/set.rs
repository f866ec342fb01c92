//! Do overrides do what they say, and are wrong ones refused with the nearest right one?

use crate::sample::{self, SAMPLE, problems, read, read_set};
use kernel::distribution::Distribution;
use machine::plan::{Aliasing, Arrival, Batch, Change, ChangePlan, Choice, IoPlan, Step, Target};
use scenario::WarmUp;
use units::{PerSecond, Percent, Problem, Span};

/// Checks that an override is refused once, as itself, with this in what it says.
#[track_caller]
fn refused(set: &str, says: &str) -> Problem {
    let found = problems(SAMPLE, &[set]);
    let [problem] = found.as_slice() else { panic!("one problem, not\n{}", units::listing(&found)) };
    assert_eq!((problem.file.as_str(), problem.line), ("--set", None), "{problem}");
    assert!(problem.what.contains(set), "{problem} does not repeat {set}");
    assert!(problem.to_string().contains(says), "{problem}\ndoes not say\n{says}");
    problem.clone()
}

/// A read of 4 KiB, as an I/O is unless it says otherwise.
fn io(choice: Choice) -> Step {
    Step::Io(IoPlan { choice, bytes: 4_096, reads: Percent::new(100.0) })
}

#[test]
fn a_value_is_replaced() {
    let scenario = read_set(SAMPLE, &["alias_pool.POOL.aliases=8", "measure.interval=\"5 min\""]);
    assert_eq!(scenario.plan().alias_pools[0].aliases.len(), 8);
    assert_eq!(scenario.measure().interval, "5 min".parse().unwrap());
}

#[test]
fn a_bare_word_is_text() {
    let set = [
        "measure.warm_up=20 s",
        "alias_pool.POOL.redispatch=pool-fifo",
        "volume.A.device=5230",
        "volume.B.device=52E1",
    ];
    let scenario = read_set(SAMPLE, &set);
    assert_eq!(scenario.measure().warm_up, WarmUp::Fixed("20 s".parse().unwrap()));
    let devices: Vec<u16> = scenario.plan().volumes.iter().map(|volume| volume.device.0).collect();
    assert_eq!(devices, [0x5230, 0x52E1]);
}

#[test]
fn an_absent_key_is_added() {
    let scenario = read_set(SAMPLE, &["volume.A.gap=0.1 ms", "measure.sample=1 s"]);
    assert_eq!(scenario.plan().volumes[0].gap, Span::from_us(100));
    assert_eq!(scenario.measure().sample, Span::SECOND);
}

#[test]
fn a_star_means_all_of_a_kind() {
    let scenario = read_set(SAMPLE, &["volume.*.gap=0.1 ms"]);
    assert!(scenario.plan().volumes.iter().all(|volume| volume.gap == Span::from_us(100)));
}

#[test]
fn a_later_override_wins() {
    let scenario = read_set(SAMPLE, &["volume.*.gap=0.1 ms", "volume.B.gap=0.2 ms"]);
    let gaps: Vec<Span> = scenario.plan().volumes.iter().map(|volume| volume.gap).collect();
    assert_eq!(gaps, [Span::from_us(100), Span::from_us(200)]);
}

#[test]
fn another_distribution_replaces_the_one_before_and_keeps_growth() {
    let set = ["volume.*.service.connect.per_concurrent=0.2 ms", "volume.*.service.connect.exponential=0.9 ms"];
    for volume in &read_set(SAMPLE, &set).plan().volumes {
        assert_eq!(volume.service.connect, Distribution::Exponential { mean: Span::from_us(900) });
        assert_eq!(volume.service.connect_per_concurrent, Span::from_us(200));
    }
}

#[test]
fn a_span_becomes_a_distribution_when_a_part_of_it_is_set() {
    let scenario = read_set(SAMPLE, &["volume.A.service.pend.gamma=1 ms", "volume.A.service.pend.scv=0.5"]);
    let expected = Distribution::Gamma { mean: Span::from_ms(1), scv: 0.5 };
    assert_eq!(scenario.plan().volumes[0].service.pend, expected);
    let scenario = read_set(SAMPLE, &["volume.A.service.connect=1 ms", "volume.A.service.connect.per_concurrent=1 us"]);
    assert_eq!(scenario.plan().volumes[0].service.connect, Distribution::Constant(Span::from_ms(1)));
    assert_eq!(scenario.plan().volumes[0].service.connect_per_concurrent, Span::from_us(1));
}

#[test]
fn a_whole_table_may_be_set() {
    let scenario = read_set(SAMPLE, &["volume.A.service={ connect = { uniform = [\"1 ms\", \"2 ms\"] } }"]);
    let expected = Distribution::Uniform { low: Span::from_ms(1), high: Span::from_ms(2) };
    assert_eq!(scenario.plan().volumes[0].service.connect, expected);
}

#[test]
fn a_key_replaces_those_it_excludes() {
    let scenario = read_set(SAMPLE, &["guest.G.arrivals=90/min", "guest.OPEN.count=7", "volume.A.aliases=1"]);
    let arrivals: Vec<Arrival> = scenario.plan().guests.iter().map(|guest| guest.arrival.clone()).collect();
    let open = Arrival::Open { rate: PerSecond::new(1.5), batch: Batch::Of(1) };
    assert_eq!(arrivals, [open, Arrival::Closed { count: 7 }]);
    assert!(matches!(&scenario.plan().volumes[0].aliasing, Aliasing::Pav { aliases, .. } if aliases.len() == 1));
}

#[test]
fn steps_go_by_number_from_one_and_a_star_by_what_they_do() {
    for set in ["guest.G.program.1.think=2 ms", "guest.G.program.*.think=2 ms"] {
        let scenario = read_set(SAMPLE, &[set]);
        let program = &scenario.plan().guests[0].program;
        assert_eq!(program[0], Step::Think(Distribution::Constant(Span::from_ms(2))));
        assert_eq!(program[1], io(Choice::Fixed(Target::Volume(0))));
    }
}

#[test]
fn a_weight_is_set_by_name() {
    let scenario = read_set(SAMPLE, &["guest.OPEN.program.1.io.weighted.B=2.5"]);
    let weights = vec![(Target::Volume(0), 3.0), (Target::Volume(1), 2.5)];
    assert_eq!(scenario.plan().guests[1].program, [io(Choice::Weighted(weights))]);
}

#[test]
fn names_with_points_are_found_with_or_without_quotes() {
    let text = SAMPLE.replace("\"A\"", "\"A.1\"").replace("A = 3", "\"A.1\" = 3");
    for set in ["volume.A.1.gap=1 ms", "volume.\"A.1\".gap=1 ms"] {
        assert_eq!(read_set(&text, &[set]).plan().volumes[0].gap, Span::from_ms(1));
    }
}

#[test]
fn a_note_replaces_the_one_before() {
    let text = SAMPLE.replace("count = 3", "count = 3\nassume = \"x\"");
    let scenario = read_set(&text, &["guest.G.calibrated=Y032180H"]);
    let row = scenario.explain().iter().find(|row| row.key == "guest.G.count").unwrap();
    assert_eq!((row.role.to_string().as_str(), row.why.as_str()), ("calibrated", "Y032180H"));
}

#[test]
fn no_equals_sign_is_refused() {
    refused("volume.A.gap", "no `=`");
    refused("", "no `=`");
}

#[test]
fn an_unknown_key_is_refused_with_the_nearest() {
    assert_eq!(refused("volume.A.gpa=1 ms", "unknown key `gpa`").nearest.as_deref(), Some("gap"));
    assert_eq!(refused("volumes.A.gap=1 ms", "unknown key `volumes`").nearest.as_deref(), Some("volume"));
    refused("=1", "unknown key ``");
    refused("guest.G.program.*.thnk=1 ms", "did you mean think?");
}

#[test]
fn an_unknown_key_of_all_volumes_is_said_once() {
    refused("volume.*.gpa=1 ms", "did you mean gap?");
}

#[test]
fn an_unknown_name_is_refused_with_the_nearest() {
    assert_eq!(refused("alias_pool.POLO.aliases=8", "no alias pool is called `POLO`").nearest.as_deref(), Some("POOL"));
    refused("guest.G.program.3.think=1 ms", "no step `3`");
    refused("guest.G.program.0.think=1 ms", "no step `0`");
    refused("guest.G.program.*.compute=1 ms", "no step has `compute`");
}

#[test]
fn a_path_that_stops_early_or_goes_too_far_is_refused() {
    refused("volume=1", "`volume` is a list of tables");
    refused("volume.A=1", "names a table");
    refused("guest.G.program.1=1", "names a step");
    refused("volume.A.gap.ms=1", "`gap` has nothing in it called `ms`");
}

#[test]
fn a_value_that_does_not_fit_is_refused_as_the_override() {
    assert_eq!(refused("alias_pool.POOL.aliases=-1", "-1 is out of range").key, "alias_pool POOL: aliases");
    refused("measure.interval=60", "the bare number 60");
    refused("guest.G.program.2.io.volume=C", "no volume is called `C`");
}

#[test]
fn numbers_that_were_set_say_so() {
    let scenario = read_set(SAMPLE, &["volume.*.service.connect.exponential=0.9 ms"]);
    let rows = |key| scenario.explain().iter().find(|row| row.key == key).cloned().unwrap();
    assert_eq!(rows("volume.B.service.connect.exponential").why, "--set volume.*.service.connect.exponential");
    assert_eq!(rows("volume.A.service.pend").why, "A document");
}

#[test]
fn changes_go_by_number_from_one_and_a_star_by_what_they_have() {
    let plan = |set: &[&str]| read_set(&sample::dynamic(), set).plan().changes.clone();
    let before = plan(&[]);
    let moved = plan(&["change.2.at=12 s"]);
    assert_eq!(
        (before[0].at, moved[0].at),
        (Span::SECOND * 10, Span::SECOND * 12),
        "the second in the file is the first"
    );
    assert_eq!(moved[1..], before[1..]);
    let none = plan(&["change.*.aliases.online=0"]);
    assert!(none.contains(&ChangePlan { at: Span::SECOND * 30, change: Change::PoolAliases { pool: 0, online: 0 } }));
    let found = problems(&sample::dynamic(), &["change.6.at=12 s"]);
    assert!(found[0].what.contains("no change `6`"), "{}", found[0]);
    refused("change.1.at=1 s", "there are no changes");
    refused("change=1", "`change` is a list of tables");
}

#[test]
fn another_change_replaces_the_one_before() {
    let scenario = read_set(&sample::dynamic(), &["change.1.reserve=A"]);
    let last = scenario.plan().changes.last().unwrap();
    assert_eq!(last.change, Change::Reserve { volume: 0 });
}

#[test]
fn recorded_arrivals_replace_others_with_their_program() {
    let scenario = read_set(SAMPLE, &["guest.OPEN.replay=io.csv"]);
    assert!(scenario.plan().guests[1].program.is_empty());
    assert_eq!(scenario.replays()[0].file, "io.csv");
}

#[test]
fn one_kind_of_batch_replaces_the_other_and_nothing_else() {
    let scenario = read_set(&sample::dynamic(), &["guest.ZIPF.batch_mean=3", "guest.BURST.batch=7"]);
    let batches: Vec<Batch> = scenario
        .plan()
        .guests
        .iter()
        .filter_map(|guest| match guest.arrival {
            Arrival::Open { batch, .. } => Some(batch),
            Arrival::Closed { .. } | Arrival::Spawned | Arrival::Replay { .. } => None,
        })
        .collect();
    assert_eq!(batches, [Batch::Of(1), Batch::Geometric { mean: 3.0 }, Batch::Of(7)]);
}

#[test]
fn a_list_may_be_set_and_its_exponent() {
    let set = ["guest.G.program.2.io.zipf=[\"B\", \"A\"]", "guest.G.program.2.io.exponent=2"];
    let weights = vec![(Target::Volume(1), 1.0), (Target::Volume(0), 0.25)];
    assert_eq!(read_set(SAMPLE, &set).plan().guests[0].program[1], io(Choice::Weighted(weights)));
}

/// Every name that `explain` prints can be set, so that the rows are a list of knobs.
#[test]
fn every_number_that_is_explained_can_be_set_by_its_key() {
    for text in [sample::dynamic().as_str(), sample::DOMAINS, sample::QUEUES] {
        let scenario = read(text);
        for row in scenario.explain() {
            let set = format!("{}={}", row.key, row.value);
            let again = read_set(text, &[&set]);
            assert_eq!(again.plan(), scenario.plan(), "{set}");
            assert_eq!(again.measure(), scenario.measure(), "{set}");
        }
    }
}

/// Volume serials have the national characters $, # and @ too.
#[test]
fn a_name_with_national_characters_is_found_with_quotes_and_without() {
    let text = SAMPLE.replace("\"A\"", "\"A$B#@1\"").replace("{ A = 3", "{ \"A$B#@1\" = 3");
    let scenario = read_set(&text, &["volume.A$B#@1.gap=0.1 ms", "volume.\"A$B#@1\".device=5230"]);
    let volume = &scenario.plan().volumes[0];
    assert_eq!((volume.name.as_str(), volume.gap, volume.device.0), ("A$B#@1", Span::from_us(100), 0x5230));
}

//! Texts: does every scenario that the language allows read, come back, and obey the laws when it runs?

mod author;
mod value;

use author::{Author, LEFT_OUT, LEFT_OUT_TOO, Text};
use kernel::draw::Streams;
use machine::plan::{Access, Plan, Record, RunsInPlan, Target};
use monitor::{Measurement, replicate};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};
use scenario::{Scenario, WarmUp};
use std::collections::BTreeSet;
use units::Span;

/// This many random cases, the same in every run.
fn cases(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(1), failure_persistence: None, ..Config::default() }
}

fn read(text: &str) -> Scenario {
    Scenario::read(text.as_bytes(), "random.toml", &[]).unwrap_or_else(|problems| {
        panic!("a text that should be right is refused:\n{}\nin\n{text}", units::listing(&problems))
    })
}

/// Recorded I/Os to everything that a guest may do I/O to, two at a time, one every few ms.
fn recorded(plan: &Plan, guest: &str) -> Vec<Record> {
    let guest = plan.guests.iter().find(|plan| plan.name == guest).expect("it is replayed");
    let own = |volume: usize| plan.volumes[volume].partition == guest.runs_in.and_then(RunsInPlan::partition);
    let carries = |volume: usize| plan.front_ends.iter().any(|front_end| front_end.volume == volume);
    let volumes = (0..plan.volumes.len()).filter(|volume| own(*volume) && !carries(*volume)).map(Target::Volume);
    let minidisks = (0..plan.minidisks.len()).filter(|minidisk| own(plan.minidisks[*minidisk].volume));
    let targets: Vec<Target> = volumes.chain(minidisks.map(Target::Minidisk)).collect();
    let record = |number: usize| Record {
        at: Span::from_ms(number as u64 / 2 * 3),
        target: targets[number % targets.len()],
        bytes: number as u32 * 512,
        access: if number.is_multiple_of(3) { Access::Write } else { Access::Read },
    };
    (0..40).map(record).collect()
}

fn supplied(scenario: Scenario) -> Scenario {
    let guests: Vec<String> = scenario.replays().iter().map(|replay| replay.guest.clone()).collect();
    guests.iter().fold(scenario, |scenario, guest| {
        let records = recorded(scenario.plan(), guest);
        scenario.supply(guest, records).expect("the records fit any scenario")
    })
}

/// As the text says, but no interval longer than this: ten minutes, the default, are long for a test.
const LONGEST: Span = Span::from_ms(60);

fn measurement(scenario: &Scenario) -> Measurement {
    let measure = scenario.measure();
    let warm_up = match measure.warm_up {
        WarmUp::Auto => Span::from_ms(10),
        WarmUp::Fixed(span) => span,
    };
    let (interval, sample) = (measure.interval.min(LONGEST), measure.sample.min(LONGEST));
    Measurement { warm_up, interval, intervals: measure.intervals, sample }
}

proptest! {
    #![proptest_config(cases(1_000))]

    /// The run itself checks the laws at the end of every interval, to the unit.
    #[test]
    fn any_text_obeys_the_laws(seed in any::<u64>()) {
        let Text { toml, .. } = Author::new(seed).scenario();
        let scenario = supplied(read(&toml));
        let measurement = measurement(&scenario);
        let run = replicate(scenario.plan(), &Streams::new(seed, 0), &measurement, "random", |_| true);
        let intervals = run.unwrap_or_else(|failure| panic!("{failure:?} in\n{toml}"));
        prop_assert_eq!(intervals.len(), measurement.intervals as usize);
    }

    #[test]
    fn any_text_comes_back(seed in any::<u64>()) {
        let scenario = read(&Author::new(seed).scenario().toml);
        let again = read(scenario.resolved_toml());
        prop_assert_eq!(again.checksum(), scenario.checksum());
        prop_assert_eq!(again.plan(), scenario.plan());
        prop_assert_eq!(again.explain(), scenario.explain());
        prop_assert_eq!(again.measure(), scenario.measure());
    }
}

/// A new key of the language is written without a change here, unless it needs a fact that the author does not know.
#[test]
fn the_texts_have_every_key_of_the_language() {
    let mut written = BTreeSet::new();
    for seed in 0..400 {
        written.extend(Author::new(seed).scenario().keys);
    }
    let known = scenario::reference();
    let left_out = |row: &&scenario::Row| {
        let own = LEFT_OUT.iter().any(|key| key.name == row.key && key.doc == row.doc);
        own || LEFT_OUT_TOO.contains(&row.table) || row.table == "step" && LEFT_OUT_TOO.contains(&row.key)
    };
    let missing: Vec<String> = known
        .iter()
        .filter(|row| !left_out(row))
        .filter(|row| !written.contains(&(row.table, row.key)))
        .map(|row| format!("{}.{}", row.table, row.key))
        .collect();
    assert_eq!(missing, [""; 0], "the author of random texts never writes these");
}

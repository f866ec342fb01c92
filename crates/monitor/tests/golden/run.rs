//! A golden run: a scenario, shortened, and everything that it gives as lines of TOML.

use kernel::calendar::TreeCalendar;
use kernel::draw::Streams;
use machine::signal::NoProbe;
use machine::world::World;
use measures::{IntervalTotals, Key, TABLES, TableRows};
use monitor::{Experiment, Measurement, Replicated, Watch, settle};
use scenario::{Scenario, WarmUp};
use sha2::{Digest, Sha256};
use std::fmt::Debug;
use units::{Span, Tod};

/// The seed of all golden runs.
pub const SEED: u64 = 1;
/// How many replications each has.
pub const REPLICATIONS: u64 = 2;
/// The overrides that shorten a scenario.
pub const SETTINGS: [&str; 3] = ["measure.interval=\"2 s\"", "measure.intervals=2", "measure.sample=\"50 ms\""];

/// The digests that are kept of a golden run.
pub struct Golden {
    /// Everything that it gives, as lines of TOML.
    pub lines: String,
    /// The digest of its tables as Python has them, without means of nothing.
    pub measured: String,
}

/// Runs a scenario.  Numbers are written with the digits that give their bits again.
pub fn run(bytes: &[u8], path: &str) -> Golden {
    let scenario = Scenario::read(bytes, path, &SETTINGS.map(String::from)).expect("a scenario without problems");
    let (plan, measure) = (scenario.plan(), scenario.measure());
    let warm_up = match measure.warm_up {
        WarmUp::Fixed(span) => span,
        WarmUp::Auto => settle(plan, SEED, measure.interval, 1, &Watch::default()).expect("the laws hold").cut,
    };
    // As Python hands it back: to seconds and from seconds, which must lose nothing.
    assert_eq!(Span::from_seconds(warm_up.seconds()), warm_up);
    let (interval, intervals, sample) = (measure.interval, measure.intervals, measure.sample);
    let measurement = Measurement { warm_up, interval, intervals, sample };
    let experiment = Experiment { plan, name: scenario.name(), seed: SEED, measurement };
    let replications = experiment.run(0..REPLICATIONS, 1, &Watch::default()).expect("the laws hold");
    let end = Tod::START + measurement.stops().total();
    let checksums = (0..REPLICATIONS).map(|replication| {
        let mut world: World<TreeCalendar, NoProbe> = World::new(plan, &Streams::new(SEED, replication), NoProbe);
        world.count_from(Tod::START + measurement.warm_up);
        world.run_until(end).expect("the load is small");
        format!("{:016x}", world.checksum())
    });
    let system = |figure: fn(&IntervalTotals) -> f64| {
        replications.iter().flat_map(|made| &made.intervals).map(figure).collect::<Vec<_>>()
    };
    let lines = [
        line("scenario", scenario.checksum()),
        line("warm_up_s", warm_up.seconds()),
        line("events", system(|totals| totals.system.events.value).iter().map(|n| *n as u64).collect::<Vec<_>>()),
        line("checksums", checksums.collect::<Vec<_>>()),
        line("io_per_s", system(|totals| totals.system.io_per_s.value)),
        line("response_ms", system(|totals| totals.system.clone().printed().response_ms.value)),
        line("tables", digest(&replications, |rows| rows)),
    ];
    Golden { lines: lines.concat(), measured: digest(&replications, |rows| rows.measured()) }
}

fn line(key: &str, value: impl Debug) -> String {
    format!("{key} = {value:?}\n")
}

/// SHA-256 of every table: a line per row with its table, replication, interval, keys, and the bits of its figures.  Rows
/// over all intervals follow those of the intervals of all replications, and have none.
///
/// Once as counted, and once as Python has them: without means of nothing.
fn digest(replications: &[Replicated<IntervalTotals>], view: fn(TableRows) -> TableRows) -> String {
    let mut hash = Sha256::new();
    for (number, table) in TABLES.iter().enumerate() {
        let numbered = || replications.iter().enumerate();
        let intervals = numbered().flat_map(|(replication, made)| {
            let places = (0..made.intervals.len()).map(move |interval| format!("{replication}\t{interval}"));
            places.zip(&made.intervals)
        });
        let pooled =
            numbered().flat_map(|(replication, made)| made.pooled.iter().map(move |it| (replication.to_string(), it)));
        for (place, totals) in intervals.chain(pooled) {
            for row in &view(totals.tables().swap_remove(number)).rows {
                let mut words = vec![table.name.to_string(), place.clone()];
                words.extend(row.keys.iter().map(|key| match key {
                    Key::Text(text) => text.to_string(),
                    Key::Count(count) => count.to_string(),
                }));
                words.extend(row.figures.iter().map(|figure| format!("{:016x}", figure.value.to_bits())));
                hash.update(words.join("\t") + "\n");
            }
        }
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

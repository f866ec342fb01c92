//! Golden: did anything change?  Every shipped scenario, and one that uses every mechanism, must reproduce
//! `tests/golden/runs.toml`, to the last bit. `tests/golden/measured.toml` has digests of the tables as Python has them.
//!
//! `make test` runs the scenario of every mechanism in debug. `make test-all` runs all, of dear ones that are alike one each.
//! `tests/run/test_determinism.py` holds the release build that Python uses to the same file, and runs them all.
//! A change that is meant is written down with
//!
//!     SLICEWRIGHT_BLESS=1 cargo test --package monitor golden:: -- --ignored
//!
//! and read in the difference that git then shows: a scenario's checksum that changed means that the scenario changed,
//! numbers that changed without it mean that the engine did.

mod run;

use run::{Golden, REPLICATIONS, SEED, SETTINGS, run};
use scenario::Scenario;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

const EVERY_MECHANISM: &str = "tests/golden/every_mechanism.toml";
const GOLDEN: &str = "tests/golden/runs.toml";
const MEASURED: &str = "tests/golden/measured.toml";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Scenario files under a folder, by path from the root.
fn scenarios(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root().join(folder)).expect("the folder is there") {
        let entry = entry.expect("it can be read");
        let path = format!("{folder}/{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            found.append(&mut scenarios(&path));
        } else if path.ends_with(".toml") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The golden files as these sources make them: all that runs give, and the digests of tables as Python has them.
///
/// Those that are left to the release build have what is kept of them, unless `every` one is to run.
fn golden(every: bool) -> [(&'static str, String); 2] {
    let settings: Vec<String> = SETTINGS.iter().map(|setting| format!("'{setting}'")).collect();
    let mut text = format!(
        "# What golden runs give, to the last bit; written by crates/monitor/tests/golden, which says how.\n\n\
         seed = {SEED}\nreplications = {REPLICATIONS}\nset = [{}]\n",
        settings.join(", ")
    );
    let mut measured =
        "# SHA-256 of the tables of golden runs as Python has them, without means of nothing; written like runs.toml.\n\n".to_string();
    let paths: Vec<String> = scenarios("scenarios").into_iter().chain([EVERY_MECHANISM.to_string()]).collect();
    let (left, run): (Vec<String>, Vec<String>) = paths.iter().cloned().partition(|path| !every && is_left(path));
    let mut made: BTreeMap<&String, [String; 2]> = BTreeMap::new();
    for (path, golden) in run.iter().zip(on_all_processors(&run)) {
        let Some(golden) = golden else { continue };
        made.insert(path, [section(&golden, path), format!("\"{path}\" = \"{}\"\n", golden.measured)]);
    }
    for path in &left {
        made.insert(
            path,
            [part(GOLDEN, &format!("[\"{path}\"]"), "\n["), part(MEASURED, &format!("\"{path}\""), "\n")],
        );
    }
    for path in &paths {
        let Some([section, line]) = made.get(path) else { continue };
        text += section;
        measured += line;
    }
    [(GOLDEN, text), (MEASURED, measured)]
}

/// Whether a scenario is dear, and like one that runs: of these the release build alone makes golden runs.
///
/// They are 4 in 5 of all events, which a debug build takes minutes for.
fn is_left(path: &str) -> bool {
    const DEAR: [&str; 4] = ["diag9c/", "mdf/", "hiperdispatch/figure1-", "hiperdispatch/table1-"];
    const RUN: [&str; 3] = ["diag9c/E-x9c.toml", "mdf/adopted-sched1.toml", "hiperdispatch/table1-n16-6.2.toml"];
    let name = path.trim_start_matches("scenarios/");
    DEAR.iter().any(|dear| name.starts_with(dear)) && !RUN.contains(&name)
}

/// The text of a golden file from `start` on until `end`, with the end of its line.
fn part(file: &str, start: &str, end: &str) -> String {
    let kept = kept(file);
    let from = &kept[kept.find(start).expect("it has a golden run")..];
    from[..from.find(end).map_or(from.len(), |at| at + 1)].to_string()
}

/// The golden run of each scenario, a processor each until none is left; none of a scenario that replays.
///
/// A run has one thread here and two in `tests/run/test_determinism.py`: neither threads nor the build change a bit.
fn on_all_processors(paths: &[String]) -> Vec<Option<Golden>> {
    let next = AtomicUsize::new(0);
    let golden: Mutex<Vec<Option<Golden>>> = Mutex::new(paths.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some((number, path)) = take(&next, paths) {
                    let bytes = std::fs::read(root().join(path)).expect("it was listed");
                    if !replays(&bytes, path) {
                        let run = run(&bytes, path);
                        golden.lock().expect("no thread ended by a panic")[number] = Some(run);
                    }
                }
            });
        }
    });
    golden.into_inner().expect("no thread ended by a panic")
}

/// The next path that no thread has, with its number.
fn take<'a>(next: &AtomicUsize, paths: &'a [String]) -> Option<(usize, &'a String)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    paths.get(number).map(|path| (number, path))
}

/// The entry of the golden file for one scenario.
fn section(golden: &Golden, path: &str) -> String {
    format!("[\"{path}\"]\n{}", golden.lines)
}

fn kept(file: &str) -> String {
    std::fs::read_to_string(root().join(file)).expect("the golden file is there")
}

/// Whether it names recordings, which Python reads: tests/replay/test_replay.py and the golden pages hold those.
fn replays(bytes: &[u8], path: &str) -> bool {
    !Scenario::read(bytes, path, &[]).expect("a scenario without problems").replays().is_empty()
}

#[test]
fn the_scenario_of_every_mechanism_runs_as_it_did() {
    let bytes = std::fs::read(root().join(EVERY_MECHANISM)).expect("the scenario is there");
    assert!(
        kept(GOLDEN).contains(&section(&run(&bytes, EVERY_MECHANISM), EVERY_MECHANISM)),
        "the top of this test says what to do"
    );
}

#[test]
#[ignore = "slow: run by make test-all"]
fn every_shipped_scenario_runs_as_it_did() {
    let bless = std::env::var_os("SLICEWRIGHT_BLESS").is_some();
    for (file, made) in golden(bless) {
        if bless {
            std::fs::write(root().join(file), made).expect("the golden file can be written");
        } else {
            compare(file, &made);
        }
    }
}

/// Panics with what differs unless a golden file is what these sources make.
fn compare(file: &str, made: &str) {
    let kept = kept(file);
    let differing = |made: &str, kept: &str, sign: &str| {
        let kept: Vec<&str> = kept.lines().collect();
        let lines = made.lines().filter(|line| !kept.contains(line) && !line.is_empty());
        lines.map(|line| format!("{sign} {line}\n")).collect::<String>()
    };
    assert!(
        made == kept,
        "{file} has (-) something else than these sources give (+); the top of this test says what to do\n{}{}",
        differing(&kept, made, "-"),
        differing(made, &kept, "+")
    );
}

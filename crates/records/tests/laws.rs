//! Does any table hold an impossible number after a bit or a byte of a file was changed on its way?
//!
//! Bits of small files of each form are flipped, and bytes set. Tables that were read keep their laws. By default some
//! thousands are tried, and more by `-- --ignored`. `SLICEWRIGHT_FUZZ_INPUTS=1000000` with it tries all.

use crate::smf_file::dump;
use measures::{Figure, IntervalTotals};
use records::Interval;
use records::monitor::{Intervals, Reader};
use records::smf::File;

/// Counters of which a row may have more than 100 %: those in processors' worth.
const OF_MANY: [&str; 4] = ["control_programs", "locks", "cpu_percent", "hypervisor_percent"];
/// A hundredth is taken for the skew of counters, and for rounding.
const SKEW: f64 = 1.02;
/// More processors, or parallel I/Os of a volume, than any machine has.
const MANY: f64 = 300.0;

/// The intervals of a file, and notes about it.
type Found = (Vec<Interval>, Vec<String>);

fn smf(bytes: &[u8]) -> Found {
    let mut file = File::default();
    match file.take("file", bytes) {
        Ok(()) => {
            let mut intervals = vec![];
            let notes = file.end(&mut intervals);
            (intervals, notes)
        }
        Err(damage) => (vec![], vec![damage.what]),
    }
}

fn monwrite(bytes: &[u8]) -> Found {
    let (mut reader, mut intervals) = (Reader::new(bytes), <Intervals>::default());
    loop {
        match reader.read_record() {
            Ok(Some(record)) => intervals.take(&record),
            Ok(None) => break,
            Err(damage) => return (vec![], vec![damage.what]),
        }
    }
    let notes = intervals.notes();
    (intervals.intervals, notes)
}

/// The impossible numbers of an interval.
fn impossible(interval: &Interval) -> Vec<String> {
    let totals = &interval.totals;
    let mut found: Vec<String> = vec![];
    let seconds = totals.length.seconds();
    if interval.end <= interval.start || !(0.5..=100_000.0).contains(&seconds) {
        found.push(format!("an interval of {seconds} s"));
    }
    for table in totals.tables() {
        for row in &table.rows {
            for (counter, figure) in table.table.counters.iter().zip(&row.figures) {
                let many = OF_MANY.contains(&table.table.name) || OF_MANY.contains(&counter.name);
                if let Some(why) = wrong(counter.unit, *figure, many, seconds) {
                    found.push(format!("{} {} = {}: {why}", table.table.name, counter.name, figure.value));
                }
            }
        }
    }
    found.extend(sums(totals));
    found
}

fn wrong(unit: &str, figure: Figure, many: bool, seconds: f64) -> Option<&'static str> {
    let value = figure.value;
    let most = if many { 100.0 * MANY } else { 100.0 };
    match unit {
        _ if value.is_nan() => None,
        _ if value.is_infinite() => Some("infinite"),
        _ if value < 0.0 => Some("negative"),
        "%" if value > most * SKEW => Some("more than the whole"),
        "1/s" if value > 2e8 => Some("more than can happen"),
        // A response has the wait of all that wait in front.
        "ms" if value > 1e4 * 1_000.0 * seconds => Some("longer than can be"),
        _ => None,
    }
}

/// Parts that do not sum to their whole.
fn sums(totals: &IntervalTotals) -> Vec<String> {
    let mut found = vec![];
    for row in &totals.pools {
        if row.fails.value > row.tries.value * (1.0 + 1e-5) {
            found.push(format!("pool {}: {} fails of {} tries", row.pool, row.fails.value, row.tries.value));
        }
    }
    for row in &totals.volumes {
        if row.in_service.value > MANY {
            found.push(format!("volume {}: {} in service", row.volume, row.in_service.value));
        }
    }
    for row in &totals.control_processors {
        let all = row.busy_percent.value + row.wait_percent.value;
        if all > 100.0 * SKEW {
            found.push(format!("processor {}: busy and waiting {all} %", row.number));
        }
    }
    found
}

/// Tries each `step`-th bit of a file, and bytes that are set; how many mutants a table was read of.
fn try_bits(file: &[u8], first: usize, step: usize, read: fn(&[u8]) -> Found) -> usize {
    let (mut tried, mut broken) = (0, vec![]);
    let mut judge = |bytes: &[u8], what: String| {
        let (intervals, notes) = read(bytes);
        assert!(notes.iter().all(|note| !note.is_empty()));
        tried += usize::from(!intervals.is_empty());
        broken.extend(intervals.iter().flat_map(impossible).map(|law| format!("{what}: {law}")));
    };
    for bit in (first..8 * file.len()).step_by(step) {
        let mut mutant = file.to_vec();
        mutant[bit / 8] ^= 1 << (bit % 8);
        judge(&mutant, format!("byte {} bit {}", bit / 8, bit % 8));
        if bit % 8 == first % 8 {
            mutant[bit / 8] = 0xFF;
            judge(&mutant, format!("byte {} set", bit / 8));
        }
    }
    assert!(broken.is_empty(), "{} impossible numbers, such as {:#?}", broken.len(), &broken[..broken.len().min(12)]);
    tried
}

const DUMPS: [&[u8]; 4] = [
    include_bytes!("../../../tests/measured/records/70-1.smf"),
    include_bytes!("../../../tests/measured/records/72-5-77.smf"),
    include_bytes!("../../../tests/measured/records/dasd.smf"),
    include_bytes!("../../../tests/measured/records/hnai-htio-none.smf"),
];
const DAMAGED: [&[u8]; 3] = [
    include_bytes!("../../../tests/measured/records/imp-77-105-prsm.smf"),
    include_bytes!("../../../tests/measured/records/imp-77-1121-zvm.smf"),
    include_bytes!("../../../tests/measured/records/silent-1-41-zvm.smf"),
];
const DAMAGED_MONWRITE: &[u8] = include_bytes!("../../../tests/measured/records/imp-77-129-zvm.monwrite");

#[test]
fn files_that_nothing_happened_to_lose_no_row() {
    let files = DUMPS.iter().map(|file| file.to_vec()).chain([dump()]);
    for (read, notes) in files
        .map(|file| smf(&file))
        .chain([monwrite(&crate::fuzz_monitor::file()), monwrite(&crate::monitor_export::file())])
    {
        assert!(!read.is_empty());
        assert!(notes.iter().all(|note| note.contains("no general ones")), "{notes:?}");
        assert_eq!(read.iter().flat_map(impossible).collect::<Vec<_>>(), Vec::<String>::new());
    }
}

#[test]
fn damaged_files_name_record_field_value_and_law() {
    let all = DAMAGED.map(smf).into_iter().chain([monwrite(DAMAGED_MONWRITE)]);
    for (read, notes) in all {
        assert_eq!(read.iter().flat_map(impossible).collect::<Vec<_>>(), Vec::<String>::new());
        let named = notes.iter().find(|note| note.contains(" at offset ")).unwrap_or_else(|| panic!("{notes:?}"));
        assert!(named.contains("record ") && named.contains("byte "), "{named}");
    }
}

#[test]
fn no_bit_of_a_dump_makes_an_impossible_number() {
    let files: Vec<Vec<u8>> = DUMPS.iter().map(|file| file.to_vec()).chain([dump()]).collect();
    let tried: usize = files.iter().enumerate().map(|(at, file)| try_bits(file, at, 29, smf)).sum();
    assert!(tried > 3_000, "{tried}");
}

#[test]
fn no_bit_of_a_monwrite_file_makes_an_impossible_number() {
    let [small, file] = [crate::fuzz_monitor::file(), crate::monitor_export::file()];
    let tried = [(&small[..], 61), (&file[..], 41), (DAMAGED_MONWRITE, 211)]
        .map(|(file, step)| try_bits(file, 0, step, monwrite));
    let tried: usize = tried.iter().sum();
    assert!(tried > 2_000, "{tried}");
}

#[test]
#[ignore = "slow"]
fn no_bit_at_all_makes_an_impossible_number() {
    // Eleven is odd: each bit of a byte has its turn.
    let step = if std::env::var_os(fuzz::INPUTS).is_some() { 1 } else { 11 };
    for (at, file) in DUMPS.iter().map(|file| file.to_vec()).chain([dump()]).enumerate() {
        try_bits(&file, at % step, step, smf);
    }
    for file in [crate::fuzz_monitor::file(), crate::monitor_export::file(), DAMAGED_MONWRITE.to_vec()] {
        try_bits(&file, 0, step, monwrite);
    }
}

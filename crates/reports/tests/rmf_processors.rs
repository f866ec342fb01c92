//! Do CPU ACTIVITY and PARTITION DATA pages that are written read back to the figures they were written from?

use measures::{Figure, IntervalTotals, LogicalProcessorTotals, PartitionTotals};
use proptest::prelude::*;
use records::rmf_cpu::CpuPage;
use records::rmf_partition::PartitionPage;
use reports::{CpuForm, LogicalShare, Machine, Setting, cpu_page, partition_page};
use units::{Problem, Span};

/// Every third one high, medium, low.
fn form(count: usize) -> CpuForm {
    let share = |nth: usize| LogicalShare {
        percent: Figure::exact(50.0),
        polarity: ["HIGH", "MED", "LOW"][nth % 3].to_string(),
    };
    CpuForm { shares: (0..count).map(share).collect(), ..CpuForm::default() }
}

fn told<T>(read: Result<T, Vec<Problem>>, page: &str) -> T {
    read.unwrap_or_else(|problems| panic!("{}\n{page}", units::listing(&problems)))
}

fn percent() -> impl Strategy<Value = Figure> {
    prop_oneof![
        1 => Just(Figure::ZERO),
        1 => Just(Figure::exact(100.0)),
        9 => (0.0..100.0_f64).prop_map(Figure::exact),
    ]
}

fn name() -> impl Strategy<Value = String> {
    "[A-Z$#@][A-Z0-9]{0,7}".prop_filter("a total is no partition", |name| name != "TOTAL")
}

fn partitions() -> impl Strategy<Value = IntervalTotals> {
    let row = |nth: usize| {
        (name(), 1..64_u64, percent(), 0.0..5.0_f64).prop_map(move |(name, logical, dispatched_percent, management)| {
            PartitionTotals {
                dispatched_percent,
                management_percent: Figure::exact(management),
                ..PartitionTotals::unknown(format!("{name}{nth}"), logical)
            }
        })
    };
    let rows = (1..12_usize).prop_flat_map(move |count| (0..count).map(row).collect::<Vec<_>>());
    (rows, 1..100_000_u64).prop_map(|(partitions, seconds)| IntervalTotals {
        partitions,
        ..IntervalTotals::new("MACHINE", Span::SECOND * seconds)
    })
}

fn processors() -> impl Strategy<Value = IntervalTotals> {
    let row = |number: usize| {
        ([percent(), percent(), percent()], 0.0..1e5_f64).prop_map(move |([dispatched, busy, tpi], rate)| {
            LogicalProcessorTotals {
                dispatched_percent: dispatched,
                busy_percent: busy,
                interrupts_per_s: Figure::exact(rate),
                tpi_percent: tpi,
                ..LogicalProcessorTotals::unknown("SYSA".into(), number as u64)
            }
        })
    };
    let rows = (1..40_usize).prop_flat_map(move |count| (0..count).map(row).collect::<Vec<_>>());
    rows.prop_map(|logical_processors| IntervalTotals {
        logical_processors,
        ..IntervalTotals::new("SYSA", Span::SECOND * 900)
    })
}

fn machine(physical: u64) -> Machine {
    let setting = Setting { weight: "50".into(), capping: "NO".into(), online: None };
    Machine { physical, seen_from: "A".into(), settings: vec![setting; 12], ..Machine::default() }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn any_partitions_are_read_back_and_every_total_is_the_sum_of_its_parts(
        interval in partitions(), physical in 1..64_u64,
    ) {
        let text = partition_page(&interval, &machine(physical), "any  TIME 1");
        let page = told(PartitionPage::read(text.as_str(), "page"), &text);
        prop_assert_eq!(page.to_bytes(), text.as_bytes());
        prop_assert_eq!(page.disagreements(), vec![]);
        prop_assert_eq!(page.fact("PHYSICAL PROCESSORS").map(str::to_string), Some(physical.to_string()));
        let back = page.totals();
        prop_assert_eq!((&back.name, back.length), (&interval.name, interval.length));
        prop_assert_eq!(back.partitions.len(), interval.partitions.len());
        for (one, other) in interval.partitions.iter().zip(&back.partitions) {
            prop_assert_eq!((&one.partition, one.logical_processors), (&other.partition, other.logical_processors));
            prop_assert!(one.dispatched_percent.agrees_with(other.dispatched_percent));
            prop_assert!(one.management_percent.agrees_with(other.management_percent));
        }
    }

    #[test]
    fn any_processors_are_read_back_within_their_printed_rounding(interval in processors()) {
        let text = cpu_page(&interval, &form(interval.logical_processors.len()), "any  TIME 1");
        let page = told(CpuPage::read(text.as_str(), "page"), &text);
        prop_assert_eq!(page.to_bytes(), text.as_bytes());
        let back = page.totals();
        prop_assert_eq!(back.logical_processors.len(), interval.logical_processors.len());
        for (one, other) in interval.logical_processors.iter().zip(&back.logical_processors) {
            prop_assert_eq!((&one.partition, one.number), (&other.partition, other.number));
            let figures = |row: &LogicalProcessorTotals| {
                [row.dispatched_percent, row.busy_percent, row.interrupts_per_s, row.tpi_percent]
            };
            for (written, read) in figures(one).into_iter().zip(figures(other)) {
                prop_assert!(written.agrees_with(read));
            }
        }
        let rows = |page: &str| page.lines().filter(|line| !line.starts_with(" TOTAL")).map(String::from).collect::<Vec<_>>();
        prop_assert_eq!(rows(&cpu_page(&back, &form(back.logical_processors.len()), "any  TIME 1")), rows(&text));
    }
}

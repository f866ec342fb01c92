//! Does a DIRECT ACCESS DEVICE ACTIVITY page that is written read back to the figures it was written from?

use measures::{DeviceTotals, Figure, IntervalTotals, Role, VolumeTotals};
use proptest::prelude::*;
use records::rmf_dasd::DirectAccessPage;
use reports::{DirectAccessForm, RmfLevel, direct_access_page};
use units::Span;

fn form(level: RmfLevel) -> DirectAccessForm {
    DirectAccessForm { level, ..DirectAccessForm::default() }
}

fn read(page: &str) -> IntervalTotals {
    DirectAccessPage::read(page, "page")
        .unwrap_or_else(|problems| panic!("{}\n{page}", units::listing(&problems)))
        .totals()
}

/// The values on the page at either level, from a volume of the interval.
fn figures(volume: &VolumeTotals) -> [Figure; 5] {
    [volume.io_per_s, volume.pend_ms, volume.disc_ms, volume.conn_ms, volume.response_ms]
}

fn figure(most: f64) -> impl Strategy<Value = Figure> {
    prop_oneof![
        1 => Just(Figure::UNKNOWN),
        2 => Just(Figure::ZERO),
        9 => (0.0..1.0_f64).prop_map(move |share| Figure::exact(share.powi(6) * most)),
    ]
}

fn volume(nth: usize) -> impl Strategy<Value = VolumeTotals> {
    let figures = [1e5, 1e3, 1e3, 1e3, 1e4].map(figure);
    (figures, "[A-Z$#@][A-Z0-9]{0,14}").prop_map(move |([rate, pend_ms, disc_ms, conn_ms, queue_depth], label)| {
        VolumeTotals {
            io_per_s: rate,
            pend_ms,
            disc_ms,
            conn_ms,
            queue_depth,
            queue_depth_sampled: queue_depth,
            ..VolumeTotals::unknown(label, format!("{:04X}", 0x5200 + nth), String::new())
        }
    })
}

fn interval() -> impl Strategy<Value = IntervalTotals> {
    let volumes = (1..12_usize).prop_flat_map(|count| (0..count).map(volume).collect::<Vec<_>>());
    (volumes, "[A-Z0-9 ]{0,12}", 1..100_000_u64, 0..10_000_u64).prop_map(|(volumes, name, seconds, samples)| {
        let device = |volume: &VolumeTotals| {
            DeviceTotals::unknown(volume.device.clone(), "3390-3".into(), volume.volume.clone(), Role::Base, 4)
        };
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let devices = volumes.iter().map(device).collect();
        IntervalTotals { volumes, devices, samples, ..IntervalTotals::new(name, Span::SECOND * seconds) }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn any_interval_is_read_back_within_its_printed_rounding(interval in interval(), classic in any::<bool>()) {
        let level = if classic { RmfLevel::Classic } else { RmfLevel::Current };
        let back = read(&direct_access_page(&interval, form(level), "any  TIME 1"));
        prop_assert_eq!((&interval.name, interval.length, interval.samples), (&back.name, back.length, back.samples));
        prop_assert_eq!(interval.volumes.len(), back.volumes.len());
        for (one, other) in interval.volumes.iter().zip(&back.volumes) {
            prop_assert_eq!((&one.device, &one.volume), (&other.device, &other.volume));
            for (written, read) in figures(one).into_iter().zip(figures(other)).take(4) {
                prop_assert!(written.agrees_with(read) || !(written.is_known() || read.is_known()));
            }
            let parts = [other.pend_ms, other.disc_ms, other.conn_ms];
            let sum = parts.into_iter().fold(Figure::ZERO, Figure::plus);
            prop_assert!(!other.response_ms.is_known() || other.response_ms.value + 1.5 + sum.rounding >= sum.value);
        }
    }

    #[test]
    fn a_page_that_was_read_is_written_alike_and_kept_to_the_byte(interval in interval(), classic in any::<bool>()) {
        let level = if classic { RmfLevel::Classic } else { RmfLevel::Current };
        let first = direct_access_page(&interval, form(level), "");
        let page = DirectAccessPage::read(first.as_str(), "page").unwrap();
        prop_assert_eq!(page.to_bytes(), first.as_bytes());
        let second = direct_access_page(&page.totals(), form(level), "");
        let again = read(&second);
        for (one, other) in page.totals().volumes.iter().zip(&again.volumes) {
            for (written, read) in figures(one).into_iter().zip(figures(other)).take(4) {
                prop_assert!(written.agrees_with(read) || !(written.is_known() || read.is_known()));
            }
        }
    }
}

#[test]
fn the_tables_of_the_study_survive_reading_and_writing_to_the_byte() {
    let page = include_str!("../../records/tests/rmf/classic.txt");
    let written = direct_access_page(&read(page), form(RmfLevel::Classic), "");
    let rows = |page: &str| -> Vec<String> { page.lines().rev().take(5).map(String::from).collect() };
    assert_eq!(rows(&written), rows(page));
}

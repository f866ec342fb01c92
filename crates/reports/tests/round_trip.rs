//! Does a page that is written read back to the figures it was written from?

use measures::{DeviceTotals, Figure, IntervalTotals, Role};
use proptest::prelude::*;
use records::fcx108::DevicePage;
use reports::{Response, device_page};
use units::Span;

fn read(page: &str) -> IntervalTotals {
    DevicePage::read(page, "page").unwrap_or_else(|problems| panic!("{}\n{page}", units::listing(&problems))).totals()
}

/// Equal within what was printed; what is unknown on one side is unknown on the other.
fn assert_agree(written: &DeviceTotals, read: &DeviceTotals) {
    assert_eq!((&written.device, &written.label, written.paths), (&read.device, &read.label, read.paths));
    assert_eq!((written.role.word(), written.role.base()), (read.role.word(), read.role.base()));
    let derived = ["busy_percent", "response_ms"];
    for ((counter, one), other) in DeviceTotals::COUNTERS.iter().zip(written.figures()).zip(read.figures()) {
        let same = one.agrees_with(other) || !(one.is_known() || other.is_known());
        assert!(same || derived.contains(&counter.name), "{} {}: {one:?} {other:?}", read.device, counter.name);
    }
}

#[test]
fn the_published_pages_survive_reading_writing_and_reading() {
    for page in [
        include_str!("../../../published/hyperpav/device-reports/Y032180H.txt"),
        include_str!("../../../published/hyperpav/device-reports/Y032181H.txt"),
        include_str!("../../../published/hyperpav/device-reports/Y032182H.txt"),
        include_str!("../../../published/hyperpav/device-reports/Y040180P.txt"),
        include_str!("../../../published/hyperpav/device-reports/Y040181P.txt"),
        include_str!("../../../published/hyperpav/device-reports/Y040182P.txt"),
    ] {
        let first = read(page);
        let second = read(&device_page(&first, Response::Toolkit, "copied"));
        assert_eq!((&first.name, &first.started, first.length), (&second.name, &second.started, second.length));
        assert_eq!(first.devices.len(), second.devices.len());
        for (one, other) in first.devices.iter().zip(&second.devices) {
            assert_agree(one, other);
            assert!(one.response_ms.agrees_with(other.response_ms));
        }
    }
}

#[test]
fn the_correct_form_is_read_back_too() {
    let classic = read(include_str!("../../../published/hyperpav/device-reports/Y040181P.txt"));
    let correct = read(&device_page(&classic, Response::Correct, ""));
    let responses: Vec<f64> = correct.devices.iter().map(|device| device.response_ms.value).collect();
    assert_eq!(responses, [2.9, 3.0]);
}

/// A figure of any size that a device can have, or none.
fn figure(most: f64) -> impl Strategy<Value = Figure> {
    prop_oneof![
        1 => Just(Figure::UNKNOWN),
        2 => Just(Figure::ZERO),
        9 => (0.0..1.0_f64).prop_map(move |share| Figure::exact(share.powi(6) * most)),
    ]
}

fn device(nth: usize) -> impl Strategy<Value = DeviceTotals> {
    let figures = [1e5, 1e4, 1e3, 1e3, 1e3, 1e4, 1e3].map(figure);
    (figures, 0..3_u8, "[A-Z$#@][A-Z0-9]{0,14}", 0..9_u64).prop_map(move |(figures, role, label, paths)| {
        let (role, label) = match role {
            1 if nth > 0 => (Role::BoundAlias { base: "5200".into() }, label),
            2 if nth > 0 => (Role::PoolAlias { pool: String::new() }, String::new()),
            _ => (Role::Base, label),
        };
        let [io_per_s, avoided_per_s, pend_ms, disc_ms, conn_ms, service_ms, queue_depth] = figures;
        DeviceTotals {
            io_per_s,
            avoided_per_s,
            pend_ms,
            disc_ms,
            conn_ms,
            service_ms,
            queue_depth,
            queue_depth_sampled: queue_depth,
            ..DeviceTotals::unknown(format!("{:04X}", 0x5200 + nth), "3390-3".into(), label, role, paths)
        }
    })
}

fn interval() -> impl Strategy<Value = IntervalTotals> {
    let devices = (1..12_usize).prop_flat_map(|count| (0..count).map(device).collect::<Vec<_>>());
    (devices, "[A-Z0-9 ]{0,12}", 1..100_000_u64).prop_map(|(devices, name, seconds)| IntervalTotals {
        devices,
        ..IntervalTotals::new(name.trim(), Span::SECOND * seconds)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn any_interval_is_read_back_within_its_printed_rounding(interval in interval(), correct in any::<bool>()) {
        let response = if correct { Response::Correct } else { Response::Toolkit };
        let back = read(&device_page(&interval, response, "any"));
        prop_assert_eq!((&interval.name, interval.length), (&back.name, back.length));
        prop_assert_eq!(interval.devices.len(), back.devices.len());
        for (one, other) in interval.devices.iter().zip(&back.devices) {
            assert_agree(one, other);
        }
    }
}

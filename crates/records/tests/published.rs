//! Do the six published pages agree with the text of their source?
//!
//! Source: z/VM HyperPAV Support, whose excerpts these are.

use measures::{Role, sum, toolkit_response_ms};
use records::fcx108::{Column, DevicePage, Row};
use units::Span;

const RUNS: [&str; 6] = ["Y032180H", "Y032181H", "Y032182H", "Y040180P", "Y040181P", "Y040182P"];

fn bytes(run: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../published/hyperpav/device-reports");
    std::fs::read(format!("{folder}/{run}.txt")).expect("the published page is in the tree")
}

fn page(run: &str) -> DevicePage {
    DevicePage::read(bytes(run), run).unwrap_or_else(|problems| panic!("{}", units::listing(&problems)))
}

fn count_rows(holds: fn(&Row) -> bool) -> (usize, usize) {
    let pages = RUNS.map(page);
    let rows: Vec<&Row> = pages.iter().flat_map(|page| page.rows()).collect();
    (rows.iter().filter(|row| holds(row)).count(), rows.len())
}

#[test]
fn the_head_of_every_page_is_read() {
    for run in RUNS {
        let totals = page(run).totals();
        assert_eq!((totals.name.as_str(), totals.length), (run, Span::SECOND * 600));
    }
    assert_eq!(page("Y032180H").totals().started.as_deref(), Some("2007/02/04 13:28:34"));
}

#[test]
fn service_is_the_sum_of_its_parts_in_every_row() {
    let identity = |row: &Row| {
        let parts = [Column::Pend, Column::Disconnect, Column::Connect].map(|column| row.figure(column));
        format!("{:.1}", sum(parts).value) == format!("{:.1}", row.figure(Column::Service).value)
    };
    assert_eq!(count_rows(identity), (54, 54));
}

#[test]
fn response_is_the_toolkits_formula_in_all_rows_but_the_hand_corrected_two() {
    let identity = |row: &Row| {
        let [service, queued, rate] = [Column::Service, Column::Queued, Column::Rate].map(|column| row.figure(column));
        toolkit_response_ms(service, queued, rate).agrees_with(row.figure(Column::Response))
    };
    assert_eq!(count_rows(identity), (52, 54));
    let corrected = page("Y040181P");
    assert!(
        corrected.rows().iter().all(|row| !identity(row)),
        "DEVICE excerpts for classic PAV were corrected by hand"
    );
}

#[test]
fn true_responses_come_out_of_rates_services_and_queues() {
    for (run, response) in RUNS.into_iter().zip(["3.73", "2.18", "1.65", "3.74", "2.92", "1.74"]) {
        let system = page(run).totals().system;
        assert_eq!(format!("{:.2}", system.response_ms.value), response, "{run}");
    }
}

#[test]
fn queues_add_up_to_the_published_sums() {
    for (run, queued) in [("Y032180H", "14.40"), ("Y032181H", "7.39"), ("Y040180P", "1.84")] {
        assert_eq!(format!("{:.2}", page(run).totals().system.queue_depth.value), queued, "{run}");
    }
}

#[test]
fn rates_add_up_to_the_published_sums() {
    // "(477+465) = 942/sec", "(552+545+522) = 1619/sec".
    for (run, rate) in [("Y032180H", 5_889.0), ("Y040181P", 942.0), ("Y040182P", 1_619.0)] {
        assert_eq!(page(run).totals().system.io_per_s.value, rate, "{run}");
    }
}

#[test]
fn roles_are_shown_by_arrows_and_blank_labels() {
    let roles = |run: &str| page(run).totals().devices.into_iter().map(|device| device.role).collect::<Vec<_>>();
    let bound = || Role::BoundAlias { base: "522A".into() };
    assert_eq!(roles("Y040182P"), [Role::Base, bound(), bound()]);
    let pool = roles("Y032182H");
    assert_eq!(pool.iter().filter(|role| **role == Role::Base).count(), 8);
    assert_eq!(pool.iter().filter(|role| matches!(role, Role::PoolAlias { .. })).count(), 16);
}

#[test]
fn a_bound_alias_has_the_type_of_its_base() {
    assert!(page("Y040182P").totals().devices.iter().all(|device| device.kind == "3390-3"));
}

#[test]
fn a_volume_counts_its_bound_aliases() {
    let volumes = page("Y040182P").totals().volumes;
    assert_eq!(volumes.len(), 1);
    assert_eq!((volumes[0].io_per_s.value, volumes[0].alias_io_per_s.value), (1_619.0, 1_067.0));
    assert_eq!(format!("{:.1}", volumes[0].response_ms.value), "1.7");
}

#[test]
fn what_pool_aliases_did_for_a_volume_is_not_known() {
    let volumes = page("Y032181H").totals().volumes;
    assert_eq!(volumes.len(), 8);
    assert!(volumes.iter().all(|volume| !volume.io_per_s.is_known() && !volume.response_ms.is_known()));
    assert!(volumes.iter().all(|volume| volume.base_io_per_s.is_known() && volume.queue_depth_sampled.is_known()));
}

#[test]
fn every_page_is_written_back_byte_by_byte() {
    for run in RUNS {
        assert_eq!(page(run).to_bytes(), bytes(run), "{run}");
    }
}

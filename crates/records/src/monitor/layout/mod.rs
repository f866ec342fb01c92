//! The layouts of monitor records, one file per record; MONWRITE's own blocks are in `super::block`.
//!
//! Offsets include the record's header of 20 bytes. They were derived from public field lists for z/VM 5.3, and each
//! layout says what confirms it.

use crate::binary::Layout;

pub mod mrioddev;
pub mod mriodhpc;
pub mod mriodhpp;
pub mod mriodmof;
pub mod mrmtrhpp;
pub mod mrmtrprp;
pub mod mrmtrsch;
pub mod mrmtrspr;
pub mod mrmtrsys;
pub mod mrprcdia;
pub mod mrprcprp;
pub mod mrprcvof;
pub mod mrprcvon;
pub mod mrseksek;
pub mod mrsytcug;
pub mod mrsytcum;
pub mod mrsytcup;
pub mod mrsytlck;
pub mod mrsytprp;
pub mod mrsytscp;
pub mod mrsytsyg;
pub mod mrsytsyp;
pub mod mruseate;
pub mod mruseite;
pub mod small;

/// Every record that can be placed, in the order of domain and record.
pub static RECORDS: &[&Layout] = &[
    &mrsytsyp::LAYOUT,
    &mrsytprp::LAYOUT,
    &mrsytscp::LAYOUT,
    &mrsytcug::LAYOUT,
    &mrsytcup::LAYOUT,
    &mrsytcum::LAYOUT,
    &mrsytsyg::LAYOUT,
    &mrsytlck::LAYOUT,
    &small::mrmtrecm::LAYOUT,
    &mrmtrsys::LAYOUT,
    &mrmtrprp::LAYOUT,
    &mrmtrspr::LAYOUT,
    &small::mrmtrscm::LAYOUT,
    &small::interval_end::LAYOUT,
    &small::suspended::LAYOUT,
    &small::frame_end::LAYOUT,
    &mrmtrsch::LAYOUT,
    &mrmtrhpp::LAYOUT,
    &mruseate::LAYOUT,
    &mruseite::LAYOUT,
    &mrprcvon::LAYOUT,
    &mrprcvof::LAYOUT,
    &mrprcprp::LAYOUT,
    &mrprcdia::LAYOUT,
    &small::mriodvof::LAYOUT,
    &mrioddev::LAYOUT,
    &small::measurement_on::LAYOUT,
    &mriodmof::LAYOUT,
    &small::mriodmdv::LAYOUT,
    &mriodhpp::LAYOUT,
    &mriodhpc::LAYOUT,
    &mrseksek::LAYOUT,
];

/// The entries inside of records, by the name of their record.
pub static ENTRIES: &[&Layout] = &[&mrsytcup::entry::LAYOUT, &mrsytcum::entry::LAYOUT, &mrsytlck::entry::LAYOUT];

/// The layout of a record, by domain and record number.
pub fn of(domain: u8, record: u16) -> Option<&'static Layout> {
    RECORDS.iter().copied().find(|layout| layout.code == (domain, record))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_field_is_outside_its_record_or_on_another() {
        for layout in RECORDS.iter().chain(ENTRIES) {
            let mut end = 0;
            for field in layout.fields {
                assert!(field.offset >= end, "{} {}", layout.name, field.name);
                end = field.offset + field.length;
            }
            assert!(end <= layout.length, "{} ends at {end}", layout.name);
        }
    }

    #[test]
    fn records_have_room_for_their_header() {
        for layout in RECORDS {
            assert!(layout.length >= 20 && layout.fields.iter().all(|field| field.offset >= 20), "{}", layout.name);
        }
    }

    #[test]
    fn each_record_has_one_layout() {
        assert!(RECORDS.windows(2).all(|pair| pair[0].code < pair[1].code));
    }
}

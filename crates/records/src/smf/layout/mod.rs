//! The map of fields: every section of SMF records of which fields are read or written, a file for each type of record.
//!
//! Reader, writer and reference page take their places and meanings from here alone. Offsets in a section count from its
//! start, those in a header from the record descriptor word. Each field has its source.

use crate::binary::Layout;

mod record;
pub mod sources;
mod type70;
mod type72;
mod type73;
mod type74;
mod type77;
mod type78;
mod type87;

pub use record::{area, block, header, product};
pub use type70::{smf70bct, smf70bpd, smf70cis, smf70cpu, smf70ctl, smf70lcs};
pub use type72::{r725entd, r725sctl};
pub use type73::{smf73cha, smf73cm1, smf73cm2, smf73ctl};
pub use type74::{smf74ctl, smf74dev};
pub use type77::{smf77ctl, smf77enq};
pub use type78::{r783cpd, r783cs, r783ds, r783gd, r783hpav, r783iqd};
pub use type87::{smf87data, smf87hdr, smf87req};

/// A section that a triplet of the header locates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Located {
    /// The layout of the section.
    pub layout: &'static Layout,
    /// Which triplet locates it: 0 is that of the product section.
    pub triplet: usize,
}

const fn located(layout: &'static Layout, triplet: usize) -> Located {
    Located { layout, triplet }
}

/// The RMF product section.
pub static PRODUCT: Located = located(&product::LAYOUT, 0);
/// SMF70CCS: CPU control.
pub static CPU_CONTROL: Located = located(&smf70ctl::LAYOUT, 1);
/// SMF70CPS: CPU data.
pub static CPU: Located = located(&smf70cpu::LAYOUT, 2);
/// SMF70BCS: partitions.
pub static PARTITION: Located = located(&smf70bct::LAYOUT, 4);
/// SMF70BVS: logical processors.
pub static LOGICAL_PROCESSOR: Located = located(&smf70bpd::LAYOUT, 5);
/// SMF70CNS: CPU-identification names.
pub static CPU_NAME: Located = located(&smf70cis::LAYOUT, 6);
/// SMF70COS: logical cores.
pub static CORE: Located = located(&smf70lcs::LAYOUT, 7);
/// SMF72SES: serialization control.
pub static SERIALIZATION: Located = located(&r725sctl::LAYOUT, 1);
/// SMF72TDS: ENQ with SCOPE=STEP by address space.
pub static ENQ_STEP: Located = located(&r725entd::LAYOUT, 11);
/// SMF72YDS: ENQ with SCOPE=SYSTEM by address space.
pub static ENQ_SYSTEM: Located = located(&r725entd::LAYOUT, 12);
/// SMF72SDS: ENQ with SCOPE=SYSTEMS by address space.
pub static ENQ_SYSTEMS: Located = located(&r725entd::LAYOUT, 13);
/// SMF73HIS: channel path control.
pub static CHANNEL_CONTROL: Located = located(&smf73ctl::LAYOUT, 1);
/// SMF73HPS: channel paths.
pub static CHANNEL: Located = located(&smf73cha::LAYOUT, 2);
/// SMF74DCS: device control.
pub static DEVICE_CONTROL: Located = located(&smf74ctl::LAYOUT, 1);
/// SMF74DDS: devices.
pub static DEVICE: Located = located(&smf74dev::LAYOUT, 2);
/// SMF77EQS: enqueue control.
pub static ENQUEUE_CONTROL: Located = located(&smf77ctl::LAYOUT, 1);
/// SMF77EDS: resources.
pub static RESOURCE: Located = located(&smf77enq::LAYOUT, 2);
/// SMF78DCS: paths of logical control units.
pub static PATHS_OF_UNIT: Located = located(&r783cs::LAYOUT, 1);
/// SMF78ASS: logical control units.
pub static UNIT: Located = located(&r783ds::LAYOUT, 2);
/// SMF78QDS: I/O queuing.
pub static QUEUING: Located = located(&r783gd::LAYOUT, 3);
/// SMF78HPS: HyperPAV.
pub static HYPERPAV: Located = located(&r783hpav::LAYOUT, 4);

/// Every section that a triplet locates.
pub static LOCATED: &[&Located] = &[
    &PRODUCT,
    &CPU_CONTROL,
    &CPU,
    &PARTITION,
    &LOGICAL_PROCESSOR,
    &CPU_NAME,
    &CORE,
    &SERIALIZATION,
    &ENQ_STEP,
    &ENQ_SYSTEM,
    &ENQ_SYSTEMS,
    &CHANNEL_CONTROL,
    &CHANNEL,
    &DEVICE_CONTROL,
    &DEVICE,
    &ENQUEUE_CONTROL,
    &RESOURCE,
    &PATHS_OF_UNIT,
    &UNIT,
    &QUEUING,
    &HYPERPAV,
];

/// Every layout, in the order of type and subtype; those of all types first.
pub static LAYOUTS: &[&Layout] = &[
    &header::LAYOUT,
    &product::LAYOUT,
    &area::LAYOUT,
    &block::LAYOUT,
    &smf70ctl::LAYOUT,
    &smf70cpu::LAYOUT,
    &smf70bct::LAYOUT,
    &smf70bpd::LAYOUT,
    &smf70cis::LAYOUT,
    &smf70lcs::LAYOUT,
    &r725sctl::LAYOUT,
    &r725entd::LAYOUT,
    &smf73ctl::LAYOUT,
    &smf73cha::LAYOUT,
    &smf73cm1::LAYOUT,
    &smf73cm2::LAYOUT,
    &smf74ctl::LAYOUT,
    &smf74dev::LAYOUT,
    &smf77ctl::LAYOUT,
    &smf77enq::LAYOUT,
    &r783cs::LAYOUT,
    &r783cpd::LAYOUT,
    &r783ds::LAYOUT,
    &r783gd::LAYOUT,
    &r783hpav::LAYOUT,
    &r783iqd::LAYOUT,
    &smf87hdr::LAYOUT,
    &smf87req::LAYOUT,
    &smf87data::LAYOUT,
];

/// The title of a record that is used or has a name here, by type and subtype.
pub fn title(code: (u8, u16)) -> Option<&'static str> {
    Some(match code {
        (70, 1) => "CPU activity and partitions",
        (72, 5) => "Serialization delay",
        (73, 1) => "Channel path activity",
        (74, 1) => "Device activity",
        (77, 1) => "Enqueue activity",
        (78, 3) => "I/O queuing and HyperPAV",
        (87, 2) => "ENQ and DEQ, one by one",
        // Counted alone (z/OS MVS System Management Facilities).
        (72, 3) => "Workload activity",
        (74, 5) => "Cache subsystem activity",
        (74, 7) => "FICON director activity",
        (74, 8) => "Enterprise disk system statistics",
        (79, 7) => "Enqueue contention, Monitor II",
        (79, 14) => "I/O queuing activity, Monitor II",
        (87, 1) => "Queue scans of GRS",
        (98, 1) => "High-frequency throughput statistics",
        (99, 12) => "HiperDispatch interval data",
        (99, 14) => "HiperDispatch topology",
        (113, 1 | 2) => "Hardware counters",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::sources::SOURCES;
    use super::*;
    use crate::binary::Field;

    #[test]
    fn no_field_is_outside_its_section_or_on_another() {
        for layout in LAYOUTS {
            let mut end = 0;
            for field in layout.fields {
                assert!(field.offset >= end, "{} {}", layout.name, field.name);
                end = field.since();
            }
            assert!(end <= layout.length, "{} ends at {end}", layout.name);
        }
    }

    #[test]
    fn every_field_says_what_it_means() {
        for layout in LAYOUTS {
            assert!(layout.fields.iter().all(|field| !field.meaning.is_empty()), "{}", layout.name);
        }
    }

    #[test]
    fn every_field_has_a_source_that_is_listed() {
        for layout in LAYOUTS {
            let listed = |field: &Field| SOURCES.contains(field.source) && !field.source.text.is_empty();
            assert!(layout.fields.iter().all(listed), "{}", layout.name);
        }
    }

    #[test]
    fn layouts_end_where_their_sources_say() {
        let ends = [
            (&smf70cpu::LAYOUT, 92),
            (&smf70bct::LAYOUT, 84),
            (&smf70bpd::LAYOUT, 96),
            (&smf70cis::LAYOUT, 24),
            (&smf70lcs::LAYOUT, 16),
            (&product::LAYOUT, 104),
        ];
        for (layout, end) in ends {
            assert_eq!(layout.length, end, "{}", layout.name);
        }
    }

    #[test]
    fn no_triplet_locates_two_sections_of_a_type() {
        for (place, located) in LOCATED.iter().enumerate().skip(1) {
            let same =
                |other: &&&Located| other.layout.code.0 == located.layout.code.0 && other.triplet == located.triplet;
            assert!(!LOCATED[..place].iter().any(|other| same(&other)), "{}", located.layout.name);
            assert!(LAYOUTS.contains(&located.layout));
        }
    }

    #[test]
    fn records_that_are_used_have_a_title() {
        assert!(LOCATED.iter().skip(1).all(|located| title(located.layout.code).is_some()));
        assert_eq!(title((30, 2)), None);
    }
}

//! MRSYTLCK, domain 0 record 23: formal spin locks.

use crate::binary::layout;

layout! {
    "MRSYTLCK" 0/23 "Formal spin locks", 32, Packed, "packed from the z/VM 5.3 field list; no page of IBM's seen";
    CALNMLKS 20/4 Count "locks";
    CALENTSZ 24/2 Count "length of an entry";
    CALENTDSP 26/2 Count "offset of the first entry";
}

/// An entry of the record.
pub mod entry {
    use crate::binary::layout;

    layout! {
        "MRSYTLCK entry" 0/23 "Formal spin locks, entry", 32, Packed, "packed from the z/VM 5.3 field list; no page of IBM's seen";
        CALLCKID 0/8 Text "name of the lock";
        CALXSCNT 8/4 Count "exclusive acquisitions that had to spin";
        CALXTIME 12/8 TodSpan "time of exclusive spins; unit by inference";
        CALSSCNT 20/4 Count "shared acquisitions that had to spin";
        CALSTIME 24/8 TodSpan "time of shared spins; unit by inference";
    }
}

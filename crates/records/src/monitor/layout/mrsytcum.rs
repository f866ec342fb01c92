//! MRSYTCUM, domain 0 record 17: management time of physical processors.

use crate::binary::layout;

layout! {
    "MRSYTCUM" 0/17 "Management time of physical processors", 36, Packed, "packed from the z/VM 5.3 field list; no page of IBM's seen";
    LCUPCPCT 20/1 Count "processors of the partition";
    CALMIBOF 24/2 Count "offset of the first entry";
    CALMIBLN 26/2 Count "length of an entry";
    LCUTCTOD 28/8 Clock "clock at the collection";
}

/// An entry of the record.
pub mod entry {
    use crate::binary::layout;

    layout! {
        "MRSYTCUM entry" 0/17 "Management time of physical processors, entry", 28, Packed, "packed from the z/VM 5.3 field list; no page of IBM's seen";
        LCUMCPU 0/2 Count "address of the physical processor";
        LCUMGTM 2/8 Micros "management time, accumulated; offset 2 or 4; unit as Linux' hypfs reads DIAGNOSE X'204'";
        LCUPTYPE 10/16 Text "type of the physical processor";
    }
}

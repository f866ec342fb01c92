//! MRSYTCUP, domain 0 record 16: logical partition.

use crate::binary::layout;

layout! {
    "MRSYTCUP" 0/16 "Logical partition", 64, Confirmed, "packed from the z/VM 5.3 field list; length as on IBM's pages of 5.1 to 6.2";
    LCUPNAME 20/8 Text "name of the partition";
    LCUPPNUM 28/1 Count "number of the partition";
    CALFLGS 29/1 Flags "";
    LCUPCPCT 30/1 Count "processors of the partition";
    CALCPUOF 32/2 Count "offset of the first entry";
    CALCPULN 34/2 Count "length of an entry";
    LCUTCTOD 36/8 Clock "clock at the collection";
    LCPTYPE 44/16 Text "type of the partition";
    LCXPUPID 60/1 Count "";
}

/// An entry of the record.
pub mod entry {
    use crate::binary::layout;

    layout! {
        "MRSYTCUP entry" 0/16 "Logical partition, entry", 40, Packed, "packed from the z/VM 5.3 field list; length as on IBM's pages of 5.1 to 6.2";
        LCUCPUID 0/2 Count "address of the logical processor";
        LCUCWGHT 2/2 Count "weight; 0 where the processor is dedicated";
        LCUCFLGS 4/1 Flags "";
        LCUCACTM 6/8 Micros "dispatch time with management, accumulated; offset 6 or 8; meaning and unit as Linux' hypfs reads DIAGNOSE X'204'";
        LCUCLPTM 14/8 Micros "dispatch time without management, accumulated; offset 14 or 16; meaning and unit as Linux' hypfs reads DIAGNOSE X'204'";
        LCXCPTYP 22/16 Text "type of the logical processor";
    }
}

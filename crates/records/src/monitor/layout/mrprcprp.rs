//! MRPRCPRP, domain 5 record 3: dispatch vectors of a processor.

use crate::binary::layout;

layout! {
    "MRPRCPRP" 5/3 "Dispatch vectors of a processor", 384, Confirmed, "packed from the z/VM 5.3 field list; length as on IBM's pages of 7.1 and 7.5; later releases write 5/17 and 5/18 in its place";
    PFXCPUAD 20/2 Count "processor address";
    PFXDSPCS 84/4 Count "";
    PLSDSPCM 88/4 Count "";
    DSVMAXUS 92/4 Count "";
    HFCOUNT 96/4 Count "high-frequency samples";
    HFUSERZ 100/4 Count "";
    HFUSERC 104/4 Count "";
    CALUDED 108/8 Bytes "";
    PFXTYPE 116/1 Count "";
    HFUSERM 120/4 Count "";
    PLSSTLCT 124/256 Bytes "";
    PFXCPUTY 380/1 Count "type of the processor";
}

//! MRPRCVON, domain 5 record 1: processor varied on.

use crate::binary::layout;

layout! {
    "MRPRCVON" 5/1 "Processor varied on", 32, Packed, "packed from the z/VM 5.3 field list; no page of IBM's seen";
    PFXCPUAD 20/2 Count "processor address";
    PFXIDMDL 22/2 Hex "";
    PFXIDSER 24/3 Hex "";
    PFXIDVER 27/1 Count "";
    PFXCPUTY 28/1 Count "type of the processor";
}

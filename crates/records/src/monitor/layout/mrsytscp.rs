//! MRSYTSCP, domain 0 record 13: scheduler data of a processor.

use crate::binary::layout;

layout! {
    "MRSYTSCP" 0/13 "Scheduler data of a processor", 40, Packed, "packed from the z/VM 5.3 field list; no page of IBM's seen";
    PFXCPUAD 20/2 Count "processor address";
    PLSEQKAD 22/2 Count "";
    PLSEFRC1 24/2 Count "";
    PLSEFRC2 26/2 Count "";
    PLSEFRC3 28/2 Count "";
    PLSDSPCN 32/4 Count "";
    PFXCPUTY 36/1 Count "type of the processor";
}

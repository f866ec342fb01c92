//! MRMTRPRP, domain 1 record 5: processor configuration.

use crate::binary::layout;

layout! {
    "MRMTRPRP" 1/5 "Processor configuration", 44, Packed, "packed from the z/VM 5.3 field list; length on no page seen";
    PFXCPUAD 20/2 Count "processor address";
    PFXIDMDL 22/2 Hex "";
    PFXIDSER 24/3 Hex "";
    CALFLAGS 28/1 Flags "";
    PCCCSU 29/1 Count "";
    PFXIDVER 30/1 Count "";
    PFXTYPE 31/1 Count "";
    CALUDED 32/8 Bytes "";
    PFXCPUTY 40/1 Count "type of the processor";
}

//! MRPRCDIA, domain 5 record 12: DIAGNOSE instructions of a processor, counted by code.

use crate::binary::layout;

layout! {
    "MRPRCDIA" 5/12 "DIAGNOSE counts of a processor", 800, Packed, "packed from the z/VM 5.3 field list; no page of IBM's seen";
    PFXCPUAD 20/2 Count "processor address";
    PLSDGX44 92/4 Count "DIAGNOSE X'44': voluntary time slice end";
    PLSDGX9C 180/4 Count "DIAGNOSE X'9C': directed yield";
    PLSDGUCT 280/4 Count "user-defined DIAGNOSEs";
    PLSTOTDI 796/4 Count "DIAGNOSE instructions in all";
}

//! MRPRCVOF, domain 5 record 2: processor varied off.

use crate::binary::layout;

layout! {
    "MRPRCVOF" 5/2 "Processor varied off", 24, Packed, "packed from the z/VM 5.3 field list; no page of IBM's seen";
    PFXCPUAD 20/2 Count "processor address";
}

//! MRMTRSPR, domain 1 record 9: sample profile.

use crate::binary::layout;

layout! {
    "MRMTRSPR" 1/9 "Sample profile", 36, Packed, "packed from the z/VM 5.3 field list; no page of IBM's seen";
    INTERVAL 20/4 Count "sampling interval, seconds";
    HFRATE 24/4 Count "interval of high-frequency samples; unit not seen";
    SDOMAINS 28/1 Flags "domains sampled";
    HDOMAINS 30/1 Flags "domains sampled at high frequency";
    CONFIG 32/2 Count "";
}

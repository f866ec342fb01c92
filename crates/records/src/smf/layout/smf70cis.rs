//! SMF70CIS: CPU-identification name section of record 70 subtype 1.

use crate::binary::layout;

layout! {
    "SMF70CIS" 70/1 "CPU-identification name", 24, Confirmed, "z/OS MVS System Management Facilities, record type 70: CPU-identification name section, and the order and lengths of its field list";
    SMF70CIN 0/16 Text "type of processors: CP, IIP";
    SMF70CTN 16/2 Count "physical processors of the type";
    SMF70CAN 20/4 Count "accumulated number of them";
}

//! SMF70LCS: logical core data section of record 70 subtype 1.

use crate::binary::layout;

layout! {
    "SMF70LCS" 70/1 "Logical core", 16, Confirmed, "z/OS MVS System Management Facilities, record type 70: logical core data section, and the order and lengths of its field list";
    SMF70_CORE_ID 0/2 Hex "core";
    SMF70_CORE_FLG 2/1 Flags "80 busy time of the core is valid";
    SMF70_CPU_SKIP 4/2 Count "CPU data sections before its first one";
    SMF70_CPU_NUM 6/2 Count "CPU data sections of the core";
    SMF70_PROD 8/4 Count "productivity, numerator";
    SMF70_LPAR_BUSY 12/4 Count "busy time of the core";
}

//! SMF70CTL: CPU control section of record 70 subtype 1.

use crate::binary::layout;

layout! {
    "SMF70CTL" 70/1 "CPU control", 344, Partly, "z/OS MVS System Management Facilities, record type 70: CPU control section, and the order and lengths of its field list";
    SMF70MOD 0/2 Hex "family of the processor";
    SMF70VER 2/1 Hex "version of the processor";
    SMF70BNP 3/1 Count "physical processors";
    SMF70INB 4/1 Flags "80 DIAGNOSE X'204' failed, 40 processors changed, 20 dispatch interval changed, 10 row PHYSICAL, 08 extended data, 04 simplified data";
    SMF70STF 5/1 Flags "flags of the section";
    SMF70GTS 6/2 Count "dispatch interval of PR/SM, ms";
    SMF70MDL 8/16 Text "model";
    SMF70DSA 24/2 Count "samples of DIAGNOSE X'204'";
    SMF70IFA 26/2 Count "zAAPs online at the end";
    SMF70CPA 28/4 Count "physical adjustment factor";
    SMF70WLA 32/4 Count "service units available, millions an hour";
    SMF70LAC 36/4 Count "long-term average of service, millions an hour";
    SMF70HOF 40/8 TodSpan "clock offset of the hypervisor";
    SMF70HWM 48/16 Text "physical model";
    SMF70SUP 64/2 Count "zIIPs online at the end";
    SMF70GJT 66/8 Clock "when the partition joined its group";
    SMF70POM 74/4 Text "plant";
    SMF70CSC 78/16 Text "sequence code of the configuration";
    SMF70HHF 94/1 Flags "80 HiperDispatch supported, 40 active, 20 changed";
    SMF70NRM 188/4 Count "normalization factor of zIIPs";
    SMF70CAI 216/1 Count "capacity adjustment";
    SMF70CCR 217/1 Count "reason of a change of capacity";
    SMF70MAXPU 288/2 Count "most physical processors";
}

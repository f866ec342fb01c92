//! SMF70BPD: PR/SM logical processor data section of record 70 subtype 1.

use crate::binary::layout;

layout! {
    "SMF70BPD" 70/1 "PR/SM logical processor", 88, Confirmed, "z/OS MVS System Management Facilities, record type 70: PR/SM logical processor data section, and the order and lengths of its field list";
    SMF70PDT 0/8 Micros "time dispatched, management of PR/SM included";
    SMF70VPA 8/2 Hex "address of the logical processor";
    SMF70BPS 10/2 Count "weight of the partition; FFFF where its processors are dedicated";
    SMF70VPF 12/1 Flags "80 wait completion, 40 it changed, 20 share changed, 10 initial capping, 08 it changed, 04 varied";
    SMF70POF 13/1 Flags "C0 polarization, 20 it changed";
    SMF70CIX 14/2 Count "which of the CPU-identification names it has, from 1";
    SMF70EDT 16/8 Micros "effective time dispatched";
    SMF70ACS 24/4 Count "accumulated actual share";
    SMF70MIS 28/2 Count "least share";
    SMF70MAS 30/2 Count "most share";
    SMF70NSI 32/4 Count "samples near the least share";
    SMF70NSA 36/4 Count "samples near the most share";
    SMF70ONT 40/8 Micros "time online";
    SMF70WST 48/8 Micros "time in the wait state";
    SMF70PMA 56/4 Count "average adjustment weight of pricing";
    SMF70NSW 60/4 Count "samples capped by WLM";
    SMF70POW 64/4 Count "weight by polarization, accumulated over the samples of DIAGNOSE X'204', times 4,096";
    SMF70NCA 68/4 Count "samples capped";
    SMF70HW_CAP_LIMIT 72/4 Count "limit of the partition";
    SMF70HWGR_CAP_LIMIT 76/4 Count "limit of the hardware group";
    SMF70MTIT 80/8 Micros "idle time of threads";
}

//! Record 70 subtype 1: processors of the system, and the partitions of its machine.

/// SMF70CTL: CPU control section.
pub mod smf70ctl {
    use crate::binary::layout;
    use crate::smf::layout::sources::{GATHERER, LIST};

    layout! {
        "SMF70CTL" 70/1 "CPU control", 404, GATHERER;
        SMF70MOD 0/2 Hex "family of the processor";
        SMF70VER 2/1 Hex "version of the processor";
        SMF70BNP 3/1 Count "physical processors for use by PR/SM, of all types";
        SMF70INB 4/1 Flags "80 DIAGNOSE X'204' failed, 40 processors changed, 20 dispatch interval changed, 10 row PHYSICAL, 08 extended data, 04 simplified data";
        SMF70STF 5/1 Flags "80 STSI, 40 adjustment factor changed, 20 service units changed, 10 scope of SMF70LAC, 08 what SMF70MDL and SMF70HWM are, 01 SMF70GAU valid";
        SMF70GTS 6/2 Count "dispatch interval of PR/SM, ms; 0 where it is dynamic";
        SMF70MDL 8/16 Text "model";
        SMF70DSA 24/2 Count "samples of DIAGNOSE X'204'";
        SMF70IFA 26/2 Count "zAAPs online at the end";
        SMF70CPA 28/4 Count "physical adjustment factor" from LIST;
        SMF70WLA 32/4 Count "service units available, millions an hour";
        SMF70LAC 36/4 Count "long-term average of service, millions an hour";
        SMF70HOF 40/8 TodSpan "clock offset of the hypervisor";
        SMF70HWM 48/16 Text "physical model";
        SMF70SUP 64/2 Count "zIIPs online at the end";
        SMF70GJT 66/8 Clock "when the partition joined its group";
        SMF70POM 74/4 Text "plant";
        SMF70CSC 78/16 Text "sequence code of the configuration";
        SMF70HHF 94/1 Flags "80 HiperDispatch supported, 40 active, 20 changed";
        SMF70NRM 188/4 Count "normalization factor of zIIPs, times 256";
        SMF70CAI 216/1 Count "capacity adjustment: 100 is normal, less is reduced, 0 not reported";
        SMF70CCR 217/1 Count "reason of a change of capacity: 0 none, 1 manual, more is internal";
        SMF70CPA_ACTUAL 224/4 Count "physical adjustment factor, in place of SMF70CPA";
        SMF70CPA_SCALING_FACTOR 228/4 Count "scale of SMF70CPA_ACTUAL";
        SMF70MAXPU 288/2 Count "cores in the machine; 0 where the model does not say";
        SMF70_IPL_TIME 324/8 Clock "IPL of the partition";
        SMF70CPC_TYPE 340/4 Count "type of the machine";
        SMF70CPE_LO 400/2 Count "CPENABLE: low threshold";
        SMF70CPE_HI 402/2 Count "CPENABLE: high threshold";
    }
}

/// SMF70CPU: CPU data section, one for each processor of the system that wrote the record.
pub mod smf70cpu {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "SMF70CPU" 70/1 "CPU data", 92, GATHERER;
        SMF70WAT 0/8 TodSpan "wait time";
        SMF70CID 8/2 Hex "address of the processor";
        SMF70CNF 10/1 Flags "10 offline while its core is online, 08 data for the whole interval, 04 varied, 02 data invalid, 01 online at the end";
        SMF70SER 12/3 Hex "serial number";
        SMF70TYP 15/1 Count "type: 0 CP, 1 zAAP, 2 zIIP";
        SMF70SLH 16/4 Count "I/O interrupts that entered the second-level handler";
        SMF70TPI 20/4 Count "I/O interrupts that TEST PENDING INTERRUPTION found";
        SMF70PAT 32/8 TodSpan "parked time";
        SMF70TCB 40/8 Count "dispatches of TCBs";
        SMF70SRB 48/8 Count "dispatches of SRBs";
        SMF70NIO 56/8 Count "I/Os";
        SMF70SIG 64/8 Count "SIGPs";
        SMF70WTD 72/8 Count "dispatches of the wait";
        SMF70WTS 80/4 Count "warning-track interrupts with a timely reply";
        SMF70WTU 84/4 Count "those without";
        SMF70WTI 88/4 Millis "time that it yielded to PR/SM after them";
    }
}

/// SMF70BCT: PR/SM partition data section.
pub mod smf70bct {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "SMF70BCT" 70/1 "PR/SM partition", 84, GATHERER;
        SMF70LPM 0/8 Text "name of the partition";
        SMF70LPN 8/1 Count "number of the partition";
        SMF70PFG 9/1 Flags "changed: 80 from active to inactive or back, 40 processors, 20 dedicated ones, 10 shared ones, 02 capacity limit. 08 managed by WLM, 04 wait time defined";
        SMF70BDN 10/2 Count "logical processors; 0 where it is not active";
        SMF70BDS 12/4 Count "sections of logical processors before its first one";
        SMF70BDA 16/4 Count "active logical processors, accumulated over the samples of DIAGNOSE X'204', where WLM manages the partition";
        SMF70SPN 20/8 Text "cluster of partitions: the sysplex";
        SMF70STN 28/8 Text "operating system";
        SMF70CSF 40/4 Count "central storage, MB";
        SMF70ESF 48/4 Count "expanded storage, MB";
        SMF70MSU 52/4 Count "defined capacity, millions of service units an hour";
        SMF70PFL 56/2 Flags "8000 user partition valid, 4000 in a capacity group, 2000 vertically polarized";
        SMF70UPI 58/1 Count "user partition";
        SMF70MTID 59/1 Count "highest thread; not 0 where PROCVIEW CORE is in effect";
        SMF70GNM 60/8 Text "capacity group";
        SMF70GMU 68/4 Count "limit of the group";
        SMF70HWGR_NAME 72/8 Text "hardware group";
        SMF70_BOOSTINFO 80/1 Flags "80 zIIP boost, 40 speed boost, at some time of the interval";
    }
}

/// SMF70BPD: PR/SM logical processor data section.
pub mod smf70bpd {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "SMF70BPD" 70/1 "PR/SM logical processor", 96, GATHERER;
        SMF70PDT 0/8 Micros "time dispatched; of the row PHYSICAL, time of PR/SM for no partition";
        SMF70VPA 8/2 Hex "address of the logical processor";
        SMF70BPS 10/2 Count "weight of the partition; FFFF where its processors are dedicated";
        SMF70VPF 12/1 Flags "80 wait completion, 40 it changed, 20 weight changed, 10 initial capping, 08 it changed, 04 varied online, 02 and 01 a limit changed";
        SMF70POF 13/1 Flags "polarization: 00 horizontal or unknown, 40 low, 80 medium, C0 high; 20 it changed";
        SMF70CIX 14/2 Count "which of the CPU-identification names it has, from 1";
        SMF70EDT 16/8 Micros "time dispatched less that of PR/SM";
        SMF70ACS 24/4 Count "actual share, accumulated over the samples of DIAGNOSE X'204'";
        SMF70MIS 28/2 Count "least share";
        SMF70MAS 30/2 Count "most share";
        SMF70NSI 32/4 Count "samples within a tenth of the least share";
        SMF70NSA 36/4 Count "samples within a tenth of the most share";
        SMF70ONT 40/8 Micros "time online";
        SMF70WST 48/8 Micros "time in the wait state; IBM calls it internal";
        SMF70PMA 56/4 Count "average adjustment weight of pricing; may be negative";
        SMF70NSW 60/4 Count "samples in which WLM considered a cap";
        SMF70POW 64/4 Count "weight by polarization, times 4,096, accumulated over the samples of DIAGNOSE X'204'";
        SMF70NCA 68/4 Count "samples in which a cap limited it";
        SMF70HW_CAP_LIMIT 72/4 Count "limit of the partition, hundredths of a processor; 0 none";
        SMF70HWGR_CAP_LIMIT 76/4 Count "limit of the hardware group, hundredths of a processor; 0 none";
        SMF70MTIT 80/8 Micros "idle time of threads";
        SMF70LPF 88/1 Flags "80 topology changed";
        SMF70MAXNL 89/1 Count "levels of the topology: 0 unknown, 1 none";
        SMF70CORDL1 90/1 Hex "place of the core at level 1 of the topology";
        SMF70CORDL2 91/1 Hex "the same at level 2";
        SMF70CORDL3 92/1 Hex "the same at level 3";
        SMF70CORDL4 93/1 Hex "the same at level 4";
        SMF70CORDL5 94/1 Hex "the same at level 5";
        SMF70CORDL6 95/1 Hex "the same at level 6";
    }
}

/// SMF70CIS: CPU-identification name section.
pub mod smf70cis {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "SMF70CIS" 70/1 "CPU-identification name", 24, GATHERER;
        SMF70CIN 0/16 Text "type of processors: CP, IIP";
        SMF70CTN 16/2 Count "physical processors of the type at the end";
        SMF70CAN 20/4 Count "the same, accumulated over the samples of DIAGNOSE X'204'";
    }
}

/// SMF70LCS: logical core data section.
pub mod smf70lcs {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "SMF70LCS" 70/1 "Logical core", 16, GATHERER;
        SMF70_CORE_ID 0/2 Hex "core";
        SMF70_CORE_FLG 2/1 Flags "80 busy time of the core is valid";
        SMF70_CPU_SKIP 4/2 Count "CPU data sections before its first one";
        SMF70_CPU_NUM 6/2 Count "CPU data sections of the core";
        SMF70_PROD 8/4 Count "productivity, times 1,024";
        SMF70_LPAR_BUSY 12/4 Millis "busy time of the core";
    }
}

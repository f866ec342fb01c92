//! Record 78 subtype 3: I/O queuing, channel paths of logical control units, and HyperPAV.

/// R783CS: configuration control section, one for each logical control unit.
pub mod r783cs {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "R783CS" 78/3 "Paths of a logical control unit", 20, GATHERER;
        R783ID1 0/2 Hex "logical control unit";
        R783NTR 2/2 Count "triplets that follow";
        R783CPDS 4/4 Count "offset of the sections of its channel paths; ASSUME from the record descriptor word, as all offsets";
        R783CPDL 8/2 Count "length of such a section";
        R783CPDN 10/2 Count "how many there are";
        R783AMGC 15/1 Count "alias management group on the controller";
        R783AMGS 16/4 Count "alias management group that z/OS gave";
    }
}

/// R783CPD: configuration data section, one for each channel path of a logical control unit.
pub mod r783cpd {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "R783CPD" 78/3 "Channel path of a logical control unit", 56, GATHERER;
        R783CPID 0/1 Hex "channel path";
        R783CPST 1/1 Flags "80 installed, 40 online, 20 varied, 10 offline to all devices of the unit. 08 VARY PATH, 04 data incorrect, 02 managed by DCM, 01 data were reset";
        R783CUN 2/2 Count "control units";
        R783CU1 4/2 Hex "first of them";
        R783CU2 6/2 Hex "second of them";
        R783CU3 8/2 Hex "third of them";
        R783CU4 10/2 Hex "fourth of them";
        R783CUB 12/4 Count "times that the control unit was busy";
        R783PT 16/4 Count "times that the path was taken";
        R783DPB 24/4 Count "times that the director port was busy";
        R783CBT 28/4 Count "delay by a busy control unit; its unit is unknown";
        R783CMR 32/4 Count "initial command response time; its unit is unknown";
        R783SBS 36/4 Count "switch busy counts of all partitions";
        R783CPXF 44/1 Flags "80 and 40 extended measurement blocks, 20 first-transfer-ready-disabled supported";
        R783CPAT 45/1 Count "attribute of the path: 0 none, 1 preferred, 2 not preferred";
        R783CTMW 48/4 Count "writes in transport mode";
        R783CTRD 52/4 Count "writes with first-transfer-ready disabled";
    }
}

/// R783DS: I/O queuing data section, one for each logical control unit.
pub mod r783ds {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "R783DS" 78/3 "Logical control unit", 68, GATHERER;
        R783ID2 0/2 Hex "logical control unit";
        R783DST 2/1 Flags "80 no hardware measurements, 40 changed, 20 added, 10 change attempted, 08 managed channels, 04 path attributes valid, 02 HyperPAV, 01 SuperPAV";
        R783DSTX 3/1 Flags "80 a FICON channel, 40 connect time of a device invalid, 20 disconnect time of a device invalid";
        R783QSM 4/4 Count "sum of lengths of the queue of the control unit header";
        R783QCT 8/4 Count "entries of that queue";
        R783MCMN 12/2 Count "fewest managed channels in use";
        R783MCMX 14/2 Count "most managed channels in use";
        R783MCDF 16/2 Count "managed channels that are defined";
        R783DCTM 44/4 Ticks "connect time of its devices";
        R783DDTM 48/4 Ticks "disconnect time of its devices";
        R783CSST 52/4 Ticks "wait for the channel subsystem";
        R783HCNT 56/2 Count "unknown";
        R783HIX 58/2 Count "unknown";
    }
}

/// R783GD: I/O queuing global section.
pub mod r783gd {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "R783GD" 78/3 "I/O queuing", 106, GATHERER;
        R783GFLG 0/1 Flags "80 data incorrect, 40 DIAGNOSE failed, 20 primary queue data not supported, 10 DCM supported. 08 managed channels, 04 data of I/O processors, 02 command response time, 01 first-transfer-ready-disabled data";
        R783GNTR 2/2 Count "triplets that follow";
        R783GIDS 4/4 Count "offset of the sections of I/O processors";
        R783GIDL 8/2 Count "length of such a section";
        R783GIDN 10/2 Count "how many there are";
        R783TSR 16/2 Count "small records that were written in the interval";
        R783TOT 20/4 Count "data sections of the interval";
        R783NXT 24/4 Count "data sections in the records after this one";
        R783CFL 28/1 Flags "configuration: 80 changed, 40 changed since power-on reset, 20 data set with a token, 10 token valid, 08 several channel subsystems";
        R783CSS 29/1 Count "channel subsystem";
    }
}

/// R783HPAV: HyperPAV data section, one for each control unit.
pub mod r783hpav {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "R783HPAV" 78/3 "HyperPAV", 88, GATHERER;
        R783HLCU 0/2 Hex "logical control unit";
        R783HCU 2/2 Hex "control unit";
        R783HNAI 8/4 HexFloat "I/Os that could not start since no alias was free";
        R783HTIO 12/4 HexFloat "all HyperPAV I/O requests of the logical subsystem, whether or not an alias was needed";
        R783HAIU 16/4 Count "most aliases in use at once, without borrowed ones";
        R783HCAD 20/4 Count "most aliases in use for one base at once";
        R783HIOQ 24/4 Count "most I/Os queued at once";
        R783XANC 40/4 HexFloat "times an alias was needed to start an I/O";
        R783XAUC 44/4 HexFloat "of these, those at which one was used";
        R783XNHC 48/4 HexFloat "of these, those at which the unit's own had none; SuperPAV";
        R783XABC 52/4 HexFloat "aliases that were borrowed from other units; SuperPAV";
        R783XCBC 56/4 Count "aliases that are borrowed at once; SuperPAV";
        R783XHBC 60/4 Count "most aliases that were borrowed at once; SuperPAV";
        R783XALC 64/4 HexFloat "aliases that were lent to other units; SuperPAV";
        R783XCLC 68/4 Count "aliases that are lent at once; SuperPAV";
        R783XHLC 72/4 Count "most aliases that were lent at once; SuperPAV";
        R783XNAG 76/4 HexFloat "attempts to borrow that found none; SuperPAV";
        R783XCQD 80/4 HexFloat "I/Os queued when an alias was needed, accumulated over these times";
        R783XCIU 84/4 HexFloat "aliases in use when an alias was needed, accumulated over these times";
    }
}

/// R783IQD: IOP initiative queue and utilization data section, located by the I/O queuing global section.
pub mod r783iqd {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "R783IQD" 78/3 "I/O processor", 96, GATHERER;
        R783IQID 0/2 Hex "initiative queue";
        R783IFLG 2/1 Flags "80 the I/O processor is installed";
        R783IQSM 4/4 Count "sum of queue lengths found by requests";
        R783IQCT 8/4 Count "requests that were enqueued";
        R783IIPB 16/8 HexFloat "times busy";
        R783IIPI 24/8 HexFloat "times idle";
        R783IIFS 32/8 HexFloat "functions started";
        R783IPII 40/8 HexFloat "interrupts processed";
        R783ICPB 48/8 HexFloat "retries: channel path busy";
        R783IDPB 56/8 HexFloat "retries: director port busy";
        R783ICUB 64/8 HexFloat "retries: control unit busy";
        R783IDVB 72/8 HexFloat "retries: device busy";
        R783ISCB 80/8 HexFloat "times busy with storage-class memory";
        R783IECB 88/8 HexFloat "times busy with compression";
    }
}

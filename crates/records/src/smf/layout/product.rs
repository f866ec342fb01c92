//! SMFxxPRO: the RMF product section, the first section of every record of RMF.

use crate::binary::layout;

layout! {
    "SMFxxPRO" 0/0 "RMF product section", 104, Partly, "z/OS MVS System Management Facilities, RMF Product Section: offsets up to 49; then the order and lengths of its field list";
    SMFMFV 0/2 Packed "version of RMF";
    SMFPRD 2/8 Text "name of the product";
    SMFIST 10/4 Packed "local time at which the interval started, 0HHMMSSF";
    SMFDAT 14/4 Packed "local date then, 0cyydddF";
    SMFINT 18/4 Packed "length of the interval, MMSSTTTF";
    SMFSAM 24/4 Count "samples of RMF";
    SMFFLA 30/2 Flags "flags of the interval";
    SMFCYC 36/4 Packed "cycle of samples, 000TTTTF ms";
    SMFMVS 40/8 Text "level of the system";
    SMFIML 48/1 Count "type of the processor complex";
    SMFPRF 49/1 Flags "flags of the processor";
    SMFPTN 50/1 Count "number of the partition";
    SMFSRL 51/1 Count "level of the record";
    SMFIET 52/8 Clock "token of the end of the interval";
    SMFLGO 60/8 TodSpan "local time less GMT";
    SMFRAO 68/4 Count "offset of the reassembly area from the start of this section";
    SMFRAL 72/2 Count "its length";
    SMFRAN 74/2 Count "1 where RMF split the record, else 0";
    SMFOIL 76/2 Count "length of the interval as it was asked for, s";
    SMFSYN 78/2 Count "SYNC value, s";
    SMFGIE 80/8 Clock "projected end of the interval";
    SMFXNM 88/8 Text "sysplex";
    SMFSNM 96/8 Text "system";
}

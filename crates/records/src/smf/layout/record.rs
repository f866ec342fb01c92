//! Sections that records of all types have: header, product section, and the reassembly area of a part.

/// SMFHDR: the standard header of an SMF record with subtypes, and the triplets that RMF adds to it.
pub mod header {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "SMFHDR" 0/0 "Standard header, and number of triplets in records of RMF", 28, GATHERER;
        SMFLEN 0/2 Count "length of the record, descriptor word included; 0 after reassembly";
        SMFSEG 2/2 Flags "segment: 0 where the record is whole";
        SMFFLG 4/1 Flags "80 new format, 40 subtypes; 10, 08, 04, 02 version of the system; 01 PR/SM mode";
        SMFRTY 5/1 Count "record type";
        SMFTME 6/4 Count "hundredths of a second since local midnight when the record was written";
        SMFDTE 10/4 Packed "local date then, 0cyydddF";
        SMFSID 14/4 Text "system";
        SMFSSI 18/4 Text "subsystem: RMF";
        SMFSTY 22/2 Count "subtype";
        SMFTRN 24/2 Count "number of triplets";
    }
}

/// SMFxxPRO: the RMF product section, the first section of every record of RMF.
pub mod product {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "SMFxxPRO" 0/0 "RMF product section", 104, GATHERER;
        SMFMFV 0/2 Packed "version of RMF";
        SMFPRD 2/8 Text "name of the product";
        SMFIST 10/4 Packed "local time at which the interval started, 0HHMMSSF";
        SMFDAT 14/4 Packed "local date then, 0cyydddF";
        SMFINT 18/4 Packed "length of the interval, MMSSTTTF";
        SMFSAM 24/4 Count "samples of RMF";
        SMFFLA 30/2 Flags "8000 converted from version 2, 4000 invalid samples, 2000 written by Monitor III, 1000 interval of SMF. 0800 and 0400 converted by GRBSMFR, 0200 alternate virtual machine, 0040 zIIP boost, 0020 speed boost, 0007 class of the boost";
        SMFCYC 36/4 Packed "cycle of samples, 000TTTTF ms";
        SMFMVS 40/8 Text "level of the system";
        SMFIML 48/1 Count "type of the processor complex: 3 is a 9672 or zSeries";
        SMFPRF 49/1 Flags "80 expanded storage, 40 ESCON channels, 20 ESCON directors, 10 z/Architecture, 08 zAAPs, 04 zIIPs, 02 and 01 enhanced DAT";
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
}

/// SMFxxRHD: which part of how many a record is that RMF split.
pub mod area {
    use crate::binary::layout;
    use crate::smf::layout::sources::LIST;

    layout! {
        "SMFxxRHD" 0/0 "Reassembly area", 16, LIST;
        SMFRBR 0/2 Count "parts that the original record was split into";
        SMFRSQ 2/2 Count "number of this part, from 1";
        SMFRIO 4/4 Count "offset of the first reassembly block; ASSUME from the start of this area";
        SMFRIL 8/2 Count "length of a block";
        SMFRIN 10/2 Count "number of blocks; ASSUME one for each triplet of the record, in their order, with or without that of the product section";
    }
}

/// SMFxxRBL: what a part has of one kind of section.
pub mod block {
    use crate::binary::layout;
    use crate::smf::layout::sources::LIST;

    layout! {
        "SMFxxRBL" 0/0 "Reassembly block", 4, LIST;
        SMFRNN 0/2 Count "sections of the kind in the original record";
        SMFRPP 2/2 Count "position of the first of them in this part, from 1";
    }
}

//! R783IQD: IOP initiative queue and utilization data section of record 78 subtype 3.

use crate::binary::layout;

layout! {
    "R783IQD" 78/3 "I/O processor", 80, Published, "z/OS MVS System Management Facilities, record type 78 subtype 3: IOP Initiative Queue and Utilization Data Section; its triplet R783GIDS is in the I/O queuing global section, at an offset that was not found";
    R783IQID 0/2 Hex "initiative queue";
    R783IFLG 2/1 Flags "flags";
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
}

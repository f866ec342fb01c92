//! R783HPAV: HyperPAV data section of record 78 subtype 3, one for each control unit.

use crate::binary::layout;

layout! {
    "R783HPAV" 78/3 "HyperPAV", 88, Published, "z/OS MVS System Management Facilities, record type 78 subtype 3: HyperPAV Data Section; from offset 40 on z/OS Data Gatherer, SMF Data REST Services 3.1";
    R783HLCU 0/2 Hex "logical control unit";
    R783HCU 2/2 Hex "control unit";
    R783HNAI 8/4 HexFloat "I/Os that could not start since no alias was free";
    R783HTIO 12/4 HexFloat "all HyperPAV I/O requests of the logical subsystem, whether or not an alias was needed";
    R783HAIU 16/4 Count "most aliases in use at once";
    R783HCAD 20/4 Count "most aliases in use for one base at once";
    R783HIOQ 24/4 Count "most I/Os queued at once";
    R783XANC 40/4 HexFloat "times an alias was needed to start an I/O";
    R783XAUC 44/4 HexFloat "of these, those at which one was used";
}

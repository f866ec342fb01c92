//! SMF70BCT: PR/SM partition data section of record 70 subtype 1.

use crate::binary::layout;

layout! {
    "SMF70BCT" 70/1 "PR/SM partition", 84, Confirmed, "z/OS MVS System Management Facilities, record type 70: PR/SM partition data section, and the order and lengths of its field list";
    SMF70LPM 0/8 Text "name of the partition";
    SMF70LPN 8/1 Count "number of the partition";
    SMF70PFG 9/1 Flags "changed: 80 between active and inactive, 40 processors, 20 dedicated ones, 10 shared ones, 02 capacity limit; 08 managed by WLM; 04 wait time valid";
    SMF70BDN 10/2 Count "logical processors";
    SMF70BDS 12/4 Count "sections of logical processors before its first one";
    SMF70BDA 16/4 Count "accumulated number of active logical processors";
    SMF70SPN 20/8 Text "cluster of partitions";
    SMF70STN 28/8 Text "operating system";
    SMF70CSF 40/4 Count "central storage, MB";
    SMF70ESF 48/4 Count "expanded storage, MB";
    SMF70MSU 52/4 Count "defined capacity, millions of service units an hour";
    SMF70PFL 56/2 Flags "2000 vertically polarized";
    SMF70UPI 58/1 Count "user partition";
    SMF70MTID 59/1 Count "highest thread";
    SMF70GNM 60/8 Text "capacity group";
    SMF70GMU 68/4 Count "limit of the group";
    SMF70HWGR_NAME 72/8 Text "hardware group";
    SMF70_BOOSTINFO 80/1 Flags "boosts";
}

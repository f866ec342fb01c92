//! SMF74A: device control section of record 74 subtype 1.

use crate::binary::layout;

layout! {
    "SMF74A" 74/1 "Device control", 28, Published, "z/OS MVS System Management Facilities, record type 74 subtype 1: Device Control Data Section up to offset 26; the section is longer";
    SMF74NXT 0/2 Count "devices in the records of the class after this one";
    SMF74TOT 2/2 Count "devices in all records of the class";
    SMF74GEN 4/2 Count "devices that were generated";
    SMF74SUB 6/2 Hex "class of the devices: 0020 disks, 0080 tapes";
    SMF74DCF 8/1 Flags "of the report: two areas for disks, order of storage groups; single bits unknown";
    SMF74DMS 9/1 Flags "messages; single bits unknown";
    SMF74ENF 10/1 Flags "80 extended measurement blocks, 20 command response time valid, 10 interrupt delay measured";
    SMF74S15 12/4 Count "register 15 of the interface of SMS";
    SMF74SRC 16/4 Count "its return code";
    SMF74SRS 20/4 Count "its reason code";
    SMF74TSR 24/2 Count "small records";
    SMF74CFL 26/1 Flags "unknown";
}

//! SMF70CPU: CPU data section of record 70 subtype 1, one for each processor of the system that wrote the record.

use crate::binary::layout;

layout! {
    "SMF70CPU" 70/1 "CPU data", 92, Confirmed, "z/OS MVS System Management Facilities, record type 70: CPU data section, and the order and lengths of its field list";
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
    SMF70WTI 88/4 Millis "time undispatched after them";
}

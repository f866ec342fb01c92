//! MRSYTPRP, domain 0 record 2: processor data.

use crate::binary::layout;

layout! {
    "MRSYTPRP" 0/2 "Processor data", 108, Partly, "packed from the z/VM 5.3 field list; IBM's page of 6.4 confirms the first four offsets. The record grew to 124 (5.4), 140 (6.2) and 352 (6.4) bytes";
    PFXCPUAD 20/2 Count "processor address";
    PLSCUHAF 22/2 Count "";
    PFXPRBTM 24/8 TodSpan "emulation time; starts at X'7FFFFFFF00000000' and counts down";
    PFXUTIME 32/8 TodSpan "processor time charged to users";
    PFXTMSYS 40/8 TodSpan "processor time of the system, charged to no user";
    PFXTOTWT 68/8 TodSpan "wait time";
    PFXRUNCI 76/4 Count "";
    PFXRUNPF 80/4 Count "";
    PFXRUNCP 84/4 Count "part of the entries to SIE";
    CALFSTPH 88/4 Count "";
    PFXSPINT 92/8 TodSpan "time spinning for formal locks";
    PFXSPINC 100/4 Count "spins for formal locks";
    PFXCPUTY 104/1 Count "type of the processor";
}

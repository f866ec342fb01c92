//! MRSYTSYP, domain 0 record 1: system data of a processor.

use crate::binary::layout;

layout! {
    "MRSYTSYP" 0/1 "System data of a processor", 116, Confirmed, "packed from the z/VM 5.3 field list; length as on IBM's page of 6.4";
    PFXCPUAD 20/2 Count "processor address";
    PLSABNCT 24/4 Count "";
    PLSDIAGT 28/4 Count "DIAGNOSE instructions";
    PLSPRVIS 32/4 Count "";
    PLSEXTNX 36/4 Count "";
    PLSEXTNC 40/4 Count "";
    PLSMCHCT 44/4 Count "";
    PLSCTSS 48/4 Count "";
    PLSCTRS 52/4 Count "";
    PLSCTCS 56/4 Count "";
    PLSCTHS 60/4 Count "";
    PLSCTSI 64/4 Count "";
    PLSCTUI 68/4 Count "";
    PLSPIOPR 72/4 Count "";
    PLSPIOPW 76/4 Count "";
    PLSPIOSR 80/4 Count "";
    PLSPIOSW 84/4 Count "";
    PLSDGUCT 88/4 Count "user-defined DIAGNOSEs";
    PLSXITCT 92/4 Count "";
    PLSPAGPS 96/4 Count "";
    PLSSTKPE 100/4 Count "";
    PLSTMRCE 104/4 Count "";
    PLSPRVSC 108/4 Count "";
    PFXCPUTY 112/1 Count "type of the processor";
}

//! MRMTRSCH, domain 1 record 16: scheduler settings.

use crate::binary::layout;

layout! {
    "MRMTRSCH" 1/16 "Scheduler settings", 96, Packed, "packed from the z/VM 5.3 field list; no page of IBM's seen";
    SRMBIASI 20/4 Count "";
    SRMTSLIC 24/8 TodSpan "dispatching minor time slice; unit by inference";
    SRMTSHOT 32/8 TodSpan "hot-shot time slice; unit by inference";
    SRMBIASD 40/2 Count "";
    SRMLDGUS 42/2 Count "";
    SRMP1LDG 44/4 Count "";
    SRMP2LDG 48/4 Count "";
    SRMP3LDG 52/4 Count "";
    SRMLDGCP 56/4 Count "";
    SRMP1WSS 60/4 Count "";
    SRMP2WSS 64/4 Count "";
    SRMP3WSS 68/4 Count "";
    SRMWSSMP 72/4 Count "";
    SRML1DSP 76/4 Count "";
    SRML2DSP 80/4 Count "";
    SRML3DSP 84/4 Count "";
    SRMXPCTG 88/4 Count "";
    SRMFLAGS 92/1 Flags "";
}

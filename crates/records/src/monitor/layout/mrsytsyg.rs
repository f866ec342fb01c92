//! MRSYTSYG, domain 0 record 19: system, global.

use crate::binary::layout;

layout! {
    "MRSYTSYG" 0/19 "System, global", 112, Packed, "packed from the z/VM 5.3 field list; length on no page seen";
    XCTMSACT 20/8 Clock "";
    FTRDONE 28/4 Count "";
    FTRABORT 32/4 Count "";
    FTRNOTEL 36/4 Count "";
    FTRWRITE 40/4 Count "";
    CTNDONE 44/4 Count "";
    CTNABORT 48/4 Count "";
    CTNNOTEL 52/4 Count "";
    SCPCAPAB 56/4 Count "";
    CPUCAPAB 60/4 Count "";
    CPUCOUNT 64/2 Count "processors";
    CPUCFGCT 66/2 Count "processors configured";
    CPUSTNBY 68/2 Count "processors standby";
    CPURESVD 70/2 Count "processors reserved";
    VL3DBCT 72/1 Count "";
    VL3COUNT 74/2 Count "";
    VL3CFGCT 76/2 Count "";
    VL3STNBY 78/2 Count "";
    VL3RESVD 80/2 Count "";
    VL3MNAME 84/8 Text "";
    VL3CAF 92/4 Count "";
    VL3CPNAM 96/16 Text "";
}

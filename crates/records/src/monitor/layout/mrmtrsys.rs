//! MRMTRSYS, domain 1 record 4: system configuration.

use crate::binary::layout;

layout! {
    "MRMTRSYS" 1/4 "System configuration", 184, Packed, "packed from the z/VM 5.3 field list; length on no page seen";
    HCPCPEPP 20/8 Text "";
    HCPCPEID 28/8 Text "";
    SYSTODST 36/8 Clock "clock at IPL (meaning inferred from the name)";
    SYSTERM 44/8 Clock "";
    SYSDATE 52/8 Bytes "";
    SYSABNCD 60/8 Bytes "";
    SYSZONE 80/4 Count "";
    CALFLGS 84/1 Flags "";
    SYSVRFSG 85/1 Count "";
    CALFLG2 86/1 Flags "";
    SYSTMID 88/8 Text "name of the system";
    SYSCKVOL 96/6 Text "";
    SYSWMVOL 102/6 Text "";
    SYSMTYPE 108/4 Text "machine type";
    SYSMMODL 112/16 Text "machine model";
    SYSMSEQC 128/16 Text "sequence code (meaning inferred from the name)";
    SYSMPOM 144/4 Text "plant of manufacture (meaning inferred from the name)";
    LPNUMBER 148/2 Count "number of the own partition";
    CPUCHAR 150/1 Flags "";
    CPUCOUNT 152/2 Count "processors";
    CPUCFGCT 154/2 Count "processors configured";
    CPUSTNBY 156/2 Count "processors standby";
    CPURESVD 158/2 Count "processors reserved";
    LPARNAME 160/8 Text "name of the own partition";
    LPARCAF 168/4 Count "capacity adjustment factor";
    CPUDEDCT 172/2 Count "processors dedicated";
    CPUSHARD 174/2 Count "processors shared";
    CPUCAPAB 176/4 Count "";
    SCPCAPAB 180/4 Count "";
}

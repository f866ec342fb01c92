//! MRSYTCUG, domain 0 record 15: logical partition, global.

use crate::binary::layout;

layout! {
    "MRSYTCUG" 0/15 "Logical partition, global", 56, Packed, "packed from the z/VM 5.3 field list; IBM's page of 4.2 has 28 bytes, none of 5.3 was seen";
    LCUTNPAR 20/1 Count "partitions";
    LCUTFLAG 21/1 Flags "";
    LCUTSLCE 24/2 Count "length of a time slice";
    LCUTPCCT 26/2 Count "physical processors";
    LPNUMBER 28/2 Count "number of the own partition";
    CPUCHAR 31/1 Flags "";
    CPUCOUNT 32/2 Count "processors";
    CPUCFGCT 34/2 Count "processors configured";
    CPUSTNBY 36/2 Count "processors standby";
    CPURESVD 38/2 Count "processors reserved";
    LPARNAME 40/8 Text "name of the own partition";
    LPARCAF 48/4 Count "capacity adjustment factor";
    CPUDEDCT 52/2 Count "processors dedicated";
    CPUSHARD 54/2 Count "processors shared";
}

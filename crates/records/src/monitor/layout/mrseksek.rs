//! MRSEKSEK, domain 7 record 1: seek.

use crate::binary::layout;

layout! {
    "MRSEKSEK" 7/1 "Seek", 64, Packed, "packed from the z/VM 5.3 field list; no page of IBM's seen";
    RDEVSID 20/4 Hex "subchannel";
    CALCURCY 24/2 Count "current cylinder";
    CALSKCYL 26/2 Count "cylinder";
    CALSKHD 28/2 Count "";
    CALFLAGS 30/1 Flags "";
    VMDUSER 32/8 Text "user";
    IORPOSCT 40/4 Count "";
    IORPOSSM 44/4 Count "";
    CALECYL 48/2 Count "";
    VDEVDEV 50/2 Hex "virtual device number";
    CALUSER 52/8 Text "";
    RDEVDEV 60/2 Hex "device number";
}

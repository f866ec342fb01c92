//! MRUSEATE, domain 4 record 9: a user at the end of a transaction.

use crate::binary::layout;

layout! {
    "MRUSEATE" 4/9 "User data at transaction end", 360, Packed, "selected fields of the z/VM 5.3 field list, tested by the author of that list; no page of IBM's seen";
    VMDUSER 20/8 Text "user";
    VMDCPUAD 28/2 Count "address of the virtual processor";
    VMDTTIME 32/8 TodSpan "processor time charged; unit by inference";
    VMDVTIME 40/8 TodSpan "emulation time; unit by inference";
    VMDVCSCT 124/4 Count "";
    VMDVDSCT 128/4 Count "virtual start subchannels to disks (meaning inferred from the name)";
    VMDBLKCT 192/4 Count "";
    VMDMDCIA 196/4 Count "I/Os that the minidisk cache avoided (meaning inferred from the name)";
    VMDCTISO 204/4 Count "";
    VMDRELSH 208/4 Count "relative share";
    VMDABSSH 212/4 Count "absolute share";
    VMDVTMP 328/8 Bytes "";
    VMDTTMP 336/8 Bytes "";
    VMDVTMS 344/8 Bytes "";
    VMDTTMS 352/8 Bytes "";
}

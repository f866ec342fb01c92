//! MRUSEITE, domain 4 record 10: samples of a user's state.

use crate::binary::layout;

layout! {
    "MRUSEITE" 4/10 "User interaction, state samples", 200, Packed, "selected fields of the z/VM 5.3 field list; no page of IBM's seen";
    VMDUSER 20/8 Text "user";
    VMDCPUAD 28/2 Count "address of the virtual processor";
    HFQUCT 48/4 Count "high-frequency samples";
    HFSTCT 84/4 Count "high-frequency samples of the state";
    HFTIDL 88/4 Count "samples idle on a test (inferred from the name)";
    HFTSVM 92/4 Count "samples in test idle while in a service machine's work (inferred from the name)";
    HFIOWT 96/4 Count "samples waiting for I/O (inferred from the name)";
    HFCFWT 100/4 Count "samples waiting in console function mode (inferred from the name)";
    HFSIMWT 104/4 Count "samples waiting for simulation (inferred from the name)";
    HFWTPAG 108/4 Count "samples waiting for a page (inferred from the name)";
    HFCPUWT 112/4 Count "samples waiting for a processor (inferred from the name)";
    HFCPURN 116/4 Count "samples running (inferred from the name)";
    HFESVM 120/4 Count "samples in the eligible list (inferred from the name)";
    HFLOAD 124/4 Count "samples loading (inferred from the name)";
    HFDORM 128/4 Count "samples dormant (inferred from the name)";
    HFDSVM 132/4 Count "";
    HFOTHR 136/4 Count "samples in other states (inferred from the name)";
    HFIOACT 184/4 Count "samples with I/O active (inferred from the name)";
    HFLLIST 188/4 Count "";
    HFPGACT 192/4 Count "samples with paging active (inferred from the name)";
}

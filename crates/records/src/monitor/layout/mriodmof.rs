//! MRIODMOF, domain 6 record 14: subchannel measurement off.

use crate::binary::layout;

layout! {
    "MRIODMOF" 6/14 "Subchannel measurement off", 68, Confirmed, "packed from the z/VM 5.3 field list; length as on IBM's pages of 4.4 and 5.1; the page of 6.4 confirms SCMSSCH";
    RDEVSID 20/4 Hex "subchannel";
    RDEVDEV 24/2 Hex "device number";
    SCMSSCH 28/2 Count "start subchannels, 2-byte counter";
    SCMCOUNT 30/2 Count "start subchannels that were timed, 2-byte counter";
    SCMCNTIM 32/4 Ticks "connect time";
    SCMFPTIM 36/4 Ticks "function pending time";
    SCMDDTIM 40/4 Ticks "disconnect time";
    SCMCQTIM 44/4 Ticks "control unit queueing time";
    SCMDATIM 48/4 Ticks "device-active-only time";
    SCMDBTIM 52/4 Ticks "device busy time";
    SCMIRTIM 56/4 Ticks "initial command response time";
    SCGSSCH 60/4 Count "start subchannels";
    SCGCOUNT 64/4 Count "start subchannels that were timed";
}

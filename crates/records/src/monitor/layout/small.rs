//! Small records that are complete: the marks of frames and intervals, commands, and devices that come and go.

/// MRMTRECM, domain 1 record 2: an event command.
pub mod mrmtrecm {
    use crate::binary::layout;

    layout! {
        "MRMTRECM" 1/2 "MONITOR EVENT command", 24, Published, "IBM's page of z/VM 5.2";
        CALBYCT 20/4 Count "length of the command, which follows";
    }
}

/// MRMTRSCM, domain 1 record 10: a sample command.
pub mod mrmtrscm {
    use crate::binary::layout;

    layout! {
        "MRMTRSCM" 1/10 "MONITOR SAMPLE command", 32, Published, "IBM's page of z/VM 7.1";
        CALTOD 20/8 Clock "clock at the command";
        CALBYCT 28/4 Count "length of the command, which follows";
    }
}

/// MRMTREND, domain 1 record 11: the end of an interval.
pub mod interval_end {
    use crate::binary::layout;

    layout! {
        "interval end" 1/11 "End of interval statistics", 20, Published, "IBM's page: the header alone";
    }
}

/// Domain 1 record 12: the start of a suspension.
pub mod suspended {
    use crate::binary::layout;

    layout! {
        "start of suspend" 1/12 "Monitor suspended", 20, Published, "IBM's page: the header alone";
    }
}

/// Domain 1 record 13: the end of a frame.
pub mod frame_end {
    use crate::binary::layout;

    layout! {
        "end of frame" 1/13 "End of data in a 4 KiB frame", 20, Published, "IBM's page: the header alone";
    }
}

/// MRIODVOF, domain 6 record 2: a device varied off.
pub mod mriodvof {
    use crate::binary::layout;

    layout! {
        "MRIODVOF" 6/2 "Device varied off", 28, Confirmed, "length as on IBM's pages of 5.2 and 7.5";
        RDEVSID 20/4 Hex "subchannel";
        RDEVDEV 24/2 Hex "device number";
    }
}

/// Domain 6 record 13: a subchannel whose measurement started.
pub mod measurement_on {
    use crate::binary::layout;

    layout! {
        "MRIODMON" 6/13 "Subchannel measurement on", 28, Packed, "length from its field list; the record name is inferred";
        RDEVSID 20/4 Hex "subchannel";
        RDEVDEV 24/2 Hex "device number";
    }
}

/// MRIODMDV, domain 6 record 16: a device moved.
pub mod mriodmdv {
    use crate::binary::layout;

    layout! {
        "MRIODMDV" 6/16 "Device paths changed", 36, Confirmed, "length as on IBM's pages of 5.3 and 7.2";
        RDEVSID 20/4 Hex "subchannel";
        RDEVDEV 24/2 Hex "device number";
        PIM 26/1 Flags "path installed mask";
        PAM 27/1 Flags "path available mask";
        CHPS 28/8 Hex "channel paths";
    }
}

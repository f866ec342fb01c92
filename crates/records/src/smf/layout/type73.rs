//! Record 73 subtype 1: channel paths.

/// SMF73CTL: channel path control section.
pub mod smf73ctl {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "SMF73CTL" 73/1 "Channel path control", 92, GATHERER;
        SMF73SMP 0/4 Count "samples of SRM, where there is one channel subsystem";
        SMF73CFL 4/1 Flags "configuration: 80 changed, 40 changed since IPL, 20 IPL with an IODF, 10 token valid. 08 sections may be invalid; 04 channel path measurement facility (CPMF), 01 its mode changed";
        SMF73SFL 5/1 Flags "80 dynamic channel management (DCM) supported, 40 channels are managed by it, 20 several channel subsystems, 10 enhanced measurement";
        SMF73TNM 8/44 Text "name of the IODF";
        SMF73TSF 52/2 Text "suffix of its name";
        SMF73TDT 56/8 Text "its date of creation, mm/dd/yy";
        SMF73TTM 64/8 Text "its time of creation, hh.mm.ss";
        SMF73CRC 72/4 Count "restarts of the channel path measurement facility";
        SMF73CSC 76/4 Count "its last sample count";
        SMF73TDY 80/10 Text "date of creation of the IODF, mm/dd/yyyy";
        SMF73CMI 90/1 Count "mode of the facility: 0 not active, 1 compatibility, 2 extended";
        SMF73CSS 91/1 Count "channel subsystem, where there are several";
    }
}

/// SMF73CHA: channel path data section. From offset 24 on it holds the data of a measurement group: SMF73CM1, SMF73CM2.
pub mod smf73cha {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "SMF73CHA" 73/1 "Channel path", 112, GATHERER;
        SMF73PID 0/1 Hex "channel path";
        SMF73FG2 1/1 Flags "20 block multiplexer, 10 byte multiplexer, 04 partial data, 02 data invalid since it was varied, 01 online";
        SMF73FG3 2/1 Flags "80 ES connection channel, 40 director attached, 20 conversion channel; 10 modified, 08 deleted, 04 inserted; 02 valid path, 01 shared by partitions";
        SMF73FG4 3/1 Flags "80 entry of the measurement block not valid, 40 CTC, 20 conversion. 08 managed by DCM, 04 characteristics changed, 02 extended measurements, 01 network names valid";
        SMF73BSY 4/4 Count "samples in which it was busy, weighted by SRM";
        SMF73PBY 8/4 Millis1024 "busy time of the partition";
        SMF73PTI 12/4 Millis1024 "time that was measured";
        SMF73CPD 16/1 Hex "type of the channel path, as D M=CHP explains it";
        SMF73ACR 17/5 Text "short name of the type: FC_S";
        SMF73CMG 22/1 Count "measurement group";
        SMF73FG5 23/1 Flags "80, 40, 20, 10, 08 characteristics of the group in words 1 to 5 are valid";
        SMF73CPP 72/1 Count "parameter of the channel path";
        SMF73GEN 73/1 Count "generation of the type";
        SMF73EIX 74/2 Count "which extended section it has, where FG4 has 02";
        SMF73SPD 76/2 Count "speed: bits a second over 10 to the power in SMF73MSC; with power 0, units of 100 Mb/s";
        SMF73MSC 78/1 Flags "0F the power of ten of the speed";
    }
}

/// SMF73CM1: data of measurement group 1, from offset 24 of the channel path's section on.
pub mod smf73cm1 {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "SMF73CM1" 73/1 "Channel path, measurement group 1", 8, GATHERER;
        SMF73TUT 0/4 HexFloat "busy time of all partitions, units of 128 us";
        SMF73PUT 4/4 HexFloat "busy time of the partition, units of 128 us";
    }
}

/// SMF73CM2: data of measurement group 2 (FICON), from offset 24 of the channel path's section on.
pub mod smf73cm2 {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "SMF73CM2" 73/1 "Channel path, measurement group 2", 48, GATHERER;
        SMF73MBC 0/4 HexFloat "most bus cycles a second";
        SMF73MCU 4/4 HexFloat "most work units of the channel a second";
        SMF73MWU 8/4 HexFloat "most data units written a second";
        SMF73MRU 12/4 HexFloat "most data units read a second";
        SMF73US 16/4 HexFloat "bytes of a data unit";
        SMF73TBC 20/4 HexFloat "bus cycles of all partitions";
        SMF73TUC 24/4 HexFloat "work units of all partitions";
        SMF73PUC 28/4 HexFloat "work units of the partition";
        SMF73TWU 32/4 HexFloat "data units written by all partitions";
        SMF73PWU 36/4 HexFloat "data units written by the partition";
        SMF73TRU 40/4 HexFloat "data units read by all partitions";
        SMF73PRU 44/4 HexFloat "data units read by the partition";
    }
}

//! Record 74 subtype 1: devices.

/// SMF74A: device control section.
pub mod smf74ctl {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "SMF74A" 74/1 "Device control", 110, GATHERER;
        SMF74NXT 0/2 Count "devices in the records of the class after this one";
        SMF74TOT 2/2 Count "devices in all records of the class";
        SMF74GEN 4/2 Count "devices that were generated, of all classes";
        SMF74SUB 6/2 Hex "class of the devices: 0020 disks, 0080 tapes";
        SMF74DCF 8/1 Flags "of the report about disks: 80 two areas, 40 sorted by storage group";
        SMF74DMS 9/1 Flags "messages: 80 SMS is not available, 40 error of its interface";
        SMF74ENF 10/1 Flags "80 extended measurement blocks, 40 model-dependent data not available, 20 command response time valid, 10 interrupt delay measured";
        SMF74SMF 11/1 Flags "80 more logical records of the class follow";
        SMF74S15 12/4 Count "register 15 after the call of the interface of SMS";
        SMF74SRC 16/4 Count "its return code";
        SMF74SRS 20/4 Count "its reason code";
        SMF74TSR 24/2 Count "small records that were written in the interval";
        SMF74CFL 26/1 Flags "configuration: 80 changed, 40 changed since IPL, 20 IPL with an IODF, 10 token valid";
        SMF74LSN 27/1 Count "number of this logical record of the class";
        SMF74TNM 30/44 Text "name of the IODF";
        SMF74TSF 74/2 Text "suffix of its name";
        SMF74TDT 78/8 Text "its date of creation, mm/dd/yy";
        SMF74TTM 86/8 Text "its time of creation, hh.mm.ss";
        SMF74MCT 96/4 Count "most tape devices that were allocated";
        SMF74TDY 100/10 Text "date of creation of the IODF, mm/dd/yyyy";
    }
}

/// SMF74B: device data section.
pub mod smf74dev {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "SMF74B" 74/1 "Device", 300, GATHERER;
        SMF74NUM 0/2 Hex "device number";
        SMF74LCU 2/2 Hex "logical control unit";
        SMF74CNF 5/1 Flags "40 no data of its logical control unit, 20 data invalid, 10 deleted. 08 partial data, 02 data invalid since it was varied, 01 online at the end";
        SMF74SER 6/6 Text "volume";
        SMF74TYP 12/4 Hex "unit type";
        SMF74NUX 16/4 Count "exposures of a parallel access volume; of a HyperPAV base the accumulated number of its aliases";
        SMF74SSC 20/4 Count "starts: SSCH and RSSCH";
        SMF74MEC 24/4 Count "starts of which times were stored";
        SMF74CNN 28/4 Ticks "connect time";
        SMF74PEN 32/4 Ticks "pending time";
        SMF74ATV 36/4 Ticks "active time";
        SMF74DIS 40/4 Ticks "disconnect time";
        SMF74QUE 44/4 Count "requests that were queued in IOS, over the samples";
        SMF74UTL 48/4 Count "samples in which the device was reserved and not started";
        SMF74RSV 52/4 Count "samples in which the device was reserved";
        SMF74ALC 60/4 Count "samples in which it was allocated";
        SMF74MTP 64/4 Count "samples in which a mount was pending";
        SMF74NRD 68/4 Count "samples in which it was not ready";
        SMF74COF 72/2 Count "requests whose connect time overflowed";
        SMF74DVB 76/4 Ticks "device busy delay: the device was reserved elsewhere";
        SMF74CLF 84/1 Flags "80 number option, 40 storage group option, 20 storage group changed. 10 mount open at the start, 08 at the end, 02 CTC with its own protocol";
        SMF74SGN 88/8 Text "storage group";
        SMF74NDA 96/4 Count "allocations in effect, over the samples";
        SMF74DEV 100/8 Text "name of the device: its model";
        SMF74CU 108/8 Text "name of the control unit: its model";
        SMF74CNX 120/1 Flags "80 changed dynamically, 40 disconnect time invalid, 20 base of a parallel access volume. 10 its number of aliases changed, 08 no timing, 04 connect time invalid, 02 HyperPAV, 01 FICON";
        SMF74CN2 121/1 Flags "80 HyperWrite, 40 SuperPAV, 20 synchronous reads, 10 synchronous writes";
        SMF74MTC 122/2 Count "mounts";
        SMF74DTS 124/1 Flags "80 the device describes itself, 40 it does not, and its number follows, 10 next bit valid, 08 shared by systems";
        SMF74NDN 125/4 Text "device number, where DTS has 40";
        SMF74HPC 153/1 Count "HyperPAV aliases configured for the logical subsystem";
        SMF74NSS 154/2 Count "samples that were omitted, since a counter had moved too far";
        SMF74PSM 156/4 Count "samples of aliases that succeeded";
        SMF74PCT 160/4 Count "samples of aliases that failed";
        SMF74CMR 164/4 Ticks "initial command response time, a part of the pending time";
        SMF74CAP 168/4 Count "capacity, cylinders";
        SMF74IDT 172/4 Count "interrupt delay; its unit is unknown: us in one document, 128 us in another; 0 where it is not measured";
        SMF74CUQ 176/4 Count "control unit queuing time; its unit is unknown";
        SMF74SCS 181/1 Hex "subchannel set";
        SMF74NM2 182/2 Hex "device number";
        SMF74ATD 184/4 Count "I/Os that were delayed by throttling of aliases";
        SMF74AGC 191/1 Count "alias management group on the controller, where CN2 has 40";
        SMF74AGS 192/4 Count "alias management group that z/OS gave, where CN2 has 40";
        SMF74IOS 296/4 HexFloat "IOS queue time, us; of one I/O or of all is unknown";
    }
}

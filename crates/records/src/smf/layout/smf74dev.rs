//! SMF74B: device data section of record 74 subtype 1.

use crate::binary::layout;

layout! {
    "SMF74B" 74/1 "Device", 300, Partly, "z/OS MVS System Management Facilities, record type 74 subtype 1: Device Data Section up to offset 51; from there on z/OS Data Gatherer, SMF Data REST Services 3.1, of whose fields these are used";
    SMF74NUM 0/2 Hex "device number";
    SMF74LCU 2/2 Hex "logical control unit";
    SMF74CNF 5/1 Flags "40 no data of its logical control unit, 20 data invalid, 10 deleted, 08 partial data, 02 varied, 01 online at the end";
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
    SMF74CNX 120/1 Flags "20 base of a parallel access volume, 10 its number of aliases changed, 04 connect time invalid, 02 HyperPAV, 01 FICON";
    SMF74HPC 153/1 Count "HyperPAV aliases configured for the logical subsystem";
}

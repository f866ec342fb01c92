//! R725ENTD: GRS ENQ data section of record 72 subtype 5, one for each of the address spaces that were suspended longest.

use crate::binary::layout;

layout! {
    "R725ENTD" 72/5 "GRS ENQ of an address space", 80, Confirmed, "z/OS MVS System Management Facilities, record type 72 subtype 5: GRS ENQ data section, and the order and lengths of its field list";
    R725ENJN 0/8 Text "job";
    R725ENSP 11/1 Count "period of the service class";
    R725ENAS 12/2 Hex "address space";
    R725ENST 16/8 Hex "token of the address space";
    R725ENSN 24/8 Text "service class";
    R725ENSC 32/1 Count "scope: 1 STEP, 2 SYSTEM, 3 SYSTEMS";
    R725ENRC 40/8 Count "requests";
    R725ENSU 48/8 Count "those that were suspended";
    R725ENTI 56/8 Millis "time suspended";
    R725ENSQ 64/16 Bytes "sum of its squares";
}

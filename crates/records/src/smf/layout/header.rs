//! SMFHDR: the standard header of an SMF record with subtypes, and the triplets that RMF adds to it.

use crate::binary::layout;

layout! {
    "SMFHDR" 0/0 "Standard header, and number of triplets in records of RMF", 28, Published, "z/OS MVS System Management Facilities, Standard SMF record header; Header/self-defining section of type 74";
    SMFLEN 0/2 Count "length of the record, descriptor word included";
    SMFSEG 2/2 Flags "segment: 0 where the record is whole";
    SMFFLG 4/1 Flags "80 new format, 40 subtypes; 10, 08, 04, 02 version of the system; 01 PR/SM mode";
    SMFRTY 5/1 Count "record type";
    SMFTME 6/4 Count "hundredths of a second since local midnight when the record was written";
    SMFDTE 10/4 Packed "local date then, 0cyydddF";
    SMFSID 14/4 Text "system";
    SMFSSI 18/4 Text "subsystem: RMF";
    SMFSTY 22/2 Count "subtype";
    SMFTRN 24/2 Count "number of triplets";
}

//! SMFxxRHD and SMFxxRBL: the reassembly area of a record that RMF split.

/// SMFxxRHD: which part of how many a record is.
pub mod area {
    use crate::binary::layout;

    layout! {
        "SMFxxRHD" 0/0 "Reassembly area", 16, Packed, "order and lengths of the field list of the RMF product section";
        SMFRBR 0/2 Count "parts that the original record was split into";
        SMFRSQ 2/2 Count "number of this part, from 1";
        SMFRIO 4/4 Count "offset of the first reassembly block; ASSUME from the start of this area";
        SMFRIL 8/2 Count "length of a block";
        SMFRIN 10/2 Count "number of blocks; ASSUME one for each triplet of the record, in their order, with or without that of the product section";
    }
}

/// SMFxxRBL: what a part has of one kind of section.
pub mod block {
    use crate::binary::layout;

    layout! {
        "SMFxxRBL" 0/0 "Reassembly block", 4, Packed, "order and lengths of the field list of the RMF product section";
        SMFRNN 0/2 Count "sections of the kind in the original record";
        SMFRPP 2/2 Count "position of the first of them in this part, from 1";
    }
}

//! MRIODHPP, domain 6 record 28: hyperPAV pool activity.

use crate::binary::layout;

layout! {
    "MRIODHPP" 6/28 "HyperPAV pool activity", 48, Confirmed, "packed from the z/VM 5.3 field list; length as on IBM's pages of 6.1 and 6.3. From 6.4 on the record has 72 bytes, and their tail is unknown";
    HPPOOLNM 20/2 Count "number of the pool";
    HPPTOKEN 22/2 Count "token of the pool";
    HPPNBASE 24/4 Count "bases of the pool";
    HPPNALIS 28/4 Count "aliases of the pool";
    HPPTRIES 32/4 Count "visits of CP to the pool's free queue";
    HPPFAILS 36/4 Count "visits that found no alias free";
    HPPMINCT 40/4 Count "fewest free aliases since the last record";
    HPPMAXCT 44/4 Count "most free aliases since the last record";
}

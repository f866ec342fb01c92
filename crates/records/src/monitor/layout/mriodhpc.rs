//! MRIODHPC, domain 6 record 29: hyperPAV pool created.

use crate::binary::layout;

layout! {
    "MRIODHPC" 6/29 "HyperPAV pool created", 28, Confirmed, "packed from the z/VM 5.3 field list; length as on IBM's pages of 5.3, 6.3 and 6.4";
    HPPOOLNM 20/2 Count "number of the pool";
    HPPTOKEN 22/2 Count "token of the pool";
}

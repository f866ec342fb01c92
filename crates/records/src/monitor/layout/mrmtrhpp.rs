//! MRMTRHPP, domain 1 record 20: hyperPAV pool definition.

use crate::binary::layout;

layout! {
    "MRMTRHPP" 1/20 "HyperPAV pool definition", 24, Confirmed, "packed from the z/VM 5.3 field list; length as on IBM's pages of 5.4 and 6.2";
    HPPOOLNM 20/2 Count "number of the pool";
    HPPTOKEN 22/2 Count "token of the pool";
}

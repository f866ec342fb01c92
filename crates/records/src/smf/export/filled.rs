//! Which fields the records that are written have, and which are zero.

use crate::binary::{Field, Layout};
use crate::smf::layout::{
    header, product, r725sctl, r783ds, r783hpav, smf70bct, smf70bpd, smf70cis, smf70cpu, smf70ctl, smf74ctl, smf74dev,
    smf77enq,
};

/// The sections that are written, each with the fields that are filled where the interval knows them.
pub static FILLED: &[(&Layout, &[Field])] = &[
    (&header::LAYOUT, {
        use header::*;
        &[SMFLEN, SMFFLG, SMFRTY, SMFTME, SMFDTE, SMFSID, SMFSSI, SMFSTY, SMFTRN]
    }),
    (&product::LAYOUT, {
        use product::*;
        &[SMFPRD, SMFIST, SMFDAT, SMFINT, SMFSAM, SMFCYC, SMFPTN, SMFSNM]
    }),
    (&smf70ctl::LAYOUT, &[smf70ctl::SMF70BNP, smf70ctl::SMF70INB, smf70ctl::SMF70DSA]),
    (&smf70cpu::LAYOUT, {
        use smf70cpu::*;
        &[SMF70WAT, SMF70CID, SMF70CNF, SMF70SLH, SMF70TPI]
    }),
    (&smf70bct::LAYOUT, {
        use smf70bct::*;
        &[SMF70LPM, SMF70LPN, SMF70PFG, SMF70BDN, SMF70BDS]
    }),
    (&smf70bpd::LAYOUT, {
        use smf70bpd::*;
        &[SMF70PDT, SMF70VPA, SMF70BPS, SMF70VPF, SMF70CIX, SMF70EDT, SMF70ONT, SMF70WST]
    }),
    (&smf70cis::LAYOUT, &[smf70cis::SMF70CIN, smf70cis::SMF70CTN, smf70cis::SMF70CAN]),
    (&smf74ctl::LAYOUT, {
        use smf74ctl::*;
        &[SMF74NXT, SMF74TOT, SMF74SUB, SMF74ENF]
    }),
    (&smf74dev::LAYOUT, {
        use smf74dev::*;
        &[
            SMF74NUM, SMF74LCU, SMF74CNF, SMF74SER, SMF74NUX, SMF74SSC, SMF74MEC, SMF74CNN, SMF74PEN, SMF74ATV,
            SMF74DIS, SMF74QUE, SMF74RSV, SMF74DVB, SMF74CNX, SMF74HPC, SMF74PSM, SMF74CMR, SMF74SCS, SMF74NM2,
        ]
    }),
    (&smf77enq::LAYOUT, {
        use smf77enq::*;
        &[
            SMF77QNM, SMF77RNM, SMF77WTM, SMF77WTX, SMF77WTT, SMF77QL1, SMF77QL2, SMF77QL3, SMF77QL4, SMF77EXX,
            SMF77SHX, SMF77EVT, SMF77RLN, SMF77DFG,
        ]
    }),
    (&r783ds::LAYOUT, &[r783ds::R783ID2, r783ds::R783DST]),
    (&r783hpav::LAYOUT, {
        use r783hpav::*;
        &[R783HLCU, R783HCU, R783HNAI, R783HTIO, R783HAIU, R783XANC, R783XAUC]
    }),
    (&r725sctl::LAYOUT, {
        use r725sctl::*;
        &[R725SEDS, R725SEDT, R725SSTR, R725SSYR, R725SSSR]
    }),
];

/// The fields of these sections that are always zero.
pub fn zero() -> impl Iterator<Item = (&'static Layout, &'static Field)> {
    FILLED.iter().flat_map(|(layout, filled)| {
        layout.fields.iter().filter(|field| !filled.contains(field)).map(move |field| (*layout, field))
    })
}

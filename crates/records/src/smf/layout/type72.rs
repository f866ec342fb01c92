//! Record 72 subtype 5: serialization delay.

/// R725SCTL: serialization control section.
pub mod r725sctl {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "R725SCTL" 72/5 "Serialization control", 384, GATHERER;
        R725SGMO 0/1 Count "mode of GRS: 0 none, 1 ring, 2 star";
        R725SCMS 16/8 Count "suspensions for the CMS lock";
        R725SCMA 24/8 Count "those that found others waiting";
        R725SCMT 32/8 Millis "time suspended for it";
        R725SEDS 48/8 Count "suspensions for the CMS Enqueue/Dequeue lock";
        R725SEDA 56/8 Count "those that found others waiting";
        R725SEDT 64/8 Millis "time suspended for it";
        R725SLAS 80/8 Count "suspensions for the CMS latch lock";
        R725SLAA 88/8 Count "those that found others waiting";
        R725SLAT 96/8 Millis "time suspended for it";
        R725SSMS 112/8 Count "suspensions for the CMS SMF lock";
        R725SSMA 120/8 Count "those that found others waiting";
        R725SSMT 128/8 Millis "time suspended for it";
        R725SLOS 144/8 Count "suspensions for local locks";
        R725SLOA 152/8 Count "those that found others waiting";
        R725SLOT 160/8 Millis "time suspended for them";
        R725SCLS 176/8 Count "suspensions for local locks of other address spaces (CML)";
        R725SCLA 184/8 Count "those that found others waiting";
        R725SCLT 192/8 Millis "time suspended for them";
        R725SLRS 208/8 Count "requests for latches that were suspended";
        R725SLRT 216/8 Millis "time suspended for them";
        R725SLRQ 224/16 Bytes "sum of its squares";
        R725SSTR 240/8 Count "requests of ENQ with SCOPE=STEP";
        R725SSTS 248/8 Count "those that were suspended";
        R725SSTT 256/8 Millis "time in contention for them";
        R725SSTQ 272/16 Bytes "sum of its squares";
        R725SSYR 288/8 Count "requests of ENQ with SCOPE=SYSTEM";
        R725SSYS 296/8 Count "those that were suspended";
        R725SSYT 304/8 Millis "time in contention for them";
        R725SSYQ 320/16 Bytes "sum of its squares";
        R725SSSR 336/8 Count "requests of ENQ with SCOPE=SYSTEMS";
        R725SSSS 344/8 Count "those that were suspended";
        R725SSST 352/8 Millis "time in contention for them";
        R725SSSQ 368/16 Bytes "sum of its squares";
    }
}

/// R725ENTD: GRS ENQ data section, one for each of the address spaces that were suspended longest.
pub mod r725entd {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "R725ENTD" 72/5 "GRS ENQ of an address space", 80, GATHERER;
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
}

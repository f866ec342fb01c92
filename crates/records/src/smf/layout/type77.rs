//! Record 77 subtype 1: resources in contention.

/// SMF77CTL: enqueue control section.
pub mod smf77ctl {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "SMF77CTL" 77/1 "Enqueue control", 2, GATHERER;
        SMF77FG1 0/1 Flags "80 table full, 40 resource without contention, 20 bad clock, 10 abend. 08 detail asked for, 04 GRS=NONE, 02 star, 01 the two bits before are valid";
        SMF77RF2 1/1 Flags "80 problem of GRS, 40 problem of its interface";
    }
}

/// SMF77ENQ: enqueue data section.
pub mod smf77enq {
    use crate::binary::layout;
    use crate::smf::layout::sources::GATHERER;

    layout! {
        "SMF77ENQ" 77/1 "Resource in contention", 168, GATHERER;
        SMF77QNM 0/8 Text "major name";
        SMF77RNM 8/44 Text "minor name";
        SMF77WTM 52/4 Millis1024 "shortest time in contention";
        SMF77WTX 56/4 Millis1024 "longest time in contention";
        SMF77WTT 60/4 Millis1024 "time in contention";
        SMF77QL1 66/2 Count "count with one request waiting";
        SMF77QL2 68/2 Count "count with two";
        SMF77QL3 70/2 Count "count with three";
        SMF77QL4 72/2 Count "count with four or more";
        SMF77EXM 76/2 Count "fewest that waited for exclusive use";
        SMF77EXX 78/2 Count "most that waited for exclusive use";
        SMF77SHM 80/2 Count "fewest that waited for shared use";
        SMF77SHX 82/2 Count "most that waited for shared use";
        SMF77EVT 84/2 Count "times in contention";
        SMF77RLN 86/1 Count "length of the minor name";
        SMF77DFG 87/1 Flags "80 still in contention, 40 scope SYSTEMS, 20 owner exclusive, 10 first waiter exclusive, 08 second waiter exclusive, 04 global";
        SMF77DOW 88/2 Count "owners at the worst contention";
        SMF77DWR 90/2 Count "jobs that waited then";
        SMF77DO1 92/8 Text "first owner";
        SMF77DO2 100/8 Text "second owner";
        SMF77DW1 108/8 Text "first that waited";
        SMF77DW2 116/8 Text "second that waited";
        SMF77SY1 124/8 Text "system of the first owner";
        SMF77SY2 132/8 Text "system of the second owner";
        SMF77SY3 140/8 Text "system of the first that waited";
        SMF77SY4 148/8 Text "system of the second that waited";
        SMF77AQL 156/4 Count "requests that waited";
        SMF77CSC 160/4 Count "changes of the contention";
        SMF77NOD 164/4 Count "those of them without detail";
    }
}

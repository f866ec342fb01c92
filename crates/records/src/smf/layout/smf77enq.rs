//! SMF77ENQ: enqueue data section of record 77 subtype 1, as far as offsets were found: owners and waiters are known by name.

use crate::binary::layout;

layout! {
    "SMF77ENQ" 77/1 "Resource in contention", 88, Published, "z/OS MVS System Management Facilities, record type 77: Enqueue Data Section up to offset 87; the section is longer";
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
}

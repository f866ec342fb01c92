//! Record 87 subtype 2: ENQ and DEQ, one by one, as GRS monitors them.

/// Where the sections of the record are: the first section of each kind belongs to the first of the other.
pub mod smf87hdr {
    use crate::binary::layout;
    use crate::smf::layout::sources::GRS87RPT;

    layout! {
        "SMF87HDR" 87/2 "Places of the sections of requests and of resources", 44, GRS87RPT;
        SMF87DEF_REQ_OFF 28/4 Count "offset of the first request from the record descriptor word";
        SMF87DEF_REQ_LEN 32/2 Count "length of a request";
        SMF87DEF_REQ_NUM 34/2 Count "number of requests";
        SMF87DEF_DATA_OFF 36/4 Count "offset of the first resource from the record descriptor word";
        SMF87DEF_DATA_LEN 40/2 Count "length of a resource";
        SMF87DEF_DATA_NUM 42/2 Count "number of resources";
    }
}

/// The request of an ENQ or DEQ.
pub mod smf87req {
    use crate::binary::layout;
    use crate::smf::layout::sources::GRS87RPT;

    layout! {
        "SMF87REQ" 87/2 "Request of ENQ or DEQ", 92, GRS87RPT;
        SMF87REQ_ASID 28/2 Hex "address space";
        SMF87REQ_TCB 32/4 Hex "task";
        SMF87REQ_JOB 36/8 Text "job";
        SMF87REQ_TIMESTART 45/8 Clock "when it started: bytes 1 to 8 of an extended TOD clock";
        SMF87REQ_TIMECOMP 61/8 Clock "when it was complete: bytes 1 to 8 of an extended TOD clock";
        SMF87REQ_RC 76/4 Hex "return code";
        SMF87REQ_RSN 80/4 Hex "reason code";
        SMF87REQ_PSW 84/8 Hex "PSW of the caller";
    }
}

/// The resource of a request: the section of the same position.
pub mod smf87data {
    use crate::binary::layout;
    use crate::smf::layout::sources::GRS87RPT;

    layout! {
        "SMF87DATA" 87/2 "Resource of a request", 36, GRS87RPT;
        SMF87DATA_FL1 12/1 Flags "unknown";
        SMF87DATA_FL2 13/1 Flags "08 obtain, else release; 20 shared, else exclusive";
        SMF87DATA_SCOPE 14/1 Count "scope: 1 STEP, 2 SYSTEM, 3 SYSTEMS";
        SMF87DATA_RNAMELEN 15/1 Count "length of the minor name, which starts at offset 36";
        SMF87DATA_REQTYPE 16/1 Count "type of the request: 0 NONE, 2 RET=HAVE, 7 TEST";
        SMF87DATA_QNAME 28/8 Text "major name";
    }
}

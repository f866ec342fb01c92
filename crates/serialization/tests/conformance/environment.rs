//! The environments in which the service may be called, and the callers that may use each name.

use super::harness::{CALLER, Exclusive, Harness, SYSTEM, enq, task};
use serialization::service::{Abend, Authority, Caller, Deq, DeqOutcome, Enq, EnqOutcome, Locks, Memory};
use serialization::{DeqRet, Linkage, ResourceName, Ret, Scope};

fn outcome(caller: Caller, qname: &str) -> EnqOutcome {
    let name = ResourceName::new(qname.as_bytes(), b"R").expect("a name");
    Harness::new().ask(&Enq { caller, ..enq(&name, task(1), Exclusive, Ret::Use) })
}

const REFUSED: EnqOutcome = EnqOutcome::Abend(Abend::Environment);

/// Authorized Assembler Services Reference, DEQ, Cross memory mode: LINKAGE=SVC takes PASN = HASN = SASN.
#[test]
fn the_supervisor_call_is_for_those_at_home() {
    assert_eq!(outcome(CALLER, "Q"), EnqOutcome::Granted);
    assert_eq!(outcome(Caller { memory: Memory::Cross, ..CALLER }, "Q"), REFUSED);
}

/// The same: LINKAGE=SYSTEM takes any.
#[test]
fn the_program_call_is_for_those_in_cross_memory_mode_too() {
    for memory in [Memory::Home, Memory::Cross] {
        assert_eq!(outcome(Caller { linkage: Linkage::Pc, memory, ..CALLER }, "Q"), EnqOutcome::Granted);
    }
}

/// The same, Locks: none held.
#[test]
fn no_task_calls_with_a_lock_held() {
    for linkage in Linkage::ALL {
        for memory in [Memory::Home, Memory::Cross] {
            let caller = Caller { linkage, memory, locks: Locks::Held, authority: Authority::Authorized };
            assert_eq!(outcome(caller, "Q"), REFUSED, "{linkage:?} {memory:?}");
        }
    }
}

/// A DEQ has the same doors.
#[test]
fn a_release_is_refused_from_the_same_places() {
    let mut harness = Harness::new();
    let name = ResourceName::new(b"Q", b"R").expect("a name");
    let caller = Caller { memory: Memory::Cross, ..CALLER };
    let ask = Deq { name: &name, scope: Scope::Systems, ret: DeqRet::Have, by: task(1), caller };
    assert_eq!(harness.give_back(&ask), DeqOutcome::Abend(Abend::Environment));
}

/// ENQ, minimum authorization: some qnames are for authorized programs; System Codes, 338.
#[test]
fn some_qnames_are_for_authorized_programs() {
    for qname in ["SYSDSN", "SYSVTOC", "SYSZ", "SYSZRAC"] {
        assert_eq!(outcome(CALLER, qname), EnqOutcome::Abend(Abend::QnameEnq), "{qname}");
        assert_eq!(outcome(SYSTEM, qname), EnqOutcome::Granted, "{qname}");
    }
    assert_eq!(outcome(CALLER, "SYSDSN2"), EnqOutcome::Granted);
}

/// DEQ, minimum authorization; System Codes, 330.
#[test]
fn they_are_so_for_a_release() {
    let mut harness = Harness::new();
    let name = ResourceName::new(b"SYSDSN", b"R").expect("a name");
    harness.ask(&Enq { caller: SYSTEM, ..enq(&name, task(1), Exclusive, Ret::None) });
    let ask = Deq { name: &name, scope: Scope::Systems, ret: DeqRet::Have, by: task(1), caller: CALLER };
    assert_eq!(harness.give_back(&ask), DeqOutcome::Abend(Abend::QnameDeq));
}

//! Many requests of ENQ and DEQ in one call: columns of numbers in, columns of numbers out.

use crate::problems::input_error;
use crate::serialization::{From, Named, called, named};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serialization::service::{Caller, Deq, DeqOutcome, Effect, Enq, EnqOutcome, Outbox, Service};
use serialization::{Access, DeqRet, Requester, Reserve, ResourceName, Ret, Scope};

/// The bytes of the columns of requests, in the order of bytes of this machine.
///
/// Verb has 8 bits, place of the resource 32, system and space 16, task 32, access and ret 8. Volume, or -1, has 64.
/// A column of one row is the same for every request; the verbs say how many there are.
pub(crate) type Columns<'a> = (&'a [u8], &'a [u8], &'a [u8], &'a [u8], &'a [u8], &'a [u8], &'a [u8], &'a [u8]);

/// Word, return code and completion code of a request.
type Outcome = (&'static str, Option<u8>, Option<u16>);

/// An effect: the request it followed, kind, system, space, task, volume, waiters, and the word of `ret`.
type EffectRow =
    (u32, &'static str, Option<u16>, Option<u16>, Option<u32>, Option<u32>, Option<u32>, Option<&'static str>);

/// The place of each request's outcome among the outcomes, these, and the effects in their order.
pub(crate) type Answers<'py> = (Bound<'py, PyBytes>, Vec<Outcome>, Vec<EffectRow>);

/// The verb of a DEQ; access and ret are places in the engine's lists of them.
const DEQ: u8 = 1;

/// The outcomes seen so far, which are few, and the place of each request's among them.
#[derive(Default)]
struct Outcomes {
    seen: Vec<Outcome>,
    places: Vec<u8>,
}

impl Outcomes {
    fn push(&mut self, outcome: Outcome) {
        let (word, return_code, abend) = outcome;
        // The same word is nearly always at the same address, so that its characters need not be compared.
        let same = |known: &str| std::ptr::eq(known, word) || known == word;
        let known = self.seen.iter().position(|known| (known.1, known.2) == (return_code, abend) && same(known.0));
        let place = known.unwrap_or_else(|| {
            self.seen.push(outcome);
            self.seen.len() - 1
        });
        self.places.push(u8::try_from(place).expect("some thirty outcomes"));
    }
}

/// Carry out requests in the order of their rows, all from one environment.
///
/// Raises `InputError` with everything that is no resource, `ValueError` for columns of unequal length or for numbers
/// that name nothing.
pub(crate) fn carry_out<'py>(
    py: Python<'py>,
    service: &mut Service,
    resources: &[Named],
    from: &From,
    columns: Columns<'_>,
) -> PyResult<Answers<'py>> {
    let (names, caller) = read(py, resources, from)?;
    let (verbs, accesses, rets) = (columns.0, columns.5, columns.6);
    let (places, tasks, volumes) = (columns.1.as_chunks().0, columns.4.as_chunks().0, columns.7.as_chunks().0);
    let (systems, spaces) = (columns.2.as_chunks().0, columns.3.as_chunks().0);
    let lengths = [places.len(), systems.len(), spaces.len(), tasks.len(), accesses.len(), rets.len(), volumes.len()];
    if lengths.iter().any(|&length| length != verbs.len() && length != 1) {
        return Err(PyValueError::new_err("the columns are not of one length"));
    }
    let (mut outcomes, mut effects, mut outbox) = (Outcomes::default(), Vec::new(), Outbox::new());
    outcomes.places.reserve_exact(verbs.len());
    for (row, &verb) in verbs.iter().enumerate() {
        let (name, scope) =
            names.get(u32::from_ne_bytes(at(places, row)) as usize).ok_or_else(|| nothing("resource", row))?;
        let (system, space) = (u16::from_ne_bytes(at(systems, row)), u16::from_ne_bytes(at(spaces, row)));
        let by = Requester { system, space, task: u32::from_ne_bytes(at(tasks, row)) };
        let ret = *Ret::ALL.get(usize::from(at(rets, row))).ok_or_else(|| nothing("ret", row))?;
        let outcome = if verb == DEQ {
            let ret = match ret {
                Ret::None => DeqRet::None,
                Ret::Have => DeqRet::Have,
                Ret::Test | Ret::Use | Ret::Change => return Err(nothing("ret", row)),
            };
            let outcome = service.deq(&Deq { name, scope: *scope, ret, by, caller }, &mut outbox);
            let abend = if let DeqOutcome::Abend(abend) = outcome { Some(abend.code()) } else { None };
            (outcome.word(), outcome.return_code(), abend)
        } else {
            let access = *Access::ALL.get(usize::from(at(accesses, row))).ok_or_else(|| nothing("access", row))?;
            let reserve = u32::try_from(i64::from_ne_bytes(at(volumes, row))).ok().map(|volume| Reserve { volume });
            let outcome = service.enq(&Enq { name, scope: *scope, access, ret, reserve, by, caller }, &mut outbox);
            let abend = if let EnqOutcome::Abend(abend) = outcome { Some(abend.code()) } else { None };
            (outcome.word(), outcome.return_code(), abend)
        };
        outcomes.push(outcome);
        effects.extend(outbox.effects().iter().map(|&effect| effect_row(row, effect)));
        outbox.clear();
    }
    Ok((PyBytes::new(py, &outcomes.places), outcomes.seen, effects))
}

/// A column at a row.
fn at<T: Copy>(column: &[T], row: usize) -> T {
    if let [same] = column { *same } else { column[row] }
}

/// The resources and the environment that requests are about; raises `InputError` with all that is wrong.
fn read(py: Python<'_>, resources: &[Named], from: &From) -> PyResult<(Vec<(ResourceName, Scope)>, Caller)> {
    let mut problems = Vec::new();
    let names: Vec<_> = resources
        .iter()
        .filter_map(|resource| {
            let (name, scope) = named(resource, &mut problems);
            name.zip(scope)
        })
        .collect();
    let caller = called(from, &mut problems);
    caller.filter(|_| problems.is_empty()).map(|caller| (names, caller)).ok_or_else(|| input_error(py, &problems))
}

fn nothing(column: &str, row: usize) -> PyErr {
    PyValueError::new_err(format!("row {row} of {column} names nothing"))
}

fn effect_row(row: usize, effect: Effect) -> EffectRow {
    let row = u32::try_from(row).expect("requests are counted in 32 bits");
    match effect {
        Effect::Granted { by, .. } => {
            (row, "granted", Some(by.system), Some(by.space), Some(by.task), None, None, None)
        }
        Effect::ReserveVolume { system, volume } => {
            (row, "reserve volume", Some(system), None, None, Some(volume), None, None)
        }
        Effect::ReleaseVolume { system, volume } => {
            (row, "release volume", Some(system), None, None, Some(volume), None, None)
        }
        Effect::Contention { waiters, .. } => (row, "contention", None, None, None, None, Some(waiters), None),
        Effect::NoWait { by, ret, .. } => {
            (row, "no wait", Some(by.system), Some(by.space), Some(by.task), None, None, Some(ret.word()))
        }
    }
}

//! The service of ENQ, DEQ and RESERVE: requests in words and numbers, their outcomes, owners and waiters.

use crate::batch::{Answers, Columns, carry_out};
use crate::problems::input_error;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use serialization::service::{
    Authority, Caller, Deq, DeqOutcome, Effect, Enq, EnqOutcome, Filter, Limits, Locks, Memory, Outbox, Queue, Reach,
    ResourceId, Service, Standing,
};
use serialization::{Access, DeqRet, Linkage, Requester, Reserve, ResourceName, Ret, Scope};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use units::Problem;

/// System, address space, task.
pub(crate) type By = (u16, u16, u32);

/// Linkage, cross-memory mode, locked, authorized.
pub(crate) type From = (String, bool, bool, bool);

/// The requester, and its environment.
pub(crate) type Who = (By, From);

/// Qname, rname, scope.
pub(crate) type Named = (Vec<u8>, Vec<u8>, String);

/// Word, return code, completion code, effects.
type Answer<'py> = (&'static str, Option<u8>, Option<u16>, Bound<'py, PyList>);

/// All resources that are asked for, by all systems that share names.
#[pyclass(module = "slicewright._core")]
pub struct Serialization {
    service: Service,
    outbox: Outbox,
}

#[pymethods]
impl Serialization {
    #[new]
    fn new(unauthorized: u32, authorized: u32) -> Self {
        Serialization { service: Service::new(Limits { unauthorized, authorized }), outbox: Outbox::new() }
    }

    /// Carry out an ENQ or, with a volume, a RESERVE; raises `InputError` with everything that is no request.
    fn enq<'py>(
        &mut self,
        py: Python<'py>,
        who: Who,
        resource: Named,
        asked: (String, String, Option<u32>),
    ) -> PyResult<Answer<'py>> {
        let mut problems = Vec::new();
        let (name, scope) = named(&resource, &mut problems);
        let access = kept(Access::read(&asked.0), &mut problems);
        let ret = kept(Ret::read(&asked.1), &mut problems);
        let caller = called(&who.1, &mut problems);
        let (Some(name), Some(scope), Some(access), Some(ret), Some(caller)) = (name, scope, access, ret, caller)
        else {
            return Err(input_error(py, &problems));
        };
        let reserve = asked.2.map(|volume| Reserve { volume });
        self.outbox.clear();
        let ask = Enq { name: &name, scope, access, ret, reserve, by: requester(who.0), caller };
        let outcome = self.service.enq(&ask, &mut self.outbox);
        let abend = if let EnqOutcome::Abend(abend) = outcome { Some(abend.code()) } else { None };
        Ok((outcome.word(), outcome.return_code(), abend, effect_rows(py, &self.service, &self.outbox)?))
    }

    /// Carry out a DEQ; raises `InputError` with everything that is no request.
    fn deq<'py>(&mut self, py: Python<'py>, who: Who, resource: Named, ret: &str) -> PyResult<Answer<'py>> {
        let mut problems = Vec::new();
        let (name, scope) = named(&resource, &mut problems);
        let ret = kept(DeqRet::read(ret), &mut problems);
        let caller = called(&who.1, &mut problems);
        let (Some(name), Some(scope), Some(ret), Some(caller)) = (name, scope, ret, caller) else {
            return Err(input_error(py, &problems));
        };
        self.outbox.clear();
        let outcome =
            self.service.deq(&Deq { name: &name, scope, ret, by: requester(who.0), caller }, &mut self.outbox);
        let abend = if let DeqOutcome::Abend(abend) = outcome { Some(abend.code()) } else { None };
        Ok((outcome.word(), outcome.return_code(), abend, effect_rows(py, &self.service, &self.outbox)?))
    }

    /// Carry out many requests from one environment: the place of each one's outcome, the outcomes, the effects.
    fn batch<'py>(
        &mut self,
        py: Python<'py>,
        resources: Vec<Named>,
        caller: From,
        columns: Columns<'_>,
    ) -> PyResult<Answers<'py>> {
        carry_out(py, &mut self.service, &resources, &caller, columns)
    }

    /// Release everything of a task: how many requests, and the effects.
    fn end_task<'py>(&mut self, py: Python<'py>, by: By) -> PyResult<(u32, Bound<'py, PyList>)> {
        self.outbox.clear();
        let released = self.service.end_task(requester(by), &mut self.outbox);
        Ok((released, effect_rows(py, &self.service, &self.outbox)?))
    }

    /// Release everything of all tasks of an address space: how many requests, and the effects.
    fn end_space<'py>(&mut self, py: Python<'py>, system: u16, space: u16) -> PyResult<(u32, Bound<'py, PyList>)> {
        self.outbox.clear();
        let released = self.service.end_space(system, space, &mut self.outbox);
        Ok((released, effect_rows(py, &self.service, &self.outbox)?))
    }

    /// Release everything of all tasks of a system: how many requests, and the effects.
    fn end_system<'py>(&mut self, py: Python<'py>, system: u16) -> PyResult<(u32, Bound<'py, PyList>)> {
        self.outbox.clear();
        let released = self.service.end_system(system, &mut self.outbox);
        Ok((released, effect_rows(py, &self.service, &self.outbox)?))
    }

    /// Let one address space have more requests at once.
    fn raise_limits(&mut self, system: u16, space: u16, unauthorized: u32, authorized: u32) {
        self.service.raise_limits(system, space, Limits { unauthorized, authorized });
    }

    /// How many requests an address space has: unauthorized, authorized.
    fn requests_of_space(&self, system: u16, space: u16) -> (u32, u32) {
        self.service.requests_of_space(system, space)
    }

    /// How many RESERVEs of a system have a volume.
    fn reserves(&self, system: u16, volume: u32) -> u32 {
        self.service.reserves(system, volume)
    }

    /// The resources of which everything holds that is given, a row each; raises `InputError` for an unknown scope.
    fn query<'py>(&self, py: Python<'py>, filter: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyList>> {
        query_rows(py, &self.service, filter)
    }

    /// All waiting tasks, with those that block each, a row each.
    fn waits<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        wait_rows(py, &self.service)
    }

    /// Tasks that wait for each other for ever, a row per set of them, with a circle.
    fn deadlocks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for deadlock in self.service.deadlocks() {
            let circle = PyList::empty(py);
            for link in deadlock.circle {
                let step = PyDict::new(py);
                step.set_item("waiter", by(link.waiter))?;
                step.set_item("resource", resource_row(py, &link.name, link.reach)?)?;
                step.set_item("blocker", by(link.blocker))?;
                circle.append(step)?;
            }
            let row = PyDict::new(py);
            row.set_item("tasks", deadlock.tasks.into_iter().map(by).collect::<Vec<By>>())?;
            row.set_item("circle", circle)?;
            list.append(row)?;
        }
        Ok(list)
    }

    /// Every law that is broken; empty when all is well.
    fn broken_laws(&self) -> Vec<String> {
        self.service.broken_laws()
    }
}

/// The effects of a request, a row each.
pub(crate) fn effect_rows<'py>(py: Python<'py>, service: &Service, outbox: &Outbox) -> PyResult<Bound<'py, PyList>> {
    let named = |resource: ResourceId| {
        let (name, reach) = service.resource(resource);
        resource_row(py, &name, reach)
    };
    let list = PyList::empty(py);
    for effect in outbox.effects() {
        let row = PyDict::new(py);
        match *effect {
            Effect::Granted { by: task, resource } => {
                row.set_item("kind", "granted")?;
                row.set_item("by", by(task))?;
                row.set_item("resource", named(resource)?)?;
            }
            Effect::ReserveVolume { system, volume } => volume_row(&row, "reserve volume", system, volume)?,
            Effect::ReleaseVolume { system, volume } => volume_row(&row, "release volume", system, volume)?,
            Effect::Contention { resource, waiters } => {
                row.set_item("kind", "contention")?;
                row.set_item("resource", named(resource)?)?;
                row.set_item("waiters", waiters)?;
            }
            Effect::NoWait { by: task, resource, ret } => {
                row.set_item("kind", "no wait")?;
                row.set_item("by", by(task))?;
                row.set_item("resource", named(resource)?)?;
                row.set_item("ret", ret.word())?;
            }
        }
        list.append(row)?;
    }
    Ok(list)
}

/// The resources of which everything holds that is given, a row each.
pub(crate) fn query_rows<'py>(
    py: Python<'py>,
    service: &Service,
    filter: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for queue in service.query(&wanted(py, filter)?) {
        list.append(queue_row(py, &queue)?)?;
    }
    Ok(list)
}

/// A row per waiter; its blockers are the first `blocking` of `ahead`, a list that the waiters for a resource share.
pub(crate) fn wait_rows<'py>(py: Python<'py>, service: &Service) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    let mut shared: BTreeMap<*const Requester, Bound<'py, PyList>> = BTreeMap::new();
    let waits = service.waits();
    for wait in &waits {
        let (ahead, blocking) = wait.blockers.shared();
        let list_of = match shared.entry(ahead.as_ptr()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(PyList::new(py, ahead.iter().copied().map(by))?),
        };
        let row = PyDict::new(py);
        row.set_item("by", by(wait.by))?;
        row.set_item("access", wait.access.word())?;
        row.set_item("resource", resource_row(py, &wait.name, wait.reach)?)?;
        row.set_item("ahead", &*list_of)?;
        row.set_item("blocking", blocking)?;
        list.append(row)?;
    }
    Ok(list)
}

/// This many uncontended pairs of an ENQ and a DEQ by turns over this many names, by one task: the price of a pair
/// alone.
#[pyfunction]
pub fn enq_pairs(py: Python<'_>, pairs: u64, names: u32) -> PyResult<()> {
    let name = |k: u32| ResourceName::new(b"PAIRS", format!("RESOURCE.{k}").as_bytes());
    let names: Result<Vec<ResourceName>, Vec<Problem>> = (0..names.max(1)).map(name).collect();
    let names = names.map_err(|problems| input_error(py, &problems))?;
    py.detach(|| {
        let (mut service, mut outbox) = (Service::default(), Outbox::new());
        let (by, caller) = (Requester { system: 1, space: 1, task: 1 }, Caller::PROBLEM_PROGRAM);
        let (scope, access, reserve) = (Scope::Systems, Access::Exclusive, None);
        for (_, name) in (0..pairs).zip(names.iter().cycle()) {
            let enq = service.enq(&Enq { name, scope, access, ret: Ret::None, reserve, by, caller }, &mut outbox);
            let deq = service.deq(&Deq { name, scope, ret: DeqRet::None, by, caller }, &mut outbox);
            assert_eq!((enq, deq), (EnqOutcome::Granted, DeqOutcome::Released), "nobody else asks");
        }
    });
    Ok(())
}

pub(crate) fn requester((system, space, task): By) -> Requester {
    Requester { system, space, task }
}

pub(crate) fn by(requester: Requester) -> By {
    (requester.system, requester.space, requester.task)
}

pub(crate) fn kept<T>(read: Result<T, Box<Problem>>, problems: &mut Vec<Problem>) -> Option<T> {
    read.map_err(|problem| problems.push(*problem)).ok()
}

pub(crate) fn named(
    (qname, rname, scope): &Named,
    problems: &mut Vec<Problem>,
) -> (Option<ResourceName>, Option<Scope>) {
    let name = ResourceName::new(qname, rname).map_err(|wrong| problems.extend(wrong)).ok();
    (name, kept(Scope::read(scope), problems))
}

pub(crate) fn called((linkage, cross, locked, authorized): &From, problems: &mut Vec<Problem>) -> Option<Caller> {
    let linkage = kept(Linkage::read(linkage), problems)?;
    let memory = if *cross { Memory::Cross } else { Memory::Home };
    let locks = if *locked { Locks::Held } else { Locks::None };
    let authority = if *authorized { Authority::Authorized } else { Authority::Unauthorized };
    Some(Caller { linkage, memory, locks, authority })
}

fn wanted(py: Python<'_>, given: &Bound<'_, PyDict>) -> PyResult<Filter> {
    fn item<'py, T: FromPyObjectOwned<'py>>(given: &Bound<'py, PyDict>, key: &str) -> PyResult<Option<T>> {
        let found = given.get_item(key)?.filter(|value| !value.is_none());
        found.map(|value| value.extract().map_err(Into::into)).transpose()
    }
    let scope: Option<String> = item(given, "scope")?;
    let scope = scope.map(|word| Scope::read(&word).map_err(|problem| input_error(py, &[*problem]))).transpose()?;
    Ok(Filter {
        qname: item(given, "qname")?.unwrap_or_default(),
        rname_beginning: item(given, "rname_beginning")?.unwrap_or_default(),
        rname: item(given, "rname")?,
        scope,
        system: item(given, "system")?,
        space: item(given, "space")?,
        task: item(given, "task")?,
        owners: item(given, "owners")?.unwrap_or(0),
        waiters: item(given, "waiters")?.unwrap_or(0),
        with_reserve: item(given, "with_reserve")?.unwrap_or(false),
    })
}

pub(crate) fn resource_row<'py>(py: Python<'py>, name: &ResourceName, reach: Reach) -> PyResult<Bound<'py, PyDict>> {
    let (system, space) = match reach {
        Reach::Space { system, space } => (Some(system), Some(space)),
        Reach::System { system } => (Some(system), None),
        Reach::Systems => (None, None),
    };
    let row = PyDict::new(py);
    row.set_item("qname", name.qname())?;
    row.set_item("rname", name.rname())?;
    row.set_item("scope", reach.scope().word())?;
    row.set_item("system", system)?;
    row.set_item("space", space)?;
    Ok(row)
}

fn queue_row<'py>(py: Python<'py>, queue: &Queue) -> PyResult<Bound<'py, PyDict>> {
    let requests = PyList::empty(py);
    for one in &queue.requests {
        let request = PyDict::new(py);
        request.set_item("by", by(one.by))?;
        request.set_item("access", one.access.word())?;
        request.set_item("owns", one.standing == Standing::Owns)?;
        request.set_item("volume", one.reserve.map(|reserve| reserve.volume))?;
        requests.append(request)?;
    }
    let row = PyDict::new(py);
    row.set_item("resource", resource_row(py, &queue.name, queue.reach)?)?;
    row.set_item("owners", queue.owners)?;
    row.set_item("exclusive_waiters", queue.exclusive_waiters)?;
    row.set_item("shared_waiters", queue.shared_waiters)?;
    row.set_item("requests", requests)?;
    Ok(row)
}

fn volume_row(row: &Bound<'_, PyDict>, kind: &str, system: u16, volume: u32) -> PyResult<()> {
    row.set_item("kind", kind)?;
    row.set_item("system", system)?;
    row.set_item("volume", volume)
}

//! The invariants of the service between any two requests, checked over all its state.

use std::collections::BTreeMap;

use super::resource::{Queued, Standing};
use super::{NOTHING, Service};
use crate::request::{Access, Requester};

impl Service {
    /// Every law that is broken; nothing when all is well. Takes time that grows with everything that is queued.
    pub fn broken_laws(&self) -> Vec<String> {
        let mut broken = Vec::new();
        for (slot, resource) in self.resources.live() {
            let queue: Vec<&Queued> = self.resources.queue(slot).map(|(_, queued)| queued).collect();
            let name = super::query::name_of(resource);
            let mut must = |holds: bool, law: &str| {
                if !holds {
                    broken.push(format!("{name}: {law}"));
                }
            };
            let owners: Vec<&&Queued> = queue.iter().filter(|one| one.standing == Standing::Owns).collect();
            let exclusive = owners.iter().filter(|one| one.access == Access::Exclusive).count();
            must(exclusive <= 1, "two have it for themselves");
            must(exclusive == 0 || owners.len() == 1, "one has it exclusively and others share it");
            must(!owners.is_empty(), "it is free and has waiters");
            let behind = queue.iter().skip_while(|one| one.standing == Standing::Owns);
            must(behind.clone().all(|one| one.standing == Standing::Waits), "an owner is behind a waiter");
            let held_up = |one: &&Queued| one.access == Access::Exclusive || exclusive == 1;
            must(behind.clone().next().is_none_or(held_up), "the first waiter is not blocked");
            must(resource.owners as usize == owners.len(), "its owners are miscounted");
            must(resource.waiters as usize == behind.count(), "its waiters are miscounted");
            let mut by: Vec<Requester> = queue.iter().map(|one| one.by).collect();
            by.sort_unstable();
            by.dedup();
            must(by.len() == queue.len(), "a task asks for it twice");
        }
        broken.extend(self.miscounted_tasks());
        broken.extend(self.miscounted_volumes());
        broken
    }

    fn miscounted_tasks(&self) -> Vec<String> {
        let queued: u32 = self.resources.live().map(|(_, resource)| resource.owners + resource.waiters).sum();
        let counted: u32 = self.tasks.spaces.all().map(|(_, space)| space.unauthorized + space.authorized).sum();
        let listed: u32 = self.tasks.all.all().map(|(_, task)| self.listed(task.first)).sum();
        let law = |holds: bool, law: &str| (!holds).then(|| format!("{law}: {queued}, {counted}, {listed}"));
        [law(queued == counted, "requests are miscounted"), law(queued == listed, "requests are lost")]
            .into_iter()
            .flatten()
            .collect()
    }

    fn listed(&self, first: u32) -> u32 {
        let mut slot = first;
        let mut length = 0;
        while slot != NOTHING {
            length += 1;
            slot = self.resources.requests[slot].later;
        }
        length
    }

    fn miscounted_volumes(&self) -> Vec<String> {
        let mut owned: BTreeMap<(u16, u32), u32> = BTreeMap::new();
        for (slot, _) in self.resources.live() {
            for (_, one) in self.resources.queue(slot).filter(|(_, one)| one.standing == Standing::Owns) {
                if let Some(reserve) = one.reserve {
                    *owned.entry((one.by.system, reserve.volume)).or_default() += 1;
                }
            }
        }
        let counted: BTreeMap<(u16, u32), u32> = self
            .volumes
            .counts
            .all()
            .filter(|(_, count)| count.reserves > 0)
            .map(|(_, count)| ((count.system, count.volume), count.reserves))
            .collect();
        if owned == counted { Vec::new() } else { vec![format!("reserves are miscounted: {owned:?}, {counted:?}")] }
    }
}

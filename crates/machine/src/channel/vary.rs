//! VARY: aliases and paths that are taken offline and put online while I/O goes on.
//!
//! Nothing is lost: an alias that is busy goes offline when its I/O ends, an I/O that is connected transfers to its end.

use super::exposure::Role;
use super::volume::Aliases;
use super::{Channel, Exposure};
use crate::effect::Outbox;
use crate::ids::{Paths, Pool, Volume};
use crate::signal::{Probe, Signal, Waited};
use units::Tod;

impl Channel {
    /// From now on the first aliases of a pool are online, this many.
    pub fn vary_pool(
        &mut self,
        (pool, online): (Pool, u32),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let newly_online = self.pools[pool.index()].vary(online);
        for alias in self.pools[pool.index()].aliases().map(Exposure) {
            self.assign(alias);
        }
        for alias in newly_online.map(Exposure) {
            // One that is still busy with an I/O from before it went offline comes back when that ends.
            if self.exposures[alias.index()].is_idle() {
                self.pool_alias_online(pool, alias, now, (effects, probe));
            }
        }
        let pool_state = &self.pools[pool.index()];
        probe.signal(now, Signal::PoolVaried(pool, pool_state.online(), pool_state.free()));
    }

    /// An alias that comes online has served no volume just now: only a policy that looks across volumes gives it work.
    fn pool_alias_online(
        &mut self,
        pool: Pool,
        alias: Exposure,
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        let redispatch = self.pools[pool.index()].redispatch;
        let member = self.volumes.iter().position(|volume| volume.aliases == Aliases::Pool(pool));
        let served = member.filter(|_| redispatch.looks_across_volumes()).map(|volume| Volume(volume as u32));
        match served.and_then(|volume| self.redispatch(redispatch, Role::Pool(pool), volume)) {
            Some((requester, io)) => self.start((requester, io, alias), Waited::InQueue, now, (effects, probe)),
            None => self.pools[pool.index()].welcome(alias),
        }
    }

    /// From now on the first bound aliases of a volume are online, this many.
    pub fn vary_bound(
        &mut self,
        (volume, online): (Volume, u32),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let Aliases::Bound { first, online: count, redispatch } = &mut self.volumes[volume.index()].aliases else {
            unreachable!("only a volume with bound aliases has them varied")
        };
        let (first, redispatch, before) = (first.0, *redispatch, std::mem::replace(count, online));
        probe.signal(now, Signal::BoundVaried(volume, online));
        for alias in (first + before..first + online).map(Exposure) {
            if self.exposures[alias.index()].is_idle()
                && let Some((requester, io)) = self.redispatch(redispatch, Role::Bound(volume), volume)
            {
                self.start((requester, io, alias), Waited::InQueue, now, (effects, probe));
            }
        }
    }

    /// From now on this many paths to a control unit are online; with none, I/Os that start stay pending.
    ///
    /// ASSUME: connected I/Os slow each other by sharing x paths / paths online, at most 1: the remaining paths carry
    /// the load of all.
    pub fn vary_paths(
        &mut self,
        (paths, online): (Paths, u32),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let group = &mut self.paths[paths.index()];
        group.vary(online, now);
        if group.connected() > 0 {
            group.announce(paths, now, effects);
        }
        probe.signal(now, Signal::PathsVaried(paths, online));
        self.vary_channels((paths, online), now, (effects, probe));
        for volume in 0..self.volumes.len() {
            if self.volumes[volume].reached_by == Some(paths) {
                self.hold_or_let_go(Volume(volume as u32), now, effects, probe);
            }
        }
    }
}

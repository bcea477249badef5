//! Sharding: several replicas share the work. There is a fixed number of shards, with one Lease each.
//!
//! Use it if one process can't do all the work; otherwise elect one leader. A controller becomes sharded with
//! `Controller::sharded`.
//!
//! Every key belongs to one shard, by a hash that never changes. Every replica announces itself with its own Lease, reads the
//! Leases of the others and of the shards, and computes the same distribution: the numbers of shards of two live replicas
//! differ by at most one, and as few shards as possible move. Then it campaigns for its shards and releases the others.
//!
//! ```
//! use client_rs_leaderelection::sharding::{assign, shard_of};
//! use client_rs_machinery::ObjectKey;
//!
//! // Two replicas share four shards.
//! let assigned = assign(4, &["a".into(), "b".into()], &[None, None, None, None]);
//! assert_eq!(assigned.iter().filter(|replica| **replica == "a").count(), 2);
//! // The replica that works on a key is the holder of its shard.
//! let shard = shard_of(&ObjectKey::new("default", "web"), 4);
//! assert!(assigned.get(shard as usize).is_some());
//! ```
//!
//! # Promises
//!
//! Those of leader election, for each shard:
//! - A key is worked on only under a [`Claim`], and a claim exists only while the shard's Lease is held. No two replicas have
//!   claims of one shard at once, as far as [`LeadershipScope`](crate::LeadershipScope) promises. If that is not enough, use
//!   the [`FencingToken`](crate::FencingToken) of the shard's Lease.
//! - A hand-over has the steps drain, release, acquire: no new claims, then the running ones end, then the Lease is released,
//!   then another replica takes it. A claim that never ends keeps its shard forever; its scope is cancelled.
//! - The shards of a replica that has crashed are taken over about `lease_duration` after its last renewal.
//! - Replicas with different numbers of shards, or with different [`ShardBy`], never work at the same time: every Lease contains both. A replica that
//!   finds a live one with another number does not take part, and [reports it](Replica::refused). For one that has crashed it
//!   waits `lease_duration`. Leases of versions that did not write the number count as equal, unless their names show more
//!   shards.
//!
//! # Caches of shards
//!
//! By default each replica caches all objects. With [`ShardBy::Namespace`] a replica can cache those of its shards alone, and a server with KEP-5866
//! sends it no others. Ownership never depends on that: the hash is an option of the group, which every Lease contains, and a Lease decides about the
//! holder. Whether the server selects objects, and whether a replica asks for it, changes only which objects a cache has. So replicas that see
//! servers of different versions agree on every key.
//!
//! # Not promised
//!
//! That every key is worked on at every moment (during a hand-over the keys of the shard are not), or that replicas agree on
//! the distribution at once. The number of shards can't change while replicas run: stop all of them first, or use another
//! name for those with another number. Use more shards than replicas, so that they can be distributed evenly. Each held shard
//! costs an update every `retry_period`, which does not count against the rate limit of the client.

#[cfg_attr(not(feature = "sim"), allow(unreachable_pub, reason = "public for the simulation"))]
mod announce;
mod assignment;
mod coordinator;
#[cfg_attr(not(feature = "sim"), allow(unreachable_pub, reason = "public for the simulation"))]
mod group;
mod hash;
#[cfg_attr(not(feature = "sim"), allow(unreachable_pub, reason = "public for the simulation"))]
mod holding;
mod members;
mod replica;
mod shards;
mod slots;

pub use assignment::{Plan, assign, plan};
pub use hash::{ShardBy, shard_of};
pub use replica::{Replica, ShardingError, ShardingOptions};
pub use shards::Shards;
pub use slots::Claim;

/// The parts of a replica that decide, for the simulation of this repository.
#[cfg(feature = "sim")]
#[doc(hidden)]
pub mod sim {
    pub use super::announce::{MOST, Next, Outcome, Step, next};
    pub use super::group::{Found, Group, Planned, Round};
    pub use super::holding::{Action, Event, Holding};
}

//! Several replicas that share the work: a fixed number of shards, one Lease each.
//!
//! Every key belongs to one shard, by a hash that never changes. Every replica announces itself with a Lease of its own,
//! sees the others' and who holds which shard, and works out the same spread: each live replica has as many shards as
//! any other, give or take one, and as few as possible move. It then campaigns for its shards and gives up the rest.
//!
//! What is promised is what leader election promises, shard by shard:
//! - a key is worked only under a [`Claim`], and a claim is given only while the shard's Lease is held: no two replicas
//!   hold claims of one shard at once, as far as [`LeadershipScope`](crate::LeadershipScope) promises it, and a
//!   [`FencingToken`](crate::FencingToken) of the shard's Lease where that is not enough;
//! - hand-over is drain, release, acquire: no new claims, then the running ones end, then the Lease is given back, then
//!   another replica takes it. A claim that never ends holds its shard for ever; it is asked to end;
//! - a shard of a replica that died is taken over about `lease_duration` after its last renewal;
//! - replicas with different numbers of shards never work at the same time: every Lease says the number. A replica that
//!   finds a live one with another number takes no part, and [says so](Replica::refused); for one that has died it waits
//!   `lease_duration`. Leases of versions that did not write the number count as agreeing, unless their names tell of more
//!   shards.
//!
//! What is not promised: that every key is worked at every moment (during a hand-over none of the shard's is), or that
//! replicas agree on the spread at once. The number of shards can't change while replicas run: stop all of them first, or
//! give those with another number another name. More shards than replicas spread evenly; each held shard costs an update
//! every `retry_period`, which does not count against the rate limit of the client.

mod assignment;
mod coordinator;
mod hash;
mod members;
mod replica;
mod shards;
mod slots;

pub use assignment::{Plan, assign, plan};
pub use hash::shard_of;
pub use replica::{Replica, ShardingError, ShardingOptions};
pub use shards::Shards;
pub use slots::Claim;

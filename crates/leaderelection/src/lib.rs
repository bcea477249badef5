//! Leader election: of several processes, one works.
//!
//! | for | see |
//! |---|---|
//! | leading as a value that ends the work when it is lost | [`LeaderElector::acquire`], [`Leadership`] |
//! | callbacks, as in client-go | [`LeaderElector::run`], [`LeaderCallbacks`] |
//! | following who leads | [`LeaderElector::leaders`] |
//! | no write outside of a term | [`LeaderElector::gated`], [`LeadershipScope`] as a write gate |
//! | writes that a stopped leader can't make too late | [`FencingToken`], [`Fence`] |
//! | a Lease as the lock, or another object | [`LeaseLock`], [`ResourceLock`] |
//! | an election that the control plane decides | [`LeaseCandidate`], [`LeaderElectionOptions::coordinated`] |
//! | several replicas that share the work | [`sharding`] |
//! | health checks and metrics | [`HealthAdaptor`], [`LeaderMetrics`] |
//!
//! The election is a state machine over (event, time) with no clock and no I/O; a thin shell runs it.
//!
//! For those who come from client-go: timings, the record and the rules are those of `tools/leaderelection`, so that
//! candidates of both may compete for one Lease. What differs on purpose, all to the safe side:
//! - the renew deadline counts from when the last successful renewal was *sent*, not from when the next round began;
//! - a leader that sees another in the record, or the end of its term, stops at once;
//! - a lease is released only when the work of its term is over, and only if the record, freshly read, is still this
//!   term's;
//! - `leaseDurationSeconds` is rounded up;
//! - a candidate that has seen a Lease which was then deleted waits for a whole lease before it creates it: its leader
//!   may still lead;
//! - a Lease is created with a `leaseTransitions` that is higher than what this candidate has seen, and at least the
//!   seconds since 2020, since others may have counted before: fencing tokens grow.
//!
//! `MultiLock` and the locks on Endpoints and `ConfigMaps` have been removed from client-go, and are not here.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod callbacks;
mod candidate;
mod elector;
mod fence;
mod health;
mod leaders;
mod leadership;
mod lease_lock;
mod lock;
mod machine;
mod metrics;
mod options;
mod record;
pub mod sharding;

pub use callbacks::LeaderCallbacks;
pub use candidate::{CandidateObject, CandidateOptions, LeaseCandidate, RENEW_INTERVAL};
pub use elector::{ElectionGate, FailedToRenew, LeaderElector};
pub use fence::{Fence, FencingToken, ParseTokenError, StaleToken};
pub use health::HealthAdaptor;
pub use leaders::Leaders;
pub use leadership::{Leadership, LeadershipScope, NotLeading};
pub use lease_lock::{LeaseLock, LeaseLockOptions, unique_identity};
pub use lock::{LockError, LockType, LockTypeError, ResourceLock};
pub use machine::{Loss, Release};
pub use metrics::{LeaderMetrics, NoLeaderMetrics};
pub use options::{JITTER_FACTOR, LeaderElectionOptions, OptionsError};
pub use record::LeaderElectionRecord;
pub use tokio_util::sync::CancellationToken;

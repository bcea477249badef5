//! Leader election: of several processes, one works at a time.
//!
//! Use it if a program runs in several replicas and two of them must not do the same work at once. All replicas compete for a
//! Lease in the cluster. The holder leads, and renews the Lease every two seconds. If it stops renewing, another replica takes
//! over after fifteen seconds. A controller manager takes a [`LeaderElector`] and does the rest. If one process can't do all
//! the work, use [`sharding`], which elects one leader per shard.
//!
//! ```
//! use client_rs_leaderelection::{LeaderElector, Release};
//! # use std::sync::{Arc, Mutex};
//! # use client_rs_leaderelection::{LeaderElectionRecord, LockError, ResourceLock};
//! # use futures_core::future::BoxFuture;
//! # struct Memory(Mutex<Option<LeaderElectionRecord>>);
//! # impl ResourceLock for Memory {
//! #     fn get(&self) -> BoxFuture<'_, Result<LeaderElectionRecord, LockError>> {
//! #         Box::pin(async { self.0.lock().unwrap().clone().ok_or(LockError::NotFound) })
//! #     }
//! #     fn create(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>> {
//! #         self.update(record)
//! #     }
//! #     fn update(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>> {
//! #         *self.0.lock().unwrap() = Some(record);
//! #         Box::pin(async { Ok(()) })
//! #     }
//! #     fn record_event(&self, _: &str) {}
//! #     fn identity(&self) -> &str { "replica-a" }
//! #     fn describe(&self) -> String { "memory".to_owned() }
//! # }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let lock = Memory(Mutex::default());
//! // `lock` is a `LeaseLock` in a program, and a lock in memory in this example.
//! let elector = LeaderElector::new(lock)?;
//! let leadership = elector.acquire().await;
//! assert!(leadership.is_leading());
//! // The work is dropped at its next `.await` if leadership is lost.
//! let result = leadership.run(async { 6 * 7 }).await;
//! assert_eq!(result, Ok(42));
//! // Releasing lets another replica lead at once.
//! assert_eq!(leadership.release().await, Release::Released);
//! # Ok(())
//! # }
//! ```
//!
//! | you want | see |
//! |---|---|
//! | leadership as a guard that ends the work when it is lost | [`LeaderElector::acquire`], [`Leadership`] |
//! | callbacks, as in client-go | [`LeaderElector::run`], [`LeaderCallbacks`] |
//! | to observe the leader | [`LeaderElector::leaders`] |
//! | no write outside of a term | [`LeaderElector::gated`], [`LeadershipScope`] as a write gate |
//! | to refuse late writes of an old leader | [`FencingToken`], [`Fence`] |
//! | a Lease as the lock, or another object | [`LeaseLock`], [`ResourceLock`] |
//! | an election that the control plane decides | [`LeaseCandidate`], [`LeaderElectionOptions::coordinated`] |
//! | several replicas that share the work | [`sharding`] |
//! | to pass something on to the next leader | [`LeaderElector::leave_note`] |
//! | health checks and metrics | [`HealthAdaptor`], [`LeaderMetrics`] |
//!
//! # What leader election can't do
//!
//! A leader may be paused between the check of the clock and a write. So an old leader's request can arrive after a new leader
//! has begun. [`LeadershipScope`] lists what is promised and what is assumed. If late writes matter, use a [`FencingToken`].
//!
//! The election is a state machine over (event, time) without a clock and without I/O; a thin shell runs it.
//!
//! # Coming from client-go
//!
//! Timings, record and rules are those of `tools/leaderelection`, so candidates of both may compete for one Lease. These
//! differences are deliberate, and all of them are safer:
//! - the renew deadline counts from the time when the last successful renewal was *sent*, not from the start of the next round;
//! - a leader that sees another holder in the record, or the end of its term, stops at once;
//! - a lease is released only when the work of its term is over, and only if the record, read again, is still this term's;
//! - `leaseDurationSeconds` is rounded up;
//! - a candidate that has seen a Lease that was deleted later waits for a whole lease duration before it creates the Lease
//!   again, because its leader may still lead;
//! - a new Lease gets a `leaseTransitions` that is higher than any that this candidate has seen, and at least the seconds since
//!   2020, because others may have counted before: fencing tokens always grow.
//!
//! `MultiLock` and the locks on Endpoints and `ConfigMaps` were removed from client-go, and are not here.

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
#[cfg(feature = "sim")]
#[doc(hidden)]
pub mod sim;

pub use callbacks::LeaderCallbacks;
pub use candidate::{CandidateObject, CandidateOptions, LeaseCandidate, RENEW_INTERVAL};
pub use elector::{ElectionGate, FailedToRenew, LeaderElector};
pub use fence::{Fence, FencingToken, ParseTokenError, StaleToken};
pub use health::HealthAdaptor;
pub use leaders::Leaders;
pub use leadership::{Leadership, LeadershipScope, NotLeading};
pub use lease_lock::{LeaseLock, LeaseLockOptions, unique_identity};
pub use lock::{HandoverNote, LockError, LockType, LockTypeError, ResourceLock};
pub use machine::{Loss, Release};
pub use metrics::{LeaderMetrics, NoLeaderMetrics};
pub use options::{JITTER_FACTOR, LeaderElectionOptions, OptionsError};
pub use record::LeaderElectionRecord;
pub use tokio_util::sync::CancellationToken;

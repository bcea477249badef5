//! Standing for a coordinated election.

use std::marker::PhantomData;
use std::time::Duration;

use client_rs_api::coordination::{v1alpha2, v1beta1};
use client_rs_client::{Error, Request, RestClient, Watch};
use client_rs_machinery::meta::v1::{ListOptions, ObjectMeta};
use client_rs_machinery::wire::{Payload, WatchEvent};
use client_rs_machinery::{MicroTime, ObjectKey, Resource, Str, fields};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// How often a candidate says that it is there, unasked.
pub const RENEW_INTERVAL: Duration = Duration::from_mins(5);

/// A server that ends watches at once is not asked more often.
const BETWEEN_WATCHES: Duration = Duration::from_secs(1);

/// A watch that has lasted so long was a good one, though nothing happened in it.
const LONG_WATCH: Duration = Duration::from_mins(1);

/// How a round has ended.
enum Stood {
    /// With the time for the next renewal.
    Due,
    /// With the watch.
    Ended(&'static str),
}

client_rs_machinery::options! {
    /// What a [`LeaseCandidate`] says of itself.
    #[derive(Clone, Debug, PartialEq)]
    pub struct CandidateOptions {
        /// The candidate's own namespace and name; the name is the identity that its lock has.
        pub candidate: ObjectKey => with_candidate,
        /// The Lease that it stands for, in the same namespace.
        pub lease: String => with_lease,
        /// The version of the program, such as `1.37.1`.
        pub binary_version: String => with_binary_version,
        /// The version that the program behaves as.
        pub emulation_version: String => with_emulation_version,
        /// How the leader is picked. Default: `OldestEmulationVersion`.
        pub strategy: String => with_strategy,
    }
}

impl CandidateOptions {
    /// A candidate for a Lease, of this version.
    pub fn new(candidate: impl Into<ObjectKey>, lease: &str, version: &str) -> Self {
        Self {
            candidate: candidate.into(),
            lease: lease.to_owned(),
            binary_version: version.to_owned(),
            emulation_version: version.to_owned(),
            strategy: "OldestEmulationVersion".to_owned(),
        }
    }
}

/// A `LeaseCandidate` object in one of its versions.
pub trait CandidateObject: Resource + Payload + Clone {
    /// A new one.
    fn make(options: &CandidateOptions, now: MicroTime) -> Self;
    /// Says that the candidate is there.
    fn renew(&mut self, now: MicroTime);
    /// Whether the control plane has asked since the candidate last said so.
    fn is_asked(&self) -> bool;
}

macro_rules! candidate_object {
    ($version:ident) => {
        impl CandidateObject for $version::LeaseCandidate {
            fn make(options: &CandidateOptions, now: MicroTime) -> Self {
                Self {
                    metadata: ObjectMeta {
                        name: options.candidate.name.clone(),
                        namespace: options.candidate.namespace.clone(),
                        ..ObjectMeta::EMPTY
                    },
                    spec: $version::LeaseCandidateSpec {
                        lease_name: options.lease.as_str().into(),
                        renew_time: Some(now),
                        ping_time: None,
                        binary_version: options.binary_version.as_str().into(),
                        emulation_version: options.emulation_version.as_str().into(),
                        strategy: options.strategy.as_str().into(),
                    }
                    .into(),
                }
            }

            fn renew(&mut self, now: MicroTime) {
                // Never before the question, whatever the clock of the one who asked: else it would be answered for ever.
                self.spec.renew_time = Some(now).max(self.spec.ping_time);
            }

            fn is_asked(&self) -> bool {
                self.spec.ping_time.is_some() && self.spec.ping_time > self.spec.renew_time
            }
        }
    };
}

candidate_object!(v1beta1);
candidate_object!(v1alpha2);

/// Keeps a `LeaseCandidate` object, so that the control plane can pick this process: created if it is not there, renewed
/// every five minutes and whenever the control plane asks.
///
/// The server must have the coordinated leader election API (`coordination.k8s.io/v1beta1`, which is a beta feature that
/// is off by default; or `v1alpha2`). The election itself is a [`LeaderElector`](crate::LeaderElector) with
/// `coordinated` set.
#[derive(Debug)]
pub struct LeaseCandidate<K = v1beta1::LeaseCandidate> {
    client: RestClient,
    options: CandidateOptions,
    kind: PhantomData<fn() -> K>,
}

impl<K: CandidateObject> LeaseCandidate<K> {
    /// A candidate; it does nothing yet.
    pub fn new(client: RestClient, options: CandidateOptions) -> Self {
        Self { client, options, kind: PhantomData }
    }

    /// Stands until cancelled. Errors are logged, and tried again after 5 ms, doubled each time up to 1,000 s; a watch that
    /// ends early counts as one, and is not opened again within a second. The object stays: the control plane removes
    /// those that are not renewed.
    pub async fn run(&self, cancel: CancellationToken) {
        let mut failures = 0;
        loop {
            let began = Instant::now();
            let stood = tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                stood = self.stand(&mut failures) => stood,
            };
            if began.elapsed() >= LONG_WATCH {
                failures = 0;
            }
            let wait = match stood {
                Ok(Stood::Due) => continue,
                Ok(Stood::Ended(why)) => {
                    tracing::debug!(candidate = %self.options.candidate, why, "the watch has ended");
                    failures += 1;
                    pause(failures).max(BETWEEN_WATCHES)
                }
                Err(error) => {
                    tracing::error!(candidate = %self.options.candidate, %error, "can't stand for the election");
                    failures += 1;
                    pause(failures)
                }
            };
            tokio::select! {
                biased;
                () = cancel.cancelled() => return,
                () = tokio::time::sleep(wait) => {}
            }
        }
    }

    /// Makes sure of the object, then watches it until the watch ends or the next renewal is due.
    async fn stand(&self, failures: &mut u32) -> Result<Stood, Error> {
        let candidate = self.ensure().await?;
        let mut due = Instant::now() + RENEW_INTERVAL;
        let mut watch = self.watch(candidate.resource_version()).await?;
        loop {
            let event = tokio::select! {
                event = watch.next() => event,
                () = tokio::time::sleep_until(due) => return Ok(Stood::Due),
            };
            match event {
                Some(Ok(WatchEvent::Added(seen) | WatchEvent::Modified(seen))) => {
                    // It works: whatever ends it later is another failure.
                    *failures = 0;
                    if seen.is_asked() {
                        self.renewed(seen).await?;
                        due = Instant::now() + RENEW_INTERVAL;
                    }
                }
                Some(Ok(WatchEvent::Deleted(_))) => return Ok(Stood::Ended("the candidate was deleted")),
                Some(Ok(WatchEvent::Error(_))) => return Ok(Stood::Ended("the server says that it failed")),
                Some(Ok(WatchEvent::Bookmark { .. }) | Err(_)) => {}
                None => return Ok(Stood::Ended("the server has ended it")),
            }
        }
    }

    async fn ensure(&self) -> Result<K, Error> {
        let ObjectKey { namespace, name } = &self.options.candidate;
        match self.client.send::<K>(Request::get().of::<K>().namespace(namespace).name(name)).await {
            Ok(candidate) => self.renewed(candidate).await,
            Err(error) if error.is_not_found() => {
                let made = K::make(&self.options, MicroTime::now().truncated());
                self.client.send(Request::post().of::<K>().namespace(namespace).object(made)).await
            }
            Err(error) => Err(error),
        }
    }

    async fn renewed(&self, mut candidate: K) -> Result<K, Error> {
        candidate.renew(MicroTime::now().truncated());
        let ObjectKey { namespace, name } = &self.options.candidate;
        self.client.send(Request::put().of::<K>().namespace(namespace).name(name).object(candidate)).await
    }

    async fn watch(&self, resource_version: &str) -> Result<Watch<K>, Error> {
        let options = ListOptions {
            watch: true,
            field_selector: fields::Selector::equals("metadata.name", self.options.candidate.name.clone())
                .to_string()
                .into(),
            resource_version: Str::from(resource_version),
            ..ListOptions::EMPTY
        };
        let request = Request::get().of::<K>().namespace(&self.options.candidate.namespace).options(&options);
        self.client.watch(request.watch_timeout(RENEW_INTERVAL)).await
    }
}

/// 5 ms, doubled each time, up to 1,000 s.
fn pause(failures: u32) -> Duration {
    let doubled = 2u32.saturating_pow(failures.saturating_sub(1));
    Duration::from_millis(5).saturating_mul(doubled).min(Duration::from_secs(1000))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_1000_seconds() {
        assert_eq!([1, 2, 3].map(pause), [5, 10, 20].map(Duration::from_millis));
        assert_eq!([30, u32::MAX].map(pause), [Duration::from_secs(1000); 2]);
    }

    #[test]
    fn asked_means_pinged_since_the_last_renewal() {
        let options = CandidateOptions::new(("kube-system", "me"), "kube-scheduler", "1.37.1");
        let at = |seconds| MicroTime::new(seconds, 0).unwrap();
        let mut candidate = v1beta1::LeaseCandidate::make(&options, at(100));
        assert!(!candidate.is_asked());
        candidate.spec.ping_time = Some(at(100));
        assert!(!candidate.is_asked());
        candidate.spec.ping_time = Some(at(101));
        assert!(candidate.is_asked());
        candidate.renew(at(100));
        assert!(!candidate.is_asked());
        assert_eq!(candidate.spec.strategy, "OldestEmulationVersion");
    }
}

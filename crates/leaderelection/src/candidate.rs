//! Candidates of a coordinated election.

use std::marker::PhantomData;
use std::time::Duration;

use client_rs_api::coordination::{v1alpha2, v1beta1};
use client_rs_client::{Error, Request, RestClient, Watch};
use client_rs_machinery::meta::v1::{ListOptions, ObjectMeta};
use client_rs_machinery::wire::{Payload, WatchEvent};
use client_rs_machinery::{MicroTime, ObjectKey, Resource, Str, fields};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

/// The interval in which a candidate renews its object without a ping.
pub const RENEW_INTERVAL: Duration = Duration::from_mins(5);

/// The minimum time between two watches, for a server that ends them at once.
const BETWEEN_WATCHES: Duration = Duration::from_secs(1);

/// A watch that has lasted this long resets the backoff, even without events.
const LONG_WATCH: Duration = Duration::from_mins(1);

/// The reason why a round has ended.
enum Stood {
    /// The next renewal is due.
    Due,
    /// The watch has ended.
    Ended(&'static str),
}

client_rs_machinery::options! {
    /// The content of a [`LeaseCandidate`].
    ///
    /// ```
    /// use client_rs_leaderelection::CandidateOptions;
    ///
    /// let options = CandidateOptions::new(("kube-system", "replica-a"), "my-controller", "1.37.1");
    /// assert_eq!(options.strategy, "OldestEmulationVersion");
    /// assert_eq!(options.emulation_version, options.binary_version);
    /// ```
    #[derive(Clone, Debug, PartialEq)]
    pub struct CandidateOptions {
        /// The namespace and name of the candidate's object. The name must be the identity of its lock.
        pub candidate: ObjectKey => with_candidate,
        /// The Lease, in the same namespace.
        pub lease: String => with_lease,
        /// The version of the program, such as `1.37.1`.
        pub binary_version: String => with_binary_version,
        /// The version that the program emulates.
        pub emulation_version: String => with_emulation_version,
        /// The strategy that picks the leader. Default: `OldestEmulationVersion`.
        pub strategy: String => with_strategy,
    }
}

impl CandidateOptions {
    /// A candidate for a Lease, with this binary and emulation version.
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
    /// Builds a new object.
    fn make(options: &CandidateOptions, now: MicroTime) -> Self;
    /// Sets the renew time.
    fn renew(&mut self, now: MicroTime);
    /// Whether the control plane has pinged the candidate since its last renewal.
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
                // At least the time of the ping, even if the control plane's clock is ahead. Otherwise the ping would stay
                // unanswered, and the candidate would renew forever.
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

/// Keeps a `LeaseCandidate` object, so that the control plane can pick this process as the leader. The object is created if
/// it is missing, and renewed every five minutes and at every ping of the control plane.
///
/// The server must have the coordinated leader election API: `coordination.k8s.io/v1beta1`, a beta feature that is off by
/// default, or `v1alpha2`. The election itself is a [`LeaderElector`](crate::LeaderElector) with `coordinated` set. Most
/// programs do not need it: without it the candidates decide among themselves.
#[derive(Debug)]
pub struct LeaseCandidate<K = v1beta1::LeaseCandidate> {
    client: RestClient,
    options: CandidateOptions,
    kind: PhantomData<fn() -> K>,
}

impl<K: CandidateObject> LeaseCandidate<K> {
    /// A candidate. It does nothing before [`run`](Self::run).
    pub fn new(client: RestClient, options: CandidateOptions) -> Self {
        Self { client, options, kind: PhantomData }
    }

    /// Keeps the object until the token is cancelled. Errors are logged and retried after 5 ms, doubled each time up to
    /// 1,000 s. A watch that ends early counts as an error, and is not opened again within a second. The object stays at the
    /// end: the control plane removes candidates that are not renewed.
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
                    tracing::debug!(candidate = %self.options.candidate, why, "watch has ended");
                    failures += 1;
                    pause(failures).max(BETWEEN_WATCHES)
                }
                Err(error) => {
                    tracing::error!(candidate = %self.options.candidate, %error, "can't update the candidate");
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

    /// Creates or renews the object, then watches it until the watch ends or the next renewal is due.
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
                    // The watch works: a later end is a new failure.
                    *failures = 0;
                    if seen.is_asked() {
                        self.renewed(seen).await?;
                        due = Instant::now() + RENEW_INTERVAL;
                    }
                }
                Some(Ok(WatchEvent::Deleted(_))) => return Ok(Stood::Ended("the candidate was deleted")),
                Some(Ok(WatchEvent::Error(_))) => return Ok(Stood::Ended("the server reported an error")),
                Some(Ok(WatchEvent::Bookmark { .. }) | Err(_)) => {}
                None => return Ok(Stood::Ended("the server closed it")),
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

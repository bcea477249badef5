//! A Lease as the lock.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_api::coordination::v1::{Lease, LeaseSpec};
use client_rs_client::{Api, Error, RestClient};
use client_rs_events::{EventRecorder, EventType};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::{Map, ObjectKey, Str};
use client_rs_transport::Config;
use futures_core::future::BoxFuture;

use crate::{LeaderElectionRecord, LockError, ResourceLock};

client_rs_machinery::options! {
    /// The options of a [`LeaseLock`].
    ///
    /// ```
    /// use client_rs_leaderelection::{LeaseLockOptions, unique_identity};
    ///
    /// let options = LeaseLockOptions::new(("shop", "my-controller"), unique_identity())
    ///     .with_labels([("team", "a")]);
    /// assert_eq!((options.lease.namespace.as_str(), options.lease.name.as_str()), ("shop", "my-controller"));
    /// ```
    #[derive(Clone, Debug)]
    pub struct LeaseLockOptions {
        /// The Lease's namespace and name.
        pub lease: ObjectKey => with_lease,
        /// The identity of this candidate. It must be unique among all candidates, including earlier ones: see
        /// [`unique_identity`].
        pub identity: String => with_identity,
        /// Labels that every write sets on the Lease; other labels stay. Default: none.
        pub labels: Map<Str> => with_labels,
        /// Annotations that every write sets on the Lease; other annotations stay. Default: none.
        pub annotations: Map<Str> => with_annotations,
        /// The recorder of the events `<identity> became leader` and `<identity> stopped leading`. Default: none.
        pub recorder: Option<EventRecorder> => with_recorder,
    }
}

impl LeaseLockOptions {
    /// The namespace and name of the Lease, and the identity of this candidate.
    pub fn new(lease: impl Into<ObjectKey>, identity: impl Into<String>) -> Self {
        Self {
            lease: lease.into(),
            identity: identity.into(),
            labels: Map::EMPTY,
            annotations: Map::EMPTY,
            recorder: None,
        }
    }
}

/// An identity that is unique to this process, also compared with the same process after a restart: the host's name and a
/// random number.
///
/// ```
/// use client_rs_leaderelection::unique_identity;
///
/// assert_ne!(unique_identity(), unique_identity());
/// ```
pub fn unique_identity() -> String {
    format!("{}_{:016x}", client_rs_events::hostname(), fastrand::u64(..))
}

/// A lock on a Lease of `coordination.k8s.io/v1`.
///
/// The account of the program must be allowed to `get`, `create` and `update` Leases in the namespace. Updates have the
/// resourceVersion that was read or written last, so the server refuses an update that would overwrite another candidate's.
#[derive(Debug)]
pub struct LeaseLock {
    leases: Api<Lease>,
    options: LeaseLockOptions,
    /// The object in the last response.
    lease: Mutex<Option<Lease>>,
    /// The note that the next writes store.
    note: Mutex<Option<String>>,
}

/// The annotation of a Lease that has the [handover note](crate::HandoverNote).
const NOTE: &str = "client-rs.io/handover";

impl LeaseLock {
    /// A lock that uses the connections of this client. The client's rate limit and write gate do not apply: renewals must
    /// not queue behind other requests, and must be possible before a term begins.
    ///
    /// The client's timeout should be shorter than the renew deadline, so that there is time for a retry.
    /// [`from_config`](Self::from_config) takes care of that.
    pub fn new(client: &RestClient, options: LeaseLockOptions) -> Self {
        let client = client.without_rate_limit().without_write_gate();
        let leases = Api::namespaced(&client, options.lease.namespace.clone());
        Self { leases, options, lease: Mutex::new(None), note: Mutex::new(None) }
    }

    /// A lock with its own client: without a rate limit, with a timeout of half the renew deadline (at least 1 s), and with
    /// `leader-election` in its user agent.
    ///
    /// # Errors
    ///
    /// As [`RestClient::from_config`].
    pub fn from_config(
        config: &Config,
        renew_deadline: Duration,
        options: LeaseLockOptions,
    ) -> Result<Self, Error> {
        let mut config = config.clone();
        config.timeout = Some((renew_deadline / 2).max(Duration::from_secs(1)));
        if !config.user_agent.is_empty() {
            config.user_agent.push('/');
        }
        config.user_agent.push_str("leader-election");
        Ok(Self::new(&RestClient::from_config(&config)?, options))
    }

    async fn read(&self) -> Result<LeaderElectionRecord, LockError> {
        let lease = self.leases.get(&self.options.lease.name).await?;
        let record = LeaderElectionRecord::from(&*lease.spec);
        *self.lock() = Some(lease);
        Ok(record)
    }

    /// Sets the annotations of the options, and the note.
    fn annotate(&self, annotations: &mut Map<Str>) {
        for (annotation, value) in &self.options.annotations {
            annotations.insert(annotation.clone(), value.clone());
        }
        if let Some(note) = self.next_note().clone() {
            annotations.insert(NOTE, note.into());
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Lease>> {
        self.lease.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn next_note(&self) -> MutexGuard<'_, Option<String>> {
        self.note.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ResourceLock for LeaseLock {
    fn get(&self) -> BoxFuture<'_, Result<LeaderElectionRecord, LockError>> {
        Box::pin(self.read())
    }

    fn create(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>> {
        Box::pin(async move {
            let mut lease = Lease {
                metadata: ObjectMeta {
                    name: self.options.lease.name.clone(),
                    namespace: self.options.lease.namespace.clone(),
                    labels: self.options.labels.clone(),
                    ..ObjectMeta::EMPTY
                },
                spec: LeaseSpec::from(&record).into(),
            };
            self.annotate(&mut lease.metadata.annotations);
            let created = self.leases.create(lease).await?;
            *self.lock() = Some(created);
            Ok(())
        })
    }

    fn update(&self, record: LeaderElectionRecord) -> BoxFuture<'_, Result<(), LockError>> {
        Box::pin(async move {
            let mut lease = self.lock().clone().ok_or(LockError::NotRead)?;
            lease.spec = LeaseSpec::from(&record).into();
            for (label, value) in &self.options.labels {
                lease.metadata.labels.insert(label.clone(), value.clone());
            }
            self.annotate(&mut lease.metadata.annotations);
            let updated = self.leases.update(lease).await?;
            *self.lock() = Some(updated);
            Ok(())
        })
    }

    fn record_event(&self, what: &str) {
        if let Some(recorder) = &self.options.recorder {
            let metadata = match &*self.lock() {
                Some(lease) => lease.metadata.clone(),
                None => return,
            };
            let subject = Lease { metadata, ..Lease::EMPTY };
            let message = format_args!("{} {what}", self.options.identity);
            recorder.event(&subject, EventType::Normal, "LeaderElection", message);
        }
    }

    fn identity(&self) -> &str {
        &self.options.identity
    }

    fn describe(&self) -> String {
        self.options.lease.to_string()
    }

    fn set_note(&self, note: Option<String>) {
        *self.next_note() = note;
    }

    fn note(&self) -> Option<String> {
        self.lock().as_ref()?.metadata.annotations.get(NOTE).map(ToString::to_string)
    }
}

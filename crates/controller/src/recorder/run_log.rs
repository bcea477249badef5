//! [`RunLog`]: the requests of a run in progress.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_cache::ReadObserver;
use client_rs_client::{ObservedRequest, RequestObserver, Verb};
use client_rs_machinery::{GroupResource, ObjectKey, Str, Write, WriteLog, WriteObserver, WriteOutcome};
use http::StatusCode;
use tokio::time::Instant;

use super::record::{Method, Name, ResourceName, Sent};
use super::segment::is_same_text;
use crate::detect::{Managers, WriteFact};

/// How many requests of one run are remembered. The others are counted.
const MOST_REQUESTS: usize = 64;
/// How many requests there is space for at first.
const FEW_REQUESTS: usize = 4;
/// The largest list of requests whose memory is used again.
const MOST_REUSED: usize = 16;
/// How many informers whose caches a run read without a first list are remembered.
const MOST_UNSYNCED: usize = 8;

const IN_PROGRESS: u64 = u64::MAX;

/// The requests of a run, while it is in progress and until it is recorded.
pub(crate) struct RunLog {
    key: ObjectKey,
    pub(crate) began: Instant,
    versions: Versions,
    requests: Mutex<Requests>,
    /// The observer of own writes.
    own_writes: Arc<dyn WriteObserver>,
}

/// The versions of the sources. Most controllers have few: nothing is allocated for them.
#[derive(Clone)]
pub(crate) enum Versions {
    Few { versions: [u64; 4], count: usize },
    Many(Vec<u64>),
}

/// The requests of a run so far.
#[derive(Default)]
pub(crate) struct Requests {
    pub(crate) list: Vec<RunRequest>,
    /// How many are not in the list.
    pub(crate) more: u64,
    /// The informers whose caches it has read although they had no first list.
    pub(crate) unsynced: Vec<String>,
}

/// An empty list, for the requests of another run.
pub(crate) struct RequestList(Vec<RunRequest>);

/// A request of a run.
#[derive(Debug)]
pub(crate) struct RunRequest {
    pub(crate) method: Method,
    of: GroupResource,
    subresource: Str,
    /// `None` if it is that of the run, as mostly.
    object: Option<ObjectKey>,
    /// When it began, in microseconds since the beginning of the run.
    pub(crate) after: u64,
    /// In microseconds. [`IN_PROGRESS`] while it is in progress: with an option, requests would need a fifth more memory.
    took: u64,
    pub(crate) status: u16,
    pub(crate) version: u64,
    /// The managers of the object after a write.
    managers: Managers,
}

impl RunRequest {
    /// How long it took, in microseconds; `None` while it is in progress.
    pub(crate) fn took(&self) -> Option<u64> {
        (self.took != IN_PROGRESS).then_some(self.took)
    }

    /// Its object, for a run of this key.
    pub(crate) fn object<'a>(&'a self, run: &'a ObjectKey) -> &'a ObjectKey {
        self.object.as_ref().unwrap_or(run)
    }

    pub(crate) fn resource(&self) -> ResourceName<'_> {
        ResourceName { group: &self.of.group, resource: &self.of.resource, subresource: &self.subresource }
    }
}

impl Versions {
    fn of(all: impl ExactSizeIterator<Item = u64>) -> Self {
        let (mut versions, count) = ([0; 4], all.len());
        if count > versions.len() {
            return Self::Many(all.collect());
        }
        for (place, version) in versions.iter_mut().zip(all) {
            *place = version;
        }
        Self::Few { versions, count }
    }

    pub(super) fn as_slice(&self) -> &[u64] {
        match self {
            Self::Few { versions, count } => &versions[..*count],
            Self::Many(versions) => versions,
        }
    }

    /// The memory that it has allocated, in bytes.
    pub(super) fn memory(&self) -> usize {
        match self {
            Self::Few { .. } => 0,
            Self::Many(versions) => size_of_val(&**versions),
        }
    }
}

impl RunLog {
    pub(crate) fn new(
        key: ObjectKey,
        versions: impl ExactSizeIterator<Item = u64>,
        own_writes: Arc<dyn WriteObserver>,
        list: Option<RequestList>,
    ) -> Self {
        let versions = Versions::of(versions);
        let list = list.map(|RequestList(list)| list).unwrap_or_default();
        let requests = Mutex::new(Requests { list, ..Requests::default() });
        Self { key, began: Instant::now(), versions, requests, own_writes }
    }

    /// Takes the requests out, at the end of the run.
    pub(crate) fn take_requests(&self) -> Requests {
        std::mem::take(&mut *self.requests())
    }

    pub(crate) fn key(&self) -> &ObjectKey {
        &self.key
    }

    /// The versions that the sources had when it began.
    pub(crate) fn versions(&self) -> &Versions {
        &self.versions
    }

    /// The requests so far. While they are held, the run waits at its next request.
    pub(crate) fn requests(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn since_beginning(&self) -> u64 {
        micros(self.began.elapsed())
    }

    /// The key of an object, unless it is the run's own. Shares the namespace, if it is the same.
    fn other_key(&self, namespace: &str, name: &str) -> Option<ObjectKey> {
        let is_here = is_same_text(&self.key.namespace, namespace);
        if is_here && is_same_text(&self.key.name, name) {
            return None;
        }
        let namespace = if is_here { self.key.namespace.clone() } else { namespace.into() };
        Some(ObjectKey { namespace, name: name.into() })
    }
}

impl Requests {
    /// The memory of the list, if it is worth it to use it again.
    pub(crate) fn into_list(mut self) -> Option<RequestList> {
        (1..=MOST_REUSED).contains(&self.list.capacity()).then(|| {
            self.list.clear();
            RequestList(self.list)
        })
    }

    /// The memory that they have allocated, in bytes.
    pub(super) fn memory(&self) -> usize {
        let texts: usize = self.unsynced.iter().map(|name| name.capacity() + size_of::<String>()).sum();
        self.list.capacity() * size_of::<RunRequest>() + texts
    }

    /// The requests as they are recorded, for a run of this key that took this time.
    pub(crate) fn sent<'a>(
        &'a self,
        run: &'a ObjectKey,
        run_took: u64,
    ) -> impl ExactSizeIterator<Item = Sent<'a>> {
        self.list.iter().map(move |request| Sent {
            verb: request.method,
            resource: request.resource(),
            object: Name::of(request.object(run)),
            status: request.status,
            after: request.after,
            took: request.took().unwrap_or_else(|| run_took.saturating_sub(request.after)),
            version: request.version,
        })
    }

    /// The writes of a run of this key that the server accepted.
    pub(crate) fn writes<'a>(&'a self, run: &'a ObjectKey) -> impl Iterator<Item = WriteFact<'a>> {
        let accepted = self.list.iter().filter(|request| request.method.is_write() && request.version > 0);
        accepted.map(move |request| WriteFact {
            resource: request.resource(),
            object: request.object(run),
            version: request.version,
            managers: &request.managers,
        })
    }
}

impl RequestObserver for RunLog {
    fn began(&self, request: ObservedRequest<'_>) -> u64 {
        let mut requests = self.requests();
        if requests.list.len() >= MOST_REQUESTS {
            requests.more += 1;
            return u64::MAX;
        }
        if requests.list.capacity() == 0 {
            requests.list = Vec::with_capacity(FEW_REQUESTS);
        }
        requests.list.push(RunRequest {
            method: method_of(request.verb),
            of: request.resource,
            subresource: (*request.subresource).into(),
            object: self.other_key(request.namespace, request.name),
            after: self.since_beginning(),
            took: IN_PROGRESS,
            status: 0,
            version: 0,
            managers: Managers::NOBODY,
        });
        requests.list.len() as u64 - 1
    }

    fn ended(&self, request: u64, status: Option<StatusCode>) {
        let mut requests = self.requests();
        let request = usize::try_from(request).ok().and_then(|number| requests.list.get_mut(number));
        if let Some(request) = request {
            request.took = self.since_beginning().saturating_sub(request.after);
            request.status = status.map_or(0, |status| status.as_u16());
        }
    }
}

impl ReadObserver for RunLog {
    fn unsynced_read(&self, informer: &str) {
        let mut requests = self.requests();
        if requests.unsynced.len() < MOST_UNSYNCED && requests.unsynced.iter().all(|known| known != informer)
        {
            requests.unsynced.push(informer.to_owned());
        }
    }
}

impl WriteObserver for RunLog {
    fn written(&self, write: &Write<'_>) {
        self.own_writes.written(write);
        let (version, managers) = match write.outcome {
            WriteOutcome::Object(object) => {
                (version_number(object.metadata.resource_version()), Managers::of(object.metadata.meta()))
            }
            _ => (0, Managers::NOBODY),
        };
        let mut requests = self.requests();
        // The newest write of this object. A creation with a generated name learns the name here.
        let is_it = |request: &&mut RunRequest| {
            let object = request.object(&self.key);
            request.method.is_write()
                && request.version == 0
                && (*object == *write.key
                    || (object.name.is_empty() && object.namespace == write.key.namespace))
                && request.of == *write.resource
        };
        if let Some(request) = requests.list.iter_mut().rev().find(is_it) {
            (request.version, request.managers) = (version, managers);
            if request.object(&self.key).name.is_empty() {
                request.object = Some(write.key.clone());
            }
        }
    }

    fn cached(
        &self,
        log: &WriteLog,
        resource: &GroupResource,
        key: &ObjectKey,
    ) -> Option<Arc<dyn Any + Send + Sync>> {
        self.own_writes.cached(log, resource, key)
    }

    fn forwards_to(&self, other: &Arc<dyn WriteObserver>) -> bool {
        self.own_writes.forwards_to(other)
    }

    fn suppressed(&self, write: &Write<'_>) {
        self.own_writes.suppressed(write);
        let mut requests = self.requests();
        if requests.list.len() >= MOST_REQUESTS {
            requests.more += 1;
            return;
        }
        requests.list.push(RunRequest {
            method: Method::Suppressed,
            of: write.resource.clone(),
            subresource: Str::default(),
            object: self.other_key(&write.key.namespace, &write.key.name),
            after: self.since_beginning(),
            took: 0,
            status: 0,
            version: 0,
            managers: Managers::NOBODY,
        });
    }
}

fn method_of(verb: Verb) -> Method {
    match verb {
        Verb::Get => Method::Get,
        Verb::Post => Method::Post,
        Verb::Put => Method::Put,
        Verb::Patch => Method::Patch,
        Verb::Delete => Method::Delete,
        _ => Method::Other,
    }
}

pub(crate) fn micros(duration: Duration) -> u64 {
    duration.as_secs().saturating_mul(1_000_000).saturating_add(duration.subsec_micros().into())
}

/// A version as a number; zero if it is not one. Quicker than `parse`, which also looks for a sign and for overflow at each digit.
pub(crate) fn version_number(text: &str) -> u64 {
    /// So many digits fit into a number.
    const DIGITS: usize = 19;
    let digits = text.as_bytes();
    if digits.is_empty() || digits.len() > DIGITS || !digits.iter().all(u8::is_ascii_digit) {
        return text.parse().unwrap_or_default();
    }
    digits.iter().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'))
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::WrittenObject;
    use client_rs_machinery::meta::v1::PartialObjectMetadata;
    use client_rs_machinery::wire::Format;

    use super::*;

    fn request(verb: Verb, name: &str) -> (Verb, &str) {
        (verb, name)
    }

    async fn observed(log: Arc<RunLog>, requests: &[(Verb, &str)]) {
        // Without a server: each request fails at once and is still reported.
        let config = client_rs_transport::Config::new(http::Uri::from_static("http://127.0.0.1:1"));
        let client = client_rs_client::RestClient::from_config(&config).unwrap();
        for (verb, name) in requests {
            let request =
                client_rs_client::Request::new(*verb).api("", "v1").resource("secrets").namespace("a");
            let request = if name.is_empty() { request } else { request.name(name) };
            let sent =
                client_rs_client::observe_requests(log.clone(), async { client.send_raw(request).await });
            sent.await.unwrap_err();
        }
    }

    /// An observer that ignores writes.
    struct Nobody;

    impl WriteObserver for Nobody {
        fn written(&self, _: &Write) {}
    }

    #[tokio::test]
    async fn requests_are_remembered_with_the_versions_of_their_writes() {
        let log = Arc::new(RunLog::new(ObjectKey::new("a", "b"), [7].into_iter(), Arc::new(Nobody), None));
        observed(log.clone(), &[request(Verb::Get, "b"), request(Verb::Put, "b"), request(Verb::Post, "")])
            .await;
        let writes = WriteLog::new(None);
        let resource = GroupResource::new("", "secrets");
        let mut metadata = PartialObjectMetadata::EMPTY;
        metadata.metadata.resource_version = "12".into();
        let created = WriteOutcome::Object(WrittenObject::new(&metadata, Format::Json, b"{}"));
        let key = ObjectKey::new("a", "b-x7k2p");
        log.written(&Write::new(&writes, &resource, &key, created));
        log.written(&Write::new(&writes, &resource, &ObjectKey::new("a", "b"), created));
        log.suppressed(&Write::new(&writes, &resource, &key, WriteOutcome::Unknown));
        assert_eq!(log.versions().as_slice(), [7]);
        let requests = log.requests();
        let sent = requests.sent(log.key(), micros(log.began.elapsed()));
        let seen: Vec<_> = sent.map(|sent| (sent.verb, sent.object.to_string(), sent.version)).collect();
        assert_eq!(
            seen,
            [
                (Method::Get, "a/b".to_owned(), 0),
                (Method::Put, "a/b".to_owned(), 12),
                (Method::Post, "a/b-x7k2p".to_owned(), 12),
                (Method::Suppressed, "a/b-x7k2p".to_owned(), 0),
            ]
        );
        assert_eq!(requests.more, 0);
    }

    #[test]
    fn versions_are_numbers() {
        for number in [0, 7, 1_234_567, 9_999_999_999_999_999_999, u64::MAX] {
            assert_eq!(version_number(&number.to_string()), number);
        }
        assert_eq!((version_number("007"), version_number("+7")), (7, 7));
        for text in ["", "abc", "12a", "-1", "18446744073709551616", "99999999999999999999"] {
            assert_eq!(version_number(text), 0, "{text}");
        }
    }

    #[tokio::test]
    async fn a_run_with_many_requests_counts_the_rest() {
        let log = Arc::new(RunLog::new(ObjectKey::new("a", "b"), std::iter::empty(), Arc::new(Nobody), None));
        observed(log.clone(), &[request(Verb::Get, "b"); 70]).await;
        let requests = log.requests();
        assert_eq!((requests.list.len(), requests.more), (MOST_REQUESTS, 6));
        assert!(requests.list.iter().all(|request| request.took().is_some() && request.status == 0));
    }
}

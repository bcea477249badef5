//! [`RunLog`]: the requests of a run in progress.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use client_rs_cache::ReadObserver;
use client_rs_client::{ObservedRequest, RequestObserver, Verb};
use client_rs_machinery::{GroupResource, ObjectKey, Str, Write, WriteLog, WriteObserver, WriteOutcome};
use http::StatusCode;
use tokio::time::Instant;

use super::record::{Method, Name, Sent};
use crate::detect::{MOST_MANAGERS, WriteFact};

/// How many requests of one run are remembered. The others are counted.
const MOST_REQUESTS: usize = 64;
/// How many informers whose caches a run read without a first list are remembered.
const MOST_UNSYNCED: usize = 8;

/// The requests of a run, while it is in progress and until it is recorded.
pub(crate) struct RunLog {
    pub(crate) began: Instant,
    /// The versions that the sources had when it began.
    pub(crate) versions: Vec<u64>,
    requests: Mutex<Requests>,
    /// The observer of own writes.
    own_writes: Arc<dyn WriteObserver>,
}

#[derive(Default)]
struct Requests {
    list: Vec<RunRequest>,
    more: u64,
    /// The informers whose caches it has read without a first list.
    unsynced: Vec<String>,
}

/// A request of a run.
#[derive(Clone, Debug)]
pub(crate) struct RunRequest {
    pub(crate) method: Method,
    pub(crate) resource: String,
    pub(crate) object: ObjectKey,
    pub(crate) began: Instant,
    /// `None` while it is in progress.
    pub(crate) took: Option<Duration>,
    pub(crate) status: u16,
    pub(crate) version: u64,
    /// The field managers after a write.
    managers: Vec<(Str, i64)>,
}

impl RunLog {
    pub(crate) fn new(versions: Vec<u64>, own_writes: Arc<dyn WriteObserver>) -> Self {
        Self { began: Instant::now(), versions, requests: Mutex::default(), own_writes }
    }

    /// The requests so far, and how many more there were.
    pub(crate) fn requests(&self) -> (Vec<RunRequest>, u64) {
        let requests = self.lock();
        (requests.list.clone(), requests.more)
    }

    /// Calls a function with the requests as they are recorded.
    pub(crate) fn sent<T>(&self, call: impl FnOnce(Vec<Sent<'_>>, u64) -> T) -> T {
        let requests = self.lock();
        let sent = requests.list.iter().map(|request| Sent {
            verb: request.method,
            resource: &request.resource,
            object: Name::of(&request.object),
            status: request.status,
            after: micros(request.began.saturating_duration_since(self.began)),
            took: micros(request.took.unwrap_or_else(|| request.began.elapsed())),
            version: request.version,
        });
        call(sent.collect(), requests.more)
    }

    /// Calls a function with the writes that the server accepted.
    pub(crate) fn writes<T>(&self, call: impl FnOnce(&[WriteFact<'_>]) -> T) -> T {
        let requests = self.lock();
        let accepted =
            requests.list.iter().filter(|request| request.method.is_write() && request.version > 0);
        let facts: Vec<WriteFact<'_>> = accepted
            .map(|request| WriteFact {
                resource: &request.resource,
                object: &request.object,
                version: request.version,
                managers: &request.managers,
            })
            .collect();
        call(&facts)
    }

    /// The informers whose caches it has read although they had no first list.
    pub(crate) fn unsynced(&self) -> Vec<String> {
        self.lock().unsynced.clone()
    }

    fn lock(&self) -> MutexGuard<'_, Requests> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RequestObserver for RunLog {
    fn began(&self, request: &ObservedRequest<'_>) -> u64 {
        let mut requests = self.lock();
        if requests.list.len() >= MOST_REQUESTS {
            requests.more += 1;
            return u64::MAX;
        }
        let mut resource = text_of(&request.resource, request.subresource.len() + 1);
        if !request.subresource.is_empty() {
            resource.push('/');
            resource.push_str(&request.subresource);
        }
        requests.list.push(RunRequest {
            method: method_of(request.verb),
            resource,
            object: ObjectKey::new(request.namespace, request.name),
            began: Instant::now(),
            took: None,
            status: 0,
            version: 0,
            managers: Vec::new(),
        });
        requests.list.len() as u64 - 1
    }

    fn ended(&self, request: u64, status: Option<StatusCode>) {
        let mut requests = self.lock();
        let request = usize::try_from(request).ok().and_then(|number| requests.list.get_mut(number));
        if let Some(request) = request {
            request.took = Some(request.began.elapsed());
            request.status = status.map_or(0, |status| status.as_u16());
        }
    }
}

impl ReadObserver for RunLog {
    fn unsynced_read(&self, informer: &str) {
        let mut requests = self.lock();
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
                let managers = object.metadata.meta().field_managers().take(MOST_MANAGERS);
                let managers = managers.filter_map(|(name, time)| Some((name.into(), time?.seconds())));
                (version_of(object.metadata.resource_version()), managers.collect())
            }
            _ => (0, Vec::new()),
        };
        let mut requests = self.lock();
        // The newest write of this object. A creation with a generated name learns the name here.
        let is_it = |request: &&mut RunRequest| {
            request.method.is_write()
                && request.version == 0
                && (request.object == *write.key
                    || (request.object.name.is_empty() && request.object.namespace == write.key.namespace))
                && is_named(&request.resource, write.resource)
        };
        if let Some(request) = requests.list.iter_mut().rev().find(is_it) {
            request.version = version;
            request.managers = managers;
            request.object = write.key.clone();
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
        let mut requests = self.lock();
        if requests.list.len() >= MOST_REQUESTS {
            requests.more += 1;
            return;
        }
        requests.list.push(RunRequest {
            method: Method::Suppressed,
            resource: text_of(write.resource, 0),
            object: write.key.clone(),
            began: Instant::now(),
            took: Some(Duration::ZERO),
            status: 0,
            version: 0,
            managers: Vec::new(),
        });
    }
}

/// The resource as a text, with space for more.
fn text_of(resource: &GroupResource, more: usize) -> String {
    let mut text = String::with_capacity(resource.resource.len() + resource.group.len() + 1 + more);
    text.push_str(&resource.resource);
    if !resource.group.is_empty() {
        text.push('.');
        text.push_str(&resource.group);
    }
    text
}

/// Whether a text, without its subresource, is that of the resource.
fn is_named(text: &str, resource: &GroupResource) -> bool {
    let Some(rest) = text.strip_prefix(&*resource.resource) else { return false };
    let rest = if resource.group.is_empty() {
        Some(rest)
    } else {
        rest.strip_prefix('.').and_then(|rest| rest.strip_prefix(&*resource.group))
    };
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
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
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

/// A version as a number; zero if it is not one.
pub(crate) fn version_of(text: &str) -> u64 {
    text.parse().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::WrittenObject;
    use client_rs_machinery::meta::v1::PartialObjectMetadata;
    use client_rs_machinery::wire::Format;

    use super::*;

    #[test]
    fn a_resource_is_known_by_its_text_with_or_without_a_subresource() {
        let [pods, deployments] = [("", "pods"), ("apps", "deployments")]
            .map(|(group, resource)| GroupResource { group: group.into(), resource: resource.into() });
        for resource in [&pods, &deployments] {
            assert_eq!(text_of(resource, 0), resource.to_string());
            assert!(is_named(&resource.to_string(), resource));
            assert!(is_named(&format!("{resource}/status"), resource));
            assert!(!is_named(&format!("{resource}s"), resource));
        }
        for other in
            ["deployments", "deployments.extensions", "deployments/apps", "pods.metrics.k8s.io", "pod"]
        {
            assert!(!is_named(other, &deployments) && !is_named(other, &pods), "{other}");
        }
    }

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
        let log = Arc::new(RunLog::new(vec![7], Arc::new(Nobody)));
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
        log.sent(|sent, more| {
            let seen: Vec<_> =
                sent.iter().map(|sent| (sent.verb, sent.object.to_string(), sent.version)).collect();
            assert_eq!(
                seen,
                [
                    (Method::Get, "a/b".to_owned(), 0),
                    (Method::Put, "a/b".to_owned(), 12),
                    (Method::Post, "a/b-x7k2p".to_owned(), 12),
                    (Method::Suppressed, "a/b-x7k2p".to_owned(), 0),
                ]
            );
            assert_eq!(more, 0);
        });
    }

    #[tokio::test]
    async fn a_run_with_many_requests_counts_the_rest() {
        let log = Arc::new(RunLog::new(vec![], Arc::new(Nobody)));
        observed(log.clone(), &[request(Verb::Get, "b"); 70]).await;
        let (requests, more) = log.requests();
        assert_eq!((requests.len(), more), (MOST_REQUESTS, 6));
        assert!(requests.iter().all(|request| request.took.is_some() && request.status == 0));
    }
}

//! An informer on a real control plane, with a handler, readers, and a user who changes the objects.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::{Context as _, Result};
use client_rs_api::core::v1::ConfigMap;
use client_rs_cache::store::AtLeastError;
use client_rs_cache::{Index, Notification, RunningInformer, SharedInformer};
use client_rs_client::{Api, RestClient};
use client_rs_informers::RestListWatch;
use client_rs_machinery::Object as _;
use client_rs_machinery::labels::Selector;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_sim::content::{KEYS, OWNERS, SELECTED, State, content, names, number, object_key, owner};
use client_rs_sim::history::{Answer, ChangeKind, Fact, Phase};
use fastrand::Rng;
use tokio::time::Instant;

use crate::etcd::{Uids, key_of};
use crate::tap::{Log, NODE};

/// The label of objects that match the selector.
const LABEL: &str = "selected";
/// How long a reader waits for a version.
const PATIENCE: Duration = Duration::from_mins(3);

/// An informer, and the facts about it.
#[derive(Clone)]
pub struct Watched {
    informer: SharedInformer<ConfigMap>,
    log: Log,
    committed: Arc<AtomicU64>,
    /// Whether the storage was set back, so that versions have two meanings.
    unsure: Arc<AtomicBool>,
}

impl fmt::Debug for Watched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watched").field("commits", &self.commits()).finish_non_exhaustive()
    }
}

impl Watched {
    /// Makes an informer over a client whose requests are recorded.
    pub fn new(rest: RestClient, log: &Log, selected: bool) -> Result<Self> {
        let mut source = RestListWatch::<ConfigMap>::new(rest).all_namespaces();
        if selected {
            source = source.labels(&Selector::parse(&format!("{LABEL}=true"))?);
        }
        let informer = SharedInformer::new(source);
        let by_owner = Index::new("owner", |map: &ConfigMap| Some(owner(content_of(map)).to_string()));
        informer.add_indexes([by_owner])?;
        let watched = Self { informer, log: log.clone(), committed: Arc::default(), unsure: Arc::default() };
        log.record(NODE, Phase::Info, Fact::Join { handler: 0, filtered: false });
        let handler = watched.clone();
        watched.informer.add_handler(move |notification: &Notification<ConfigMap>| {
            handler.notified(notification);
        })?;
        Ok(watched)
    }

    /// Starts it.
    pub fn spawn(&self) -> RunningInformer {
        self.informer.spawn()
    }

    /// Notes that versions have two meanings from now on.
    pub fn doubt(&self) {
        self.unsure.store(true, Ordering::Relaxed);
        self.log.record(NODE, Phase::Info, Fact::Doubt);
    }

    fn notified(&self, notification: &Notification<ConfigMap>) {
        let none = State::default();
        let uids = &self.log.uids;
        let (change, key, old, new) = match notification {
            Notification::Added { object, .. } => {
                (ChangeKind::Added, object.key(), none, state(object, uids))
            }
            Notification::Updated { old, new } => {
                (ChangeKind::Updated, new.key(), state(old, uids), state(new, uids))
            }
            Notification::Deleted(deleted) => {
                let last = deleted.object().map_or(none, |object| state(object, uids));
                (ChangeKind::Deleted, deleted.key(), none, last)
            }
        };
        if let Some(key) = key_of(&key.namespace, &key.name) {
            self.log.record(NODE, Phase::Ok, Fact::Notify { handler: 0, change, key, old, new });
        }
        self.commit();
    }

    /// Records the content of the store. Returns its version.
    pub fn commit(&self) -> u32 {
        let snapshot = self.informer.indexer().snapshot();
        let version = number(snapshot.resource_version());
        if version == 0 {
            return 0;
        }
        let key = |map: &ConfigMap| key_of(&map.metadata.namespace, &map.metadata.name);
        let mut objects: Vec<(u8, State)> = Vec::new();
        for map in snapshot.iter() {
            if let Some(key) = key(&map) {
                objects.push((key, state(&map, &self.log.uids)));
            }
        }
        let mut indexed = 0_u8;
        for value in 0..OWNERS {
            for map in snapshot.by_index("owner", &value.to_string()).into_iter().flatten() {
                let Some(key) = key(&map) else { continue };
                indexed |= if owner(content_of(&map)) == value { 1 << key } else { 1 << 7 };
            }
        }
        self.committed.fetch_add(1, Ordering::Relaxed);
        self.log.commit(version, &objects, indexed, self.unsure.load(Ordering::Relaxed));
        version
    }

    /// Returns how often the store was compared.
    pub fn commits(&self) -> u64 {
        self.committed.load(Ordering::Relaxed)
    }

    /// Returns the content of the store.
    pub fn objects(&self) -> Vec<(u8, State)> {
        let snapshot = self.informer.indexer().snapshot();
        let mut objects: Vec<_> = snapshot
            .iter()
            .filter_map(|map| {
                let key = key_of(&map.metadata.namespace, &map.metadata.name)?;
                Some((key, state(&map, &self.log.uids)))
            })
            .collect();
        objects.sort_unstable_by_key(|(key, _)| *key);
        objects
    }

    /// Records reads of the store, now and then, until it is dropped.
    pub async fn sample(self) {
        let mut last = 0;
        loop {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let version = number(self.informer.indexer().snapshot().resource_version());
            if version != last {
                last = self.commit();
            }
            for (key, state) in self.objects() {
                if !self.unsure.load(Ordering::Relaxed) {
                    self.log.record(NODE, Phase::Ok, Fact::Read { key, state });
                }
            }
        }
    }

    /// Waits for a version of an object, as a reader of its own write does.
    async fn read(self, key: u8, wanted: u32) {
        let indexer = self.informer.indexer();
        let answer = indexer.at_least(&object_key(key), &wanted.to_string(), Instant::now() + PATIENCE).await;
        if self.unsure.load(Ordering::Relaxed) {
            return;
        }
        // Read before the store: it only grows.
        let store = number(indexer.snapshot().resource_version());
        let answer = match answer {
            Ok(Some(map)) => Answer::Object(state(&map, &self.log.uids)),
            Ok(None) => Answer::Missing,
            Err(AtLeastError::Stale(_)) => Answer::Stale,
            Err(AtLeastError::Deadline { .. }) => Answer::Waits,
            Err(_) => Answer::Failed,
        };
        // Whether a missing object is missing at that version is only known if nothing was written since.
        if answer != Answer::Missing {
            self.log.record(NODE, Phase::Ok, Fact::AtLeast { key, wanted, store, answer });
        }
    }

    /// Changes an object, as a user does who does not know what happens to the servers. Returns the version, if it is known.
    pub async fn change(&self, user: &RestClient, random: &mut Rng) -> Option<u32> {
        let (key, delete) = (random.u8(..KEYS), random.u8(..4) == 0);
        let content = content(random.bool(), random.u8(..OWNERS), random.u8(..3) > 0, false);
        let (namespace, name) = names(key);
        let api = Api::<ConfigMap>::namespaced(user, namespace);
        let work = async {
            if delete {
                api.delete(name).await?;
                return anyhow::Ok(None);
            }
            let written = if let Ok(mut current) = api.get(name).await {
                fill(&mut current, content);
                api.update(current).await?
            } else {
                let mut map = ConfigMap::EMPTY;
                map.metadata =
                    ObjectMeta { name: name.into(), namespace: namespace.into(), ..ObjectMeta::EMPTY };
                fill(&mut map, content);
                api.create(map).await?
            };
            Ok(Some(number(&written.metadata.resource_version)))
        };
        // Without an answer the change may have happened. etcd knows.
        let version = tokio::time::timeout(Duration::from_secs(10), work).await.ok()?.ok()??;
        self.log.note(version);
        tokio::spawn(self.clone().read(key, version));
        Some(version)
    }

    /// Writes until a write is known to have happened. Returns its version.
    pub async fn mark(&self, user: &RestClient, random: &mut Rng) -> Result<u32> {
        for _ in 0..600 {
            if let Some(version) = self.change(user, random).await {
                return Ok(version);
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        anyhow::bail!("no write succeeds, long after the last fault")
    }

    /// Waits until the store has reached a version.
    pub async fn reaches(&self, version: u32, patience: Duration) -> Result<()> {
        let reached = async {
            while number(self.informer.indexer().snapshot().resource_version()) < version {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        };
        tokio::time::timeout(patience, reached).await.context("the cache does not catch up")
    }
}

fn fill(map: &mut ConfigMap, content: u8) {
    map.data.insert("content", content.to_string().into());
    let selected = content & SELECTED != 0;
    map.metadata.labels.insert(LABEL, if selected { "true" } else { "false" }.into());
}

fn content_of(map: &ConfigMap) -> u8 {
    map.data.get("content").and_then(|text| text.parse().ok()).unwrap_or_default()
}

fn state(map: &ConfigMap, uids: &Uids) -> State {
    State {
        version: number(&map.metadata.resource_version),
        uid: uids.number(&map.metadata.uid),
        content: content_of(map),
    }
}

//! The truth: every revision of the watched objects, from etcd itself, by its JSON gateway.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow, ensure};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_sim::content::{KEYS, State, names};
use client_rs_sim::server::Revision;
use serde_json::{Value, json};

/// The folder of the watched objects in etcd.
const PREFIX: &str = "/registry/configmaps/";
/// How long one watch lasts. The next one asks another member.
const WATCH: Duration = Duration::from_secs(3);

/// The numbers of UIDs.
#[derive(Clone, Debug, Default)]
pub struct Uids(Arc<Mutex<BTreeMap<String, u32>>>);

impl Uids {
    /// Returns the number of a UID.
    pub fn number(&self, uid: &str) -> u32 {
        let mut numbers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX - 1) + 1;
        *numbers.entry(uid.to_owned()).or_insert(next)
    }
}

/// Returns the key of an object that is watched.
pub fn key_of(namespace: &str, name: &str) -> Option<u8> {
    (0..KEYS).find(|key| names(*key) == (namespace, name))
}

/// Returns the content of an object, from its JSON.
pub fn content_of(object: &Value) -> u8 {
    object["data"]["content"].as_str().and_then(|text| text.parse().ok()).unwrap_or_default()
}

/// The members of etcd.
#[derive(Clone, Debug)]
pub struct Etcd {
    members: Vec<SocketAddr>,
}

impl Etcd {
    /// Makes a client.
    pub fn new(members: Vec<SocketAddr>) -> Self {
        Self { members }
    }

    fn post(member: SocketAddr, path: &str, body: &Value, limit: Duration) -> Result<ureq::Body> {
        let agent: ureq::Agent =
            ureq::Agent::config_builder().proxy(None).timeout_global(Some(limit)).build().into();
        let response = agent
            .post(format!("http://{member}{path}"))
            .send(body.to_string())
            .context("etcd does not answer")?;
        Ok(response.into_body())
    }

    /// Sends a request to the members in turn, until one answers.
    fn call(&self, path: &str, body: &Value) -> Result<Value> {
        let mut error = anyhow!("there is no etcd");
        for member in self.members.iter().cycle().take(4 * self.members.len()) {
            let answer = Self::post(*member, path, body, Duration::from_secs(3))
                .and_then(|mut body| Ok(body.read_to_string()?))
                .and_then(|text| Ok(serde_json::from_str(&text)?));
            match answer {
                Ok(answer) => return Ok(answer),
                Err(failure) => error = failure,
            }
            std::thread::sleep(Duration::from_millis(300));
        }
        Err(error)
    }

    /// Returns the newest revision, and the watched objects with their revisions at it.
    pub fn read(&self, uids: &Uids) -> Result<(u32, BTreeMap<u8, State>)> {
        let answer =
            self.call("/v3/kv/range", &json!({"key": encode(PREFIX), "range_end": encode(&end())}))?;
        let mut objects = BTreeMap::new();
        for pair in answer["kvs"].as_array().into_iter().flatten() {
            if let Some((key, state)) = object(pair, uids) {
                objects.insert(key, state);
            }
        }
        Ok((number(&answer["header"]["revision"]).context("a response without a revision")?, objects))
    }

    /// Drops the history up to a revision.
    pub fn compact(&self, revision: u32) -> Result<()> {
        self.call("/v3/kv/compaction", &json!({"revision": revision.to_string()})).map(drop)
    }
}

fn end() -> String {
    // The first key after all that begin with the prefix.
    format!("{}0", PREFIX.trim_end_matches('/'))
}

fn encode(text: &str) -> String {
    STANDARD.encode(text)
}

fn number(value: &Value) -> Option<u32> {
    value.as_str()?.parse().ok()
}

fn decode(value: &Value) -> Option<Vec<u8>> {
    STANDARD.decode(value.as_str()?).ok()
}

fn key(pair: &Value) -> Option<u8> {
    let path = String::from_utf8(decode(&pair["key"])?).ok()?;
    let (namespace, name) = path.strip_prefix(PREFIX)?.split_once('/')?;
    key_of(namespace, name)
}

fn object(pair: &Value, uids: &Uids) -> Option<(u8, State)> {
    let value: Value = serde_json::from_slice(&decode(&pair["value"])?).ok()?;
    let uid = uids.number(value["metadata"]["uid"].as_str()?);
    Some((key(pair)?, State { version: number(&pair["mod_revision"])?, uid, content: content_of(&value) }))
}

/// Watches etcd in a thread of its own, until it is ended.
#[derive(Debug)]
pub struct Observer {
    revisions: Arc<Mutex<Vec<Revision>>>,
    /// The version up to which all events were seen, at least.
    seen: Arc<AtomicU32>,
    stop: Arc<AtomicBool>,
    thread: JoinHandle<Result<()>>,
}

impl Observer {
    /// Begins after a revision, at which the objects are these.
    pub fn start(etcd: &Etcd, uids: &Uids, after: u32, objects: BTreeMap<u8, State>) -> Self {
        let (revisions, seen) = (Arc::<Mutex<Vec<_>>>::default(), Arc::new(AtomicU32::new(after)));
        let stop = Arc::<AtomicBool>::default();
        let watching = Watching {
            etcd: etcd.clone(),
            uids: uids.clone(),
            objects,
            revisions: Arc::clone(&revisions),
            seen: Arc::clone(&seen),
            stop: Arc::clone(&stop),
        };
        let thread = std::thread::spawn(move || watching.run());
        Self { revisions, seen, stop, thread }
    }

    /// Returns the version up to which all events were seen, at least.
    pub fn seen(&self) -> u32 {
        self.seen.load(Ordering::Relaxed)
    }

    /// Ends it. Returns the revisions.
    pub fn end(self) -> Result<Vec<Revision>> {
        self.stop.store(true, Ordering::Relaxed);
        self.thread.join().map_err(|_| anyhow!("the observer panicked"))??;
        Ok(std::mem::take(&mut *self.revisions.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

struct Watching {
    etcd: Etcd,
    uids: Uids,
    objects: BTreeMap<u8, State>,
    revisions: Arc<Mutex<Vec<Revision>>>,
    seen: Arc<AtomicU32>,
    stop: Arc<AtomicBool>,
}

impl Watching {
    fn run(mut self) -> Result<()> {
        let members = self.etcd.members.clone();
        for member in members.iter().cycle() {
            if self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let from = self.seen.load(Ordering::Relaxed) + 1;
            let create = json!({
                "key": encode(PREFIX), "range_end": encode(&end()), "start_revision": from.to_string(),
            });
            let Ok(body) = Etcd::post(*member, "/v3/watch", &json!({"create_request": create}), WATCH) else {
                std::thread::sleep(Duration::from_millis(200));
                continue;
            };
            for line in BufReader::new(body.into_reader()).lines() {
                // The time is over, or the member is gone.
                let Ok(line) = line else { break };
                let answer: Value = serde_json::from_str(&line).unwrap_or_default();
                let result = &answer["result"];
                ensure!(
                    result["compact_revision"].is_null() || number(&result["compact_revision"]) == Some(0),
                    "the history that the observer needs was dropped"
                );
                self.note(result)?;
            }
        }
        Ok(())
    }

    fn note(&mut self, result: &Value) -> Result<()> {
        let mut newest = 0;
        for event in result["events"].as_array().into_iter().flatten() {
            let version = number(&event["kv"]["mod_revision"]).context("an event without a revision")?;
            newest = newest.max(version);
            let Some(key) = key(&event["kv"]) else { continue };
            let before = self.objects.get(&key).copied().unwrap_or_default();
            let deleted = event["type"] == "DELETE";
            let state = if deleted {
                self.objects.remove(&key);
                State { version, ..before }
            } else {
                let (_, state) = object(&event["kv"], &self.uids).context("an object that can't be read")?;
                self.objects.insert(key, state);
                state
            };
            let revision = Revision { version, key, state, deleted, before };
            self.revisions.lock().unwrap_or_else(PoisonError::into_inner).push(revision);
        }
        self.seen.fetch_max(newest, Ordering::Relaxed);
        Ok(())
    }
}

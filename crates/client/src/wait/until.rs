//! Lists, then watches from that version, repeatedly.

use std::time::Duration;

use client_rs_machinery::meta::v1::ListOptions;
use client_rs_machinery::wire::{Format, Payload, WatchEvent};
use client_rs_machinery::{Json, Object, Str};
use tokio::time::Instant;

use super::{WaitCondition, WaitError};
use crate::api::options;
use crate::{Backoff, Error, Request, RestClient};

/// The time between two attempts to open a watch, and after a failure; the latter grows.
const PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The server ends a watch after one to two of these, so that a dead connection is detected.
const WATCH: Duration = Duration::from_mins(1);

/// Waits until the condition holds for the object with this name among those that `all` lists.
pub(super) async fn until<K: Payload + Object>(
    rest: &RestClient,
    all: Request,
    name: &str,
    condition: &mut dyn WaitCondition,
    limit: Duration,
) -> Result<Option<K>, WaitError> {
    // The name becomes a selector, in which anything but a name would select other objects.
    all.clone().name(name).check().map_err(Error::Request)?;
    let mut waiting = Waiting { rest, all, name, condition, has_answered: false, last: None, seen: None };
    match tokio::time::timeout(limit, waiting.run()).await {
        Ok(outcome) => outcome,
        Err(_) => Err(WaitError::Timeout {
            name: name.to_owned(),
            what: waiting.condition.describe(),
            limit,
            last: waiting.last,
        }),
    }
}

struct Waiting<'a, K> {
    rest: &'a RestClient,
    all: Request,
    name: &'a str,
    condition: &'a mut dyn WaitCondition,
    /// Whether the server has answered before. If not, its address may be wrong.
    has_answered: bool,
    /// The error of the last attempt.
    last: Option<String>,
    /// The object for which the condition holds.
    seen: Option<K>,
}

/// The next step after a watch.
enum Next {
    /// It holds.
    Done,
    /// Watch again, from the last version.
    Resume,
    /// List again: the version has expired.
    List,
}

impl<K: Payload + Object> Waiting<'_, K> {
    async fn run(&mut self) -> Result<Option<K>, WaitError> {
        let pauses =
            Backoff { duration: PAUSE, factor: 2.0, jitter: 0.1, steps: u32::MAX, cap: Some(LONGEST_PAUSE) };
        let mut pause = pauses.clone();
        let mut version: Option<Str> = None;
        loop {
            let began = Instant::now();
            let outcome = match version.take() {
                None => {
                    self.list().await.map(|(done, at)| (if done { Next::Done } else { Next::Resume }, at))
                }
                Some(mut at) => self.watch(&mut at).await.map(|next| (next, at)),
            };
            match outcome {
                Ok((Next::Done, _)) => return Ok(self.seen.take()),
                Ok((next, at)) => {
                    version = matches!(next, Next::Resume).then_some(at);
                    (self.last, pause) = (None, pauses.clone());
                    if version.is_none() && began.elapsed() < PAUSE {
                        tokio::time::sleep(PAUSE).await;
                    }
                }
                // A server that restarts refuses connections for a while.
                Err(WaitError::Request(error))
                    if error.is_transient()
                        || error.is_resource_expired()
                        || (self.has_answered && error.is_connection_refused()) =>
                {
                    let asked = error.retry_after().unwrap_or_default();
                    self.last = Some(error.to_string());
                    tokio::time::sleep(pause.step().max(asked)).await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    fn options(&self) -> ListOptions {
        ListOptions { field_selector: format!("metadata.name={}", self.name).into(), ..ListOptions::EMPTY }
    }

    /// Lists the current state and its version.
    async fn list(&mut self) -> Result<(bool, Str), WaitError> {
        let request = options::list(self.all.clone(), &self.options());
        let list = self.rest.send_list::<K>(request).await?;
        self.has_answered = true;
        // A server that ignores the selector returns more than was requested.
        let object = list.items.into_iter().find(|object| Object::name(object) == self.name);
        Ok((self.ask(object)?, list.metadata.resource_version))
    }

    async fn watch(&mut self, version: &mut Str) -> Result<Next, WaitError> {
        let options =
            ListOptions { resource_version: version.clone(), allow_watch_bookmarks: true, ..self.options() };
        let began = Instant::now();
        let request = options::watch(self.all.clone(), &options).watch_timeout(WATCH);
        let mut watch = self.rest.watch::<K>(request).await?;
        while let Some(event) = watch.next().await {
            let (object, gone) = match event {
                Ok(WatchEvent::Added(object) | WatchEvent::Modified(object)) => (object, false),
                Ok(WatchEvent::Deleted(object)) => (object, true),
                Ok(WatchEvent::Bookmark { resource_version, .. }) => {
                    *version = resource_version;
                    continue;
                }
                Ok(WatchEvent::Error(_)) => return Ok(Next::List),
                // This state can't be decoded; the next one may be.
                Err(bad) => {
                    if !bad.resource_version.is_empty() {
                        *version = bad.resource_version.into();
                    }
                    continue;
                }
            };
            *version = object.meta().resource_version().into();
            if Object::name(&object) == self.name && self.ask((!gone).then_some(object))? {
                return Ok(Next::Done);
            }
        }
        if began.elapsed() < PAUSE {
            tokio::time::sleep(PAUSE).await;
        }
        Ok(Next::Resume)
    }

    /// Evaluates the condition for this object.
    fn ask(&mut self, object: Option<K>) -> Result<bool, WaitError> {
        let decode = |error| Error::Decode { call: crate::Call::new("GET", self.name), error };
        let json = object.as_ref().map(|object| Json::parse(&object.encode(Format::Json))).transpose();
        let json = json.map_err(decode)?;
        let holds = self.condition.holds(json.as_ref());
        let holds = holds.map_err(|error| WaitError::WaitCondition { name: self.name.to_owned(), error })?;
        self.seen = if holds { object } else { None };
        Ok(holds)
    }
}

//! What one request knows of the world outside.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use client_rs_machinery::{Json, Str, Time};

use super::Webhooks;
use crate::custom::Converter;
use crate::object::ClientConfig;
use crate::registry::{Listing, Registry};
use crate::request::User;

/// What a request asks of webhooks, what they said, and what the request has made up itself.
///
/// It lives as long as the request. Its locks are held for moments, never across a call.
pub(crate) struct Session {
    pub(super) webhooks: Arc<Webhooks>,
    pub(super) registry: Arc<Registry>,
    pub(super) requester: Requester,
    /// Objects that were converted for a list or a watch are not converted again for another: as with the real server's
    /// cache. A read of one object always asks.
    pub(crate) reuses: bool,
    state: Mutex<State>,
}

/// Who asks for what.
#[derive(Debug, Default)]
pub(crate) struct Requester {
    pub(crate) user: User,
    /// The name in the path; empty where there is none.
    pub(crate) name: Str,
    pub(crate) subresource: Str,
    /// What the options of a create or an update hold, without their kind.
    pub(crate) options: Json,
}

#[derive(Default)]
struct State {
    answers: HashMap<Question, Arc<Answer>>,
    asked: HashSet<Question>,
    warnings: Vec<String>,
    kept: HashMap<String, String>,
    now: Option<Time>,
    listing: Option<Arc<Listing>>,
}

/// What a webhook is asked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Question {
    /// Whether a request may pass.
    Review {
        /// The configuration and the webhook in it.
        webhook: Str,
        /// How often it has been asked before.
        round: u8,
        client: Arc<ClientConfig>,
        /// Of the review.
        version: &'static str,
        /// In seconds.
        timeout: u32,
        /// Without its UID.
        request: Bytes,
    },
    /// How an object looks in another version.
    Convert {
        converter: Arc<Converter>,
        /// The version.
        desired: String,
        object: Bytes,
    },
}

/// What a webhook said.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    /// The UID that it was asked with.
    pub(super) uid: String,
    /// A review, or the converted object.
    pub(super) said: Result<Json, String>,
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("requester", &self.requester).finish_non_exhaustive()
    }
}

impl Session {
    pub(crate) fn new(webhooks: &Arc<Webhooks>, registry: &Arc<Registry>, requester: Requester) -> Self {
        Self {
            webhooks: Arc::clone(webhooks),
            registry: Arc::clone(registry),
            requester,
            reuses: false,
            state: Mutex::default(),
        }
    }

    /// A session that only converts, of a request that goes on for long: it does not keep what it was told.
    pub(crate) fn of_watch(webhooks: &Arc<Webhooks>, registry: &Arc<Registry>) -> Self {
        Self { reuses: true, ..Self::new(webhooks, registry, Requester::default()) }
    }

    /// Whether this run has asked for something that is not known yet. Its result is thrown away.
    pub(crate) fn is_pending(&self) -> bool {
        !self.state().asked.is_empty()
    }

    /// The time of the request.
    pub(super) fn now(&self) -> Time {
        *self.state().now.get_or_insert_with(|| self.registry.clock().now())
    }

    pub(super) fn kept(&self, key: &str) -> Option<String> {
        self.state().kept.get(key).cloned()
    }

    pub(super) fn set_kept(&self, key: &str, value: &str) {
        self.state().kept.insert(key.to_owned(), value.to_owned());
    }

    pub(super) fn kept_listing(&self) -> Option<Arc<Listing>> {
        self.state().listing.clone()
    }

    pub(super) fn set_kept_listing(&self, listing: &Arc<Listing>) {
        self.state().listing = Some(Arc::clone(listing));
    }

    pub(super) fn warn(&self, text: &str) {
        self.state().warnings.push(text.to_owned());
    }

    /// What webhooks warn of.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.state().warnings.clone()
    }

    /// The answer to a question; `None` where it is not known yet.
    pub(super) fn ask(&self, question: Question) -> Option<Arc<Answer>> {
        let mut state = self.state();
        let known = state.answers.get(&question).cloned();
        if known.is_none() {
            state.asked.insert(question);
        }
        known
    }

    /// Begins a run.
    pub(super) fn begin(&self) {
        let mut state = self.state();
        state.asked.clear();
        state.warnings.clear();
    }

    /// What the run has asked for.
    pub(super) fn asked(&self) -> Vec<Question> {
        self.state().asked.iter().cloned().collect()
    }

    pub(super) fn add_answers(&self, answers: Vec<(Question, Answer)>) {
        let mut state = self.state();
        state.answers.extend(answers.into_iter().map(|(question, answer)| (question, Arc::new(answer))));
    }

    /// Forgets what it was told.
    pub(crate) fn forget(&self) {
        let mut state = self.state();
        state.answers.clear();
        state.asked.clear();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

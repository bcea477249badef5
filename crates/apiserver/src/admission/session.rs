//! What one request knows of the world outside.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use client_rs_machinery::{ApiError, Json, Str, Time};

use super::conversion::Converter;
use super::{ClientConfig, Hooks};
use crate::access::User;
use crate::registry::{Listing, Registry, internal};

/// What a request asks of webhooks, what they said, and what the request has made up itself.
///
/// It lives as long as the request. Its locks are held for moments, never across a call.
pub(crate) struct Session {
    pub(super) hooks: Arc<Hooks>,
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
    pub(crate) fn new(hooks: &Arc<Hooks>, registry: &Arc<Registry>, requester: Requester) -> Self {
        Self {
            hooks: Arc::clone(hooks),
            registry: Arc::clone(registry),
            requester,
            reuses: false,
            state: Mutex::default(),
        }
    }

    /// A session that only converts, of a request that goes on for long: it does not keep what it was told.
    pub(crate) fn of_watch(hooks: &Arc<Hooks>, registry: &Arc<Registry>) -> Self {
        Self { reuses: true, ..Self::new(hooks, registry, Requester::default()) }
    }

    /// What a request has when not all answers are there. Nobody sees it: the request is run again.
    pub(crate) fn waiting() -> ApiError {
        internal("the webhooks of the request have not come to an end")
    }

    /// Whether this run has asked for something that is not known yet. What it makes counts for nothing.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.state().asked.is_empty()
    }

    /// Refuses to write where something is not known yet.
    pub(crate) fn settled(&self) -> Result<(), ApiError> {
        if self.is_waiting() { Err(Self::waiting()) } else { Ok(()) }
    }

    /// What is made up once and stays.
    pub(crate) fn keep(&self, what: &str, make: impl FnOnce() -> String) -> String {
        self.state().kept.entry(what.to_owned()).or_insert_with(make).clone()
    }

    /// The time of the request.
    pub(crate) fn now(&self) -> Time {
        *self.state().now.get_or_insert_with(|| self.registry.clock().now())
    }

    /// The list that a request is about, as it first was.
    pub(crate) fn keep_listing<E>(
        &self,
        make: impl FnOnce() -> Result<Listing, E>,
    ) -> Result<Arc<Listing>, E> {
        if let Some(listing) = &self.state().listing {
            return Ok(Arc::clone(listing));
        }
        let listing = Arc::new(make()?);
        if !self.is_waiting() {
            self.state().listing = Some(Arc::clone(&listing));
        }
        Ok(listing)
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

    pub(super) fn tell(&self, answers: Vec<(Question, Answer)>) {
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

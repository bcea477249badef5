//! The webhook responses and generated values of one request.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use client_rs_machinery::{Json, Str, Time, collections::VecMap};

use super::Webhooks;
use crate::access::Access;
use crate::custom::Converter;
use crate::object::ClientConfig;
use crate::registry::{Listing, Registry};
use crate::request::User;

/// The questions of a request to webhooks, their responses, and the values that the request generated.
///
/// It lives as long as the request. Its locks are held briefly, never during a call.
pub(crate) struct Session {
    pub(super) webhooks: Arc<Webhooks>,
    pub(super) registry: Arc<Registry>,
    pub(super) requester: Requester,
    /// Whether objects that were converted for a list or a watch are reused for other requests, as with the real
    /// server's cache. A read of a single object always calls the webhook.
    pub(crate) reuses: bool,
    state: Mutex<State>,
}

/// The user, target and options of a request.
#[derive(Debug, Default)]
pub(crate) struct Requester {
    pub(crate) user: User,
    /// The name in the path; empty for a collection.
    pub(crate) name: Str,
    pub(crate) subresource: Str,
    /// The options of a create or an update, without their kind.
    pub(crate) options: Json,
    /// The rights of users, for expressions that ask.
    pub(crate) access: Access,
}

#[derive(Default)]
struct State {
    answers: HashMap<Question, Arc<Answer>>,
    asked: HashSet<Question>,
    warnings: Vec<String>,
    /// The annotations of policies for the audit log.
    annotations: VecMap<String, String>,
    kept: HashMap<String, String>,
    now: Option<Time>,
    listing: Option<Arc<Listing>>,
}

/// A question to a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Question {
    /// An admission review.
    Review {
        /// Identifies the configuration and the webhook in it.
        webhook: Str,
        /// How many times the webhook was called before.
        round: u8,
        client: Arc<ClientConfig>,
        /// The version of the review.
        version: &'static str,
        /// The timeout in seconds.
        timeout: u32,
        /// The review's request, without its UID.
        request: Bytes,
    },
    /// The conversion of an object.
    Convert {
        converter: Arc<Converter>,
        /// The desired version.
        desired: String,
        object: Bytes,
    },
}

/// The response of a webhook.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answer {
    /// The UID of the review.
    pub(super) uid: String,
    /// The review or the converted object.
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

    /// A session for a watch. It only converts objects and does not keep responses, because a watch is long.
    pub(crate) fn of_watch(webhooks: &Arc<Webhooks>, registry: &Arc<Registry>) -> Self {
        Self { reuses: true, ..Self::new(webhooks, registry, Requester::default()) }
    }

    /// Whether this run needs a response that has not arrived. The result of such a run is discarded.
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
        let mut state = self.state();
        if !state.warnings.iter().any(|known| known == text) {
            state.warnings.push(text.to_owned());
        }
    }

    /// The warnings of webhooks.
    pub(crate) fn warnings(&self) -> Vec<String> {
        self.state().warnings.clone()
    }

    /// Adds an annotation for the audit log.
    pub(super) fn annotate(&self, key: &str, value: &str) {
        self.state().annotations.insert(key.to_owned(), value.to_owned());
    }

    /// The annotations of policies for the audit log.
    pub(crate) fn audit_annotations(&self) -> VecMap<String, String> {
        self.state().annotations.clone()
    }

    /// The response to a question; `None` if it has not arrived.
    pub(super) fn ask(&self, question: Question) -> Option<Arc<Answer>> {
        let mut state = self.state();
        let known = state.answers.get(&question).cloned();
        if known.is_none() {
            state.asked.insert(question);
        }
        known
    }

    /// Starts a run.
    pub(super) fn begin(&self) {
        let mut state = self.state();
        state.asked.clear();
        state.warnings.clear();
        state.annotations.clear();
    }

    /// The questions of this run.
    pub(super) fn asked(&self) -> Vec<Question> {
        self.state().asked.iter().cloned().collect()
    }

    pub(super) fn add_answers(&self, answers: Vec<(Question, Answer)>) {
        let mut state = self.state();
        state.answers.extend(answers.into_iter().map(|(question, answer)| (question, Arc::new(answer))));
    }

    /// Discards all responses.
    pub(crate) fn forget(&self) {
        let mut state = self.state();
        state.answers.clear();
        state.asked.clear();
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! List, with consistent pages.

use std::cell::RefCell;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use client_rs_machinery::{ApiError, Json, Str, json};

use super::Admission;
use super::catalog::Served;
use super::{Registry, Selection, Stored, too_large_version};
use crate::store::{Compacted, Range};

/// The options of a list.
#[derive(Clone, Debug)]
pub(crate) struct ListRequest<'a> {
    /// The namespace; empty for all namespaces.
    pub(crate) namespace: &'a str,
    pub(crate) selection: &'a Selection,
    /// The largest number of items; 0 for all.
    pub(crate) limit: usize,
    /// The end of the page before.
    pub(crate) continue_token: &'a str,
    /// The requested state.
    pub(crate) at: At,
    /// Converts objects; without it nothing is converted.
    pub(crate) session: Option<&'a dyn Admission>,
}

/// The requested state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// The latest.
    Latest,
    /// The latest, which must not be older than this revision.
    NotOlderThan(u64),
    /// Exactly this revision.
    Exact(u64),
}

/// A page of a list.
#[derive(Debug)]
pub(crate) struct Listing {
    pub(crate) items: Vec<Arc<Stored>>,
    /// The revision of the list.
    pub(crate) revision: u64,
    /// The start of the next page; empty after the last.
    pub(crate) continue_token: String,
    /// The number of remaining items, if it is known.
    pub(crate) remaining: Option<i64>,
}

/// The error of a list.
#[derive(Debug)]
pub(crate) enum ListError {
    Api(ApiError),
    /// The revision of the earlier pages is no longer kept. With this token the list continues at the latest
    /// revision.
    Expired {
        error: ApiError,
        continue_token: String,
    },
}

impl From<ApiError> for ListError {
    fn from(error: ApiError) -> Self {
        Self::Api(error)
    }
}

impl<'a> ListRequest<'a> {
    /// Everything in a namespace, in its latest state.
    pub(crate) fn all(namespace: &'a str, selection: &'a Selection) -> Self {
        Self { namespace, selection, limit: 0, continue_token: "", at: At::Latest, session: None }
    }
}

impl Registry {
    /// Reads a page of a list.
    pub(crate) fn list(&self, served: &Served, request: &ListRequest<'_>) -> Result<Listing, ListError> {
        let Some(table) = served.table else {
            return Err(ApiError::method_not_supported(&served.group_resource(), "list").into());
        };
        let prefix = prefix(served, request.namespace);
        let state = self.read();
        let current = state.store.revision();
        let mut from = String::new();
        let at = if request.continue_token.is_empty() {
            match request.at {
                At::NotOlderThan(asked) | At::Exact(asked) if asked > current => {
                    return Err(too_large_version(asked, current).into());
                }
                At::Latest | At::NotOlderThan(_) => current,
                At::Exact(asked) => asked,
            }
        } else {
            let token = Token::decode(request.continue_token)?;
            from = format!("{prefix}{}", token.start.strip_prefix('/').unwrap_or(&token.start));
            token.revision.unwrap_or(current)
        };
        if at < current && at < state.compactions.oldest(self.clock.now().seconds(), current) {
            return Err(expired(request.continue_token));
        }
        let range = Range { prefix: &prefix, from: &from };
        let unshown = RefCell::new(None);
        let selected = |stored: &Arc<Stored>| match served.shown(stored, request.session) {
            Ok(shown) => request.selection.matches(served, &shown.object),
            Err(error) => {
                unshown.borrow_mut().get_or_insert(error);
                false
            }
        };
        let failed = || {
            let error = unshown.take();
            error.map_or(Ok(()), |error| Err(error.listed(&served.group_resource().to_string())))
        };
        let mut matching = state
            .store
            .scan(table, range, at)
            .map_err(|Compacted(_)| expired(request.continue_token))?
            .filter(|(_, _, stored)| request.selection.is_everything() || selected(stored));
        if request.limit == 0 {
            let items = matching.map(|(_, _, stored)| Arc::clone(stored)).collect();
            failed()?;
            return Ok(Listing { items, revision: at, continue_token: String::new(), remaining: None });
        }
        let mut items = Vec::new();
        let mut last: Option<&Str> = None;
        for (key, _, stored) in matching.by_ref().take(request.limit) {
            items.push(Arc::clone(stored));
            last = Some(key);
        }
        let more = i64::try_from(matching.count()).unwrap_or(i64::MAX);
        failed()?;
        let continue_token = match last {
            Some(key) if more > 0 => {
                let start = format!("/{}\0", key.strip_prefix(prefix.as_str()).unwrap_or(key));
                Token { revision: Some(at), start }.encode()
            }
            _ => String::new(),
        };
        // As in the real server, remaining items are not counted if there is a selector.
        let remaining = (more > 0 && request.selection.is_everything()).then_some(more);
        Ok(Listing { items, revision: at, continue_token, remaining })
    }
}

/// The key prefix of a namespace, or of all.
pub(super) fn prefix(served: &Served, namespace: &str) -> String {
    if served.info.namespaced && !namespace.is_empty() { format!("{namespace}/") } else { String::new() }
}

/// The end of a page, in the real server's format.
struct Token {
    /// The revision of the first page; `None` for the latest.
    revision: Option<u64>,
    /// The next key, without the list's prefix.
    start: String,
}

impl Token {
    fn encode(&self) -> String {
        let revision = self.revision.map_or(-1, |revision| i64::try_from(revision).unwrap_or(i64::MAX));
        let token = json!({"v": "meta.k8s.io/v1", "rv": revision, "start": self.start.as_str()});
        URL_SAFE_NO_PAD.encode(token.to_vec())
    }

    fn decode(text: &str) -> Result<Self, ApiError> {
        let invalid = |why: &str| {
            ApiError::bad_request(format!("invalid continue token: continue key is not valid: {why}"))
        };
        let bytes = URL_SAFE_NO_PAD
            .decode(text.trim_end_matches('='))
            .map_err(|error| invalid(&error.to_string()))?;
        let token = Json::parse(&bytes).map_err(|error| invalid(&error.to_string()))?;
        if token["v"].as_str() != Some("meta.k8s.io/v1") {
            return Err(invalid("server does not recognize this encoded version"));
        }
        let revision = match token["rv"].as_i64() {
            None | Some(0) => return Err(invalid("incorrect encoded start resourceVersion")),
            Some(revision) => u64::try_from(revision).ok(),
        };
        let start = token["start"].as_str().unwrap_or_default();
        // A start that leaves the list's prefix would list other objects.
        if start.is_empty() || start.split('/').any(|segment| segment == "..") {
            return Err(invalid("the encoded start key is not valid"));
        }
        Ok(Self { revision, start: start.to_owned() })
    }
}

fn expired(continue_token: &str) -> ListError {
    let Ok(token) = Token::decode(continue_token) else {
        let why = "The resourceVersion for the provided list is too old.";
        return ApiError::resource_expired(why).into();
    };
    let why = "The provided continue parameter is too old to display a consistent list result. You can start a new list \
               without the continue parameter, or use the continue token in this response to retrieve the remainder of \
               the results. Continuing with the provided token results in an inconsistent list - objects that were \
               created, modified, or deleted between the time the first chunk was returned and now may show up in the \
               list.";
    let continue_token = Token { revision: None, start: token.start }.encode();
    ListError::Expired { error: ApiError::resource_expired(why), continue_token }
}

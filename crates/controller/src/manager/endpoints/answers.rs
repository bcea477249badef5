//! The responses of `/healthz`, `/readyz`, `/metrics`, `/debug/state` and `/debug/why`.

use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::{Method, Response, StatusCode, header};
use http_body_util::Full;
use serde::Serialize;

use super::super::{Check, Status, lock};
use super::page::page;
use crate::ControllerState;
use crate::debug_page::query_parameter as parameter;
use client_rs_cache::{BoxFuture, InformerState};
use client_rs_machinery::{ObjectKey, collections::VecMap};

pub(crate) type Render = Arc<dyn Fn() -> String + Send + Sync>;

/// The purpose of a listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Endpoint {
    /// `/healthz`, `/livez`, `/readyz`.
    Health,
    /// `/metrics`.
    Metrics,
    /// `/debug`, `/debug/state`, `/debug/why`.
    Debug,
}

impl Endpoint {
    /// Its name in options and arguments.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Health => "health",
            Self::Metrics => "metrics",
            Self::Debug => "debug",
        }
    }

    /// The paths that it has itself.
    pub(crate) fn paths(self) -> &'static [&'static str] {
        match self {
            Self::Health => &["/healthz", "/livez", "/readyz"],
            Self::Metrics => &["/metrics"],
            Self::Debug => &["", "/debug", "/debug/state", "/debug/why"],
        }
    }
}

type Handle = dyn Fn(http::Request<()>) -> BoxFuture<'static, Response<Full<Bytes>>> + Send + Sync;

/// The handler of a path of the user.
#[derive(Clone)]
pub(crate) struct Handler(Arc<Handle>);

impl Handler {
    pub(crate) fn new<F, Fut, B>(handler: F) -> Self
    where
        F: Fn(http::Request<()>) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Response<B>> + Send + 'static,
        B: Into<Bytes>,
    {
        Self(Arc::new(move |request| {
            let answer = handler(request);
            Box::pin(async move { answer.await.map(|body| Full::new(body.into())) })
        }))
    }

    pub(super) async fn answer<B>(&self, request: &http::Request<B>) -> Response<Full<Bytes>> {
        let mut head = http::Request::new(());
        *head.method_mut() = request.method().clone();
        *head.uri_mut() = request.uri().clone();
        *head.headers_mut() = request.headers().clone();
        (self.0)(head).await
    }
}

/// The data behind the responses.
pub(crate) struct Answers {
    pub(crate) status: Arc<Status>,
    pub(crate) metrics: Option<Render>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct State {
    synced: bool,
    leading: bool,
    informers: Vec<InformerState>,
    controllers: Vec<ControllerState>,
    /// Further clusters, by name.
    #[cfg(feature = "cluster")]
    #[serde(skip_serializing_if = "VecMap::is_empty")]
    clusters: VecMap<String, crate::ClusterState>,
    /// Graphs of derived collections, by name.
    #[cfg(feature = "collections")]
    #[serde(skip_serializing_if = "VecMap::is_empty")]
    graphs: VecMap<String, client_rs_collections::GraphState>,
}

impl Answers {
    /// The handler of a path of the user.
    pub(super) fn handler(&self, endpoint: Endpoint, path: &str) -> Option<Handler> {
        let path = path.trim_end_matches('/').to_owned();
        lock(&self.status.handlers).get(&(endpoint, path)).cloned()
    }

    pub(crate) fn answer(
        &self,
        endpoint: Endpoint,
        method: &Method,
        path: &str,
        query: &str,
    ) -> Response<Full<Bytes>> {
        if method != Method::GET && method != Method::HEAD {
            return text(StatusCode::METHOD_NOT_ALLOWED, "only GET\n");
        }
        let verbose = query.split('&').any(|part| part.split('=').next() == Some("verbose"));
        match (endpoint, path.trim_end_matches('/')) {
            (Endpoint::Health, "/healthz" | "/livez") => checked(&self.status.health, vec![], verbose),
            (Endpoint::Health, "/readyz") => {
                let synced = self.status.synced.load(Ordering::Relaxed);
                let why = || "the informers do not have their first list".to_owned();
                checked(
                    &self.status.ready,
                    vec![("informers".to_owned(), synced.then_some(()).ok_or_else(why))],
                    verbose,
                )
            }
            (Endpoint::Metrics, "/metrics") => match &self.metrics {
                Some(render) => {
                    let mut answer = text(StatusCode::OK, &render());
                    let form = http::HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
                    answer.headers_mut().insert(header::CONTENT_TYPE, form);
                    answer
                }
                None => text(StatusCode::NOT_FOUND, "no metrics: ManagerOptions::metrics is not set\n"),
            },
            (Endpoint::Debug, "" | "/debug") => page(),
            (Endpoint::Debug, "/debug/state") => self.state(),
            (Endpoint::Debug, "/debug/why") => self.why(query),
            (Endpoint::Health, _) => text(StatusCode::NOT_FOUND, "try /healthz or /readyz\n"),
            (Endpoint::Metrics, _) => text(StatusCode::NOT_FOUND, "try /metrics\n"),
            (Endpoint::Debug, _) => text(
                StatusCode::NOT_FOUND,
                "try /debug, /debug/state or /debug/why?controller=NAME&key=NAMESPACE/NAME\n",
            ),
        }
    }

    fn state(&self) -> Response<Full<Bytes>> {
        let state = State {
            synced: self.status.synced.load(Ordering::Relaxed),
            leading: self.status.leading.load(Ordering::Relaxed),
            informers: self.status.factory.state(),
            controllers: self.status.controllers(),
            #[cfg(feature = "cluster")]
            clusters: self.status.clusters.get().map(|states| states()).unwrap_or_default().into(),
            #[cfg(feature = "collections")]
            graphs: {
                let graphs = lock(&self.status.graphs).clone();
                graphs.into_iter().map(|(name, graph)| (name, graph.state())).collect()
            },
        };
        json(&state)
    }

    fn why(&self, query: &str) -> Response<Full<Bytes>> {
        let (controller, key) = (parameter(query, "controller"), parameter(query, "key"));
        let (Some(controller), Some(key)) = (controller, key) else {
            let usage = "controller=NAME and key=NAMESPACE/NAME (or key=NAME) are required\n";
            return text(StatusCode::BAD_REQUEST, usage);
        };
        let key = match ObjectKey::parse(&key) {
            Ok(key) => key,
            Err(error) => return text(StatusCode::BAD_REQUEST, &format!("{error}\n")),
        };
        match self.status.why(&controller, &key) {
            Some(why) if parameter(query, "output").as_deref() == Some("json") => json(&why),
            Some(why) => text(StatusCode::OK, &why.to_string()),
            None => {
                let names: Vec<String> =
                    self.status.controllers().into_iter().map(|state| state.name).collect();
                let known = names.join(", ");
                text(StatusCode::NOT_FOUND, &format!("no controller {controller:?}; there are: {known}\n"))
            }
        }
    }
}

fn json(value: &impl Serialize) -> Response<Full<Bytes>> {
    match serde_json::to_string_pretty(value) {
        Ok(json) => {
            let mut answer = text(StatusCode::OK, &(json + "\n"));
            let form = http::HeaderValue::from_static("application/json");
            answer.headers_mut().insert(header::CONTENT_TYPE, form);
            answer
        }
        Err(error) => text(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error}\n")),
    }
}

/// The response of a health endpoint: `ok`, or one line per check.
fn checked(
    checks: &Mutex<VecMap<String, Check>>,
    own: Vec<(String, Result<(), String>)>,
    verbose: bool,
) -> Response<Full<Bytes>> {
    // No lock is held while the checks run: a check may be slow, or take the same lock.
    let checks: Vec<(String, Check)> =
        lock(checks).iter().map(|(name, check)| (name.clone(), Arc::clone(check))).collect();
    let results = own.into_iter().chain(checks.into_iter().map(|(name, check)| {
        let result = check();
        (name, result)
    }));
    let (mut well, mut lines) = (true, String::new());
    for (name, result) in results {
        match result {
            Ok(()) => lines.extend(["[+]", &name, " ok\n"]),
            Err(why) => {
                well = false;
                lines.extend(["[-]", &name, " failed: ", &why, "\n"]);
            }
        }
    }
    match (well, verbose) {
        (true, false) => text(StatusCode::OK, "ok"),
        (true, true) => text(StatusCode::OK, &(lines + "ok\n")),
        (false, _) => text(StatusCode::INTERNAL_SERVER_ERROR, &lines),
    }
}

pub(super) fn text(code: StatusCode, body: &str) -> Response<Full<Bytes>> {
    let mut answer = Response::new(Full::new(Bytes::copy_from_slice(body.as_bytes())));
    *answer.status_mut() = code;
    let form = http::HeaderValue::from_static("text/plain; charset=utf-8");
    answer.headers_mut().insert(header::CONTENT_TYPE, form);
    answer
}

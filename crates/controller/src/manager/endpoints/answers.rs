//! `/healthz`, `/readyz`, `/metrics`, `/debug/state`.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use http::{Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use serde::Serialize;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

use super::{Check, Status, lock};
use crate::ControllerState;
use client_rs_cache::InformerState;

/// How many connections are served at once; more wait.
const CONNECTIONS_MAX: usize = 64;
/// How long a client may take to send the head of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);

type Render = Arc<dyn Fn() -> String + Send + Sync>;

/// The server of the endpoints; dropping it ends it.
pub(super) struct Endpoints {
    serving: JoinHandle<()>,
}

impl Endpoints {
    pub(super) async fn start(
        address: SocketAddr,
        status: Arc<Status>,
        metrics: Option<Render>,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        tracing::info!(address = %listener.local_addr()?, "endpoints");
        Ok(Self { serving: tokio::spawn(accept(listener, Arc::new(Answers { status, metrics }))) })
    }
}

impl Drop for Endpoints {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

async fn accept(listener: TcpListener, answers: Arc<Answers>) {
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept(), if connections.len() < CONNECTIONS_MAX => match accepted {
                Ok((stream, _)) => {
                    connections.spawn(serve(stream, Arc::clone(&answers)));
                }
                Err(error) => {
                    tracing::warn!(%error, "can't accept a connection");
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
            Some(_) = connections.join_next() => {}
        }
    }
}

async fn serve(stream: TcpStream, answers: Arc<Answers>) {
    let service = service_fn(move |request: Request<hyper::body::Incoming>| {
        let answer =
            answers.answer(request.method(), request.uri().path(), request.uri().query().unwrap_or_default());
        async move { Ok::<_, Infallible>(answer) }
    });
    let mut builder = hyper::server::conn::http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT);
    if let Err(error) = builder.serve_connection(TokioIo::new(stream), service).await {
        tracing::debug!(%error, "a connection to the endpoints broke");
    }
}

/// What is answered.
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
}

impl Answers {
    pub(crate) fn answer(&self, method: &Method, path: &str, query: &str) -> Response<Full<Bytes>> {
        if method != Method::GET && method != Method::HEAD {
            return text(StatusCode::METHOD_NOT_ALLOWED, "only GET\n");
        }
        let verbose = query.split('&').any(|part| part.split('=').next() == Some("verbose"));
        match path.trim_end_matches('/') {
            "/healthz" | "/livez" => checked(&self.status.health, vec![], verbose),
            "/readyz" => {
                let synced = self.status.synced.load(Ordering::Relaxed);
                let why = || "the informers do not have their first list".to_owned();
                checked(
                    &self.status.ready,
                    vec![("informers".to_owned(), synced.then_some(()).ok_or_else(why))],
                    verbose,
                )
            }
            "/metrics" => match &self.metrics {
                Some(render) => {
                    let mut answer = text(StatusCode::OK, &render());
                    let form = http::HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
                    answer.headers_mut().insert(header::CONTENT_TYPE, form);
                    answer
                }
                None => text(StatusCode::NOT_FOUND, "no metrics: ManagerOptions::metrics is not set\n"),
            },
            "/debug/state" => self.state(),
            _ => text(StatusCode::NOT_FOUND, "try /healthz, /readyz, /metrics or /debug/state\n"),
        }
    }

    fn state(&self) -> Response<Full<Bytes>> {
        let state = State {
            synced: self.status.synced.load(Ordering::Relaxed),
            leading: self.status.leading.load(Ordering::Relaxed),
            informers: self.status.factory.state(),
            controllers: self.status.controllers(),
        };
        match serde_json::to_string_pretty(&state) {
            Ok(json) => {
                let mut answer = text(StatusCode::OK, &(json + "\n"));
                let form = http::HeaderValue::from_static("application/json");
                answer.headers_mut().insert(header::CONTENT_TYPE, form);
                answer
            }
            Err(error) => text(StatusCode::INTERNAL_SERVER_ERROR, &format!("{error}\n")),
        }
    }
}

/// `ok`, or what is wrong, a line a check.
fn checked(
    checks: &Mutex<BTreeMap<String, Check>>,
    own: Vec<(String, Result<(), String>)>,
    verbose: bool,
) -> Response<Full<Bytes>> {
    // A check may take its time, or ask for what is locked: it runs under no lock.
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

fn text(code: StatusCode, body: &str) -> Response<Full<Bytes>> {
    let mut answer = Response::new(Full::new(Bytes::copy_from_slice(body.as_bytes())));
    *answer.status_mut() = code;
    let form = http::HeaderValue::from_static("text/plain; charset=utf-8");
    answer.headers_mut().insert(header::CONTENT_TYPE, form);
    answer
}

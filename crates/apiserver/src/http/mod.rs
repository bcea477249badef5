//! The API over HTTP: handles requests.

mod custom;
pub(crate) mod decode;
mod discovery;
mod encode;
mod endpoints;
mod forks;
mod health;
pub(crate) mod media;
mod metrics;
mod objects;
mod openapi;
mod openid;
mod param_rights;
mod patch;
mod relay;
pub(crate) mod reply;
mod reviews;
mod rights;
mod scale;
mod subresources;
mod watch;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use client_rs_machinery::time::DurationError;
use client_rs_machinery::{ApiError, ErrorDetails, ErrorStatus, Json, Scheme, StatusReason, json};
use http::{Method, Request, Response, header};
use http_body_util::{BodyExt, Limited};
use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinSet;

use crate::access::flow::{Flow, Ticket};
use crate::access::{Access, Attributes, Authority, Gate};
use crate::admission::{Requester, Session, Webhooks};
use crate::controllers::Controllers;
use crate::controls::{Controls, Effect, RequestRecord};
use crate::outbound::Outbound;
use crate::registry::{Admission, Registry, WriteOptions, is_built_in, new_uid};
use crate::request::{Query, Route, Target, User, percent_decoded};
pub(crate) use forks::Forks;
use media::Form;
pub(crate) use metrics::Metrics;
use metrics::RequestLabels;
pub(crate) use reply::Body;
use reply::{Reply, Truncated};

/// The reported version: the one whose schema is served.
pub(crate) const RELEASE: &str = "v1.37.1";

/// The largest request body.
const BODY_MAX: usize = 3 * 1024 * 1024;

/// The API of one server.
#[derive(Debug)]
pub(crate) struct Api {
    pub(crate) registry: Arc<Registry>,
    pub(crate) controllers: Arc<Controllers>,
    pub(crate) controls: Arc<Controls>,
    pub(crate) scheme: Scheme,
    pub(crate) metrics: Arc<Metrics>,
    /// The address that discovery reports to clients.
    pub(crate) address: String,
    pub(crate) gate: Gate,
    /// Signs the certificates that clients request.
    pub(crate) authority: Arc<Authority>,
    /// The tasks of upgraded connections.
    pub(crate) relays: Mutex<JoinSet<()>>,
    pub(crate) flow: Flow,
    pub(crate) webhooks: Arc<Webhooks>,
    /// Opens connections to nodes, pods and services.
    pub(crate) outbound: Outbound,
    /// Starts servers over forks; `None` if clients can't.
    pub(crate) forks: Option<Box<dyn Forks>>,
}

/// The client at the other end of a connection.
#[derive(Clone, Debug, Default)]
pub(crate) struct Peer {
    /// The user of its certificate.
    pub(crate) user: Option<User>,
    /// Whether it has a certificate that no user owns.
    pub(crate) unknown_certificate: bool,
    /// The timeout for receiving a request body.
    pub(crate) body_max: Option<Duration>,
}

/// Counts towards the limit of TCP connections until it is dropped, also after a connection was upgraded from HTTP.
#[derive(Clone, Debug)]
pub(crate) struct ConnectionPermit {
    _permit: Arc<OwnedSemaphorePermit>,
}

impl ConnectionPermit {
    pub(crate) fn new(permit: OwnedSemaphorePermit) -> Self {
        Self { _permit: Arc::new(permit) }
    }
}

/// The parts of a request that handlers of objects need.
#[derive(Clone)]
pub(crate) struct Call<'r> {
    method: &'r Method,
    query: Query,
    form: Form,
    content_type: &'r str,
    user_agent: &'r str,
    body: Bytes,
    user: User,
    accept: &'r str,
    session: &'r dyn Admission,
}

impl<'r> Call<'r> {
    /// The options of a write that webhooks review.
    fn asking(&self, options: WriteOptions<'static>) -> WriteOptions<'r> {
        WriteOptions { session: Some(self.session), ..options }
    }
}

impl Api {
    /// Handles a request.
    pub(crate) async fn answer<B>(self: Arc<Self>, request: Request<B>, peer: Arc<Peer>) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let record = record(&request);
        let audit_id = audit_id(request.headers());
        let mut response = self.answer_recorded(request, peer, record).await;
        response.headers_mut().entry(AUDIT_ID).or_insert(audit_id);
        response
    }

    async fn answer_recorded<B>(
        self: Arc<Self>,
        request: Request<B>,
        peer: Arc<Peer>,
        record: RequestRecord,
    ) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        match self.controls.meet(record) {
            None => self.serve(request, &peer).await,
            Some(Effect::Delay(delay)) => {
                tokio::time::sleep(delay).await;
                self.serve(request, &peer).await
            }
            Some(Effect::Freeze) => loop {
                tokio::time::sleep(Duration::from_hours(1)).await;
            },
            Some(Effect::Truncate(left)) => {
                let (mut parts, body) = self.serve(request, &peer).await.into_parts();
                parts.headers.remove(header::CONTENT_LENGTH);
                Response::from_parts(parts, Truncated { body, left, flushed: false }.boxed_unsync())
            }
            Some(Effect::Status { code, reason, message, retry_after_seconds }) => {
                let details = retry_after_seconds.map(|seconds| ErrorDetails {
                    retry_after_seconds: i32::try_from(seconds).unwrap_or(i32::MAX),
                    ..ErrorDetails::default()
                });
                let error = ApiError::new(ErrorStatus {
                    code: code.into(),
                    reason: reason.as_str().into(),
                    message: message.into(),
                    details,
                    ..ErrorStatus::default()
                });
                Reply::failure(Form::JSON, &error.into()).into_response(retry_after_seconds)
            }
        }
    }

    async fn serve<B>(self: Arc<Self>, request: Request<B>, peer: &Peer) -> Response<Body>
    where
        B: http_body::Body<Data = Bytes> + Send + 'static,
        B::Error: Into<Box<dyn std::error::Error + Send + Sync>>,
    {
        let accept = header_text(&request, header::ACCEPT);
        let content_type = header_text(&request, header::CONTENT_TYPE);
        let user_agent = header_text(&request, header::USER_AGENT);
        let (parts, body) = request.into_parts();
        // Some paths have formats of their own.
        let own_form = parts.uri.path().starts_with("/openapi/") || parts.uri.path() == "/metrics";
        let path = percent_decoded(parts.uri.path());
        let route = Route::of(&path);
        let proxied = matches!(&route, Route::Objects(target) if target.subresource == "proxy");
        let mut form = match Form::negotiate(&accept) {
            Ok(form) => form,
            Err(_) if own_form || proxied => Form::JSON,
            Err(error) => return Reply::failure(Form::JSON, &error.into()).into_response(None),
        };
        let query = Query::parse(parts.uri.query().unwrap_or_default());
        form.pretty |= query.flag("pretty").unwrap_or(false);
        let (user, asked) = match self.admit(&parts, &path, &route, &query, peer) {
            Ok(admitted) => admitted,
            Err(error) => return Reply::failure(form, &error.into()).into_response(None),
        };
        let ticket = match self.gate.access {
            // If every known user may do everything, no request is queued.
            Access::Open | Access::Authenticated => self.flow.sort(&self.registry, &user, &asked),
            Access::Rbac => {
                let Ok(ticket) = self.flow.admit(&self.registry, &user, &asked).await else {
                    let text = "Too many requests, please try again later.\n";
                    return Reply::text(429, text).into_response(Some(1));
                };
                ticket
            }
        };
        if own_form && parts.method == Method::GET {
            let response = self.documents(path.trim_end_matches('/'), &accept).into_response(None);
            return seated(response, ticket);
        }
        let target = match route {
            Route::Objects(target) => target,
            route => {
                let reply = self.beyond_objects(&parts.method, &path, &route, &query, form).await;
                return seated(reply.into_response(None), ticket);
            }
        };
        let requester = Requester {
            user: user.clone(),
            name: target.name.into(),
            subresource: target.subresource.into(),
            options: query.admission_options(),
            access: self.gate.access,
        };
        let mut session = Session::new(&self.webhooks, &self.registry, requester);
        session.reuses = parts.method == Method::GET && target.name.is_empty();
        let session = &session;
        if let Some(place) = self.relayed(&target, &parts.uri, &query) {
            let admit = || self.admit_connection(&target, &query, session);
            let admitted = self.webhooks.run_until_answered(&self.registry, session, admit).await;
            // Check the rights before the existence of the target.
            let relayed = match admitted.and(place) {
                Ok(place) => self.relay(place, parts, client_rs_transport::http::Body::new(body)).await,
                Err(error) => Err(error),
            };
            return relayed.unwrap_or_else(|error| Reply::failure(form, &error.into()).into_response(None));
        }
        let read = Limited::new(body, BODY_MAX).collect();
        let read = match peer.body_max {
            Some(most) => tokio::time::timeout(most, read).await,
            None => Ok(read.await),
        };
        let body = match read {
            Ok(Ok(body)) => body.to_bytes(),
            Err(_) => {
                let why = "the body of the request did not arrive in time";
                return refusal(generic(408, StatusReason::Timeout, why));
            }
            Ok(Err(error)) => {
                let error = if error.is::<http_body_util::LengthLimitError>() {
                    ApiError::request_entity_too_large(&format!("limit is {BODY_MAX}"))
                } else {
                    ApiError::bad_request(format!("unable to read the request: {error}"))
                };
                return Reply::failure(form, &error.into()).into_response(None);
            }
        };
        let labels = request_labels(&target, &parts.method, &query);
        let began = tokio::time::Instant::now();
        let (method, content_type, accept) = (&parts.method, content_type.as_str(), accept.as_str());
        let user_agent = user_agent.as_str();
        let call = Call { method, query, form, content_type, user_agent, body, user, accept, session };
        let outcome =
            self.webhooks.run_until_answered(&self.registry, session, || self.objects(&target, &call)).await;
        let mut response = match outcome {
            Ok(response) => response,
            Err(failure) => Reply::failure(form, &failure).into_response(None),
        };
        report(session, &mut response);
        // A watch is counted when it ends, by its stream.
        if labels.verb != "WATCH" || response.status() != 200 {
            self.metrics.count(labels, response.status().as_u16(), began.elapsed());
            return seated(response, ticket);
        }
        // A watch needs a seat only until it has started.
        seated(response, Ticket { seat: None, ..ticket })
    }

    /// Serves `OpenAPI` documents and metrics.
    fn documents(&self, path: &str, accept: &str) -> Reply {
        if path == "/metrics" {
            let mut reply = Reply::text(
                200,
                &self.metrics.text(&self.registry, &self.flow.nominal_seats(&self.registry)),
            );
            reply.content_type = "text/plain; version=0.0.4; charset=utf-8; escaping=underscores";
            return reply;
        }
        let found = openapi::answer(&self.registry.catalog(), path, accept);
        found.unwrap_or_else(|| Reply::text(404, "404 page not found\n"))
    }

    /// Checks the timeout of a request, authenticates and authorizes it. Returns its user.
    fn admit(
        &self,
        parts: &http::request::Parts,
        path: &str,
        route: &Route<'_>,
        query: &Query,
        peer: &Peer,
    ) -> Result<(User, Attributes), ApiError> {
        check_timeout(route, query)?;
        let user = self.gate.authenticate(
            &self.registry,
            &parts.headers,
            peer.user.as_ref(),
            peer.unknown_certificate,
        )?;
        let asked = Attributes::of(&parts.method, path, route, query);
        self.gate.authorize(&self.registry, &user, &asked)?;
        Ok((user, asked))
    }

    /// Serves paths that are not for objects.
    async fn beyond_objects(
        &self,
        method: &Method,
        path: &str,
        route: &Route<'_>,
        query: &Query,
        form: Form,
    ) -> Reply {
        match self.forks.as_deref().filter(|_| forks::is_path(path)) {
            Some(forks) => forks::answer(forks, method, path).await,
            None => self.other(method, path, route, query, form),
        }
    }

    /// Serves the paths of the real server that are not for objects.
    fn other(&self, method: &Method, path: &str, route: &Route<'_>, query: &Query, form: Form) -> Reply {
        let catalog = self.registry.catalog();
        if method != Method::GET {
            return Reply::failure(form, &method_not_allowed().into());
        }
        let others = self.registry.aggregated_versions();
        let found = match route {
            Route::CoreVersions | Route::Groups if form.aggregated => {
                let core = *route == Route::CoreVersions;
                let mut reply = Reply::json(&discovery::aggregated(&catalog, &others, core));
                reply.content_type = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";
                return reply;
            }
            Route::CoreVersions => Some(discovery::core_versions(&self.address)),
            Route::Groups => Some(discovery::groups(&catalog, &others)),
            Route::Group(name) => discovery::group(&catalog, &others, name),
            Route::Resources { group, version } => match discovery::resources(&catalog, group, version) {
                None if self.registry.is_aggregated(group, Some(version)) => return unavailable(),
                // For an unknown version, a built-in group responds with a `Status` object.
                None if is_built_in(group) => {
                    return Reply::failure(form, &no_such_resource().into());
                }
                found => found,
            },
            Route::Objects(_) | Route::Other => match path.trim_end_matches('/') {
                "" => Some(self.paths()),
                "/version" => Some(version()),
                "/openid/v1/jwks" => return openid::key_set(&self.gate.tokens),
                "/.well-known/openid-configuration" => {
                    return openid::configuration(&self.gate.tokens, &self.address);
                }
                path => match health::answer(path, query) {
                    Some(reply) => return reply,
                    None => None,
                },
            },
        };
        // Discovery has only a JSON format here; the real server also has others.
        found.map_or_else(|| Reply::text(404, "404 page not found\n"), |value| Reply::json(&value))
    }

    fn paths(&self) -> Json {
        let catalog = self.registry.catalog();
        let mut paths: Vec<String> = ["/api", "/api/v1", "/apis"].map(str::to_owned).to_vec();
        for group in discovery::group_names(&catalog) {
            paths.push(format!("/apis/{group}"));
            let versions = discovery::versions(&catalog, group).into_iter();
            paths.extend(versions.map(|version| format!("/apis/{group}/{version}")));
        }
        for other in self.registry.aggregated_versions() {
            paths.push(format!("/apis/{}", other.group));
            paths.push(format!("/apis/{}/{}", other.group, other.version));
        }
        paths.extend(health::paths());
        paths.extend(
            [
                "/.well-known/openid-configuration",
                "/metrics",
                "/openapi/v2",
                "/openapi/v3",
                "/openid/v1/jwks",
                "/version",
            ]
            .map(str::to_owned),
        );
        paths.sort();
        paths.dedup();
        json!({"paths": paths})
    }
}

/// The response to a request that is refused early.
pub(crate) fn refusal(error: ApiError) -> Response<Body> {
    Reply::failure(Form::JSON, &error.into()).into_response(None)
}

/// Adds the flow schema and level to a response, and keeps the request's seat until the response is sent or
/// dropped.
fn seated(response: Response<Body>, ticket: Ticket) -> Response<Body> {
    let (mut parts, mut body) = response.into_parts();
    for (name, uid) in ticket.sorted.into_iter().flat_map(|(schema, level)| {
        [("x-kubernetes-pf-flowschema-uid", schema), ("x-kubernetes-pf-prioritylevel-uid", level)]
    }) {
        parts.headers.insert(name, uid);
    }
    if let Some(seat) = ticket.seat {
        body = body
            .map_frame(move |frame| {
                let _held = &seat;
                frame
            })
            .boxed_unsync();
    }
    Response::from_parts(parts, body)
}

const AUDIT_ID: http::HeaderName = http::HeaderName::from_static("audit-id");

/// The identifier of a request: the client's, or a new one.
fn audit_id(headers: &http::HeaderMap) -> http::HeaderValue {
    let own = headers.get(AUDIT_ID).filter(|id| !id.is_empty()).cloned();
    // A UID consists of letters, digits and dashes.
    own.or_else(|| http::HeaderValue::try_from(new_uid()).ok())
        .unwrap_or_else(|| http::HeaderValue::from_static("unknown"))
}

/// Checks the timeout that a client asks for. Requests that take long by nature have none.
fn check_timeout(route: &Route<'_>, query: &Query) -> Result<(), ApiError> {
    let text = query.get("timeout");
    let long = matches!(route, Route::Objects(target)
        if target.watch
            || query.flag("watch").unwrap_or(false)
            || ["proxy", "log", "exec", "attach", "portforward"].contains(&target.subresource));
    if text.is_empty() || long {
        return Ok(());
    }
    client_rs_machinery::Duration::parse(text).map(drop).map_err(|error| {
        // Go's texts.
        let why = match error {
            DurationError::MissingUnit(text) => format!("missing unit in duration {text:?}"),
            DurationError::UnknownUnit { unit, text } => {
                format!("unknown unit {unit:?} in duration {text:?}")
            }
            _ => format!("invalid duration {text:?}"),
        };
        let message = format!("invalid timeout specified in the request URL - time: {why}").into();
        let reason = StatusReason::BadRequest;
        ApiError::new(ErrorStatus { code: 400, reason, message, ..ErrorStatus::default() })
    })
}

/// The metric labels of a request.
fn request_labels(target: &Target<'_>, method: &Method, query: &Query) -> RequestLabels {
    let single = !target.name.is_empty();
    let watches = target.watch || query.flag("watch").unwrap_or(false);
    RequestLabels {
        verb: match *method {
            Method::GET if watches && (target.watch || !single) => "WATCH",
            Method::GET if !single => "LIST",
            Method::GET => "GET",
            Method::POST => "POST",
            Method::PUT => "PUT",
            Method::PATCH => "PATCH",
            Method::DELETE if !single => "DELETECOLLECTION",
            Method::DELETE => "DELETE",
            _ => "other",
        },
        group: target.group.into(),
        version: target.version.into(),
        resource: target.resource.into(),
        subresource: target.subresource.into(),
        scope: match (single, target.namespace.is_empty()) {
            (true, _) => "resource",
            (false, false) => "namespace",
            (false, true) => "cluster",
        },
        dry_run: !query.get("dryRun").is_empty(),
    }
}

fn version() -> Json {
    json!({
        "major": "1", "minor": "37", "gitVersion": RELEASE, "gitCommit": "", "gitTreeState": "clean",
        "buildDate": "1970-01-01T00:00:00Z", "goVersion": "", "compiler": "",
        "platform": format!("{}/{}", std::env::consts::OS, std::env::consts::ARCH),
    })
}

/// Sends the warnings of a request to the client, and the keys of its audit annotations to the log. Their values may quote an
/// object, also a Secret, so they are not logged.
fn report(session: &Session, response: &mut Response<Body>) {
    for warning in session.warnings() {
        reply::warn(response, &warning);
    }
    for (key, value) in session.audit_annotations() {
        tracing::info!(target: "client_rs_apiserver::audit", key, bytes = value.len(), "annotation of a policy");
    }
}

/// The log entry of a request.
fn record<B>(request: &Request<B>) -> RequestRecord {
    let text = |name| header_text(request, name);
    RequestRecord {
        method: request.method().to_string(),
        uri: request.uri().path_and_query().map_or_else(String::new, ToString::to_string),
        user_agent: text(header::USER_AGENT),
        accept: text(header::ACCEPT),
        content_type: text(header::CONTENT_TYPE),
    }
}

fn header_text<B>(request: &Request<B>, name: header::HeaderName) -> String {
    // Headers of the same name are combined into one list.
    let values = request.headers().get_all(name).iter().filter_map(|value| value.to_str().ok());
    values.collect::<Vec<_>>().join(",")
}

/// 503 for an aggregated API that is not available.
fn unavailable() -> Reply {
    Reply::text(503, "service unavailable\n")
}

/// 404 for a resource that is not served.
pub(crate) fn no_such_resource() -> ApiError {
    generic(404, StatusReason::NotFound, "the server could not find the requested resource")
}

/// The 405 error.
pub(crate) fn method_not_allowed() -> ApiError {
    let why = "the server does not allow this method on the requested resource";
    generic(405, StatusReason::MethodNotAllowed, why)
}

/// 501 for features of the real server that this one does not have.
pub(crate) fn not_implemented(what: &str) -> ApiError {
    let message = format!("{what} is not implemented by this server").into();
    ApiError::new(ErrorStatus { code: 501, message, ..ErrorStatus::default() })
}

pub(crate) fn generic(code: i32, reason: StatusReason, message: &str) -> ApiError {
    ApiError::new(ErrorStatus {
        code,
        reason,
        message: message.into(),
        details: Some(ErrorDetails::default()),
        ..ErrorStatus::default()
    })
}

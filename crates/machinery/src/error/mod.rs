//! [`ApiError`]: the failure response of an API server, and predicates to classify it.

mod hint;

use crate::{CauseType, FieldErrors, GroupKind, GroupResource, List, StatusReason, Str, quote::Quoted};
use std::{error::Error, fmt, time::Duration};

mod chain;

pub use chain::{ErrorChain, ServerAnswer};

/// The failure response of an API server: its `Status`, or an equivalent one if the response had no `Status`.
///
/// Predicates classify it: [`is_not_found`](Self::is_not_found), [`is_conflict`](Self::is_conflict),
/// [`is_resource_expired`](Self::is_resource_expired) and so on. They follow Go's
/// `k8s.io/apimachinery/pkg/api/errors`: the reason decides, and the status code counts only if the reason is unknown
/// or missing. [`suggests_client_delay`](Self::suggests_client_delay) returns how long to wait before a retry.
///
/// ```
/// use client_rs_machinery::{ApiError, GroupResource};
///
/// let pods = GroupResource::new("", "pods");
/// let error = ApiError::not_found(&pods, "web-0");
/// assert!(error.is_not_found());
/// assert_eq!(error.code(), 404);
/// assert_eq!(error.to_string(), r#"pods "web-0" not found"#);
///
/// // A controller treats "not found" as "already deleted", and returns every other error.
/// let deleted: Result<(), ApiError> = Err(error);
/// let outcome = match deleted {
///     Err(error) if error.is_not_found() => Ok(()),
///     other => other,
/// };
/// assert!(outcome.is_ok());
/// ```
///
/// Clients wrap an `ApiError` in an error type of their own; [`find`](Self::find) gets it out of any chain of
/// sources. [`hint`](Self::hint) returns advice for a person. [`apply_conflicts`](Self::apply_conflicts) lists the
/// managers that own the fields of a rejected apply.
///
/// `Display` prints the server's message. The error holds no part of the request, and is one pointer wide.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ApiError(Box<ErrorStatus>);

/// The content of an [`ApiError`]: the fields of a failure `Status`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ErrorStatus {
    /// The HTTP status code; 0 if it is unknown.
    pub code: i32,
    /// The machine-readable reason, one word.
    pub reason: StatusReason,
    /// The message, for a person.
    pub message: Str,
    /// The object that the error is about. Absent is not the same as empty: see
    /// [`suggests_client_delay`](ApiError::suggests_client_delay).
    pub details: Option<ErrorDetails>,
    /// The response was an object, but not a `Status`.
    pub unexpected_object: bool,
}

/// The object that an error is about, and the causes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ErrorDetails {
    /// The object's name.
    pub name: Str,
    /// The group of its resource or kind.
    pub group: Str,
    /// Its resource or, with [`StatusReason::Invalid`], its kind.
    pub kind: Str,
    /// Its UID.
    pub uid: Str,
    /// The causes of the error. A rejected object has one per invalid field.
    pub causes: List<ErrorCause>,
    /// The delay in seconds before a retry, if positive.
    pub retry_after_seconds: i32,
}

/// One cause of an error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ErrorCause {
    /// The machine-readable kind of the cause.
    pub cause_type: CauseType,
    /// The message, for a person.
    pub message: Str,
    /// The path of the field, such as `spec.ports[0].name`.
    pub field: Str,
}

/// An HTTP response without a `Status`, for [`ApiError::from_response`].
#[derive(Clone, Debug, Default)]
pub struct ServerResponse<'a> {
    /// The HTTP status code.
    pub code: u16,
    /// The HTTP method. With 409, `POST` means that the object exists already.
    pub verb: &'a str,
    /// The requested resource; empty if the request was not for a resource.
    pub resource: GroupResource,
    /// The name of the requested object; empty if the request named none.
    pub name: &'a str,
    /// The body, as far as it is text.
    pub body: &'a str,
    /// The value of the `Retry-After` header; 0 without the header.
    pub retry_after_seconds: i32,
    /// Whether the body is not one that an API server would have sent.
    pub unexpected: bool,
}

/// Predicates, and the parts of the `Status`.
impl ApiError {
    /// Creates the error from the fields of a `Status`.
    pub fn new(status: ErrorStatus) -> Self {
        Self(Box::new(status))
    }

    /// Returns the fields of the `Status`.
    pub fn status(&self) -> &ErrorStatus {
        &self.0
    }

    /// Returns the fields of the `Status`, and drops the error.
    pub fn into_status(self) -> ErrorStatus {
        *self.0
    }

    /// Returns the first [`ApiError`] among an error and its sources.
    ///
    /// An error type that already prints the server's message keeps it as a [`ServerAnswer`], which this finds too.
    ///
    /// ```
    /// use client_rs_machinery::{ApiError, GroupResource};
    ///
    /// let server = ApiError::conflict(&GroupResource::new("apps", "deployments"), "web", "the object has been modified");
    /// let outer: Box<dyn std::error::Error> = Box::new(server);
    /// assert!(ApiError::find(outer.as_ref()).is_some_and(ApiError::is_conflict));
    /// assert!(ApiError::find(&std::io::Error::other("connection reset")).is_none());
    /// ```
    pub fn find<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a Self> {
        std::iter::successors(Some(error), |&error| error.source()).find_map(|error| {
            let answer = || error.downcast_ref().map(|ServerAnswer(error)| error);
            error.downcast_ref().or_else(answer)
        })
    }

    /// Returns the HTTP status code; 0 if it is unknown.
    pub fn code(&self) -> i32 {
        self.0.code
    }

    /// Returns the machine-readable reason.
    pub fn reason(&self) -> &StatusReason {
        &self.0.reason
    }

    /// Returns the server's message.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the causes. With [`is_invalid`](Self::is_invalid), there is one per invalid field.
    pub fn causes(&self) -> &[ErrorCause] {
        self.0.details.as_ref().map_or(&[], |details| &details.causes)
    }

    /// Returns the first cause of a type.
    pub fn cause(&self, cause_type: &CauseType) -> Option<&ErrorCause> {
        self.causes().iter().find(|cause| cause.cause_type == *cause_type)
    }

    /// Whether the error has a cause of this type.
    pub fn has_cause(&self, cause_type: &CauseType) -> bool {
        self.cause(cause_type).is_some()
    }

    /// Whether the server does not serve the resource at all: the API group, version or resource is unknown, such as a custom
    /// resource without its definition. [`is_not_found`](Self::is_not_found) holds too.
    ///
    /// ```
    /// use client_rs_machinery::{ApiError, GroupResource, ServerResponse};
    ///
    /// let shops = GroupResource::new("example.com", "shops");
    /// assert!(!ApiError::not_found(&shops, "web").is_resource_not_found());
    /// let response = ServerResponse { code: 404, verb: "GET", resource: shops, body: "404 page not found", ..Default::default() };
    /// assert!(ApiError::from_response(&response).is_resource_not_found());
    /// ```
    pub fn is_resource_not_found(&self) -> bool {
        self.is_not_found() && self.message().starts_with("the server could not find the requested resource")
    }

    /// Whether the object or the resource does not exist.
    pub fn is_not_found(&self) -> bool {
        self.is(&StatusReason::NotFound, 404)
    }

    /// Whether an object of this name already exists.
    pub fn is_already_exists(&self) -> bool {
        self.0.reason == StatusReason::AlreadyExists
    }

    /// Whether the object has changed since it was read, or another manager owns the field. Read the object again and
    /// retry.
    pub fn is_conflict(&self) -> bool {
        self.is(&StatusReason::Conflict, 409)
    }

    /// Whether the object is gone for good. For an expired resource version, use
    /// [`is_resource_expired`](Self::is_resource_expired).
    pub fn is_gone(&self) -> bool {
        self.is(&StatusReason::Gone, 410)
    }

    /// Whether the server no longer keeps the requested resource version or continue token: relist.
    pub fn is_resource_expired(&self) -> bool {
        self.0.reason == StatusReason::Expired
    }

    /// Whether validation rejected the object; [`causes`](Self::causes) lists the invalid fields.
    pub fn is_invalid(&self) -> bool {
        self.is(&StatusReason::Invalid, 422)
    }

    /// Whether the request is malformed. A retry of the same request fails again.
    pub fn is_bad_request(&self) -> bool {
        self.is(&StatusReason::BadRequest, 400)
    }

    /// Whether the request had no valid credentials.
    pub fn is_unauthorized(&self) -> bool {
        self.is(&StatusReason::Unauthorized, 401)
    }

    /// Whether the user is not allowed to send this request. [`hint`](Self::hint) names the RBAC rule that would
    /// allow it.
    pub fn is_forbidden(&self) -> bool {
        self.is(&StatusReason::Forbidden, 403)
    }

    /// Whether the request timed out. The server may have carried it out nevertheless.
    pub fn is_timeout(&self) -> bool {
        self.is(&StatusReason::Timeout, 504)
    }

    /// Whether the server could not finish in time and the client should retry. Only the reason decides: no status
    /// code means this.
    pub fn is_server_timeout(&self) -> bool {
        self.0.reason == StatusReason::ServerTimeout
    }

    /// Whether the server failed internally.
    pub fn is_internal_error(&self) -> bool {
        self.is(&StatusReason::InternalError, 500)
    }

    /// Whether the server throttles this client. Wait for [`suggests_client_delay`](Self::suggests_client_delay),
    /// then retry. The status code 429 counts regardless of the reason.
    pub fn is_too_many_requests(&self) -> bool {
        self.0.reason == StatusReason::TooManyRequests || self.0.code == 429
    }

    /// Whether the request body is too large. The status code 413 counts regardless of the reason.
    pub fn is_request_entity_too_large(&self) -> bool {
        self.0.reason == StatusReason::RequestEntityTooLarge || self.0.code == 413
    }

    /// Whether the resource does not support the verb.
    pub fn is_method_not_supported(&self) -> bool {
        self.is(&StatusReason::MethodNotAllowed, 405)
    }

    /// Whether the server supports none of the content types in `Accept`.
    pub fn is_not_acceptable(&self) -> bool {
        self.is(&StatusReason::NotAcceptable, 406)
    }

    /// Whether the server cannot read the content type of the request body.
    pub fn is_unsupported_media_type(&self) -> bool {
        self.is(&StatusReason::UnsupportedMediaType, 415)
    }

    /// Whether the server is unavailable now. It may not have carried out the request.
    pub fn is_service_unavailable(&self) -> bool {
        self.is(&StatusReason::ServiceUnavailable, 503)
    }

    /// Whether the server cannot read the stored object, such as after a lost encryption key.
    pub fn is_storage_read_error(&self) -> bool {
        self.0.reason == StatusReason::StorageReadError
    }

    /// Whether the response did not come from an API server. A proxy in between may have sent it.
    pub fn is_unexpected_server_error(&self) -> bool {
        self.has_cause(&CauseType::UnexpectedServerResponse)
    }

    /// Whether the response was an object, but not a `Status`.
    pub fn is_unexpected_object_error(&self) -> bool {
        self.0.unexpected_object
    }

    /// Returns how long the server requests the client to wait before a retry.
    ///
    /// `None` means that the server requests no delay. It does not mean that a retry is useless.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use client_rs_machinery::{ApiError, GroupResource};
    ///
    /// let busy = ApiError::too_many_requests("too many requests, please try again later", 3);
    /// assert_eq!(busy.suggests_client_delay(), Some(Duration::from_secs(3)));
    ///
    /// let missing = ApiError::not_found(&GroupResource::new("", "pods"), "web-0");
    /// assert_eq!(missing.suggests_client_delay(), None);
    /// ```
    pub fn suggests_client_delay(&self) -> Option<Duration> {
        let seconds = self.0.details.as_ref()?.retry_after_seconds;
        let asked = seconds > 0 || self.0.reason == StatusReason::ServerTimeout;
        asked.then(|| Duration::from_secs(u64::try_from(seconds).unwrap_or(0)))
    }

    fn is(&self, reason: &StatusReason, code: i32) -> bool {
        self.0.reason == *reason || (!self.0.reason.is_known() && self.0.code == code)
    }
}

/// The errors of an API server, with its codes, reasons and messages. Fakes and webhooks return them.
impl ApiError {
    /// 404: the object does not exist.
    pub fn not_found(resource: &GroupResource, name: &str) -> Self {
        let message = named(resource, name, " not found");
        Self::about(404, StatusReason::NotFound, message, resource, name)
    }

    /// 409: an object of this name already exists.
    pub fn already_exists(resource: &GroupResource, name: &str) -> Self {
        let message = named(resource, name, " already exists");
        Self::about(409, StatusReason::AlreadyExists, message, resource, name)
    }

    /// 409: the server generated no free name.
    pub fn generate_name_conflict(resource: &GroupResource, name: &str, retry_after_seconds: i32) -> Self {
        let message = format!(
            "{resource} {} already exists, the server was not able to generate a unique name for the object",
            Quoted(name)
        );
        Self::about(409, StatusReason::AlreadyExists, message, resource, name)
            .with_retry_after(retry_after_seconds)
    }

    /// 401: the credentials are missing or not accepted.
    pub fn unauthorized(message: &str) -> Self {
        let message = if message.is_empty() { "not authorized" } else { message };
        Self::plain(401, StatusReason::Unauthorized, message)
    }

    /// 403: the user is not allowed to do this.
    pub fn forbidden(resource: &GroupResource, name: &str, why: impl fmt::Display) -> Self {
        let message = if resource.is_empty() {
            format!("forbidden: {why}")
        } else if name.is_empty() {
            format!("{resource} is forbidden: {why}")
        } else {
            format!("{resource} {} is forbidden: {why}", Quoted(name))
        };
        Self::about(403, StatusReason::Forbidden, message, resource, name)
    }

    /// 409: the object has changed since the client read it.
    pub fn conflict(resource: &GroupResource, name: &str, why: impl fmt::Display) -> Self {
        let message = format!("Operation cannot be fulfilled on {resource} {}: {why}", Quoted(name));
        Self::about(409, StatusReason::Conflict, message, resource, name)
    }

    /// 409, for an apply: other managers own the fields that the causes name.
    pub fn apply_conflict(causes: impl Into<List<ErrorCause>>, message: impl Into<Str>) -> Self {
        let details = ErrorDetails { causes: causes.into(), ..ErrorDetails::default() };
        Self::plain(409, StatusReason::Conflict, message).with_details(details)
    }

    /// 410: gone for good. For expired resource versions, use [`resource_expired`](Self::resource_expired).
    pub fn gone(message: impl Into<Str>) -> Self {
        Self::plain(410, StatusReason::Gone, message)
    }

    /// 410: the resource version or the continue token has expired.
    pub fn resource_expired(message: impl Into<Str>) -> Self {
        Self::plain(410, StatusReason::Expired, message)
    }

    /// 422: validation rejected the object. Each field error becomes a cause.
    pub fn invalid(kind: &GroupKind, name: &str, errors: &FieldErrors) -> Self {
        let message = if errors.0.is_empty() {
            format!("{kind} {} is invalid", Quoted(name))
        } else {
            format!("{kind} {} is invalid: {errors}", Quoted(name))
        };
        let causes = errors.0.iter().map(|error| ErrorCause {
            cause_type: error.kind().as_str().into(),
            message: error.body().into(),
            field: error.field().into(),
        });
        let details = ErrorDetails {
            group: kind.group.clone(),
            kind: kind.kind.clone(),
            name: name.into(),
            causes: causes.collect(),
            ..ErrorDetails::default()
        };
        Self::plain(422, StatusReason::Invalid, message).with_details(details)
    }

    /// 400: the request is malformed.
    pub fn bad_request(message: impl Into<Str>) -> Self {
        Self::plain(400, StatusReason::BadRequest, message)
    }

    /// 429: the server throttles the client, which retries after the delay.
    pub fn too_many_requests(message: impl Into<Str>, retry_after_seconds: i32) -> Self {
        Self::plain(429, StatusReason::TooManyRequests, message).with_retry_after(retry_after_seconds)
    }

    /// 503: the server is unavailable.
    pub fn service_unavailable(message: impl Into<Str>) -> Self {
        Self::plain(503, StatusReason::ServiceUnavailable, message)
    }

    /// 405: the resource does not support the verb.
    pub fn method_not_supported(resource: &GroupResource, action: &str) -> Self {
        let message =
            format!("{action} is not supported on resources of kind {}", Quoted(&resource.to_string()));
        Self::about(405, StatusReason::MethodNotAllowed, message, resource, "")
    }

    /// 500: the server could not finish in time. The client retries after the delay.
    pub fn server_timeout(resource: &GroupResource, operation: &str, retry_after_seconds: i32) -> Self {
        let message = format!(
            "The {operation} operation against {resource} could not be completed at this time, please try again."
        );
        Self::about(500, StatusReason::ServerTimeout, message, resource, operation)
            .with_retry_after(retry_after_seconds)
    }

    /// 500: the server failed internally.
    pub fn internal_error(why: impl fmt::Display) -> Self {
        let cause = ErrorCause { message: why.to_string().into(), ..ErrorCause::default() };
        let details = ErrorDetails { causes: [cause].into(), ..ErrorDetails::default() };
        Self::plain(500, StatusReason::InternalError, format!("Internal error occurred: {why}"))
            .with_details(details)
    }

    /// 504: the request timed out.
    pub fn timeout(message: &str, retry_after_seconds: i32) -> Self {
        Self::plain(504, StatusReason::Timeout, format!("Timeout: {message}"))
            .with_retry_after(retry_after_seconds)
    }

    /// 413: the request body is too large.
    pub fn request_entity_too_large(message: &str) -> Self {
        Self::plain(413, StatusReason::RequestEntityTooLarge, format!("Request entity too large: {message}"))
    }

    /// The response was an object, but not a `Status`; `object` describes it.
    pub fn unexpected_object(object: impl fmt::Display) -> Self {
        let message = format!("unexpected object: {object}").into();
        Self::new(ErrorStatus { message, unexpected_object: true, ..ErrorStatus::default() })
    }

    /// Creates the error for an HTTP response without a `Status`. The reason follows from the status code.
    pub fn from_response(response: &ServerResponse<'_>) -> Self {
        let ServerResponse { code, verb, resource, name, body, .. } = response;
        let (reason, message) = match code {
            400 => (StatusReason::BadRequest, "the server rejected our request for an unknown reason".into()),
            401 => (
                StatusReason::Unauthorized,
                "the server has asked for the client to provide credentials".into(),
            ),
            // The body names the user and the forbidden action.
            403 => (StatusReason::Forbidden, (*body).to_owned()),
            404 => (StatusReason::NotFound, "the server could not find the requested resource".into()),
            405 => (
                StatusReason::MethodNotAllowed,
                "the server does not allow this method on the requested resource".into(),
            ),
            406 if body.is_empty() || *body == "unknown" => (
                StatusReason::NotAcceptable,
                "the server was unable to respond with a content type that the client supports".into(),
            ),
            // The body lists the supported types.
            406 => (StatusReason::NotAcceptable, (*body).to_owned()),
            409 if *verb == "POST" => (StatusReason::AlreadyExists, "the server reported a conflict".into()),
            409 => (StatusReason::Conflict, "the server reported a conflict".into()),
            415 => (StatusReason::UnsupportedMediaType, (*body).to_owned()),
            422 => (
                StatusReason::Invalid,
                "the server rejected our request due to an error in our request".into(),
            ),
            429 => (
                StatusReason::TooManyRequests,
                "the server has received too many requests and has asked us to try again later".into(),
            ),
            503 => (
                StatusReason::ServiceUnavailable,
                "the server is currently unable to handle the request".into(),
            ),
            504 => (
                StatusReason::Timeout,
                "the server was unable to return a response in the time allotted, but may still be processing \
                 the request"
                    .into(),
            ),
            500.. => (
                StatusReason::InternalError,
                format!("an error on the server ({}) has prevented the request from succeeding", Quoted(body)),
            ),
            _ => (
                StatusReason::default(),
                format!("the server responded with the status code {code} but did not return more information"),
            ),
        };
        let verb = verb.to_lowercase();
        let message = if resource.is_empty() {
            message
        } else if name.is_empty() {
            format!("{message} ({verb} {resource})")
        } else {
            format!("{message} ({verb} {resource} {name})")
        };
        let causes = if response.unexpected {
            let cause_type = CauseType::UnexpectedServerResponse;
            [ErrorCause { cause_type, message: (*body).into(), field: Str::EMPTY }].into()
        } else {
            List::EMPTY
        };
        Self::about(i32::from(*code), reason, message, resource, name)
            .with_causes(causes)
            .with_retry_after(response.retry_after_seconds)
    }

    /// Creates the error for a response that could not be decoded: an unexpected response, with a further cause named
    /// `cause_type`. Watches report undecodable events with it.
    pub fn undecodable(code: u16, verb: &str, cause_type: &str, why: impl fmt::Display) -> Self {
        let why = why.to_string();
        let response =
            ServerResponse { code, verb, body: &why, unexpected: true, ..ServerResponse::default() };
        let cause_type = if cause_type.is_empty() { "ClientError" } else { cause_type };
        let cause =
            ErrorCause { cause_type: cause_type.into(), message: why.as_str().into(), field: Str::EMPTY };
        let error = Self::from_response(&response);
        let causes = error.causes().iter().cloned().chain([cause]).collect();
        error.with_causes(causes)
    }

    fn plain(code: i32, reason: StatusReason, message: impl Into<Str>) -> Self {
        Self::new(ErrorStatus { code, reason, message: message.into(), ..ErrorStatus::default() })
    }

    fn about(code: i32, reason: StatusReason, message: String, resource: &GroupResource, name: &str) -> Self {
        let (group, kind) = (resource.group.clone(), resource.resource.clone());
        let details = ErrorDetails { group, kind, name: name.into(), ..ErrorDetails::default() };
        Self::plain(code, reason, message).with_details(details)
    }

    fn with_details(mut self, details: ErrorDetails) -> Self {
        self.0.details = Some(details);
        self
    }

    fn with_retry_after(mut self, seconds: i32) -> Self {
        self.0.details.get_or_insert_default().retry_after_seconds = seconds;
        self
    }

    fn with_causes(mut self, causes: List<ErrorCause>) -> Self {
        self.0.details.get_or_insert_default().causes = causes;
        self
    }
}

impl Error for ApiError {}

/// Prints the message; without one, the reason and the code.
impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.message(), self.reason().as_str()) {
            ("", "") => write!(f, "the server responded with the status code {}", self.code()),
            ("", reason) => write!(f, "the server responded with the status code {} ({reason})", self.code()),
            (message, _) => f.write_str(message),
        }
    }
}

impl From<ErrorStatus> for ApiError {
    fn from(status: ErrorStatus) -> Self {
        Self::new(status)
    }
}

/// `pods "web-0"` and the rest of a sentence. Lookups in caches fail so often that this text has one allocation.
fn named(resource: &GroupResource, name: &str, rest: &str) -> String {
    let GroupResource { group, resource } = resource;
    let mut text =
        String::with_capacity(resource.len() + group.len() + name.len() + rest.len() + ". \"\"".len());
    text.push_str(resource);
    if !group.is_empty() {
        text.push('.');
        text.push_str(group);
    }
    text.push(' ');
    Quoted(name).push_to(&mut text);
    text.push_str(rest);
    text
}

#[cfg(test)]
mod tests;

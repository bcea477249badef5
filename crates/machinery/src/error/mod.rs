//! [`ApiError`]: an API server's "no", with the questions one asks of it.

mod hint;

use crate::{CauseType, FieldErrors, GroupKind, GroupResource, List, StatusReason, Str, quote::Quoted};
use std::{error::Error, fmt, time::Duration};

mod chain;

pub use chain::{ErrorChain, ServerAnswer};

/// An API server's "no": the failure `Status` that it answers with, or what stands for one when it gives none.
///
/// Callers ask what it is ([`is_not_found`](Self::is_not_found), [`is_conflict`](Self::is_conflict), …) and how long to
/// wait ([`suggests_client_delay`](Self::suggests_client_delay)). The questions answer as those of Go's
/// `k8s.io/apimachinery/pkg/api/errors`: the reason decides; the status code counts only where there is no reason
/// that we know. One pointer wide. Its text is the server's message; it holds nothing of the request.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ApiError(Box<ErrorStatus>);

/// What an [`ApiError`] holds: the fields of a failure `Status`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ErrorStatus {
    /// The HTTP status code; 0 if there is none.
    pub code: i32,
    /// Why, in one word.
    pub reason: StatusReason,
    /// Why, in a sentence.
    pub message: Str,
    /// What is concerned. Absent is not the same as empty: see
    /// [`suggests_client_delay`](ApiError::suggests_client_delay).
    pub details: Option<ErrorDetails>,
    /// The answer was an object, but no `Status`.
    pub unexpected_object: bool,
}

/// What an error is about.
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
    /// What led to the error, one by one.
    pub causes: List<ErrorCause>,
    /// The delay after which to try again, if positive.
    pub retry_after_seconds: i32,
}

/// One of the things that led to an error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ErrorCause {
    /// In what way.
    pub cause_type: CauseType,
    /// In a sentence.
    pub message: Str,
    /// The field, such as `spec.ports[0].name`.
    pub field: Str,
}

/// An HTTP answer without a `Status`, for [`ApiError::from_response`].
#[derive(Clone, Debug, Default)]
pub struct ServerResponse<'a> {
    /// The HTTP status code.
    pub code: u16,
    /// The HTTP method. With 409, `POST` means that the object exists already.
    pub verb: &'a str,
    /// The resource asked for; empty if none.
    pub resource: GroupResource,
    /// The object asked for; empty if none.
    pub name: &'a str,
    /// The body, as far as it is text.
    pub body: &'a str,
    /// The value of the `Retry-After` header; 0 without one.
    pub retry_after_seconds: i32,
    /// Is the body not what an API server would have sent?
    pub unexpected: bool,
}

/// What an error of the server says to do.
impl ApiError {
    /// From the fields of a `Status`.
    pub fn new(status: ErrorStatus) -> Self {
        Self(Box::new(status))
    }

    /// The fields of the `Status`.
    pub fn status(&self) -> &ErrorStatus {
        &self.0
    }

    /// The fields of the `Status`.
    pub fn into_status(self) -> ErrorStatus {
        *self.0
    }

    /// The first [`ApiError`] among an error and its sources; see [`ServerAnswer`].
    pub fn find<'a>(error: &'a (dyn Error + 'static)) -> Option<&'a Self> {
        std::iter::successors(Some(error), |&error| error.source()).find_map(|error| {
            let answer = || error.downcast_ref().map(|ServerAnswer(error)| error);
            error.downcast_ref().or_else(answer)
        })
    }

    /// The HTTP status code; 0 if there is none.
    pub fn code(&self) -> i32 {
        self.0.code
    }

    /// Why, in one word.
    pub fn reason(&self) -> &StatusReason {
        &self.0.reason
    }

    /// Why, in a sentence.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What led to it, one by one. With [`is_invalid`](Self::is_invalid), the fields and what is wrong with them.
    pub fn causes(&self) -> &[ErrorCause] {
        self.0.details.as_ref().map_or(&[], |details| &details.causes)
    }

    /// The first cause of a type.
    pub fn cause(&self, cause_type: &CauseType) -> Option<&ErrorCause> {
        self.causes().iter().find(|cause| cause.cause_type == *cause_type)
    }

    /// Is there a cause of this type?
    pub fn has_cause(&self, cause_type: &CauseType) -> bool {
        self.cause(cause_type).is_some()
    }

    /// No such object or resource.
    pub fn is_not_found(&self) -> bool {
        self.is(&StatusReason::NotFound, 404)
    }

    /// An object of this name is there already.
    pub fn is_already_exists(&self) -> bool {
        self.0.reason == StatusReason::AlreadyExists
    }

    /// The object has changed since it was read, or another manager owns the field.
    pub fn is_conflict(&self) -> bool {
        self.is(&StatusReason::Conflict, 409)
    }

    /// No longer there, and it won't be. An expired version is [`is_resource_expired`](Self::is_resource_expired).
    pub fn is_gone(&self) -> bool {
        self.is(&StatusReason::Gone, 410)
    }

    /// The version asked for, or the list to be continued, is no longer kept: list anew.
    pub fn is_resource_expired(&self) -> bool {
        self.0.reason == StatusReason::Expired
    }

    /// The object breaks rules; [`causes`](Self::causes) says which.
    pub fn is_invalid(&self) -> bool {
        self.is(&StatusReason::Invalid, 422)
    }

    /// Makes no sense, and won't.
    pub fn is_bad_request(&self) -> bool {
        self.is(&StatusReason::BadRequest, 400)
    }

    /// Who is asking must be said, or said again.
    pub fn is_unauthorized(&self) -> bool {
        self.is(&StatusReason::Unauthorized, 401)
    }

    /// The one who asks may not.
    pub fn is_forbidden(&self) -> bool {
        self.is(&StatusReason::Forbidden, 403)
    }

    /// Not answered in time; it may have been done nevertheless.
    pub fn is_timeout(&self) -> bool {
        self.is(&StatusReason::Timeout, 504)
    }

    /// Not done in time; to be tried again. No status code says so, only the reason.
    pub fn is_server_timeout(&self) -> bool {
        self.0.reason == StatusReason::ServerTimeout
    }

    /// Something broke on the server.
    pub fn is_internal_error(&self) -> bool {
        self.is(&StatusReason::InternalError, 500)
    }

    /// To be tried again later: [`suggests_client_delay`](Self::suggests_client_delay) says when. Here the status code
    /// counts whatever the reason.
    pub fn is_too_many_requests(&self) -> bool {
        self.0.reason == StatusReason::TooManyRequests || self.0.code == 429
    }

    /// Too large. Here the status code counts whatever the reason.
    pub fn is_request_entity_too_large(&self) -> bool {
        self.0.reason == StatusReason::RequestEntityTooLarge || self.0.code == 413
    }

    /// The resource doesn't do this.
    pub fn is_method_not_supported(&self) -> bool {
        self.is(&StatusReason::MethodNotAllowed, 405)
    }

    /// None of the content types asked for can be had.
    pub fn is_not_acceptable(&self) -> bool {
        self.is(&StatusReason::NotAcceptable, 406)
    }

    /// The content type sent can't be read.
    pub fn is_unsupported_media_type(&self) -> bool {
        self.is(&StatusReason::UnsupportedMediaType, 415)
    }

    /// Not now; it may not have been done.
    pub fn is_service_unavailable(&self) -> bool {
        self.is(&StatusReason::ServiceUnavailable, 503)
    }

    /// What is stored can't be read.
    pub fn is_storage_read_error(&self) -> bool {
        self.0.reason == StatusReason::StorageReadError
    }

    /// The answer was none of an API server's: perhaps of a proxy in between.
    pub fn is_unexpected_server_error(&self) -> bool {
        self.has_cause(&CauseType::UnexpectedServerResponse)
    }

    /// The answer was an object, but no `Status`.
    pub fn is_unexpected_object_error(&self) -> bool {
        self.0.unexpected_object
    }

    /// How long the server asks to wait before the next try, if it asks. Whether to try again is another question.
    pub fn suggests_client_delay(&self) -> Option<Duration> {
        let seconds = self.0.details.as_ref()?.retry_after_seconds;
        let asked = seconds > 0 || self.0.reason == StatusReason::ServerTimeout;
        asked.then(|| Duration::from_secs(u64::try_from(seconds).unwrap_or(0)))
    }

    fn is(&self, reason: &StatusReason, code: i32) -> bool {
        self.0.reason == *reason || (!self.0.reason.is_known() && self.0.code == code)
    }
}

/// The errors of an API server, with its codes, reasons and messages.
impl ApiError {
    /// 404.
    pub fn not_found(resource: &GroupResource, name: &str) -> Self {
        let message = format!("{resource} {} not found", Quoted(name));
        Self::about(404, StatusReason::NotFound, message, resource, name)
    }

    /// 409, on creation.
    pub fn already_exists(resource: &GroupResource, name: &str) -> Self {
        let message = format!("{resource} {} already exists", Quoted(name));
        Self::about(409, StatusReason::AlreadyExists, message, resource, name)
    }

    /// 409, when no free name could be generated.
    pub fn generate_name_conflict(resource: &GroupResource, name: &str, retry_after_seconds: i32) -> Self {
        let message = format!(
            "{resource} {} already exists, the server was not able to generate a unique name for the object",
            Quoted(name)
        );
        Self::about(409, StatusReason::AlreadyExists, message, resource, name)
            .with_retry_after(retry_after_seconds)
    }

    /// 401.
    pub fn unauthorized(message: &str) -> Self {
        let message = if message.is_empty() { "not authorized" } else { message };
        Self::plain(401, StatusReason::Unauthorized, message)
    }

    /// 403.
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

    /// 409, on update.
    pub fn conflict(resource: &GroupResource, name: &str, why: impl fmt::Display) -> Self {
        let message = format!("Operation cannot be fulfilled on {resource} {}: {why}", Quoted(name));
        Self::about(409, StatusReason::Conflict, message, resource, name)
    }

    /// 409, on apply: other managers own the fields that the causes name.
    pub fn apply_conflict(causes: impl Into<List<ErrorCause>>, message: impl Into<Str>) -> Self {
        let details = ErrorDetails { causes: causes.into(), ..ErrorDetails::default() };
        Self::plain(409, StatusReason::Conflict, message).with_details(details)
    }

    /// 410. For versions no longer kept, see [`resource_expired`](Self::resource_expired).
    pub fn gone(message: impl Into<Str>) -> Self {
        Self::plain(410, StatusReason::Gone, message)
    }

    /// 410, for a version or list no longer kept.
    pub fn resource_expired(message: impl Into<Str>) -> Self {
        Self::plain(410, StatusReason::Expired, message)
    }

    /// 422: each field error is a cause.
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

    /// 400.
    pub fn bad_request(message: impl Into<Str>) -> Self {
        Self::plain(400, StatusReason::BadRequest, message)
    }

    /// 429, with the delay after which to try again.
    pub fn too_many_requests(message: impl Into<Str>, retry_after_seconds: i32) -> Self {
        Self::plain(429, StatusReason::TooManyRequests, message).with_retry_after(retry_after_seconds)
    }

    /// 503.
    pub fn service_unavailable(message: impl Into<Str>) -> Self {
        Self::plain(503, StatusReason::ServiceUnavailable, message)
    }

    /// 405.
    pub fn method_not_supported(resource: &GroupResource, action: &str) -> Self {
        let message =
            format!("{action} is not supported on resources of kind {}", Quoted(&resource.to_string()));
        Self::about(405, StatusReason::MethodNotAllowed, message, resource, "")
    }

    /// 500, to be tried again after the delay.
    pub fn server_timeout(resource: &GroupResource, operation: &str, retry_after_seconds: i32) -> Self {
        let message = format!(
            "The {operation} operation against {resource} could not be completed at this time, please try again."
        );
        Self::about(500, StatusReason::ServerTimeout, message, resource, operation)
            .with_retry_after(retry_after_seconds)
    }

    /// 500.
    pub fn internal_error(why: impl fmt::Display) -> Self {
        let cause = ErrorCause { message: why.to_string().into(), ..ErrorCause::default() };
        let details = ErrorDetails { causes: [cause].into(), ..ErrorDetails::default() };
        Self::plain(500, StatusReason::InternalError, format!("Internal error occurred: {why}"))
            .with_details(details)
    }

    /// 504.
    pub fn timeout(message: &str, retry_after_seconds: i32) -> Self {
        Self::plain(504, StatusReason::Timeout, format!("Timeout: {message}"))
            .with_retry_after(retry_after_seconds)
    }

    /// 413.
    pub fn request_entity_too_large(message: &str) -> Self {
        Self::plain(413, StatusReason::RequestEntityTooLarge, format!("Request entity too large: {message}"))
    }

    /// The answer was an object, but no `Status`: `object` describes it.
    pub fn unexpected_object(object: impl fmt::Display) -> Self {
        let message = format!("unexpected object: {object}").into();
        Self::new(ErrorStatus { message, unexpected_object: true, ..ErrorStatus::default() })
    }

    /// For an HTTP answer without a `Status`: the reason follows from the code.
    pub fn from_response(response: &ServerResponse<'_>) -> Self {
        let ServerResponse { code, verb, resource, name, body, .. } = response;
        let (reason, message) = match code {
            400 => (StatusReason::BadRequest, "the server rejected our request for an unknown reason".into()),
            401 => (
                StatusReason::Unauthorized,
                "the server has asked for the client to provide credentials".into(),
            ),
            // The body says who may not do what.
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
            // The body says what types there are.
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

    /// For an answer that could not be read: a response that is not expected, with a cause named `cause_type` too.
    /// Watches report so what they can't decode.
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

/// The message; without one, reason and code.
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

#[cfg(test)]
mod tests;

use super::*;
use crate::FieldError;

type Predicate = (&'static str, fn(&ApiError) -> bool);

const PREDICATES: &[Predicate] = &[
    ("is_not_found", ApiError::is_not_found),
    ("is_already_exists", ApiError::is_already_exists),
    ("is_conflict", ApiError::is_conflict),
    ("is_gone", ApiError::is_gone),
    ("is_resource_expired", ApiError::is_resource_expired),
    ("is_invalid", ApiError::is_invalid),
    ("is_bad_request", ApiError::is_bad_request),
    ("is_unauthorized", ApiError::is_unauthorized),
    ("is_forbidden", ApiError::is_forbidden),
    ("is_timeout", ApiError::is_timeout),
    ("is_server_timeout", ApiError::is_server_timeout),
    ("is_internal_error", ApiError::is_internal_error),
    ("is_too_many_requests", ApiError::is_too_many_requests),
    ("is_request_entity_too_large", ApiError::is_request_entity_too_large),
    ("is_method_not_supported", ApiError::is_method_not_supported),
    ("is_not_acceptable", ApiError::is_not_acceptable),
    ("is_unsupported_media_type", ApiError::is_unsupported_media_type),
    ("is_service_unavailable", ApiError::is_service_unavailable),
    ("is_storage_read_error", ApiError::is_storage_read_error),
    ("is_unexpected_server_error", ApiError::is_unexpected_server_error),
    ("is_unexpected_object_error", ApiError::is_unexpected_object_error),
];

fn answers(error: &ApiError) -> String {
    let yes: Vec<_> = PREDICATES.iter().filter(|(_, test)| test(error)).map(|(name, _)| *name).collect();
    yes.join(" ")
}

fn pods() -> GroupResource {
    GroupResource::new("", "pods")
}

fn deployments() -> GroupResource {
    GroupResource::new("apps", "deployments")
}

fn with(reason: &str, code: i32) -> ApiError {
    ApiError::new(ErrorStatus { code, reason: reason.into(), ..ErrorStatus::default() })
}

/// Constructor, code, message, predicates that hold: as Go's `api/errors` has them.
#[test]
fn constructors_are_gos() {
    let field_errors =
        FieldErrors(vec![FieldError::required("spec.x", ""), FieldError::invalid("a", "b", "c")]);
    let kind = GroupKind::new("apps", "Deployment");
    for (error, code, message, holds) in [
        (ApiError::not_found(&pods(), "a"), 404, r#"pods "a" not found"#, "is_not_found"),
        (ApiError::not_found(&deployments(), "a"), 404, r#"deployments.apps "a" not found"#, "is_not_found"),
        (ApiError::already_exists(&pods(), "a"), 409, r#"pods "a" already exists"#, "is_already_exists"),
        (
            ApiError::generate_name_conflict(&pods(), "a", 1),
            409,
            r#"pods "a" already exists, the server was not able to generate a unique name for the object"#,
            "is_already_exists",
        ),
        (ApiError::unauthorized(""), 401, "not authorized", "is_unauthorized"),
        (ApiError::unauthorized("who?"), 401, "who?", "is_unauthorized"),
        (ApiError::forbidden(&GroupResource::EMPTY, "", "no"), 403, "forbidden: no", "is_forbidden"),
        (ApiError::forbidden(&pods(), "", "no"), 403, "pods is forbidden: no", "is_forbidden"),
        (ApiError::forbidden(&pods(), "a", "no"), 403, r#"pods "a" is forbidden: no"#, "is_forbidden"),
        (
            ApiError::conflict(&pods(), "a", "changed"),
            409,
            r#"Operation cannot be fulfilled on pods "a": changed"#,
            "is_conflict",
        ),
        (ApiError::apply_conflict([], "owned"), 409, "owned", "is_conflict"),
        (ApiError::gone("gone"), 410, "gone", "is_gone"),
        (ApiError::resource_expired("old"), 410, "old", "is_resource_expired"),
        (
            ApiError::invalid(&kind, "a", &field_errors),
            422,
            r#"Deployment.apps "a" is invalid: [spec.x: Required value, a: Invalid value: "b": c]"#,
            "is_invalid",
        ),
        (
            ApiError::invalid(&kind, "a", &FieldErrors(vec![])),
            422,
            r#"Deployment.apps "a" is invalid"#,
            "is_invalid",
        ),
        (ApiError::bad_request("what?"), 400, "what?", "is_bad_request"),
        (ApiError::too_many_requests("slow", 3), 429, "slow", "is_too_many_requests"),
        (ApiError::service_unavailable("later"), 503, "later", "is_service_unavailable"),
        (
            ApiError::method_not_supported(&deployments(), "watch"),
            405,
            r#"watch is not supported on resources of kind "deployments.apps""#,
            "is_method_not_supported",
        ),
        (
            ApiError::server_timeout(&pods(), "list", 2),
            500,
            "The list operation against pods could not be completed at this time, please try again.",
            "is_server_timeout",
        ),
        (ApiError::internal_error("boom"), 500, "Internal error occurred: boom", "is_internal_error"),
        (ApiError::timeout("too slow", 4), 504, "Timeout: too slow", "is_timeout"),
        (
            ApiError::request_entity_too_large("limit is 3145728"),
            413,
            "Request entity too large: limit is 3145728",
            "is_request_entity_too_large",
        ),
        (ApiError::unexpected_object("a Pod"), 0, "unexpected object: a Pod", "is_unexpected_object_error"),
    ] {
        assert_eq!(error.code(), code, "{error}");
        assert_eq!(error.to_string(), message);
        assert_eq!(answers(&error), holds, "{error}");
    }
}

#[test]
fn details_name_the_object() {
    let details = ApiError::not_found(&deployments(), "a").into_status().details.unwrap();
    assert_eq!((&*details.group, &*details.kind, &*details.name), ("apps", "deployments", "a"));
    let details = ApiError::server_timeout(&pods(), "list", 2).into_status().details.unwrap();
    assert_eq!((&*details.kind, &*details.name, details.retry_after_seconds), ("pods", "list", 2));
    let errors = FieldErrors(vec![FieldError::required("spec.x", "say it")]);
    let invalid = ApiError::invalid(&GroupKind::new("", "Pod"), "a", &errors);
    let cause = invalid.cause(&CauseType::FieldValueRequired).unwrap();
    assert_eq!((&*cause.field, &*cause.message), ("spec.x", "Required value: say it"));
    assert!(!invalid.has_cause(&CauseType::FieldValueInvalid));
    assert_eq!(ApiError::internal_error("boom").causes()[0].message, "boom");
    assert_eq!(ApiError::bad_request("x").status().details, None);
}

/// The status code, with the reason and the message that follow from it.
#[test]
fn responses_without_a_status() {
    for (code, verb, body, reason, message) in [
        (
            100,
            "GET",
            "",
            "",
            "the server responded with the status code 100 but did not return more information",
        ),
        (
            302,
            "GET",
            "",
            "",
            "the server responded with the status code 302 but did not return more information",
        ),
        (400, "GET", "b", "BadRequest", "the server rejected our request for an unknown reason"),
        (401, "GET", "b", "Unauthorized", "the server has asked for the client to provide credentials"),
        (
            402,
            "GET",
            "",
            "",
            "the server responded with the status code 402 but did not return more information",
        ),
        (403, "GET", "says who", "Forbidden", "says who"),
        (404, "GET", "b", "NotFound", "the server could not find the requested resource"),
        (
            405,
            "GET",
            "b",
            "MethodNotAllowed",
            "the server does not allow this method on the requested resource",
        ),
        (
            406,
            "GET",
            "unknown",
            "NotAcceptable",
            "the server was unable to respond with a content type that the client supports",
        ),
        (406, "GET", "only json", "NotAcceptable", "only json"),
        (409, "POST", "b", "AlreadyExists", "the server reported a conflict"),
        (409, "PUT", "b", "Conflict", "the server reported a conflict"),
        (
            410,
            "GET",
            "",
            "",
            "the server responded with the status code 410 but did not return more information",
        ),
        (415, "POST", "only json", "UnsupportedMediaType", "only json"),
        (422, "PUT", "b", "Invalid", "the server rejected our request due to an error in our request"),
        (
            429,
            "GET",
            "b",
            "TooManyRequests",
            "the server has received too many requests and has asked us to try again later",
        ),
        (
            500,
            "GET",
            "b\"d",
            "InternalError",
            r#"an error on the server ("b\"d") has prevented the request from succeeding"#,
        ),
        (
            502,
            "GET",
            "",
            "InternalError",
            r#"an error on the server ("") has prevented the request from succeeding"#,
        ),
        (503, "GET", "b", "ServiceUnavailable", "the server is currently unable to handle the request"),
        (
            504,
            "GET",
            "b",
            "Timeout",
            "the server was unable to return a response in the time allotted, but may still be processing the request",
        ),
    ] {
        let bare = ServerResponse { code, verb, body, ..ServerResponse::default() };
        let error = ApiError::from_response(&bare);
        assert_eq!((error.code(), error.reason().as_str(), error.message()), (code.into(), reason, message));
        assert!(!error.is_unexpected_server_error());

        let resource = deployments();
        let full = ServerResponse { resource, name: "a", unexpected: true, retry_after_seconds: 7, ..bare };
        let error = ApiError::from_response(&full);
        assert_eq!(error.message(), format!("{message} ({} deployments.apps a)", verb.to_lowercase()));
        assert_eq!(error.cause(&CauseType::UnexpectedServerResponse).unwrap().message, body);
        assert_eq!(error.suggests_client_delay(), Some(Duration::from_secs(7)));
    }
    let listed = ServerResponse { code: 404, verb: "GET", resource: pods(), ..ServerResponse::default() };
    let message = "the server could not find the requested resource (get pods)";
    assert_eq!(ApiError::from_response(&listed).message(), message);
}

#[test]
fn undecodable_answers_name_their_cause() {
    let error = ApiError::undecodable(500, "GET", "ClientWatchDecoding", "unexpected EOF");
    assert!(error.is_unexpected_server_error() && error.is_internal_error());
    assert_eq!(error.cause(&"ClientWatchDecoding".into()).unwrap().message, "unexpected EOF");
    assert!(ApiError::undecodable(500, "GET", "", "x").has_cause(&CauseType::from("ClientError")));
}

#[test]
fn a_code_counts_only_without_a_known_reason() {
    for (code, holds) in [
        (400, "is_bad_request"),
        (401, "is_unauthorized"),
        (403, "is_forbidden"),
        (404, "is_not_found"),
        (405, "is_method_not_supported"),
        (406, "is_not_acceptable"),
        (409, "is_conflict"),
        (410, "is_gone"),
        (413, "is_request_entity_too_large"),
        (415, "is_unsupported_media_type"),
        (422, "is_invalid"),
        (429, "is_too_many_requests"),
        (500, "is_internal_error"),
        (503, "is_service_unavailable"),
        (504, "is_timeout"),
        (418, ""),
    ] {
        assert_eq!(answers(&with("", code)), holds, "{code}");
        assert_eq!(answers(&with("Odd", code)), holds, "{code}");
        // Two codes count regardless of the reason.
        let other = if matches!(code, 413 | 429) {
            format!("is_resource_expired {holds}")
        } else {
            "is_resource_expired".into()
        };
        assert_eq!(answers(&with("Expired", code)), other, "{code}");
    }
    for reason in StatusReason::KNOWN {
        assert_eq!(answers(&with(reason.as_str(), 0)).split(' ').count(), 1, "{reason}");
    }
}

#[test]
fn delays() {
    let delay = |error: &ApiError| error.suggests_client_delay().map(|delay| delay.as_secs());
    assert_eq!(delay(&ApiError::too_many_requests("x", 5)), Some(5));
    assert_eq!(delay(&ApiError::too_many_requests("x", 0)), None);
    assert_eq!(delay(&ApiError::server_timeout(&pods(), "get", 0)), Some(0));
    assert_eq!(delay(&ApiError::server_timeout(&pods(), "get", 3)), Some(3));
    assert_eq!(delay(&ApiError::server_timeout(&pods(), "get", -3)), Some(0));
    assert_eq!(delay(&ApiError::timeout("x", 4)), Some(4));
    assert_eq!(delay(&ApiError::not_found(&pods(), "a")), None);
    assert_eq!(delay(&with("ServerTimeout", 500)), None);
}

#[derive(Debug, thiserror::Error)]
#[error("while reconciling")]
struct Wrapped(#[source] ApiError);

#[test]
fn found_inside_other_errors() {
    let wrapped = Wrapped(ApiError::gone("x"));
    assert!(ApiError::find(&wrapped).is_some_and(ApiError::is_gone));
    assert!(ApiError::find(&wrapped.0).is_some_and(ApiError::is_gone));
    assert_eq!(ApiError::find(&fmt::Error), None);
}

#[test]
fn one_word_and_never_speechless() {
    assert_eq!(size_of::<ApiError>(), size_of::<usize>());
    assert_eq!(with("", 418).to_string(), "the server responded with the status code 418");
    assert_eq!(with("Odd", 418).to_string(), "the server responded with the status code 418 (Odd)");
    assert_eq!(ApiError::from(ErrorStatus::default()).reason(), &StatusReason::default());
}

//! Query parameters that a client adds to its writes.

use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::{List, Str};

use crate::{BodySource, Request, RequestError, Verb};

/// The parameters of a client's writes. A request that sets one itself keeps its own value.
#[derive(Clone, Debug, Default)]
pub(crate) struct WriteDefaults {
    pub(crate) dry_run: bool,
    pub(crate) field_manager: Option<Str>,
    pub(crate) field_validation: Option<&'static str>,
}

impl WriteDefaults {
    /// Adds the missing parameters to a write of an object. A second call changes nothing.
    pub(crate) fn fill(&self, request: Request) -> Request {
        // A connection to a pod or a service is not a write of an object.
        let connects = matches!(
            request.subresource_path().split('/').next().unwrap_or_default(),
            "attach" | "exec" | "log" | "portforward" | "proxy"
        );
        if request.verb().is_safe() || connects || request.group_resource().resource.is_empty() {
            return request;
        }
        if request.verb() == Verb::Delete {
            return if self.dry_run && !request.is_dry_run() { dry_deletion(request) } else { request };
        }
        let dry_run = self.dry_run.then_some("All");
        let missing = |request: &Request, name: &str| {
            !request.own_params().iter().any(|(known, value)| known == name && !value.is_empty())
        };
        let defaults = [
            ("dryRun", dry_run),
            ("fieldManager", self.field_manager.as_deref()),
            ("fieldValidation", self.field_validation),
        ];
        defaults.into_iter().fold(request, |request, (name, value)| match value {
            Some(value) if missing(&request, name) => request.param(name, value),
            _ => request,
        })
    }
}

/// Makes a deletion a dry run. A server reads the options from the body, and from the query only if there is no body.
fn dry_deletion(request: Request) -> Request {
    if matches!(request.body_source(), BodySource::None) {
        return request.param("dryRun", "All");
    }
    match request.delete_options() {
        Some(options) => request.object(DeleteOptions { dry_run: all(), ..options }),
        None => request.refuse(RequestError::NoDryRun),
    }
}

fn all() -> List<Str> {
    [Str::from("All")].into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(defaults: &WriteDefaults, request: Request) -> String {
        let once = defaults.fill(request);
        let text = once.path_and_query("").unwrap();
        assert_eq!(defaults.fill(once).path_and_query("").unwrap(), text, "a second call changes nothing");
        text
    }

    #[test]
    fn writes_of_objects_get_the_missing_parameters_and_keep_their_own() {
        let defaults = WriteDefaults {
            dry_run: true,
            field_manager: Some("me".into()),
            field_validation: Some("Strict"),
        };
        let pods = |request: Request| request.api("", "v1").resource("pods").namespace("a");
        let all = "dryRun=All&fieldManager=me&fieldValidation=Strict";
        assert_eq!(filled(&defaults, pods(Request::post())), format!("/api/v1/namespaces/a/pods?{all}"));
        let own = pods(Request::put()).name("x").param("fieldManager", "you").subresource(["status"]);
        assert_eq!(
            filled(&defaults, own),
            "/api/v1/namespaces/a/pods/x/status?dryRun=All&fieldManager=you&fieldValidation=Strict"
        );
        for other in [
            pods(Request::get()),
            pods(Request::post()).name("x").subresource(["exec"]),
            Request::post().abs_path(["logs"]),
        ] {
            let before = other.path_and_query("").unwrap();
            assert_eq!(filled(&defaults, other), before);
        }
    }

    #[test]
    fn a_deletion_becomes_a_dry_run_in_its_body_or_is_refused() {
        let defaults = WriteDefaults { dry_run: true, ..WriteDefaults::default() };
        let pod = || Request::delete().api("", "v1").resource("pods").namespace("a").name("x");
        assert_eq!(filled(&defaults, pod()), "/api/v1/namespaces/a/pods/x?dryRun=All");
        let options = DeleteOptions { grace_period_seconds: Some(5), ..DeleteOptions::EMPTY };
        let sent = defaults.fill(pod().object(options));
        let options = sent.delete_options().unwrap();
        assert_eq!(
            (options.dry_run.first().unwrap().as_str(), options.grace_period_seconds),
            ("All", Some(5))
        );
        assert!(sent.is_dry_run());
        let text = defaults.fill(pod().body(r#"{"propagationPolicy": "Orphan"}"#.to_owned()));
        let options = text.delete_options().unwrap();
        assert!(text.is_dry_run() && options.propagation_policy.as_deref() == Some("Orphan"));
        let unknown = defaults.fill(pod().body("\u{1}".to_owned()));
        assert_eq!(unknown.error(), Some(&RequestError::NoDryRun));
    }
}

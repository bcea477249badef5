//! Health checks: `/healthz`, `/livez`, `/readyz`, and the single checks below them.
//!
//! The checks have the names of the real server's. None of them can fail here: a server that answers is complete.

use std::fmt::Write as _;

use super::reply::Reply;
use crate::request::Query;

/// The endpoints, each with its checks before and behind the common ones.
const ENDPOINTS: &[(&str, &[&str], &[&str])] = &[
    ("healthz", &["ping", "log", "loopback-serving-certificate", "etcd"], &[]),
    ("livez", &["ping", "log", "loopback-serving-certificate", "etcd"], &[]),
    ("readyz", &["ping", "log", "etcd", "etcd-readiness", "informer-sync"], &["shutdown"]),
];

/// The checks that all endpoints have, in order.
const CHECKS: &[&str] = &[
    "poststarthook/start-apiserver-admission-initializer",
    "poststarthook/generic-apiserver-start-informers",
    "poststarthook/priority-and-fairness-config-consumer",
    "poststarthook/priority-and-fairness-filter",
    "poststarthook/storage-object-count-tracker-hook",
    "poststarthook/start-apiextensions-informers",
    "poststarthook/start-apiextensions-controllers",
    "poststarthook/crd-informer-synced",
    "poststarthook/start-system-namespaces-controller",
    "poststarthook/start-cluster-authentication-info-controller",
    "poststarthook/start-kube-apiserver-identity-lease-controller",
    "poststarthook/start-kube-apiserver-identity-lease-garbage-collector",
    "poststarthook/storage-readiness",
    "poststarthook/start-legacy-token-tracking-controller",
    "poststarthook/start-service-ip-repair-controllers",
    "poststarthook/rbac/bootstrap-roles",
    "poststarthook/scheduling/bootstrap-system-priority-classes",
    "poststarthook/priority-and-fairness-config-producer",
    "poststarthook/bootstrap-controller",
    "poststarthook/start-kubernetes-service-cidr-controller",
    "poststarthook/start-kube-aggregator-informers",
    "poststarthook/apiservice-status-local-available-controller",
    "poststarthook/apiservice-status-remote-available-controller",
    "poststarthook/apiservice-registration-controller",
    "poststarthook/apiservice-discovery-controller",
    "poststarthook/kube-apiserver-autoregistration",
    "autoregister-completion",
    "poststarthook/apiservice-openapi-controller",
    "poststarthook/apiservice-openapiv3-controller",
];

/// The response for a path; `None` if it is not one of a check.
pub(super) fn answer(path: &str, query: &Query) -> Option<Reply> {
    let (endpoint, check) = match path.strip_prefix('/')?.split_once('/') {
        Some((endpoint, check)) => (endpoint, Some(check)),
        None => (path.strip_prefix('/')?, None),
    };
    let (_, checks) = all().find(|(name, _)| *name == endpoint)?;
    match check {
        Some(check) => checks.contains(&check).then(|| Reply::text(200, "ok")),
        None => Some(Reply::text(200, &summary(endpoint, &checks, query))),
    }
}

/// The paths of all checks.
pub(super) fn paths() -> impl Iterator<Item = String> {
    all().flat_map(|(endpoint, checks)| {
        let own = checks.into_iter().map(move |check| format!("/{endpoint}/{check}"));
        own.chain([format!("/{endpoint}")])
    })
}

fn all() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    ENDPOINTS.iter().map(|(endpoint, first, last)| (*endpoint, [*first, CHECKS, *last].concat()))
}

fn summary(endpoint: &str, checks: &[&str], query: &Query) -> String {
    if query.flag("verbose").is_none() {
        return "ok".to_owned();
    }
    let excluded: Vec<&str> = query.all("exclude").collect();
    let mut text = String::new();
    for check in checks {
        let note = if excluded.contains(check) { "excluded: ok" } else { "ok" };
        // Writing to a string never fails.
        let _ = writeln!(text, "[+]{check} {note}");
    }
    let mut unknown: Vec<String> =
        excluded.iter().filter(|name| !checks.contains(name)).map(|name| format!("{name:?}")).collect();
    unknown.sort();
    if !unknown.is_empty() {
        let unknown = unknown.join(", ");
        let _ = writeln!(text, "warn: some health checks cannot be excluded: no matches for {unknown}");
    }
    text + &format!("{endpoint} check passed\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_listed_on_request_and_have_paths() {
        let text = |path: &str, query: &str| {
            answer(path, &Query::parse(query)).map(|reply| String::from_utf8(reply.body).unwrap())
        };
        assert_eq!(text("/readyz", "").as_deref(), Some("ok"));
        assert_eq!(text("/livez/ping", "").as_deref(), Some("ok"));
        assert_eq!(text("/healthz/poststarthook/rbac/bootstrap-roles", "").as_deref(), Some("ok"));
        for path in ["/livez/nope", "/readyz/loopback-serving-certificate", "/nope", "/nope/ping"] {
            assert_eq!(text(path, ""), None, "{path}");
        }
        let verbose = text("/readyz", "verbose&exclude=ping&exclude=zzz").unwrap();
        assert!(verbose.starts_with("[+]ping excluded: ok\n[+]log ok\n"), "{verbose}");
        assert!(verbose.contains(
            "[+]shutdown ok\nwarn: some health checks cannot be excluded: no matches for \"zzz\"\n"
        ));
        assert!(verbose.ends_with("readyz check passed\n"));
        assert!(paths().any(|path| path == "/livez/etcd"));
    }
}

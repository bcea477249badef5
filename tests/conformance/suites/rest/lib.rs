//! Transport and REST client: authentication, connections, responses, and faults on the way.

#![allow(clippy::unwrap_used, reason = "scenarios are tests: a panic is caught as a failure")]

mod answers;
mod common;
mod connections;
mod faults;
mod harsh;
mod kinds;
mod lists;
mod manifests;
mod tls;
mod users;
mod watches;

use std::time::Duration;

use client_rs_tests::{Scenario, scenario};

/// The scenarios, in the order in which they begin.
pub static SCENARIOS: &[Scenario] = &[
    scenario!("every kind reads the same in JSON and protobuf, and is written in both", kinds::round_trips)
        .within(Duration::from_mins(5)),
    scenario!("GOAWAY under load costs no request, and no create is made twice", harsh::go_away)
        .within(Duration::from_mins(4)),
    scenario!(
        "a list whose version was compacted fails as expired, and the pager starts again",
        harsh::compacted
    )
    .within(Duration::from_mins(4)),
    scenario!("an object is created, read, watched, listed and deleted", answers::life_of_an_object),
    scenario!("a token authenticates its user, also from a file", users::token),
    scenario!("a client certificate authenticates its user, also from files", users::certificate),
    scenario!("an exec plugin authenticates its user, by token and by certificate", users::exec),
    scenario!("a request acts as the impersonated user", users::impersonation),
    scenario!("a request is forbidden until RBAC allows it", users::rbac),
    scenario!("missing, wrong and expired credentials are distinguished", users::strangers),
    scenario!("a token is replaced under a running watch", users::token_rotation),
    scenario!("a plugin's certificate is replaced under a running watch", users::plugin_rotation),
    scenario!("a certificate's files are replaced under a running watch", users::certificate_rotation),
    scenario!("90 watches and plain requests share one TCP connection", connections::ninety_watches),
    scenario!(
        "300 watches take as few connections as the server allows, and requests run",
        connections::many_watches
    ),
    scenario!("clients of equal configs share connections, others don't", connections::sharing),
    scenario!("HTTP/1.1 serves lists, watches and writes as well", connections::http1),
    scenario!("a watch that is cut ends, and the next one resumes at its version", faults::cut_watch),
    scenario!(
        "a list that is cut in the middle is an error in both formats, never a short list",
        faults::truncated_list
    ),
    scenario!("a read that is cut is tried again", faults::cut_read),
    scenario!("a dead connection is detected by a timeout", faults::silence),
    scenario!("a request over a stalled network ends at its timeout", faults::stalled_request),
    scenario!("a slow network changes nothing but the time", faults::slow_network),
    scenario!("a create whose answer is lost was made once, and is not repeated", faults::lost_answer),
    scenario!("an unreachable server is reported, and found when it is back", faults::unreachable),
    scenario!("after a 429 any request is sent again", faults::too_many_requests),
    scenario!("a 429 of priority and fairness is retried", faults::priority_and_fairness).alone(),
    scenario!("a storm of 5xx: reads are retried with a limit, a create is not", faults::storm),
    scenario!("a body that is not from Kubernetes is reported as such", answers::foreign_bodies),
    scenario!("warnings reach their handler", answers::warnings),
    scenario!("protobuf falls back to JSON on a custom resource", answers::custom_resource),
    scenario!("kubectl and we read 126 odd kubeconfigs alike", answers::kubectl_view)
        .within(Duration::from_mins(5)),
    scenario!("list, stream and pages give the same objects in both formats", lists::equal),
    scenario!("selectors and metadata of lists are the server's", lists::selected),
    scenario!("both formats of a watch give the same events", watches::formats),
    scenario!("bookmarks come when asked for, and a watch ends at its server's time", watches::bookmarks),
    scenario!(
        "a watch list delivers existing objects, marks their end, and continues",
        watches::initial_events
    ),
    scenario!("a watch of an expired version fails with 410", harsh::expired_watch)
        .within(Duration::from_mins(4)),
    scenario!("the wrong authority, and none, are refused", tls::wrong_authority),
    scenario!("the server's name counts, and can be another", tls::server_name),
    scenario!("without verification any server will do, but not together with an authority", tls::insecure),
    scenario!("TLS against plain HTTP is reported as such", tls::mismatch),
    scenario!("an error names a proxy that refuses, or that is not a proxy", tls::proxies),
];

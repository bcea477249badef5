//! Transport and REST client: who asks, over which connections, what comes back, and what can go wrong on the way.

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
pub const SCENARIOS: &[Scenario] = &[
    scenario!("every kind reads the same in JSON and protobuf, and is written in both", kinds::round_trips)
        .within(Duration::from_mins(5)),
    scenario!("GOAWAY under load costs no request, and no create is made twice", harsh::go_away)
        .within(Duration::from_mins(4)),
    scenario!(
        "a list whose version was compacted is told as expired, and the pager begins anew",
        harsh::compacted
    )
    .within(Duration::from_mins(4)),
    scenario!("an object is created, read, watched, listed and deleted", answers::life_of_an_object),
    scenario!("a token makes the user that it says, also from a file", users::token),
    scenario!("a client certificate makes the user that it says, also from files", users::certificate),
    scenario!("an exec plugin makes the user that it says, by token and by certificate", users::exec),
    scenario!("an impersonated user is the one who asks", users::impersonation),
    scenario!("what RBAC does not allow is forbidden, until it does", users::rbac),
    scenario!("no credentials, wrong ones and expired ones are told apart", users::strangers),
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
    scenario!("a watch that is cut ends, and the next goes on where it was", faults::cut_watch),
    scenario!(
        "a list that is cut in the middle is an error in both formats, never a short list",
        faults::truncated_list
    ),
    scenario!("a read that is cut is tried again", faults::cut_read),
    scenario!("a dead connection is noticed by its silence", faults::silence),
    scenario!("a request over a stalled network ends at its timeout", faults::stalled_request),
    scenario!("a slow network changes nothing but the time", faults::slow_network),
    scenario!("a create whose answer is lost was made once, and is not repeated", faults::lost_answer),
    scenario!("a server that is not there is told, and found when it is back", faults::unreachable),
    scenario!("a 429 is waited for and the request sent again, whatever it is", faults::too_many_requests),
    scenario!("a 429 of priority and fairness is waited for", faults::priority_and_fairness).alone(),
    scenario!("a storm of 5xx: reads are tried again, a create is not, and there is an end", faults::storm),
    scenario!("a body that is not Kubernetes is told as such", answers::foreign_bodies),
    scenario!("warnings reach their handler", answers::warnings),
    scenario!("protobuf falls back to JSON on a custom resource", answers::custom_resource),
    scenario!("kubectl and we read 126 odd kubeconfigs alike", answers::kubectl_view)
        .within(Duration::from_mins(5)),
    scenario!("list, stream and pages give the same objects in both formats", lists::equal),
    scenario!("selectors and metadata of lists are the server's", lists::selected),
    scenario!("both formats of a watch give the same events", watches::formats),
    scenario!("bookmarks come when asked for, and a watch ends at its server's time", watches::bookmarks),
    scenario!("a watch list begins with what is there, says so, and goes on", watches::initial_events),
    scenario!("a watch of a version that is gone is told with 410", harsh::expired_watch)
        .within(Duration::from_mins(4)),
    scenario!("the wrong authority, and none, are refused", tls::wrong_authority),
    scenario!("the server's name counts, and can be another", tls::server_name),
    scenario!("without verification any server will do, but not together with an authority", tls::insecure),
    scenario!("TLS and none do not understand each other, and it is told", tls::mismatch),
    scenario!("a proxy that refuses, or is none, is named", tls::proxies),
];

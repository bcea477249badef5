//! The model of the control plane behaves as kube-apiserver.

use client_rs_machinery::meta::v1::ListOptions;
use client_rs_sim::content::content;
use client_rs_sim::history::EventType;
use client_rs_sim::server::{Response, Server};

fn list(version: &str, limit: i64, token: &str) -> ListOptions {
    ListOptions { resource_version: version.into(), limit, continue_: token.into(), ..ListOptions::EMPTY }
}

fn watch(version: &str, initial: bool) -> ListOptions {
    ListOptions { send_initial_events: initial.then_some(true), ..list(version, 0, "") }
}

/// Objects 0 and 1 at versions 2 and 3; the first server lags at version 2.
fn server() -> Server {
    let mut server = Server::new(2, true, true);
    server.etcd.put(0, content(true, 0, true, false));
    server.etcd.put(1, content(true, 0, true, false));
    assert!(server.advance(0) && server.advance(1) && server.advance(1) && !server.advance(1));
    server
}

fn listed(response: Response<client_rs_sim::server::Listed>) -> Option<(usize, u32, Option<u8>)> {
    match response {
        Response::Done(page) => Some((page.objects.len(), page.version, page.next)),
        Response::Waits | Response::Expired => None,
    }
}

#[test]
fn a_lagging_server_lists_its_own_state_or_waits() {
    let mut server = server();
    assert_eq!(listed(server.list(0, &list("0", 1, ""))), Some((1, 2, None)), "the cache, without a limit");
    assert_eq!(listed(server.list(1, &list("0", 0, ""))), Some((2, 3, None)));
    assert_eq!(listed(server.list(0, &list("", 0, ""))), Some((2, 3, None)), "the storage");
    assert!(matches!(server.list(0, &list("3", 0, "")), Response::Waits));
    assert_eq!(listed(server.list(0, &list("", 1, ""))), Some((1, 3, Some(1))));
    assert_eq!(listed(server.list(0, &list("", 1, "3/1"))), Some((1, 3, None)));
    server.etcd.delete(1);
    assert_eq!(listed(server.list(0, &list("", 1, "3/1"))), Some((1, 3, None)), "pages are of one version");
    server.etcd.compact(4);
    assert!(matches!(server.list(0, &list("", 1, "3/1")), Response::Expired));
}

#[test]
fn a_watch_needs_events_that_the_server_has() {
    let mut server = server();
    let Response::Done(mut watcher) = server.watch(1, &watch("2", false)) else {
        panic!("it has the events")
    };
    assert_eq!(
        server.next_event(&mut watcher).map(|sent| (sent.event, sent.key)),
        Some((EventType::Added, 1))
    );
    // An object that leaves the selection is deleted, with its last state that matched.
    let revision = server.etcd.put(1, content(false, 3, false, false));
    server.advance(1);
    let sent = server.next_event(&mut watcher).unwrap();
    assert_eq!((sent.event, sent.state.version), (EventType::Deleted, revision.version));
    assert_eq!(sent.state.content, revision.before.content);
    assert_eq!(server.bookmark(&watcher), Some(4));
    // After a restart it has none.
    server.restart(1);
    assert!(matches!(server.watch(1, &watch("2", false)), Response::Expired));
    // A version that is yet to come: silence.
    let Response::Done(future) = server.watch(0, &watch("9", false)) else { panic!("it is not refused") };
    assert!(!server.has_event(&future) && server.bookmark(&future).is_none());
    assert!(matches!(server.watch(0, &watch("9", true)), Response::Waits), "a streamed list waits");
}

#[test]
fn a_restore_uses_versions_again_unless_they_are_bumped() {
    let mut server = server();
    server.restore(2, false);
    assert_eq!((server.etcd.version(), listed(server.list(0, &list("0", 0, "")))), (2, Some((1, 2, None))));
    let again = server.etcd.put(1, content(false, 0, true, false));
    assert_eq!(again.version, 3, "another object at version 3");
    server.restore(2, true);
    assert!(server.etcd.version() > 100);
    assert!(matches!(server.watch(0, &watch("3", false)), Response::Expired));
}

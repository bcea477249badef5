//! Controllers that do not work here, or not yet.

use std::sync::Arc;
use std::time::Duration;

use client_rs_apiserver::{Server, ServerOptions};
use client_rs_cache::{FetchError, InformerFactory, Page, SharedInformer, list_watch};
use client_rs_leaderelection::sharding::{Replica, ShardingOptions};
use client_rs_machinery::{ApiError, GroupResource, ObjectKey};
use http::Method;
use tokio::time::sleep;
use tokio_util::sync::CancellationToken;

use super::*;
use crate::manager::{Answers, BoxFuture, Endpoint};
use crate::{Action, Context, Controller, Election, LostLeadership, Manager, ManagerOptions, Term, Work};

async fn done(_: ObjectKey, _: Context) -> crate::Result {
    Ok(Action::done())
}

/// An election that leads for a while after a while, again and again.
struct Sometimes {
    after: Duration,
    lasts: Duration,
}

impl Election for Sometimes {
    fn lead(&self, stop: CancellationToken, work: Work) -> BoxFuture<'_, ()> {
        Box::pin(async move {
            if stop.run_until_cancelled(sleep(self.after)).await.is_none() {
                return;
            }
            let term = Term::until(&stop);
            let mut work = work(term.clone());
            tokio::select! {
                () = &mut work => {}
                () = sleep(self.lasts) => {
                    term.lose();
                    work.await;
                }
            }
        })
    }
}

fn managed(source: &Source, election: Sometimes, reconcile: impl crate::Reconciler) -> Manager {
    let own = source.informer();
    let factory = InformerFactory::new();
    let informer = factory.informer_for(move |_| own.clone());
    let controller = Controller::with_options("c", informer, options()).reconcile(reconcile);
    let again = ManagerOptions::default().with_lost_leadership(LostLeadership::CampaignAgain);
    Manager::with_options(factory, again).controller(controller).election(election)
}

#[tokio::test(start_paused = true)]
async fn puzzle_17_another_replica_leads() {
    let source = Source::new();
    source.put(thing("a"));
    let never = Sometimes { after: Duration::from_hours(1000), lasts: SECOND };
    let manager = managed(&source, never, done);
    let (handle, status, stop) = (manager.handle(), manager.status(), CancellationToken::new());
    let running = tokio::spawn(manager.run(stop.clone()));
    sleep(Duration::from_secs(5)).await;
    let why = handle.why("c", &key("a")).unwrap();
    assert_now(&why, "notLeading", &["this replica does not lead", "in the queue behind 0 keys"]);
    assert!(handle.why("other", &key("a")).is_none());
    // The endpoint has the same answer, as text and as JSON.
    let answers = Answers { status, metrics: None };
    let get = |query: &str| answers.answer(Endpoint::Debug, &Method::GET, "/debug/why", query);
    let text = body(get("controller=c&key=n%2Fa")).await;
    assert!(text.contains("c n/a: this replica does not lead"), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&body(get("controller=c&key=n/a&output=json")).await).unwrap();
    assert_eq!((&json["controller"], &json["now"]["state"]), (&"c".into(), &"notLeading".into()));
    for (query, code, words) in [
        ("", 400, "key=NAMESPACE/NAME"),
        ("controller=c&key=a/b/c", 400, "unexpected key format"),
        ("controller=c&key=%zz", 400, "are required"),
        ("controller=x&key=a", 404, "no controller \"x\"; there are: c"),
    ] {
        let answer = get(query);
        assert_eq!(answer.status(), code, "{query}");
        assert!(body(answer).await.contains(words), "{query}");
    }
    stop.cancel();
    running.await.unwrap().unwrap();
}

async fn body(answer: http::Response<http_body_util::Full<bytes::Bytes>>) -> String {
    use http_body_util::BodyExt;
    let bytes = answer.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[tokio::test(start_paused = true)]
async fn puzzle_18_a_lost_leadership_dropped_the_run_and_a_later_term_repeats_it() {
    let source = Source::new();
    source.put(thing("a"));
    let sometimes = Sometimes { after: SECOND, lasts: Duration::from_secs(10) };
    let slow = |_: ObjectKey, _: Context| async {
        sleep(Duration::from_mins(1)).await;
        Ok(Action::done())
    };
    let manager = managed(&source, sometimes, slow);
    let (handle, stop) = (manager.handle(), CancellationToken::new());
    let running = tokio::spawn(manager.run(stop.clone()));
    sleep(Duration::from_secs(30)).await;
    let why = handle.why("c", &key("a")).unwrap();
    let ended = why.runs.iter().find(|run| run.result == "cancelled");
    assert!(ended.is_some_and(|run| (9.9..10.1).contains(&run.seconds)), "{why}");
    let second = &why.runs[0];
    let kinds: Vec<&str> = second.causes.iter().map(|cause| cause.kind).collect();
    assert!(kinds.contains(&"dropped") && kinds.contains(&"term"), "{why}");
    stop.cancel();
    running.abort();
}

#[tokio::test(start_paused = true)]
async fn puzzle_19_the_cache_never_has_its_first_list() {
    let refused = list_watch(
        |_| async {
            let pods = GroupResource::new("", "pods");
            let forbidden = ApiError::forbidden(&pods, "", "the account may not list");
            Err::<Page<Thing>, _>(FetchError::from(forbidden))
        },
        |_| async {
            Err(FetchError::from(ApiError::forbidden(&GroupResource::new("", "pods"), "", "nor watch")))
        },
    );
    let primary = SharedInformer::new(refused.without_watch_list());
    let unstarted = Source::new().informer();
    let controller =
        Controller::with_options("c", primary.clone(), options()).reads(&unstarted).reconcile(done);
    let running = Running::start(controller, spawned(&[&primary])).await;
    let why = running.why(&key("a"));
    assert_now(
        &why,
        "notSynced",
        &["waits for the first list of", "the account may not list", "nobody has started it"],
    );
    running.task.abort();
}

#[tokio::test(start_paused = true)]
async fn puzzle_20_another_replica_has_the_shard() {
    let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
    let replica = |name: &str| {
        let sharding = ShardingOptions::new("default", "things", 4, name);
        Replica::start(server.rest_client().unwrap(), sharding).unwrap()
    };
    let (first, second) = (replica("first"), replica("second"));
    sleep(Duration::from_mins(2)).await;
    let held = first.held().borrow().clone();
    assert_eq!((held.len(), second.held().borrow().len()), (2, 2));
    let source = Source::new();
    let names: Vec<String> = (0..20).map(|number| format!("t{number}")).collect();
    for name in &names {
        source.put(thing(name));
    }
    let informer = source.informer();
    let controller =
        Controller::with_options("c", informer.clone(), options()).sharded(first.shards()).reconcile(done);
    let running = Running::start(controller, spawned(&[&informer])).await;
    let shards = first.shards();
    let of = |mine: bool| names.iter().find(|name| held.contains(&shards.of(&key(name))) == mine).unwrap();
    let why = running.why(&key(of(false)));
    let shard = shards.of(&key(of(false)));
    assert_now(&why, "otherShard", &[&format!("it belongs to shard {shard}"), "this replica holds"]);
    assert!(why.runs.is_empty());
    assert_eq!(running.why(&key(of(true))).runs.len(), 1);
    // Its shard arrives.
    second.shutdown().await;
    sleep(Duration::from_mins(2)).await;
    let why = running.why(&key(of(false)));
    assert_cause(&why, "shard", &[&format!("its shard {shard} arrived")]);
    running.stop().await;
    first.shutdown().await;
    drop(Arc::new(server));
}

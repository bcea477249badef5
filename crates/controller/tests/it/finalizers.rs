//! Finalizers on the embedded server, with a predicate that drops events without a change of the generation.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_api::core::v1::{ConfigMap, Container, Pod, PodSpec};
use client_rs_apiserver::{Effect, Fault, Server, ServerOptions};
use client_rs_client::{Api, RestClient};
use client_rs_controller::{
    Action, Context, Controller, Finalizers, Finalizing, Manager, ReconcileError, Result, finalizer,
    generation_changed,
};
use client_rs_informers::SharedInformerFactory;
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::wire::Payload;
use client_rs_machinery::{Namespaced, Object, ObjectKey, Resource, json, verbs};
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

const FINALIZER: &str = "example.com/cleanup";

async fn server() -> (Server, RestClient) {
    let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
    let rest = server.rest_client().unwrap();
    (server, rest)
}

/// The steps that a reconcile was asked for, with their times.
type Steps = Arc<Mutex<Vec<(&'static str, Instant)>>>;

/// A controller of a kind that reconciles under a finalizer. Its clean-up is complete in the third run.
fn controller<K>(rest: &RestClient, steps: &Steps) -> Manager
where
    K: Resource<Scope = Namespaced> + Payload + verbs::Patch + verbs::List + verbs::Watch + PartialEq,
{
    let factory = SharedInformerFactory::new(rest.clone());
    let informer = factory.of::<K>();
    let (lister, rest, steps) = (informer.lister(), rest.clone(), Arc::clone(steps));
    let controller = Controller::new("test", informer.informer()).when(generation_changed()).reconcile(
        move |key: ObjectKey, _: Context| {
            let (lister, rest, steps) = (lister.clone(), rest.clone(), Arc::clone(&steps));
            async move {
                let Ok(object) = lister.get(&key) else {
                    return Ok(Action::done());
                };
                let api = Api::<K>::namespaced(&rest, key.namespace.clone());
                finalizer(&api, FINALIZER, &object, |step| async move {
                    let mut steps = steps.lock().unwrap();
                    match step {
                        Finalizing::Apply(object) => {
                            assert!(object.meta().finalizers().any(|own| own == FINALIZER));
                            steps.push(("apply", Instant::now()));
                        }
                        Finalizing::CleanUp(_) => steps.push(("clean up", Instant::now())),
                    }
                    let cleaned = steps.iter().filter(|(step, _)| *step == "clean up").count();
                    Ok(match cleaned {
                        1 => Action::requeue_after(Duration::from_mins(1)),
                        2 => Action::requeue(),
                        _ => Action::done(),
                    })
                })
                .await
            }
        },
    );
    Manager::new(&factory).controller(controller)
}

async fn lives<K>(create: impl FnOnce(ObjectMeta) -> K)
where
    K: Resource<Scope = Namespaced>
        + Payload
        + verbs::Patch
        + verbs::List
        + verbs::Watch
        + verbs::Create
        + verbs::Get
        + verbs::Delete
        + PartialEq,
{
    let (_server, rest) = server().await;
    let steps = Steps::default();
    let stop = CancellationToken::new();
    let running = tokio::spawn(controller::<K>(&rest, &steps).run(stop.clone()));
    let api = Api::<K>::namespaced(&rest, "default");
    api.create(create(ObjectMeta { name: "a".into(), ..ObjectMeta::EMPTY })).await.unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(steps.lock().unwrap().iter().map(|(step, _)| *step).collect::<Vec<_>>(), ["apply"]);

    api.delete("a").await.unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    // The clean-up asked for more time: the object still exists.
    assert!(api.get("a").await.is_ok_and(|object| object.is_being_deleted()));
    tokio::time::sleep(Duration::from_mins(2)).await;
    assert!(api.get("a").await.is_err_and(|error| error.is_not_found()));
    let steps = std::mem::take(&mut *steps.lock().unwrap());
    let cleaned: Vec<Instant> =
        steps.iter().filter(|(step, _)| *step == "clean up").map(|(_, at)| *at).collect();
    assert_eq!(cleaned.len(), 3, "{steps:?}");
    assert!(cleaned[1] - cleaned[0] >= Duration::from_mins(1), "{steps:?}");
    stop.cancel();
    running.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn an_object_without_a_generation_is_applied_and_cleaned_up_in_several_runs() {
    lives(|metadata| ConfigMap { metadata, ..ConfigMap::EMPTY }).await;
}

#[tokio::test(start_paused = true)]
async fn an_object_with_a_generation_is_applied_and_cleaned_up_in_several_runs() {
    lives(|metadata| {
        let container = Container { name: "main".into(), image: "a".into(), ..Container::EMPTY };
        let spec = PodSpec { containers: [container].into_iter().collect(), ..PodSpec::EMPTY };
        Pod { metadata, spec: spec.into(), ..Pod::EMPTY }
    })
    .await;
}

#[tokio::test(start_paused = true)]
async fn a_write_of_the_finalizer_without_a_response_times_out() {
    let (server, rest) = server().await;
    let maps = Api::<ConfigMap>::namespaced(&rest, "default");
    let metadata = ObjectMeta { name: "a".into(), ..ObjectMeta::EMPTY };
    let map = Arc::new(maps.create(ConfigMap { metadata, ..ConfigMap::EMPTY }).await.unwrap());
    server.controls().inject(Fault::new(Effect::Freeze).method("PATCH"));
    let writing = finalizer(&maps, FINALIZER, &map, |_| async { Ok(Action::done()) });
    let outcome = tokio::time::timeout(Duration::from_mins(2), writing).await.expect("it has no timeout");
    assert!(outcome.unwrap_err().to_string().contains("took longer than"));
}

#[tokio::test(start_paused = true)]
async fn several_finalizers_are_added_together_and_removed_as_their_clean_ups_are_done() {
    let (_server, rest) = server().await;
    let api = Api::<ConfigMap>::namespaced(&rest, "default");
    let map = json!({"metadata": {"name": "a", "finalizers": ["other.example.com/keep"]}});
    let map = Arc::new(api.apply(map, "user").await.unwrap());
    let calls: Arc<Mutex<Vec<&str>>> = Arc::default();
    let (buckets, zones, quick) = (Arc::clone(&calls), Arc::clone(&calls), Arc::clone(&calls));
    let finalizers = Finalizers::<ConfigMap>::new()
        .register("example.com/bucket", move |_| {
            let mut calls = buckets.lock().unwrap();
            calls.push("bucket");
            let tries = calls.iter().filter(|call| **call == "bucket").count();
            async move {
                match tries {
                    1 => Err(ReconcileError::message("not empty")),
                    2 => Ok(Action::requeue_after(Duration::from_mins(1))),
                    _ => Ok(Action::done()),
                }
            }
        })
        .register("example.com/dns", move |_| {
            zones.lock().unwrap().push("dns");
            let tries = zones.lock().unwrap().iter().filter(|call| **call == "dns").count();
            async move {
                if tries == 1 {
                    Err(ReconcileError::message("timeout"))
                } else {
                    Ok(Action::requeue_after(Duration::from_secs(5)))
                }
            }
        })
        .register("example.com/quick", move |_| {
            quick.lock().unwrap().push("quick");
            async { Ok(Action::done()) }
        });
    let current = || async { Arc::new(api.get("a").await.unwrap()) };
    let names = |map: &ConfigMap| map.metadata.finalizers.iter().map(ToString::to_string).collect::<Vec<_>>();
    let applied = finalizers.reconcile(&api, &map, |map| async move {
        assert_eq!(map.metadata.finalizers.len(), 4, "it runs with the object as it was written");
        Ok(Action::requeue_after(Duration::from_secs(1)))
    });
    assert_eq!(applied.await.unwrap(), Action::requeue_after(Duration::from_secs(1)));
    let before = current().await;
    finalizers.reconcile(&api, &before, |_| async { Ok(Action::done()) }).await.unwrap();
    assert_eq!(current().await.resource_version(), before.resource_version(), "nothing to write");
    assert!(calls.lock().unwrap().is_empty());

    api.delete("a").await.unwrap();
    let apply = |_| async { panic!("it is being deleted") };
    let error = finalizers.reconcile(&api, &current().await, apply).await.unwrap_err().to_string();
    assert_eq!(error, "example.com/bucket: not empty; example.com/dns: timeout");
    let kept = ["other.example.com/keep", "example.com/bucket", "example.com/dns"];
    assert_eq!(names(&*current().await), kept, "a clean-up that is done does not wait for the others");
    let again = finalizers.reconcile(&api, &current().await, apply).await.unwrap();
    assert_eq!(again, Action::requeue_after(Duration::from_secs(5)), "the earlier of two");
    finalizers.reconcile(&api, &current().await, apply).await.unwrap();
    assert_eq!(names(&*current().await), ["other.example.com/keep", "example.com/dns"]);
    assert_eq!(*calls.lock().unwrap(), ["bucket", "dns", "quick", "bucket", "dns", "bucket", "dns"]);
}

#[tokio::test(start_paused = true)]
async fn a_clean_up_that_can_not_succeed_does_not_end_the_retries_of_others() {
    let (_server, rest) = server().await;
    let api = Api::<ConfigMap>::namespaced(&rest, "default");
    let outcome = |name: &'static str, one: fn() -> Result<Action>, other: fn() -> Result<Action>| {
        let api = api.clone();
        async move {
            let finalizers = ["example.com/one", "example.com/other"];
            let map = json!({"metadata": {"name": name, "finalizers": finalizers}});
            api.apply(map, "user").await.unwrap();
            api.delete(name).await.unwrap();
            let map = Arc::new(api.get(name).await.unwrap());
            let known = Finalizers::<ConfigMap>::new()
                .register(finalizers[0], move |_| async move { one() })
                .register(finalizers[1], move |_| async move { other() });
            let outcome = known.reconcile(&api, &map, |_| async { panic!("it is being deleted") }).await;
            let left = api.get(name).await.unwrap().metadata.finalizers.len();
            (outcome, left)
        }
    };
    let terminal = || Err(ReconcileError::terminal("no such bucket"));
    let failed = || Err(ReconcileError::message("try again"));
    let later = || Ok(Action::requeue_after(Duration::from_mins(1)));

    let (action, left) = outcome("a", terminal, later).await;
    assert_eq!((action.unwrap(), left), (Action::requeue_after(Duration::from_mins(1)), 2));
    let (error, left) = outcome("b", terminal, || Ok(Action::done())).await;
    let error = error.unwrap_err();
    assert!(error.is_terminal() && left == 1, "{error}");
    for (name, other, is_terminal, text) in [
        (
            "c",
            failed as fn() -> Result<Action>,
            false,
            "example.com/one: no such bucket; example.com/other: try again",
        ),
        ("d", terminal, true, "example.com/one: no such bucket; example.com/other: no such bucket"),
    ] {
        let (error, left) = outcome(name, terminal, other).await;
        let error = error.unwrap_err();
        assert_eq!((error.to_string().as_str(), error.is_terminal(), left), (text, is_terminal, 2));
    }
}

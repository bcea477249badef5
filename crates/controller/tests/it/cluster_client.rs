//! The one client of a reconcile function, on the embedded server.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::{Arc, Mutex};
use std::time::Duration;

use client_rs_api::core::v1::{ConfigMap, Event, Namespace, Secret};
use client_rs_apiserver::{Server, ServerOptions};
use client_rs_cache::{FactoryOptions, KindOptions};
use client_rs_client::wait::conditions;
use client_rs_client::{AllNamespaces, Api, RestClient};
use client_rs_controller::{
    Action, ClusterClient, ClusterOptions, Context, Finalizing, ReadError, Reconciler, Result, Uncached,
};
use client_rs_events::{EventRecorder, EventType};
use client_rs_machinery::labels::Selector;
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{Object, ObjectKey, json};
use tokio_util::sync::CancellationToken;

const LIMIT: Duration = Duration::from_mins(1);

async fn server() -> (Server, RestClient) {
    let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
    let rest = server.rest_client().unwrap();
    (server, rest)
}

fn key(name: &str) -> ObjectKey {
    ObjectKey::new("default", name)
}

/// Gives each config map with the label `app` a secret, under a finalizer, and a status in an annotation.
struct Apps {
    client: ClusterClient,
    runs: Arc<Mutex<u32>>,
}

impl Reconciler for Apps {
    async fn reconcile(&self, key: ObjectKey, context: Context) -> Result<Action> {
        let client = self.client.of_run(&context);
        let Some(app) = client.get::<ConfigMap>(&key).await? else { return Ok(Action::done()) };
        if app.label("app").is_none() {
            return Ok(Action::done());
        }
        *self.runs.lock().unwrap() += 1;
        client
            .finalizer("example.com/apps", &app, |step| async {
                let Finalizing::Apply(app) = step else {
                    client.event(&*app, EventType::Normal, "Removed", "gone");
                    return Ok(Action::done());
                };
                let mut owned = client.owned(&*app)?;
                if app.data.contains_key("secret") {
                    let wanted = json!({"metadata": {"name": app.name()}, "stringData": {"key": "abc"}});
                    owned.apply::<Secret>(wanted).await?;
                }
                owned.prune::<Secret>().await?;
                let found = client.get::<Secret>(&app.key()).await?.is_some();
                if app.annotation("found") != Some(found.to_string().as_str()) {
                    let mut new = (*app).clone();
                    new.metadata.annotations.insert("found", found.to_string().into());
                    client.patch(&new, &Patch::merge_from(&*app, &new)?).await?;
                    client.event(&*app, EventType::Normal, "Looked", format!("found: {found}"));
                }
                Ok(Action::done())
            })
            .await
    }
}

#[tokio::test(start_paused = true)]
async fn one_client_reads_writes_owns_records_and_counts() {
    let (_server, rest) = server().await;
    let client = ClusterClient::from_rest("apps", rest.clone());
    let runs = Arc::default();
    let controller = client
        .controller::<ConfigMap>("apps")
        .owns(&client.informer::<Secret>())
        .reconcile(Apps { client: client.clone(), runs: Arc::clone(&runs) });
    let stop = CancellationToken::new();
    let running = tokio::spawn(client.manager().controller(controller).run(stop.clone()));

    let (maps, secrets) =
        (Api::<ConfigMap>::namespaced(&rest, "default"), Api::<Secret>::namespaced(&rest, "default"));
    let app = |data: bool| {
        let data = if data { json!({"secret": "yes"}) } else { json!({}) };
        json!({"metadata": {"name": "shop", "labels": {"app": "yes"}}, "data": data})
    };
    let found = |text| conditions::jsonpath("{.metadata.annotations.found}", Some(text));
    maps.apply(app(true), "user").await.unwrap();
    maps.wait_for("shop", found("true").unwrap(), LIMIT).await.unwrap();
    let secret = secrets.get("shop").await.unwrap();
    assert_eq!(secret.controller().unwrap().name, "shop");
    assert!(secret.metadata.managed_fields.iter().any(|fields| fields.manager == "apps"));
    let map = maps.get("shop").await.unwrap();
    assert!(
        map.metadata.managed_fields.iter().any(|fields| fields.manager == "apps"),
        "patches name it, too"
    );
    // A child that somebody deletes is made again; one that is no longer wanted is removed.
    secrets.delete("shop").await.unwrap();
    secrets
        .wait_for("shop", conditions::jsonpath("{.metadata.name}", Some("shop")).unwrap(), LIMIT)
        .await
        .unwrap();
    maps.apply(app(false), "user").await.unwrap();
    secrets.wait_for("shop", conditions::deleted(), LIMIT).await.unwrap();
    maps.delete("shop").await.unwrap();
    maps.wait_for("shop", conditions::deleted(), LIMIT).await.unwrap();
    stop.cancel();
    running.await.unwrap().unwrap();

    // The manager has delivered the events, and everything has counted into one registry.
    let events = Api::<Event>::namespaced(&rest, "default").list().await.unwrap().items;
    for reason in ["Looked", "Removed"] {
        assert!(
            events.iter().any(|event| event.reason == reason && event.source.component == "apps"),
            "{reason}"
        );
    }
    let metrics = client.metrics().render();
    for line in [
        "controller_runtime_reconcile_total{controller=\"apps\"",
        "workqueue_adds_total{name=\"apps\"}",
        "informer_queued_items{name=\"Secret\"}",
    ] {
        assert!(metrics.contains(line), "{line} in {metrics}");
    }
    assert!(*runs.lock().unwrap() >= 4);
}

#[tokio::test(start_paused = true)]
async fn an_option_decides_what_a_read_of_an_uncached_kind_does() {
    let (server, rest) = server().await;
    let maps = Api::<ConfigMap>::namespaced(&rest, "default");
    maps.apply(json!({"metadata": {"name": "a", "labels": {"app": "web"}}}), "user").await.unwrap();
    let client = |uncached| {
        let options = ClusterOptions::default().with_uncached(uncached).with_sync_timeout(LIMIT);
        ClusterClient::from_rest_with("test", rest.clone(), options)
    };
    let web: Selector = "app=web".parse().unwrap();
    let asked = || {
        let requests = server.controls().requests();
        requests.iter().filter(|request| !request.uri.contains("watch=")).count()
    };

    let refusing = client(Uncached::Refuse);
    let before = asked();
    let error = refusing.get::<ConfigMap>(&key("a")).await.unwrap_err();
    assert!(matches!(error, ReadError::NotCached("configmaps")), "{error}");
    assert!(error.to_string().contains("ClusterClient::informer"));
    assert!(matches!(refusing.lister::<ConfigMap>(), Err(ReadError::NotCached(_))));
    refusing.informer::<ConfigMap>();
    let error = refusing.get::<ConfigMap>(&key("a")).await.unwrap_err();
    assert!(matches!(error, ReadError::NotStarted("configmaps")), "{error}");
    assert_eq!(asked(), before, "nothing was started");

    let asking = client(Uncached::AskServer);
    assert_eq!(asking.get::<ConfigMap>(&key("a")).await.unwrap().unwrap().name(), "a");
    assert!(asking.get::<ConfigMap>(&key("b")).await.unwrap().is_none());
    assert_eq!(asking.list::<ConfigMap>("default", &web).await.unwrap().len(), 1);
    assert_eq!(asking.list::<ConfigMap>(AllNamespaces, &"app=db".parse().unwrap()).await.unwrap().len(), 0);
    assert!(asking.list::<ConfigMap>("", &web).await.is_err(), "an empty namespace is not all namespaces");
    assert!(asking.factory().state().is_empty(), "no informer was made");

    let starting = client(Uncached::StartInformer);
    assert_eq!(starting.get::<ConfigMap>(&key("a")).await.unwrap().unwrap().name(), "a");
    assert_eq!(starting.factory().state().len(), 1);
    let before = asked();
    assert!(starting.get::<ConfigMap>(&key("b")).await.unwrap().is_none());
    assert_eq!(starting.list::<ConfigMap>(AllNamespaces, &web).await.unwrap().len(), 1);
    let wrong = starting.get::<ConfigMap>(&ObjectKey::cluster("a")).await.unwrap_err();
    assert!(matches!(wrong, ReadError::Key(_)), "{wrong}");
    assert_eq!(asked(), before, "the cache has answered");
    assert!(starting.list::<Namespace>(AllNamespaces, &Selector::everything()).await.unwrap().len() > 1);
    starting.factory().shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn caches_have_selectors_and_namespaces_by_kind() {
    let (_server, rest) = server().await;
    for (namespace, name, app) in
        [("default", "a", "web"), ("default", "b", "db"), ("kube-system", "c", "web")]
    {
        let labels = json!({"metadata": {"name": name, "labels": {"app": app}}});
        Api::<ConfigMap>::namespaced(&rest, namespace).apply(labels.clone(), "user").await.unwrap();
        Api::<Secret>::namespaced(&rest, namespace).apply(labels, "user").await.unwrap();
    }
    let caches = FactoryOptions::default()
        .with_namespaces(["default"])
        .with_kind(
            KindOptions::<ConfigMap>::default().with_label_selector("app=web").with_all_namespaces(true),
        )
        .with_kind(KindOptions::<Secret>::default().with_field_selector("metadata.name=b"));
    let options = ClusterOptions::default().with_factory(caches).with_uncached(Uncached::StartInformer);
    let client = ClusterClient::from_rest_with("test", rest, options);
    let everything = Selector::everything();
    let maps = client.list::<ConfigMap>(AllNamespaces, &everything).await.unwrap();
    let mut names: Vec<_> = maps.iter().map(|map| map.key().to_string()).collect();
    names.sort();
    assert_eq!(names, ["default/a", "kube-system/c"]);
    let secrets = client.list::<Secret>(AllNamespaces, &everything).await.unwrap();
    assert_eq!(secrets.iter().map(|secret| secret.key()).collect::<Vec<_>>(), [key("b")]);
    assert!(client.factory().remove::<Secret>().await);
    assert_eq!(client.factory().state().len(), 1);
    client.factory().shutdown().await;
}

#[tokio::test(start_paused = true)]
async fn writes_have_a_field_manager_and_can_be_dry_runs() {
    let (_server, rest) = server().await;
    let (recorder, mut events) = EventRecorder::channel("test", 10);
    let client = ClusterClient::from_rest_with(
        "test",
        rest.clone(),
        ClusterOptions::default().with_recorder(recorder),
    );
    let maps = Api::<ConfigMap>::namespaced(&rest, "default");
    let mut map = ConfigMap::EMPTY;
    (map.metadata.namespace, map.metadata.name) = ("default".into(), "a".into());
    map.data.insert("owned", "yes".into());
    let other = json!({"metadata": {"name": "b", "namespace": "default"}, "data": {"owned": "yes"}});
    let rehearsal = client.map_rest(client_rs_client::RestClient::with_dry_run);
    let planned = rehearsal.create(map.clone()).await.unwrap();
    assert!(!planned.metadata.uid.is_empty());
    assert!(maps.get_opt("a").await.unwrap().is_none());

    let mut made = client.create(map).await.unwrap();
    assert_eq!(made.metadata.managed_fields[0].manager, "test");
    made.data.insert("k", "1".into());
    rehearsal.update(made.clone()).await.unwrap();
    rehearsal.apply::<ConfigMap>(other.clone()).await.unwrap();
    rehearsal.delete(&made).if_uid(made.uid()).await.unwrap();
    assert!(!maps.get("a").await.unwrap().data.contains_key("k"));
    assert!(maps.get_opt("b").await.unwrap().is_none());

    let made = client.update(made).await.unwrap();
    client.apply::<ConfigMap>(other.clone()).await.unwrap();
    client.delete(&made).await.unwrap();
    assert!(maps.get_opt("a").await.unwrap().is_none());
    assert_eq!(maps.get("b").await.unwrap().metadata.managed_fields[0].manager, "test");
    client.event(&made, EventType::Warning, "Deleted", "by the test");
    assert_eq!(events.try_recv().unwrap().reason, "Deleted");
}

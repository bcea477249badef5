//! The scenarios of fakes.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use client_rs_api::core::v1::{ConfigMap, ConfigMapList, Node, Pod, Service};
use client_rs_client::discovery::{Discovery as _, DiscoveryClient};
use client_rs_client::{AllNamespaces, Api, DynamicClient, MetadataClient, Request, RestClient};
use client_rs_machinery::meta::v1::{APIResource, APIResourceList};
use client_rs_machinery::patch::{Patch, PatchType};
use client_rs_machinery::wire::WatchEvent;
use client_rs_machinery::{ApiError, GroupVersionResource, Unstructured, json};

use super::*;

fn config_map(namespace: &str, name: &str) -> ConfigMap {
    let mut object = ConfigMap::EMPTY;
    object.metadata.name = name.into();
    object.metadata.namespace = namespace.into();
    object
}

fn config_maps() -> GroupVersionResource {
    GroupVersionResource {
        version: "v1".into(),
        resource: "configmaps".into(),
        ..GroupVersionResource::default()
    }
}

#[tokio::test]
async fn t5_9_01_a_recorded_action_keeps_the_object_as_passed() {
    let Faked { client, fake } = RestClient::fake(&[]).unwrap();
    fake.prepend_reactor("create", "configmaps", |action| {
        action.object.as_mut().unwrap().set_label("by", "reactor");
        Reaction::Continue
    });
    let made = Api::<ConfigMap, _>::within(&client, "a").create(config_map("a", "b")).await.unwrap();
    assert_eq!(made.metadata.labels.get("by").map(|value| &**value), Some("reactor"));
    let [action] = &fake.actions()[..] else { panic!("one action") };
    assert_eq!(
        (&*action.verb, &*action.resource.resource, &*action.namespace),
        ("create", "configmaps", "a")
    );
    let object = action.object.as_ref().unwrap();
    assert_eq!((object.name(), object.label("by")), ("b", None));
}

#[tokio::test]
async fn t5_9_02_what_an_unhandled_reactor_changes_is_seen_by_later_ones() {
    let Faked { client, fake } = RestClient::fake(&[]).unwrap();
    fake.append_reactor("create", "configmaps", |action| {
        action.object.as_mut().unwrap().set_label("first", "yes");
        Reaction::Continue
    });
    fake.append_reactor("create", "*", |action| match action.object.as_ref().unwrap().label("first") {
        Some("yes") => Reaction::Answer(Unstructured::new("v1", "ConfigMap", "seen")),
        _ => Reaction::Fail(ApiError::internal_error("not seen")),
    });
    let made = Api::<ConfigMap, _>::within(&client, "a").create(config_map("a", "b")).await.unwrap();
    assert_eq!(made.metadata.name, "seen");
    // The storage does not see requests that a reactor answers.
    assert!(Api::<ConfigMap, _>::within(&RestClient::of_fake(&fake).unwrap(), "a").get("b").await.is_err());
}

#[tokio::test]
async fn t5_9_03_watches_of_a_namespace_of_all_and_of_the_cluster() {
    let Faked { client, fake } = RestClient::fake(&[]).unwrap();
    let mut in_a = Api::<ConfigMap, _>::within(&client, "a").watch().await.unwrap();
    let mut again = Api::<ConfigMap, _>::within(&client, "a").watch().await.unwrap();
    let mut everywhere = Api::<ConfigMap, _>::within(&client, AllNamespaces).watch().await.unwrap();
    let mut nodes = Api::<Node, _>::cluster(&client).watch().await.unwrap();
    fake.add(&config_map("b", "1")).unwrap();
    Api::<ConfigMap, _>::within(&client, "a").create(config_map("a", "2")).await.unwrap();
    let mut node = Node::EMPTY;
    node.metadata.name = "n".into();
    fake.add(&node).unwrap();
    let name = |event| match event {
        Some(Ok(WatchEvent::Added(object))) => {
            let object: ConfigMap = object;
            object.metadata.name.to_string()
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(name(in_a.next().await), "2");
    assert_eq!(name(again.next().await), "2");
    assert_eq!((name(everywhere.next().await), name(everywhere.next().await)), ("1".into(), "2".into()));
    let Some(Ok(WatchEvent::Added(found))) = nodes.next().await else { panic!("no node") };
    assert_eq!(found.metadata.name, "n");
    // Dropping one watch does not affect others.
    drop(again);
    Api::<ConfigMap, _>::within(&client, "a").delete("2").await.unwrap();
    assert!(matches!(in_a.next().await, Some(Ok(WatchEvent::Deleted(_)))));
}

#[tokio::test]
async fn t5_9_04_patching_a_missing_object_is_not_found() {
    let Faked { client, fake } = RestClient::fake(&[]).unwrap();
    let patch = Patch::Merge(json!({"data": {"a": "1"}}));
    let error = Api::<ConfigMap, _>::within(&client, "a").patch("none", &patch).await.unwrap_err();
    assert!(error.is_not_found(), "{error}");
    let action = &fake.actions()[0];
    assert_eq!((&*action.verb, &*action.name), ("patch", "none"));
    let patch = action.patch.as_ref().unwrap();
    assert_eq!((patch.patch_type, &*patch.body), (PatchType::Merge, &br#"{"data":{"a":"1"}}"#[..]));
}

#[tokio::test]
async fn t5_9_05_and_09_apply_creates_and_managers_conflict() {
    let Faked { client, fake: _fake } = DynamicClient::fake(&[]).unwrap();
    let api = client.resource(config_maps()).namespace("a");
    let object = |value: &str| json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "b"}, "data": {"key": value}});
    let apply = |value: &str, force| Patch::Apply { object: object(value), force };
    api.patch("b", &apply("1", false)).field_manager("one").await.unwrap();
    let error = api.patch("b", &apply("2", false)).field_manager("two").await.unwrap_err();
    assert!(error.is_conflict(), "{error}");
    let forced = api.patch("b", &apply("2", true)).field_manager("two").await.unwrap();
    assert_eq!(forced.nested_str(&["data", "key"]).unwrap(), Some("2"));
}

#[tokio::test]
async fn t5_9_06_get_needs_the_exact_namespace_and_name() {
    let Faked { client, .. } = RestClient::fake(&[&config_map("a", "b")]).unwrap();
    assert!(Api::<ConfigMap, _>::within(&client, "a").get("b").await.is_ok());
    for (namespace, name) in [("a", "c"), ("c", "b")] {
        assert!(Api::<ConfigMap, _>::within(&client, namespace).get(name).await.unwrap_err().is_not_found());
    }
}

#[tokio::test]
async fn t5_9_08_types_that_are_registered_later_can_be_applied() {
    let Faked { client, fake } = DynamicClient::fake(&[]).unwrap();
    let definition = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "gadgets.example.org"},
        "spec": {
            "group": "example.org", "scope": "Namespaced",
            "names": {"plural": "gadgets", "singular": "gadget", "kind": "Gadget", "listKind": "GadgetList"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}},
            }],
        },
    });
    fake.add(&Unstructured::try_from(definition).unwrap()).unwrap();
    let gadgets = GroupVersionResource {
        group: "example.org".into(),
        version: "v1".into(),
        resource: "gadgets".into(),
    };
    let object = json!({
        "apiVersion": "example.org/v1", "kind": "Gadget", "metadata": {"name": "one"}, "spec": {"size": 3},
    });
    let api = client.resource(gadgets).namespace("a");
    let patch = Patch::Apply { object, force: false };
    let applied = api.patch("one", &patch).field_manager("me").await.unwrap();
    assert_eq!(applied.nested_i64(&["spec", "size"]).unwrap(), Some(3));
}

#[tokio::test]
async fn t5_9_10_and_11_typed_fixtures_are_listed_typed_untyped_and_as_metadata() {
    let mut list = ConfigMapList::EMPTY;
    list.items.push(config_map("a", "1"));
    list.items.push(config_map("b", "2"));
    let untyped = Unstructured::new("v1", "ConfigMap", "3");
    let Faked { client, fake } = RestClient::fake(&[&list, &untyped]).unwrap();
    let typed = Api::<ConfigMap, _>::within(&client, AllNamespaces).list().await.unwrap();
    let names: Vec<_> = typed.items.iter().map(|item| item.metadata.name.to_string()).collect();
    assert_eq!(names, ["1", "2", "3"]);
    let dynamic = DynamicClient::of_fake(&fake).unwrap().resource(config_maps()).list().await.unwrap();
    assert!(dynamic.items.iter().all(|item| item.kind() == "ConfigMap"), "{:?}", dynamic.items);
    let metadata = MetadataClient::of_fake(&fake).unwrap().resource(config_maps()).list().await.unwrap();
    assert_eq!(metadata.items.len(), 3);
}

#[tokio::test]
async fn a_fixture_is_stored_unchanged_and_a_duplicate_is_an_error() {
    let mut pod = Pod::EMPTY;
    pod.metadata.name = "web".into();
    pod.metadata.uid = "mine".into();
    let mut running = Unstructured::from_message(&pod).unwrap();
    running.set_nested(&["status", "phase"], json!("Running")).unwrap();
    let Faked { client, .. } = RestClient::fake(&[&running]).unwrap();
    let found = Api::<Pod, _>::within(&client, "default").get("web").await.unwrap();
    assert_eq!(found.metadata.uid, "mine");
    assert_eq!(found.status.phase, "Running");
    assert!(
        matches!(RestClient::fake(&[&pod, &pod]), Err(FakeError::Object(error)) if error.is_already_exists())
    );
    assert!(RestClient::fake(&[&Unstructured::new("none/v1", "Thing", "x")]).is_err());
}

#[tokio::test]
async fn the_first_reactor_that_handles_a_request_wins_and_prepended_ones_run_first() {
    let Faked { client, fake } = RestClient::fake(&[&config_map("a", "b")]).unwrap();
    let later = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&later);
    fake.append_reactor("get", "configmaps", move |_| {
        count.fetch_add(1, Ordering::Relaxed);
        Reaction::Continue
    });
    let conflict = || ApiError::conflict(&config_maps().group_resource(), "b", "it changed");
    fake.prepend_reactor("get", "configmaps", move |_| Reaction::Fail(conflict()));
    fake.prepend_reactor("get", "configmaps", |action| match &*action.name {
        "c" => Reaction::answer(&config_map("a", "c")),
        _ => Reaction::Continue,
    });
    let maps = Api::<ConfigMap, _>::within(&client, "a");
    assert_eq!(maps.get("c").await.unwrap().metadata.name, "c");
    assert!(maps.get("b").await.unwrap_err().is_conflict());
    assert_eq!(later.load(Ordering::Relaxed), 0);
    assert_eq!(fake.actions().len(), 2);
    fake.clear_actions();
    assert_eq!(fake.actions(), []);
}

#[tokio::test(start_paused = true)]
async fn a_delayed_request_is_handled_after_the_delay() {
    let Faked { client, fake } = RestClient::fake(&[&config_map("a", "b")]).unwrap();
    fake.prepend_reactor("*", "*", |_| Reaction::Delay(Duration::from_secs(5)));
    let begun = tokio::time::Instant::now();
    Api::<ConfigMap, _>::within(&client, "a").get("b").await.unwrap();
    assert_eq!(begun.elapsed().as_secs(), 5);
}

#[tokio::test]
async fn a_watch_reactor_sends_events_and_errors() {
    let Faked { client, fake } = RestClient::fake(&[]).unwrap();
    fake.append_watch_reactor("pods", |_| WatchReaction::Fail(ApiError::internal_error("no pods today")));
    assert!(Api::<Pod, _>::within(&client, "a").watch().await.is_err());
    let (sender, events) = fake_watch();
    let events = std::sync::Mutex::new(Some(events));
    fake.prepend_watch_reactor("configmaps", move |action| {
        assert_eq!((&*action.verb, &*action.namespace), ("watch", "a"));
        events.lock().unwrap().take().map_or(WatchReaction::Continue, WatchReaction::Watch)
    });
    let mut watch = Api::<ConfigMap, _>::within(&client, "a").watch().await.unwrap();
    assert!(sender.add(&config_map("a", "b")).await && sender.delete(&config_map("a", "b")).await);
    assert!(sender.fail(&ApiError::resource_expired("too old")).await);
    drop(sender);
    assert!(matches!(watch.next().await, Some(Ok(WatchEvent::Added(object))) if object.metadata.name == "b"));
    assert!(matches!(watch.next().await, Some(Ok(WatchEvent::Deleted(_)))));
    assert!(matches!(watch.next().await, Some(Ok(WatchEvent::Error(error))) if error.is_resource_expired()));
    assert!(watch.next().await.is_none());
}

#[tokio::test]
async fn a_test_changes_and_removes_objects_without_a_request() {
    let (one, two) = (config_map("a", "one"), config_map("a", "two"));
    let Faked { client, fake } = RestClient::fake(&[&one, &two]).unwrap();
    let maps = Api::<ConfigMap, _>::within(&client, "a");
    let before = maps.get("one").await.unwrap();
    let mut watch = maps.watch().resource_version(before.metadata.resource_version.as_str()).await.unwrap();
    fake.clear_actions();
    fake.prepend_reactor("*", "*", |_| Reaction::Fail(ApiError::internal_error("no request is sent")));

    // Not valid, and with an old version: nothing is checked.
    let mut changed = one.clone();
    changed.metadata.finalizers = ["never removed".into()].into_iter().collect();
    changed.metadata.resource_version = "1".into();
    fake.update(&changed).unwrap();
    fake.delete(&one).unwrap();
    for missing in [fake.update(&one), fake.delete(&one), fake.delete(&config_map("b", "two"))] {
        let Err(FakeError::Object(error)) = missing else { panic!("{missing:?}") };
        assert!(error.is_not_found(), "{error}");
    }
    let list = ConfigMapList { items: [two.clone()].into_iter().collect(), ..ConfigMapList::EMPTY };
    fake.delete(&list).unwrap();
    assert!(fake.actions().is_empty());

    let mut seen = Vec::new();
    while seen.len() < 4 {
        seen.push(match watch.next().await.unwrap().unwrap() {
            WatchEvent::Added(object) => format!("+{}", object.metadata.name),
            WatchEvent::Modified(object) => {
                assert_eq!(object.metadata.uid, before.metadata.uid);
                assert_eq!(object.metadata.finalizers[0], "never removed");
                format!("*{}", object.metadata.name)
            }
            WatchEvent::Deleted(object) => format!("-{}", object.metadata.name),
            other => panic!("{other:?}"),
        });
    }
    assert_eq!(seen, ["+two", "*one", "-one", "-two"]);
}

#[tokio::test]
async fn discovery_and_version_are_those_of_the_test() {
    let Faked { client, fake } = RestClient::fake(&[]).unwrap();
    let discovery = DiscoveryClient::from_rest(client);
    assert!(discovery.server_resources().await.unwrap().lists.len() > 10);
    fake.set_version("v1.29.4-custom");
    let version = discovery.server_version().await.unwrap();
    assert_eq!((version.numbers(), &*version.git_version), (Some((1, 29)), "v1.29.4-custom"));

    let list = |version: &str, kind: &str, name: &str| APIResourceList {
        group_version: version.into(),
        resources: [APIResource {
            name: name.into(),
            kind: kind.into(),
            namespaced: true,
            ..APIResource::EMPTY
        }]
        .into_iter()
        .collect(),
    };
    fake.set_discovery(&[
        list("v1", "Pod", "pods"),
        list("ships.example.com/v2", "Ship", "ships"),
        list("ships.example.com/v1", "Ship", "ships"),
    ]);
    let found = discovery.server_resources().await.unwrap();
    let versions: Vec<_> = found.lists.iter().map(|list| list.group_version.to_string()).collect();
    assert_eq!(versions, ["v1", "ships.example.com/v2", "ships.example.com/v1"]);
    let groups = discovery.groups().await.unwrap();
    assert_eq!(groups.groups.iter().map(|group| &*group.name).collect::<Vec<_>>(), ["", "ships.example.com"]);
    assert_eq!(&*groups.groups[1].preferred_version.version, "v2");
    // Objects are those of the storage.
    let maps = Api::<ConfigMap, _>::within(&fake.rest_client().unwrap(), "a").list().await.unwrap();
    assert!(maps.items.is_empty());
}

#[tokio::test]
async fn proxied_requests_get_the_response_of_the_test() {
    let Faked { client, fake } = RestClient::fake(&[]).unwrap();
    fake.prepend_proxy_reactor("services", |action| {
        (action.namespace == "proxy").then(|| {
            let mut response = http::Response::new(format!("{}|{}", action.name, action.path).into());
            *response.status_mut() = http::StatusCode::ACCEPTED;
            response
        })
    });
    let proxied = |namespace: &str, path: &[&str]| {
        let path = ["proxy"].iter().chain(path).map(|part| (*part).to_owned()).collect::<Vec<_>>();
        Request::get().of::<Service>().namespace(namespace).name("https:web:443").subresource(path)
    };
    let answer = client.send_raw(proxied("proxy", &["a", "b c"]).param("q", "1")).await.unwrap();
    assert_eq!((answer.status.as_u16(), &answer.body[..]), (202, &b"https:web:443|a/b%20c?q=1"[..]));
    let answer = client.send_raw(proxied("proxy", &[])).await.unwrap();
    assert_eq!(answer.body, "https:web:443|");
    // Not handled: the storage has no such service.
    assert!(client.send_raw(proxied("other", &[])).await.is_err());
    assert!(fake.actions().iter().all(|action| action.matches("get", "services/proxy")));
}

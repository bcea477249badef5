//! `Owned` on the embedded server: an unchanged document is not sent again, a changed object is written.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::sync::Arc;
use std::time::Duration;

use client_rs_api::batch::v1::Job;
use client_rs_api::core::v1::{ConfigMap, Namespace, Secret};
use client_rs_api::rbac::v1::ClusterRole;
use client_rs_api::{
    apps, autoscaling, batch, coordination, core, discovery, networking, policy, rbac, scheduling, storage,
};
use client_rs_apiserver::{Effect, Fault, Server, ServerOptions, StorageOptions, TestControls};
use client_rs_client::api::ByName;
use client_rs_client::{Api, RestClient};
use client_rs_controller::{Applied, OwnError, Owned, adopt};
use client_rs_machinery::meta::v1::ObjectMeta;
use client_rs_machinery::patch::{Patch, merge_patch};
use client_rs_machinery::references::ReferenceError;
use client_rs_machinery::wire::{Decoding, Format, Payload};
use client_rs_machinery::{Json, Object, Resource, json, verbs};

/// Valid objects of many kinds, with the recorded responses of the real server.
const CORPUS: &str = include_str!("../../../../tests/corpora/validation.json");

const NAMESPACE: &str = "corpus";

/// A server, and an owner for objects of the namespace and of the cluster.
struct Scene {
    /// Stops when the scene is dropped.
    _server: Server,
    controls: TestControls,
    rest: RestClient,
    local: ConfigMap,
    cluster: Namespace,
}

impl Scene {
    async fn new() -> Self {
        let options = ServerOptions::default()
            .with_listen(None)
            .with_storage(StorageOptions::default().with_collect_garbage(false).into());
        let server = Server::start_with(options).await.unwrap();
        let rest = server.rest_client().unwrap();
        let meta = |name: &str| ObjectMeta { name: name.into(), ..ObjectMeta::EMPTY };
        let namespaces = Api::<Namespace>::cluster(&rest);
        namespaces.create(Namespace { metadata: meta(NAMESPACE), ..Namespace::EMPTY }).await.unwrap();
        let cluster =
            namespaces.create(Namespace { metadata: meta("owner"), ..Namespace::EMPTY }).await.unwrap();
        let maps = Api::<ConfigMap>::namespaced(&rest, NAMESPACE);
        let local = maps.create(ConfigMap { metadata: meta("owner"), ..ConfigMap::EMPTY }).await.unwrap();
        Self { controls: server.controls(), _server: server, rest, local, cluster }
    }

    /// The number of writes so far.
    fn writes(&self) -> usize {
        self.controls.requests().iter().filter(|request| request.method != "GET").count()
    }

    async fn apply<K, S>(
        &self,
        api: &Api<K, S>,
        document: &Json,
        current: Option<&K>,
    ) -> Result<Applied<K>, OwnError>
    where
        K: Resource + Payload + verbs::Patch,
        S: ByName,
    {
        let owner: &dyn Object = if K::INFO.namespaced { &self.local } else { &self.cluster };
        Owned::by(owner, "test").unwrap().apply(api, document, current).await
    }
}

/// An object as in a cache: without managed fields.
fn cached<K: Payload>(object: &Json) -> Option<K> {
    let mut decoding = Decoding::new();
    decoding.strip_managed_fields = true;
    K::decode(Format::Json, &object.to_vec(), &mut decoding).ok()
}

fn as_json<K: Payload>(object: &K) -> Json {
    Json::parse(&object.encode(Format::Json)).unwrap()
}

#[derive(Debug, Default)]
struct Tally {
    applied: usize,
    refused: Vec<String>,
    sent_again: Vec<String>,
    changes: usize,
    unnoticed: Vec<String>,
}

/// Applies the valid objects of a kind twice, and then once for each value that another client has changed.
async fn kind<K, S>(scene: &Scene, corpus: &Json, plural: &str, api: Api<K, S>, tally: &mut Tally)
where
    K: Resource + Payload + verbs::Patch,
    S: ByName,
{
    let kinds = corpus.as_list().unwrap();
    let entry = kinds.iter().find(|entry| entry["kind"] == *plural).unwrap_or_else(|| panic!("no {plural}"));
    for case in entry["cases"].as_list().unwrap() {
        let (Some(edit), Some(200..300)) = (case.get("edit"), case["answer"]["code"].as_i64()) else {
            continue;
        };
        let name = format!("case-{}", tally.applied + tally.refused.len());
        let document = merge_patch::apply(&entry["good"], edit);
        let mut document = merge_patch::apply(&document, &json!({"metadata": {"name": name.as_str()}}));
        document.remove(&["metadata", "generateName"]);
        let what = format!("{plural}: {}", case["name"].as_str().unwrap());
        let written = match scene.apply(&api, &document, None).await {
            Ok(Applied::Written(written)) => written,
            Ok(Applied::Unchanged | Applied::OwnerDeleted) => panic!("{what}: not sent"),
            Err(error) => {
                tally.refused.push(format!("{what}: {error}"));
                continue;
            }
        };
        tally.applied += 1;
        let live = as_json(&written);
        let current = cached::<K>(&live).unwrap();
        let before = scene.writes();
        let again = scene.apply(&api, &document, Some(&current)).await.unwrap();
        if matches!(again, Applied::Written(_)) || scene.writes() != before {
            tally.sent_again.push(format!("{what}\n  wanted {document}\n  live   {live}"));
        }
        let mut paths = Vec::new();
        leaves(&document, &mut Vec::new(), &mut paths);
        for path in paths {
            let Some(changed) = changed::<K>(&live, &path) else { continue };
            tally.changes += 1;
            if scene
                .apply(&api, &document, Some(&changed))
                .await
                .is_ok_and(|again| matches!(again, Applied::Unchanged))
            {
                tally.unnoticed.push(format!("{what}: {path:?}"));
            }
        }
    }
}

/// The paths of all values of a document that the server does not set. Numbers are indexes of lists.
fn leaves(value: &Json, path: &mut Vec<String>, into: &mut Vec<Vec<String>>) {
    match value {
        Json::Map(map) if !map.is_empty() => {
            for (key, value) in map {
                path.push(key.to_string());
                leaves(value, path, into);
                path.pop();
            }
        }
        Json::List(list) if !list.is_empty() => {
            for (at, value) in list.iter().enumerate() {
                path.push(at.to_string());
                leaves(value, path, into);
                path.pop();
            }
        }
        _ => {
            let texts: Vec<&str> = path.iter().map(String::as_str).collect();
            let skipped = matches!(
                texts[..],
                ["apiVersion" | "kind"] | ["status", ..] | ["metadata", "name" | "namespace"]
            );
            if !skipped {
                into.push(path.clone());
            }
        }
    }
}

/// The object with another value at a path of the document; `None` if the path does not exist, or no other value fits.
fn changed<K: Payload>(live: &Json, path: &[String]) -> Option<K> {
    let old = at(&mut live.clone(), path)?.clone();
    let others: Vec<Json> = match &old {
        Json::Str(text) => ["1", "x", "other"]
            .iter()
            .flat_map(|more| [format!("{text}{more}"), format!("{more}{text}"), (*more).to_owned()])
            .map(Json::from)
            .collect(),
        Json::Int(number) => vec![Json::from(number + 1)],
        Json::Bool(value) => vec![Json::from(!value)],
        _ => Vec::new(),
    };
    others.into_iter().find_map(|other| {
        let mut object = live.clone();
        *at(&mut object, path)? = other.clone();
        let changed = cached::<K>(&object)?;
        // The type must decode the value that was written.
        (as_json(&changed) != as_json(&cached::<K>(live)?)).then_some(changed)
    })
}

fn at<'j>(value: &'j mut Json, path: &[String]) -> Option<&'j mut Json> {
    let Some((first, rest)) = path.split_first() else { return Some(value) };
    match value {
        Json::Map(map) => at(map.get_mut(first)?, rest),
        Json::List(list) => at(list.make_mut().get_mut(first.parse::<usize>().ok()?)?, rest),
        _ => None,
    }
}

#[tokio::test(start_paused = true)]
async fn unchanged_objects_are_not_sent_again_and_changes_of_others_are_reverted() {
    let (scene, corpus) = (Scene::new().await, Json::parse(CORPUS.as_bytes()).unwrap()["kinds"].clone());
    let mut tally = Tally::default();
    macro_rules! kinds {
        ($($plural:literal $kind:ty, $make:ident $(($namespace:expr))?;)+) => {
            $(kind(&scene, &corpus, $plural, Api::<$kind>::$make(&scene.rest $(, $namespace)?), &mut tally).await;)+
        };
    }
    kinds! {
        "pods" core::v1::Pod, namespaced(NAMESPACE);
        "namespaces" core::v1::Namespace, cluster;
        "nodes" core::v1::Node, cluster;
        "services" core::v1::Service, namespaced(NAMESPACE);
        "endpoints" core::v1::Endpoints, namespaced(NAMESPACE);
        "endpointslices" discovery::v1::EndpointSlice, namespaced(NAMESPACE);
        "configmaps" core::v1::ConfigMap, namespaced(NAMESPACE);
        "secrets" core::v1::Secret, namespaced(NAMESPACE);
        "serviceaccounts" core::v1::ServiceAccount, namespaced(NAMESPACE);
        "events" core::v1::Event, namespaced(NAMESPACE);
        "events.k8s.io" client_rs_api::events::v1::Event, namespaced(NAMESPACE);
        "persistentvolumes" core::v1::PersistentVolume, cluster;
        "persistentvolumeclaims" core::v1::PersistentVolumeClaim, namespaced(NAMESPACE);
        "deployments" apps::v1::Deployment, namespaced(NAMESPACE);
        "replicasets" apps::v1::ReplicaSet, namespaced(NAMESPACE);
        "statefulsets" apps::v1::StatefulSet, namespaced(NAMESPACE);
        "daemonsets" apps::v1::DaemonSet, namespaced(NAMESPACE);
        "jobs" batch::v1::Job, namespaced(NAMESPACE);
        "cronjobs" batch::v1::CronJob, namespaced(NAMESPACE);
        "ingresses" networking::v1::Ingress, namespaced(NAMESPACE);
        "poddisruptionbudgets" policy::v1::PodDisruptionBudget, namespaced(NAMESPACE);
        "horizontalpodautoscalers" autoscaling::v2::HorizontalPodAutoscaler, namespaced(NAMESPACE);
        "autoscaling/v1" autoscaling::v1::HorizontalPodAutoscaler, namespaced(NAMESPACE);
        "roles" rbac::v1::Role, namespaced(NAMESPACE);
        "clusterroles" rbac::v1::ClusterRole, cluster;
        "rolebindings" rbac::v1::RoleBinding, namespaced(NAMESPACE);
        "clusterrolebindings" rbac::v1::ClusterRoleBinding, cluster;
        "leases" coordination::v1::Lease, namespaced(NAMESPACE);
        "priorityclasses" scheduling::v1::PriorityClass, cluster;
        "limitranges" core::v1::LimitRange, namespaced(NAMESPACE);
        "resourcequotas" core::v1::ResourceQuota, namespaced(NAMESPACE);
        "networkpolicies" networking::v1::NetworkPolicy, namespaced(NAMESPACE);
        "storageclasses" storage::v1::StorageClass, cluster;
    }
    let Tally { applied, refused, sent_again, changes, unnoticed } = tally;
    assert!(applied >= 80 && refused.len() <= 4, "{applied} applied, refused:\n{}", refused.join("\n"));
    assert!(
        sent_again.is_empty(),
        "{} of {applied} sent again:\n{}",
        sent_again.len(),
        sent_again.join("\n")
    );
    assert!(changes > 250, "only {changes} changes were tried");
    assert!(
        unnoticed.is_empty(),
        "{} of {changes} changes unnoticed:\n{}",
        unnoticed.len(),
        unnoticed.join("\n")
    );
}

/// Documents that the server normalizes, by kind.
#[tokio::test(start_paused = true)]
async fn documents_that_the_server_normalizes_are_not_sent_again() {
    let scene = Scene::new().await;
    let deployment = |pod: &Json, more: &Json| {
        let pod = merge_patch::apply(&json!({"containers": [{"name": "main", "image": "a"}]}), pod);
        let document = json!({"metadata": {"name": "d"}, "spec": {
            "selector": {"matchLabels": {"app": "d"}},
            "template": {"metadata": {"labels": {"app": "d"}}, "spec": pod},
        }});
        merge_patch::apply(&document, more)
    };
    let main = |fields: &Json| {
        let container = merge_patch::apply(&json!({"name": "main", "image": "a"}), fields);
        json!({"containers": [container]})
    };
    let none = json!({});
    // A merge patch can't set null.
    let with = |mut document: Json, path: &[&str], value: Json| {
        document.set(path, value).unwrap();
        document
    };
    let deployments = [
        deployment(
            &main(
                &json!({"resources": {"requests": {"cpu": "0.5", "memory": "1024Mi"}, "limits": {"cpu": 2}}}),
            ),
            &none,
        ),
        deployment(&main(&json!({"args": [], "env": [{"name": "A", "value": ""}], "resources": {}})), &none),
        deployment(
            &main(&json!({"ports": [{"containerPort": 80}, {"containerPort": 443, "name": "tls"}]})),
            &none,
        ),
        deployment(&main(&json!({"livenessProbe": {"httpGet": {"port": "http"}}})), &none),
        deployment(
            &json!({"hostNetwork": false, "volumes": [{"name": "v", "emptyDir": {}}], "tolerations": []}),
            &none,
        ),
        deployment(&none, &json!({"metadata": {"labels": {}, "annotations": {}, "namespace": ""}})),
        deployment(
            &none,
            &json!({"spec": {"strategy": {"rollingUpdate": {"maxSurge": "25%"}}, "paused": false}}),
        ),
        with(deployment(&none, &none), &["metadata", "creationTimestamp"], Json::Null),
        with(deployment(&none, &none), &["spec", "template", "metadata", "creationTimestamp"], Json::Null),
        with(deployment(&none, &none), &["spec", "replicas"], Json::Null),
        with(deployment(&none, &none), &["spec", "template", "spec", "initContainers"], Json::Null),
        deployment(&none, &json!({"status": {"replicas": 7}})),
    ];
    let api = Api::<apps::v1::Deployment>::namespaced(&scene.rest, NAMESPACE);
    for document in &deployments {
        twice(&scene, &api, document).await;
    }
    let secrets = Api::<core::v1::Secret>::namespaced(&scene.rest, NAMESPACE);
    twice(
        &scene,
        &secrets,
        &json!({"metadata": {"name": "s"}, "stringData": {"a": "b"}, "data": {"c": "ZA=="}}),
    )
    .await;
    let maps = Api::<ConfigMap>::namespaced(&scene.rest, NAMESPACE);
    twice(&scene, &maps, &json!({"metadata": {"name": "m"}, "data": {}, "binaryData": {"a": "AAE="}})).await;
    // The server assigns an address, which differs from the empty value.
    let services = Api::<core::v1::Service>::namespaced(&scene.rest, NAMESPACE);
    let service = json!({"metadata": {"name": "s"}, "spec": {"clusterIP": "", "ports": [{"port": 80}]}});
    twice(&scene, &services, &service).await;
    let claim = json!({
        "apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data", "namespace": ""},
        "spec": {"accessModes": ["ReadWriteOnce"], "resources": {"requests": {"storage": "1024Mi"}}},
    });
    let set = deployment(&none, &json!({"spec": {"serviceName": "s", "volumeClaimTemplates": [claim]}}));
    twice(&scene, &Api::<apps::v1::StatefulSet>::namespaced(&scene.rest, NAMESPACE), &set).await;
    let autoscaler = json!({"metadata": {"name": "h"}, "spec": {
        "maxReplicas": 3, "scaleTargetRef": {"apiVersion": "apps/v1", "kind": "Deployment", "name": "d"},
        "metrics": [{"type": "Object", "object": {
            "metric": {"name": "m"}, "describedObject": {"kind": "Service", "name": "s"},
            "target": {"type": "Value", "value": "1.5"},
        }}],
    }});
    let autoscalers = Api::<autoscaling::v2::HorizontalPodAutoscaler>::namespaced(&scene.rest, NAMESPACE);
    twice(&scene, &autoscalers, &autoscaler).await;
    let leases = Api::<coordination::v1::Lease>::namespaced(&scene.rest, NAMESPACE);
    twice(
        &scene,
        &leases,
        &json!({"metadata": {"name": "l"}, "spec": {"renewTime": "2026-01-02T04:04:05.000006+01:00"}}),
    )
    .await;
}

/// Applies a document twice: the second time no request is sent.
async fn twice<K, S>(scene: &Scene, api: &Api<K, S>, document: &Json)
where
    K: Resource + Payload + verbs::Patch,
    S: ByName,
{
    let Applied::Written(written) = scene.apply(api, document, None).await.unwrap() else {
        panic!("not sent")
    };
    let (live, before) = (as_json(&written), scene.writes());
    let current = cached::<K>(&live).unwrap();
    let again = scene.apply(api, document, Some(&current)).await.unwrap();
    assert!(matches!(again, Applied::Unchanged), "wanted {document}\nlive   {live}");
    assert_eq!(scene.writes(), before);
}

#[tokio::test(start_paused = true)]
async fn values_that_the_server_chose_are_restored_when_others_change_them() {
    let scene = Scene::new().await;
    let api = Api::<apps::v1::Deployment>::namespaced(&scene.rest, NAMESPACE);
    // The server chooses the number: the document has no value for it.
    let document = json!({"metadata": {"name": "d"}, "spec": {
        "replicas": null, "selector": {"matchLabels": {"app": "d"}},
        "template": {"metadata": {"labels": {"app": "d"}}, "spec": {"containers": [{"name": "main", "image": "a"}]}},
    }});
    twice(&scene, &api, &document).await;
    let other = Patch::Merge(json!({"spec": {"replicas": 5}}));
    let changed = api.patch("d", &other).await.unwrap();
    let again = scene.apply(&api, &document, Some(&changed)).await.unwrap();
    assert!(matches!(again, Applied::Written(_)));
    // A container that another client has added stays, and costs one request.
    let sidecar = json!({"spec": {"template": {"spec": {"containers": [{"name": "more", "image": "b"}]}}}});
    let with_sidecar = api.patch("d", &Patch::Strategic(sidecar)).await.unwrap();
    let Applied::Written(written) = scene.apply(&api, &document, Some(&with_sidecar)).await.unwrap() else {
        panic!("it was not asked")
    };
    assert_eq!(written.spec.template.spec.containers.len(), 2);
    assert!(matches!(scene.apply(&api, &document, Some(&written)).await.unwrap(), Applied::Unchanged));
    // The response expires: the server may treat the document differently by then.
    tokio::time::sleep(Duration::from_hours(2)).await;
    assert!(matches!(scene.apply(&api, &document, Some(&written)).await.unwrap(), Applied::Written(_)));
}

#[tokio::test(start_paused = true)]
async fn pruning_uses_the_namespace_of_the_object_and_not_of_its_owner() {
    let scene = Scene::new().await;
    let here = Api::<ConfigMap>::namespaced(&scene.rest, NAMESPACE);
    let there = Api::<ConfigMap>::namespaced(&scene.rest, "owner");
    let document = json!({"metadata": {"name": "child"}});
    let mut owned = Owned::by(&scene.cluster, "test").unwrap();
    let mut children = Vec::new();
    for api in [&here, &there] {
        let Applied::Written(child) = owned.apply(api, &document, None).await.unwrap() else { panic!() };
        children.push(Arc::new(child));
    }
    // The next reconcile wants one of the two.
    let mut owned = Owned::by(&scene.cluster, "test").unwrap();
    owned.apply(&here, &document, Some(&children[0])).await.unwrap();
    assert_eq!(owned.prune(&here, children.clone()).await.unwrap(), 0);
    assert_eq!(owned.prune(&there, children.clone()).await.unwrap(), 1);
    assert!(here.get("child").await.is_ok());
    assert!(there.get("child").await.unwrap_err().is_not_found());
}

#[tokio::test(start_paused = true)]
async fn an_apply_without_a_response_times_out() {
    let scene = Scene::new().await;
    scene.controls.inject(Fault::new(Effect::Freeze).method("PATCH"));
    let maps = Api::<ConfigMap>::namespaced(&scene.rest, NAMESPACE);
    let document = json!({"metadata": {"name": "m"}});
    let applying = scene.apply(&maps, &document, None);
    let outcome = tokio::time::timeout(Duration::from_mins(2), applying).await.expect("it has no timeout");
    assert!(matches!(outcome, Err(OwnError::Request(error)) if error.is_timeout()));
}

#[tokio::test(start_paused = true)]
async fn an_object_in_another_namespace_than_its_owner_is_refused() {
    let scene = Scene::new().await;
    let there = Api::<ConfigMap>::namespaced(&scene.rest, "owner");
    let error = scene.apply(&there, &json!({"metadata": {"name": "m"}}), None).await.unwrap_err();
    assert!(matches!(error, OwnError::Reference(ReferenceError::Namespace { .. })), "{error}");
    // The garbage collector finds no owner in the namespace of a cluster-scoped object either.
    let roles = Api::<ClusterRole>::cluster(&scene.rest);
    let mut owned = Owned::by(&scene.local, "test").unwrap();
    let error = owned.apply(&roles, json!({"metadata": {"name": "r"}}), None).await.unwrap_err();
    assert!(matches!(error, OwnError::Reference(ReferenceError::Namespace { .. })), "{error}");
    assert!(there.get("m").await.unwrap_err().is_not_found());
}

#[tokio::test(start_paused = true)]
async fn an_owner_that_is_being_deleted_takes_no_object_from_the_garbage_collector() {
    let scene = Scene::new().await;
    let maps = Api::<ConfigMap>::namespaced(&scene.rest, NAMESPACE);
    let document = json!({"metadata": {"name": "child"}, "data": {"a": "1"}});
    let Applied::Written(child) = scene.apply(&maps, &document, None).await.unwrap() else { panic!() };
    let mut orphan = child.clone();
    orphan.metadata.owner_references = [].into();
    let document = json!({"metadata": {"name": "child"}, "data": {"a": "2"}});
    for (finalizers, creates) in
        [(vec!["a/b"], true), (vec!["a/b", "orphan"], false), (vec!["foregroundDeletion"], false)]
    {
        let mut ending = scene.local.clone();
        ending.metadata.deletion_timestamp = Some("2026-03-01T12:00:00Z".parse().unwrap());
        ending.metadata.finalizers = finalizers.iter().map(|name| (*name).into()).collect();
        let mut owned = Owned::by(&ending, "test").unwrap();
        let before = scene.writes();
        assert_eq!(owned.apply(&maps, &document, Some(&orphan)).await.unwrap(), Applied::OwnerDeleted);
        let other = json!({"metadata": {"name": "other"}});
        if !creates {
            assert_eq!(owned.apply(&maps, &other, None).await.unwrap(), Applied::OwnerDeleted);
        }
        assert_eq!(scene.writes(), before, "{finalizers:?}");
        // A clean-up may need an object of its own, and its own objects may change.
        if creates {
            assert!(matches!(owned.apply(&maps, &other, None).await.unwrap(), Applied::Written(_)));
        }
        assert!(matches!(owned.apply(&maps, &document, Some(&child)).await.unwrap(), Applied::Written(_)));
    }
}

#[tokio::test(start_paused = true)]
async fn a_text_that_a_secret_no_longer_has_is_removed() {
    let scene = Scene::new().await;
    let secrets = Api::<Secret>::namespaced(&scene.rest, NAMESPACE);
    let document =
        json!({"metadata": {"name": "s"}, "stringData": {"a": "1", "old": "2"}, "data": {"b": "Mw=="}});
    let Applied::Written(first) = scene.apply(&secrets, &document, None).await.unwrap() else { panic!() };
    assert_eq!(first.data.keys().collect::<Vec<_>>(), ["a", "b", "old"]);
    assert_eq!(scene.apply(&secrets, &document, Some(&first)).await.unwrap(), Applied::Unchanged);
    let document = json!({"metadata": {"name": "s"}, "stringData": {"a": "1"}});
    let Applied::Written(second) = scene.apply(&secrets, &document, Some(&first)).await.unwrap() else {
        panic!()
    };
    assert_eq!(second.data.keys().collect::<Vec<_>>(), ["a"]);
}

#[tokio::test(start_paused = true)]
async fn owners_that_a_document_names_stay() {
    let scene = Scene::new().await;
    let maps = Api::<ConfigMap>::namespaced(&scene.rest, NAMESPACE);
    let other = json!({"apiVersion": "v1", "kind": "Namespace", "name": "owner", "uid": scene.cluster.uid()});
    let document = json!({"metadata": {"name": "m", "ownerReferences": [other]}});
    let Applied::Written(written) = scene.apply(&maps, &document, None).await.unwrap() else { panic!() };
    let owners: Vec<_> = written.metadata.owner_references.iter().map(|owner| owner.kind.as_str()).collect();
    assert_eq!(owners, ["Namespace", "ConfigMap"]);
}

#[tokio::test(start_paused = true)]
async fn what_a_pruned_object_owns_goes_with_it() {
    let scene = Scene::new().await;
    let jobs = Api::<Job>::namespaced(&scene.rest, NAMESPACE);
    let containers = json!([{"name": "a", "image": "b"}]);
    let template = json!({"spec": {"restartPolicy": "Never", "containers": containers}});
    let document = json!({"metadata": {"name": "j"}, "spec": {"template": template}});
    let Applied::Written(job) = scene.apply(&jobs, &document, None).await.unwrap() else { panic!() };
    let owned = Owned::by(&scene.local, "test").unwrap();
    assert_eq!(owned.prune(&jobs, [Arc::new(job)]).await.unwrap(), 1);
    // By default, deleting a job orphans its pods: then it stays until the collector has done that.
    assert!(jobs.get("j").await.unwrap_err().is_not_found());
}

#[tokio::test(start_paused = true)]
async fn a_value_that_others_add_to_an_atomic_map_or_list_is_removed() {
    let scene = Scene::new().await;
    let services = Api::<core::v1::Service>::namespaced(&scene.rest, NAMESPACE);
    let document = json!({"metadata": {"name": "s", "labels": {"a": "1"}}, "spec": {
        "selector": {"app": "s"}, "ports": [{"port": 80}],
    }});
    let Applied::Written(_) = scene.apply(&services, &document, None).await.unwrap() else { panic!() };
    let patch = |patch: Json| services.patch("s", &Patch::Merge(patch));
    let changed = patch(json!({"spec": {"selector": {"track": "canary"}}})).await.unwrap();
    let Applied::Written(reverted) = scene.apply(&services, &document, Some(&changed)).await.unwrap() else {
        panic!("an additional label in the selector was not noticed")
    };
    assert_eq!(reverted.spec.selector.keys().collect::<Vec<_>>(), ["app"]);
    // Others may add labels and fields elsewhere.
    let labelled = json!({"metadata": {"labels": {"b": "2"}}, "spec": {"sessionAffinity": "ClientIP"}});
    let labelled = patch(labelled).await.unwrap();
    assert_eq!(scene.apply(&services, &document, Some(&labelled)).await.unwrap(), Applied::Unchanged);

    let policies = Api::<networking::v1::NetworkPolicy>::namespaced(&scene.rest, NAMESPACE);
    let document = json!({"metadata": {"name": "p"}, "spec": {
        "podSelector": {"matchLabels": {"app": "p"}}, "ingress": [{"from": [{"podSelector": {"matchLabels": {"a": "b"}}}]}],
    }});
    let Applied::Written(policy) = scene.apply(&policies, &document, None).await.unwrap() else { panic!() };
    assert_eq!(scene.apply(&policies, &document, Some(&policy)).await.unwrap(), Applied::Unchanged);
    let mut changed = as_json(&policy);
    let from = at(&mut changed, &["spec", "ingress", "0", "from", "0"].map(str::to_owned)).unwrap();
    from.set(&["namespaceSelector"], json!({"matchLabels": {"c": "d"}})).unwrap();
    let changed = cached(&changed).unwrap();
    let Applied::Written(_) = scene.apply(&policies, &document, Some(&changed)).await.unwrap() else {
        panic!("an additional field in an item was not noticed")
    };
}

/// A second owner in the same namespace.
async fn another_owner(scene: &Scene) -> ConfigMap {
    let maps = Api::<ConfigMap>::namespaced(&scene.rest, NAMESPACE);
    maps.apply(json!({"metadata": {"name": "another"}}), "user").await.unwrap()
}

#[tokio::test(start_paused = true)]
async fn an_outdated_cache_takes_no_object_from_another_owner() {
    let scene = Scene::new().await;
    let maps = Api::<ConfigMap>::namespaced(&scene.rest, NAMESPACE);
    let orphan = maps.apply(json!({"metadata": {"name": "child"}}), "user").await.unwrap();
    let another = another_owner(&scene).await;
    let document = json!({"metadata": {"name": "child"}, "data": {"a": "1"}});
    let mut others = Owned::by(&another, "test").unwrap();
    let applied = others.apply(&maps, &document, Some(&orphan)).await.unwrap();
    assert!(matches!(applied, Applied::Written(_)));
    // The cache has not seen the object, or not its owner.
    for current in [None, Some(&orphan)] {
        let before = scene.writes();
        let error = scene.apply(&maps, &document, current).await.unwrap_err();
        assert!(matches!(error, OwnError::Reference(ReferenceError::Controlled { .. })), "{error}");
        assert_eq!(scene.writes(), before);
    }
    assert_eq!(maps.get("child").await.unwrap().controller().unwrap().name, "another");
}

#[tokio::test(start_paused = true)]
async fn an_object_is_not_adopted_for_an_owner_that_is_gone() {
    let scene = Scene::new().await;
    let maps = Api::<ConfigMap>::namespaced(&scene.rest, NAMESPACE);
    let orphan = maps.apply(json!({"metadata": {"name": "orphan"}}), "user").await.unwrap();
    let gone = another_owner(&scene).await;
    maps.delete("another").await.unwrap();
    assert!(!adopt(&maps, &gone, &orphan).await.unwrap(), "it is gone");
    let again = another_owner(&scene).await;
    assert!(!adopt(&maps, &gone, &orphan).await.unwrap(), "another object has its name");
    let finalizer = Patch::Merge(json!({"metadata": {"finalizers": ["a/b"]}}));
    let cached = maps.patch("another", &finalizer).await.unwrap();
    maps.delete("another").await.unwrap();
    assert!(!adopt(&maps, &cached, &orphan).await.unwrap(), "it is being deleted");
    assert_ne!(again.uid(), gone.uid());
    assert!(maps.get("orphan").await.unwrap().metadata.owner_references.is_empty());
    assert!(adopt(&maps, &scene.local, &orphan).await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn an_object_that_was_released_is_not_pruned() {
    let scene = Scene::new().await;
    let maps = Api::<ConfigMap>::namespaced(&scene.rest, NAMESPACE);
    for (change, pruned) in [
        (json!({"metadata": {"ownerReferences": null}}), 0),
        // A newer version that is still the owner's.
        (json!({"data": {"other": "1"}}), 1),
    ] {
        let document = json!({"metadata": {"name": "child"}, "data": {"a": "1"}});
        let Applied::Written(child) = scene.apply(&maps, &document, None).await.unwrap() else { panic!() };
        maps.patch("child", &Patch::Merge(change)).await.unwrap();
        let owned = Owned::by(&scene.local, "test").unwrap();
        assert_eq!(owned.prune(&maps, [Arc::new(child)]).await.unwrap(), pruned);
        assert_eq!(maps.get_opt("child").await.unwrap().is_none(), pruned == 1);
    }
}

#[tokio::test(start_paused = true)]
async fn two_field_managers_apply_parts_of_one_object() {
    let scene = Scene::new().await;
    let maps = Api::<ConfigMap>::namespaced(&scene.rest, NAMESPACE);
    let part = |key: &str| json!({"metadata": {"name": "child"}, "data": {key: "1"}});
    let mut current = None;
    // The last round writes nothing: neither has to write again what the other one has written.
    for round in 0..2 {
        for (manager, key) in [("a", "x"), ("b/c", "y")] {
            let mut owned = Owned::by(&scene.local, manager).unwrap();
            match owned.apply(&maps, part(key), current.as_ref()).await.unwrap() {
                Applied::Written(written) if round == 0 => current = Some(written),
                Applied::Unchanged if round == 1 => {}
                other => panic!("{manager}, round {round}: {other:?}"),
            }
        }
    }
    assert_eq!(current.unwrap().data.keys().collect::<Vec<_>>(), ["x", "y"]);
}

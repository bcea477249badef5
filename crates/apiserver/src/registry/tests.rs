use client_rs_machinery::meta::v1::DeleteOptions;
use client_rs_machinery::wire::WatchEventType;
use client_rs_machinery::{ApiError, Json, Object, Str, Unstructured, json};

use super::delete::Deleted;
use super::list::At;
use super::*;
use crate::admission::{self, Webhooks};
use crate::controllers::Controllers;

/// A registry with the controllers that follow it.
struct Cluster {
    registry: Arc<Registry>,
    controllers: Arc<Controllers>,
}

impl std::ops::Deref for Cluster {
    type Target = Arc<Registry>;

    fn deref(&self) -> &Arc<Registry> {
        &self.registry
    }
}

fn registry() -> Cluster {
    let options = super::RegistryOptions { history: 1000, collects: true, ..super::RegistryOptions::PLAIN };
    let registry = Arc::new(Registry::new(options, &[]));
    Cluster { controllers: Controllers::attach(&registry, Arc::default()), registry }
}

fn served(registry: &Registry, plural: &str) -> Arc<Served> {
    registry.catalog().all().iter().find(|served| served.info.plural == plural).cloned().unwrap()
}

/// The session of a request without webhooks.
fn session(registry: &Arc<Registry>) -> Arc<dyn Admission> {
    Arc::new(admission::Session::of_watch(&Arc::new(Webhooks::disabled()), registry))
}

fn object(value: Json) -> Unstructured {
    value.try_into().unwrap()
}

fn config_map(name: &str) -> Unstructured {
    Unstructured::new("v1", "ConfigMap", name)
}

fn create(registry: &Registry, plural: &str, object: Unstructured) -> Result<Arc<Stored>, ApiError> {
    let namespace = if object.namespace().is_empty() { "default" } else { object.namespace() }.to_owned();
    registry.create(&served(registry, plural), &namespace, object, WriteOptions::default())
}

fn put(registry: &Registry, plural: &str, part: Part, new: &Unstructured) -> Result<Arc<Stored>, ApiError> {
    let make = &mut |_: Option<&Stored>| Ok(new.clone());
    let at = served(registry, plural);
    registry
        .update(&at, new.namespace(), new.name(), part, Precondition::SameUid, WriteOptions::default(), make)
        .map(|(stored, _)| stored)
}

fn delete(
    registry: &Registry,
    plural: &str,
    name: &str,
    options: &DeleteOptions,
) -> Result<Deleted, ApiError> {
    registry.delete(&served(registry, plural), "default", name, options, None)
}

fn exists(registry: &Registry, plural: &str, name: &str) -> bool {
    registry.get(&served(registry, plural), "default", name).is_ok()
}

fn collect(cluster: &Cluster) {
    while cluster.controllers.step(&cluster.registry) {}
}

fn policy(policy: &str) -> DeleteOptions {
    DeleteOptions { propagation_policy: Some(policy.into()), ..DeleteOptions::EMPTY }
}

fn owned(name: &str, owner: &Unstructured, blocks: bool) -> Unstructured {
    object(json!({
        "apiVersion": "v1", "kind": "ConfigMap",
        "metadata": {"name": name, "namespace": "default", "ownerReferences": [{
            "apiVersion": owner.api_version(), "kind": owner.kind(), "name": owner.name(), "uid": owner.uid(),
            "blockOwnerDeletion": blocks,
        }]},
    }))
}

#[test]
fn a_new_object_has_the_metadata_that_the_server_sets() {
    let registry = registry();
    let mut asked = config_map("a");
    asked.set_uid("chosen");
    asked.set_generation(7);
    asked.set_deletion_grace_period_seconds(Some(5));
    let created = create(&registry, "configmaps", asked).unwrap();
    let made = &created.object;
    assert_eq!((made.namespace(), made.uid().len(), made.generation()), ("default", 36, 0));
    assert_eq!(made.resource_version(), registry.revision().to_string());
    assert!(made.creation_timestamp().is_some() && made.deletion_grace_period_seconds().is_none());
    let again = create(&registry, "configmaps", config_map("a")).unwrap_err();
    assert!(again.is_already_exists());
    let versioned = object(json!({"metadata": {"name": "b", "resourceVersion": "5"}}));
    assert_eq!(create(&registry, "configmaps", versioned).unwrap_err().code(), 500);
}

#[test]
fn names_are_generated_and_checked() {
    let registry = registry();
    let generated = object(json!({"metadata": {"generateName": "web-"}}));
    let created = create(&registry, "configmaps", generated).unwrap();
    assert!(created.object.name().starts_with("web-") && created.object.name().len() == 9);
    let nameless = create(&registry, "configmaps", config_map("")).unwrap_err();
    let expected =
        r#"ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required"#;
    assert_eq!(nameless.message(), expected);
    let bad = object(json!({"metadata": {"name": "Bad_", "labels": {"a b": "c d"}, "finalizers": ["b b"],
        "ownerReferences": [{}]}}));
    let error = create(&registry, "configmaps", bad).unwrap_err();
    assert!(error.is_invalid());
    let fields: Vec<&str> = error.causes().iter().map(|cause| cause.field.as_str()).collect();
    let owner = "metadata.ownerReferences[0]";
    assert_eq!(
        fields,
        [
            "metadata.name",
            "metadata.labels",
            "metadata.labels",
            &format!("{owner}.apiVersion"),
            &format!("{owner}.kind"),
            &format!("{owner}.name"),
            &format!("{owner}.uid"),
            "metadata.finalizers",
            "metadata.finalizers[0]",
        ]
    );
    assert!(create(&registry, "roles", object(json!({"metadata": {"name": "system:a"}}))).is_ok());
    assert!(create(&registry, "services", object(json!({"metadata": {"name": "a.b"}}))).is_err());
}

#[test]
fn a_namespace_must_exist_and_match_the_request() {
    let registry = registry();
    let elsewhere = object(json!({"metadata": {"name": "a", "namespace": "nope"}}));
    let error = create(&registry, "configmaps", elsewhere.clone()).unwrap_err();
    assert_eq!(error.message(), r#"namespaces "nope" not found"#);
    let at = served(&registry, "configmaps");
    let error = registry.create(&at, "default", elsewhere, WriteOptions::default()).unwrap_err();
    assert!(error.is_bad_request());
}

#[test]
fn an_update_of_an_old_version_is_a_conflict_and_of_none_is_not() {
    let registry = registry();
    let created = create(&registry, "configmaps", config_map("a")).unwrap();
    let mut first = created.object.clone();
    first.set_label("a", "1");
    put(&registry, "configmaps", Part::Whole, &first).unwrap();
    assert!(put(&registry, "configmaps", Part::Whole, &first).unwrap_err().is_conflict());
    first.set_resource_version("");
    first.set_label("a", "2");
    put(&registry, "configmaps", Part::Whole, &first).unwrap();
    first.set_uid("another");
    let error = put(&registry, "configmaps", Part::Whole, &first).unwrap_err();
    assert!(
        error.is_conflict() && error.message().contains("Precondition failed: UID in precondition: another")
    );
    let lease = create(&registry, "leases", object(json!({"metadata": {"name": "l"}}))).unwrap();
    let mut unversioned = lease.object.clone();
    unversioned.set_resource_version("");
    let error = put(&registry, "leases", Part::Whole, &unversioned).unwrap_err();
    assert_eq!(
        error.message(),
        r#"leases.coordination.k8s.io "l" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update"#
    );
}

#[test]
fn an_update_that_changes_nothing_writes_nothing() {
    let registry = registry();
    let created = create(&registry, "configmaps", config_map("a")).unwrap();
    let revision = registry.revision();
    let same = put(&registry, "configmaps", Part::Whole, &created.object).unwrap();
    assert_eq!(
        (same.object.resource_version(), registry.revision()),
        (created.object.resource_version(), revision)
    );
}

#[test]
fn an_update_creates_missing_objects_of_some_kinds() {
    let registry = registry();
    let role = object(json!({"metadata": {"name": "r", "namespace": "default"}}));
    assert!(put(&registry, "roles", Part::Whole, &role).is_ok());
    let mut config = config_map("c");
    config.set_namespace("default");
    assert!(put(&registry, "configmaps", Part::Whole, &config).unwrap_err().is_not_found());
}

#[test]
fn spec_and_status_are_written_separately_and_the_spec_increases_the_generation() {
    let registry = registry();
    let asked = object(json!({"metadata": {"name": "d"}, "status": {"replicas": 9}, "spec": {
        "replicas": 1, "selector": {"matchLabels": {"a": "b"}},
        "template": {"metadata": {"labels": {"a": "b"}}, "spec": {"containers": [{"name": "c", "image": "i"}]}}}}));
    let created = create(&registry, "deployments", asked).unwrap();
    assert_eq!(created.object.generation(), 1);
    assert_eq!(created.object.object.get("status"), None);
    let mut both = created.object.clone();
    both.set_nested(&["spec", "replicas"], 3).unwrap();
    both.set_nested(&["status", "replicas"], 3).unwrap();
    both.set_generation(99);
    let status = put(&registry, "deployments", Part::Status, &both).unwrap();
    let at = |stored: &Stored, part: &str| stored.object.nested_i64(&[part, "replicas"]).unwrap();
    assert_eq!(
        (at(&status, "spec"), at(&status, "status"), status.object.generation()),
        (Some(1), Some(3), 1)
    );
    both.set_resource_version("");
    both.set_nested(&["status", "replicas"], 7).unwrap();
    let whole = put(&registry, "deployments", Part::Whole, &both).unwrap();
    assert_eq!((at(&whole, "spec"), at(&whole, "status"), whole.object.generation()), (Some(3), Some(3), 2));
}

#[test]
fn metadata_that_the_server_sets_can_not_be_changed() {
    let registry = registry();
    let created = create(&registry, "configmaps", config_map("a")).unwrap();
    let at = served(&registry, "configmaps");
    let patched = |edit: &dyn Fn(&mut Unstructured)| {
        let mut make = |stored: Option<&Stored>| {
            let mut new = stored.unwrap().object.clone();
            edit(&mut new);
            Ok(new)
        };
        let options = WriteOptions::default();
        registry.update(&at, "default", "a", Part::Whole, Precondition::None, options, &mut make)
    };
    let error = patched(&|object| object.set_uid("x")).unwrap_err();
    assert_eq!(
        error.message(),
        r#"ConfigMap "a" is invalid: metadata.uid: Invalid value: "x": field is immutable"#
    );
    let error = patched(&|object| object.set_deletion_timestamp(object.creation_timestamp())).unwrap_err();
    assert_eq!(error.causes()[0].field, "metadata.deletionTimestamp");
    let (kept, _) = patched(&|object| object.set_creation_timestamp(None)).unwrap();
    assert_eq!(kept.object.creation_timestamp(), created.object.creation_timestamp());
}

#[test]
fn an_object_is_removed_after_its_last_finalizer() {
    let registry = registry();
    create(&registry, "configmaps", object(json!({"metadata": {"name": "a", "finalizers": ["x/y"]}})))
        .unwrap();
    let held = delete(&registry, "configmaps", "a", &DeleteOptions::EMPTY).unwrap();
    assert!(!held.gone && held.object.object.is_being_deleted());
    assert_eq!(held.object.object.deletion_grace_period_seconds(), Some(0));
    let again = delete(&registry, "configmaps", "a", &DeleteOptions::EMPTY).unwrap();
    assert_eq!(again.object.object.resource_version(), held.object.object.resource_version());
    let error = create(&registry, "configmaps", config_map("a")).unwrap_err();
    assert_eq!(error.message(), r#"object is being deleted: configmaps "a" already exists"#);
    let mut more = held.object.object.clone();
    more.set_finalizers(["x/y", "x/z"]);
    let error = put(&registry, "configmaps", Part::Whole, &more).unwrap_err();
    assert!(error.message().contains(r#"found new finalizers []string{"x/z"}"#), "{error}");
    more.set_finalizers::<&str>([]);
    put(&registry, "configmaps", Part::Whole, &more).unwrap();
    assert!(!exists(&registry, "configmaps", "a"));
}

#[test]
fn the_grace_period_of_a_running_pod_can_be_shortened() {
    let registry = registry();
    let pod = |name: &str, node: &str| {
        object(json!({"metadata": {"name": name},
            "spec": {"nodeName": node, "terminationGracePeriodSeconds": 30, "containers": [{"name": "c", "image": "i"}]}}))
    };
    let created = create(&registry, "pods", pod("a", "n")).unwrap();
    assert_eq!(created.object.nested_str(&["status", "phase"]).unwrap(), Some("Pending"));
    assert_eq!(created.object.nested_str(&["status", "qosClass"]).unwrap(), Some("BestEffort"));
    let going = delete(&registry, "pods", "a", &DeleteOptions::EMPTY).unwrap();
    assert!(!going.gone);
    let object = &going.object.object;
    assert_eq!((object.deletion_grace_period_seconds(), object.generation()), (Some(30), 2));
    let longer = DeleteOptions { grace_period_seconds: Some(60), ..DeleteOptions::EMPTY };
    let same = delete(&registry, "pods", "a", &longer).unwrap();
    assert_eq!(same.object.object.resource_version(), object.resource_version());
    let shorter = DeleteOptions { grace_period_seconds: Some(5), ..DeleteOptions::EMPTY };
    let sooner = delete(&registry, "pods", "a", &shorter).unwrap().object;
    assert_eq!(sooner.object.deletion_grace_period_seconds(), Some(5));
    let before = object.deletion_timestamp().unwrap().seconds();
    assert_eq!(sooner.object.deletion_timestamp().unwrap().seconds(), before - 25);
    let now = DeleteOptions { grace_period_seconds: Some(0), ..DeleteOptions::EMPTY };
    assert!(delete(&registry, "pods", "a", &now).unwrap().gone);
    create(&registry, "pods", pod("b", "")).unwrap();
    assert!(delete(&registry, "pods", "b", &DeleteOptions::EMPTY).unwrap().gone);
}

#[test]
fn preconditions_protect_from_the_wrong_delete() {
    let registry = registry();
    create(&registry, "configmaps", config_map("a")).unwrap();
    for (uid, version) in [(Some("x"), None), (None, Some("1"))] {
        let preconditions = client_rs_machinery::meta::v1::Preconditions {
            uid: uid.map(Str::from),
            resource_version: version.map(Str::from),
        };
        let options = DeleteOptions { preconditions: Some(preconditions.into()), ..DeleteOptions::EMPTY };
        let error = delete(&registry, "configmaps", "a", &options).unwrap_err();
        assert!(
            error.is_conflict()
                && error.message().starts_with("Operation cannot be fulfilled on ConfigMap \"a\"")
        );
    }
    assert!(delete(&registry, "configmaps", "a", &policy("Nope")).unwrap_err().is_invalid());
}

#[test]
fn a_dry_run_writes_nothing() {
    let registry = registry();
    create(&registry, "configmaps", config_map("a")).unwrap();
    let revision = registry.revision();
    let at = served(&registry, "configmaps");
    let dry = WriteOptions { dry_run: true, ..WriteOptions::default() };
    let made = registry.create(&at, "default", config_map("b"), dry).unwrap();
    assert_eq!((made.object.resource_version(), made.object.uid().len()), ("", 36));
    assert!(registry.create(&at, "default", config_map("a"), dry).unwrap_err().is_already_exists());
    let options = DeleteOptions { dry_run: ["All".into()].into(), ..DeleteOptions::EMPTY };
    assert!(delete(&registry, "configmaps", "a", &options).unwrap().gone);
    assert_eq!(registry.revision(), revision);
}

#[test]
fn all_pages_of_a_list_show_one_revision() {
    let registry = registry();
    for name in ["a", "b", "c", "d"] {
        create(&registry, "configmaps", config_map(name)).unwrap();
    }
    let at = served(&registry, "configmaps");
    let everything = Selection::default();
    let page = |token: &str| {
        let request =
            ListRequest { limit: 2, continue_token: token, ..ListRequest::all("default", &everything) };
        registry.list(&at, &request)
    };
    let names = |listing: &Listing| -> Vec<String> {
        listing.items.iter().map(|item| item.object.name().to_owned()).collect()
    };
    let first = page("").unwrap();
    assert_eq!((names(&first), first.remaining), (vec!["a".to_owned(), "b".to_owned()], Some(2)));
    create(&registry, "configmaps", config_map("bb")).unwrap();
    delete(&registry, "configmaps", "d", &DeleteOptions::EMPTY).unwrap();
    let second = page(&first.continue_token).unwrap();
    assert_eq!((names(&second), second.revision), (vec!["c".to_owned(), "d".to_owned()], first.revision));
    assert_eq!(second.continue_token, "");
    registry.compact();
    let Err(ListError::Expired { error, continue_token }) = page(&first.continue_token) else { panic!() };
    assert!(error.is_resource_expired() && error.code() == 410);
    let rest = page(&continue_token).unwrap();
    assert_eq!(names(&rest), ["bb", "c"]);
    assert!(matches!(page("abc"), Err(ListError::Api(error)) if error.is_bad_request()));
}

#[test]
fn a_list_shows_the_requested_revision() {
    let registry = registry();
    create(&registry, "configmaps", config_map("a")).unwrap();
    let then = registry.revision();
    create(&registry, "configmaps", config_map("b")).unwrap();
    let at = served(&registry, "configmaps");
    let everything = Selection::default();
    let count = |at_revision| {
        let request = ListRequest { at: at_revision, ..ListRequest::all("", &everything) };
        registry.list(&at, &request).map(|listing| (listing.items.len(), listing.revision))
    };
    assert_eq!(count(At::Exact(then)).unwrap(), (1, then));
    assert_eq!(count(At::NotOlderThan(then)).unwrap(), (2, registry.revision()));
    let Err(ListError::Api(error)) = count(At::NotOlderThan(999)) else { panic!() };
    assert!(error.is_timeout());
    registry.compact();
    let Err(ListError::Api(error)) = count(At::Exact(then)) else { panic!() };
    assert_eq!(error.message(), "The resourceVersion for the provided list is too old.");
}

#[test]
fn selectors_match_labels_and_fields() {
    let registry = registry();
    let pods = served(&registry, "pods");
    for (name, app, node) in [("a", "web", "n1"), ("b", "web", "n2"), ("c", "db", "n1")] {
        let pod = object(
            json!({"metadata": {"name": name, "labels": {"app": app}}, "spec": {"nodeName": node, "containers": [{"name": "c", "image": "i"}]}}),
        );
        create(&registry, "pods", pod).unwrap();
    }
    let names = |labels: &str, fields: &str| {
        let selection = Selection::parse(&pods, labels, fields)?;
        let listing = registry.list(&pods, &ListRequest::all("default", &selection)).unwrap();
        Ok::<_, ApiError>(listing.items.iter().map(|item| item.object.name().to_owned()).collect::<Vec<_>>())
    };
    assert_eq!(names("app=web", "").unwrap(), ["a", "b"]);
    assert_eq!(names("app in (db,web)", "spec.nodeName=n1").unwrap(), ["a", "c"]);
    assert_eq!(names("", "metadata.name!=a,spec.hostNetwork=false").unwrap(), ["b", "c"]);
    assert_eq!(names("", "foo=1").unwrap_err().message(), "field label not supported: foo");
    let maps = served(&registry, "configmaps");
    assert_eq!(
        Selection::parse(&maps, "", "foo=1").unwrap_err().message(),
        r#""foo" is not a known field selector: only "metadata.name", "metadata.namespace""#
    );
    assert!(names("a b", "").unwrap_err().is_bad_request());
}

#[test]
fn a_watch_follows_objects_into_and_out_of_its_selector() {
    let registry = registry();
    let maps = served(&registry, "configmaps");
    let selection = Selection::parse(&maps, "on=yes", "").unwrap();
    let start = registry.revision();
    let session = session(&registry);
    let mut watch = Watch::new(Arc::clone(&registry), &maps, "default", selection, start, session).unwrap();
    let mut map = create(&registry, "configmaps", config_map("a")).unwrap().object.clone();
    for value in ["yes", "yes!", "no"] {
        map.set_label("on", value.trim_end_matches('!'));
        map.set_annotation("step", value.replace('!', "2"));
        map.set_resource_version("");
        map = put(&registry, "configmaps", Part::Whole, &map).unwrap().object.clone();
    }
    create(&registry, "secrets", object(json!({"metadata": {"name": "s", "labels": {"on": "yes"}}})))
        .unwrap();
    let seen = watch.take(10).unwrap();
    let kinds: Vec<WatchEventType> = seen.iter().map(|item| item.kind.clone()).collect();
    assert_eq!(kinds, [WatchEventType::Added, WatchEventType::Modified, WatchEventType::Deleted]);
    assert_eq!(seen[2].object.object.label("on"), Some("yes"));
    assert_eq!(seen[2].object.object.resource_version(), map.resource_version());
    assert_eq!(watch.cursor(), registry.revision());
    assert!(watch.take(10).unwrap().is_empty());
    create(&registry, "configmaps", config_map("b")).unwrap();
    registry.compact();
    assert!(watch.take(10).is_err());
}

#[test]
fn dependents_are_deleted_after_their_owner_in_the_background() {
    let registry = registry();
    let owner = create(&registry, "configmaps", config_map("owner")).unwrap();
    create(&registry, "configmaps", owned("child", &owner.object, false)).unwrap();
    let child = registry.get(&served(&registry, "configmaps"), "default", "child").unwrap();
    create(&registry, "configmaps", owned("grandchild", &child.stored.object, false)).unwrap();
    collect(&registry);
    assert!(exists(&registry, "configmaps", "grandchild"));
    delete(&registry, "configmaps", "owner", &DeleteOptions::EMPTY).unwrap();
    assert!(exists(&registry, "configmaps", "child"));
    collect(&registry);
    assert!(!exists(&registry, "configmaps", "child") && !exists(&registry, "configmaps", "grandchild"));
    create(&registry, "configmaps", owned("late", &owner.object, false)).unwrap();
    collect(&registry);
    assert!(!exists(&registry, "configmaps", "late"));
}

#[test]
fn dependents_are_orphaned_on_request() {
    let registry = registry();
    let owner = create(&registry, "configmaps", config_map("owner")).unwrap();
    create(&registry, "configmaps", owned("child", &owner.object, true)).unwrap();
    assert!(!delete(&registry, "configmaps", "owner", &policy("Orphan")).unwrap().gone);
    collect(&registry);
    assert!(!exists(&registry, "configmaps", "owner"));
    let child = registry.get(&served(&registry, "configmaps"), "default", "child").unwrap();
    assert_eq!(child.stored.object.owner_references().count(), 0);
}

#[test]
fn an_owner_in_the_foreground_waits_for_the_dependents_that_block_it() {
    let registry = registry();
    let owner = create(&registry, "configmaps", config_map("owner")).unwrap();
    create(&registry, "configmaps", owned("free", &owner.object, false)).unwrap();
    let mut held = owned("held", &owner.object, true);
    held.set_finalizers(["x/y"]);
    create(&registry, "configmaps", held).unwrap();
    let going = delete(&registry, "configmaps", "owner", &policy("Foreground")).unwrap();
    assert_eq!(going.object.object.finalizers().collect::<Vec<_>>(), ["foregroundDeletion"]);
    collect(&registry);
    assert!(!exists(&registry, "configmaps", "free"));
    assert!(exists(&registry, "configmaps", "owner") && exists(&registry, "configmaps", "held"));
    let mut held =
        registry.get(&served(&registry, "configmaps"), "default", "held").unwrap().stored.object.clone();
    assert!(held.is_being_deleted());
    held.set_finalizers::<&str>([]);
    put(&registry, "configmaps", Part::Whole, &held).unwrap();
    collect(&registry);
    assert!(!exists(&registry, "configmaps", "owner"));
}

#[test]
fn an_object_with_another_owner_stays_without_the_reference_to_the_deleted_one() {
    let registry = registry();
    let one = create(&registry, "configmaps", config_map("one")).unwrap();
    let two = create(&registry, "configmaps", config_map("two")).unwrap();
    let mut child = owned("child", &one.object, false);
    let other = owned("child", &two.object, false);
    let both: Vec<_> = [child.clone(), other].to_vec();
    child.set_owner_references(both.iter().flat_map(client_rs_machinery::Unstructured::owner_references));
    create(&registry, "configmaps", child).unwrap();
    delete(&registry, "configmaps", "one", &DeleteOptions::EMPTY).unwrap();
    collect(&registry);
    let child = registry.get(&served(&registry, "configmaps"), "default", "child").unwrap();
    let owners: Vec<&str> = child.stored.object.owner_references().map(|owner| owner.name).collect();
    assert_eq!(owners, ["two"]);
}

#[test]
fn a_namespace_is_removed_after_its_content() {
    let registry = registry();
    let namespaces = served(&registry, "namespaces");
    create(&registry, "namespaces", Unstructured::new("v1", "Namespace", "n")).unwrap();
    let map = |finalizer: &[&str]| {
        let mut map = config_map(if finalizer.is_empty() { "plain" } else { "held" });
        map.set_namespace("n");
        map.set_finalizers(finalizer.iter().copied());
        map
    };
    create(&registry, "configmaps", map(&[])).unwrap();
    create(&registry, "configmaps", map(&["x/y"])).unwrap();
    let going = registry.delete(&namespaces, "", "n", &DeleteOptions::EMPTY, None).unwrap();
    assert_eq!(going.object.object.nested_str(&["status", "phase"]).unwrap(), Some("Terminating"));
    let mut late = map(&[]);
    late.set_name("late");
    let error = create(&registry, "configmaps", late).unwrap_err();
    assert_eq!(
        error.message(),
        r#"configmaps "late" is forbidden: unable to create new content in namespace n because it is being terminated"#
    );
    assert!(error.has_cause(&CauseType::NamespaceTerminating));
    collect(&registry);
    let maps = served(&registry, "configmaps");
    assert!(registry.get(&maps, "n", "plain").is_err());
    assert!(registry.get(&namespaces, "", "n").is_ok());
    let mut held = registry.get(&maps, "n", "held").unwrap().stored.object.clone();
    held.set_finalizers::<&str>([]);
    put(&registry, "configmaps", Part::Whole, &held).unwrap();
    collect(&registry);
    assert!(registry.get(&namespaces, "", "n").is_err());
    let error = registry.delete(&namespaces, "", "default", &DeleteOptions::EMPTY, None).unwrap_err();
    assert_eq!(error.message(), r#"namespaces "default" is forbidden: this namespace may not be deleted"#);
}

#[test]
fn a_collection_is_deleted_by_its_selector() {
    let registry = registry();
    let at = served(&registry, "configmaps");
    for (name, on) in [("a", "yes"), ("b", "no"), ("c", "yes")] {
        let mut map = config_map(name);
        map.set_label("on", on);
        create(&registry, "configmaps", map).unwrap();
    }
    let selection = Selection::parse(&at, "on=yes", "").unwrap();
    let request = ListRequest::all("default", &selection);
    let deleted =
        registry.delete_collection(&at, &request, &DeleteOptions::EMPTY, &*session(&registry)).unwrap();
    assert_eq!(deleted.items.len(), 2);
    assert!(exists(&registry, "configmaps", "b") && !exists(&registry, "configmaps", "a"));
}

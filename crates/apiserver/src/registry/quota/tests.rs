use std::sync::atomic::{AtomicUsize, Ordering};

use client_rs_machinery::json;
use client_rs_machinery::meta::v1::DeleteOptions;

use super::*;
use crate::controllers::Controllers;
use crate::registry::{Part, Precondition, RegistryOptions, WriteOptions};

/// A registry with a quota in the namespace `default`, and the controllers that follow it.
struct Cluster {
    registry: Arc<Registry>,
    controllers: Arc<Controllers>,
}

impl Cluster {
    fn with_quota(hard: Json) -> Self {
        let options = RegistryOptions { history: 1000, collects: true, ..RegistryOptions::PLAIN };
        let registry = Arc::new(Registry::new(options, &[]));
        let cluster = Self { controllers: Controllers::attach(&registry, Arc::default()), registry };
        let quota = json!({"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q"}, "spec": {"hard": hard}});
        cluster.create("resourcequotas", quota, false).unwrap();
        cluster.settle();
        cluster
    }

    fn served(&self, plural: &str) -> Arc<Served> {
        self.registry.catalog().find("", "v1", plural).unwrap()
    }

    fn create(&self, plural: &str, object: Json, dry_run: bool) -> Result<Arc<Stored>, ApiError> {
        let options = WriteOptions { dry_run, ..WriteOptions::default() };
        let object = Unstructured::try_from(object).unwrap();
        self.registry.create(&self.served(plural), "default", object, options)
    }

    fn secret(&self, name: &str, dry_run: bool) -> Result<Arc<Stored>, ApiError> {
        let secret = json!({"apiVersion": "v1", "kind": "Secret", "metadata": {"name": name}});
        self.create("secrets", secret, dry_run)
    }

    /// Runs the controllers until they have nothing to do.
    fn settle(&self) {
        while self.controllers.step(&self.registry) {}
    }

    fn used(&self) -> Json {
        let found = self.registry.get(&self.served("resourcequotas"), "default", "q").unwrap();
        at(&found.stored.object, "status")["used"].clone()
    }
}

#[test]
fn concurrent_creates_do_not_exceed_a_quota() {
    let cluster = Cluster::with_quota(json!({"secrets": "25"}));
    let created = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (cluster, created) = (&cluster, &created);
            scope.spawn(move || {
                for number in 0..10 {
                    match cluster.secret(&format!("s-{thread}-{number}"), false) {
                        Ok(_) => _ = created.fetch_add(1, Ordering::Relaxed),
                        Err(error) => assert!(error.is_forbidden(), "{error}"),
                    }
                }
            });
        }
    });
    assert_eq!(created.load(Ordering::Relaxed), 25);
    assert_eq!(cluster.used(), json!({"secrets": "25"}));
    cluster.settle();
    assert_eq!(cluster.used(), json!({"secrets": "25"}));
}

#[test]
fn only_stored_objects_are_charged() {
    let cluster = Cluster::with_quota(json!({"secrets": "1", "count/secrets": "9"}));
    assert_eq!(cluster.used(), json!({"secrets": "0", "count/secrets": "0"}));
    cluster.secret("a", true).unwrap();
    assert_eq!(cluster.used(), json!({"secrets": "0", "count/secrets": "0"}));
    let first = cluster.secret("a", false).unwrap();
    assert_eq!(cluster.used(), json!({"secrets": "1", "count/secrets": "1"}));
    // The charge and the object are two revisions, one after the other.
    let quota = cluster.registry.get(&cluster.served("resourcequotas"), "default", "q").unwrap();
    assert_eq!(first.object.resource_version(), (quota.revision + 1).to_string());
    for dry_run in [true, false] {
        let why = cluster.secret("b", dry_run).unwrap_err();
        assert_eq!(
            why.message(),
            "secrets \"b\" is forbidden: exceeded quota: q, requested: secrets=1, used: secrets=1, limited: secrets=1"
        );
    }
    let secrets = cluster.served("secrets");
    cluster.registry.delete(&secrets, "default", "a", &DeleteOptions::EMPTY, None).unwrap();
    cluster.settle();
    assert_eq!(cluster.used(), json!({"secrets": "0", "count/secrets": "0"}));
    cluster.secret("b", false).unwrap();
}

#[test]
fn a_name_that_is_taken_is_not_charged() {
    let cluster = Cluster::with_quota(json!({"secrets": "2"}));
    cluster.secret("a", false).unwrap();
    assert!(cluster.secret("a", false).unwrap_err().is_already_exists());
    assert_eq!(cluster.used(), json!({"secrets": "1"}));
}

#[test]
fn an_update_is_charged_for_what_it_adds() {
    let cluster = Cluster::with_quota(json!({"services": "2", "services.nodeports": "1"}));
    let service = json!({
        "apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"},
        "spec": {"ports": [{"name": "a", "port": 1}, {"name": "b", "port": 2}], "type": "ClusterIP"},
    });
    let created = cluster.create("services", service, false).unwrap();
    let change = |ports: usize| {
        let mut new = created.object.clone();
        let mut make = |stored: Option<&Stored>| {
            let all = [json!({"name": "a", "port": 1}), json!({"name": "b", "port": 2})];
            drop(new.set_nested(&["spec", "ports"], Json::from(all[..ports].to_vec())));
            drop(new.set_nested(&["spec", "type"], "NodePort"));
            new.set_resource_version(
                stored.map(|stored| stored.object.resource_version()).unwrap_or_default(),
            );
            Ok(new.clone())
        };
        let (served, options) = (cluster.served("services"), WriteOptions::default());
        cluster.registry.update(&served, "default", "s", Part::Whole, Precondition::None, options, &mut make)
    };
    let why = change(2).unwrap_err();
    assert_eq!(
        why.message(),
        "services \"s\" is forbidden: exceeded quota: q, requested: services.nodeports=2, used: services.nodeports=0, \
         limited: services.nodeports=1"
    );
    change(1).unwrap();
    assert_eq!(cluster.used(), json!({"services": "1", "services.nodeports": "1"}));
}

#[test]
fn a_quota_without_a_status_limits_nothing_and_one_without_usage_everything() {
    let cluster = Cluster::with_quota(json!({"secrets": "1"}));
    let (served, options) = (cluster.served("resourcequotas"), WriteOptions::default());
    let set = |status: Json| {
        let mut make = |stored: Option<&Stored>| {
            let mut quota = stored.map(|stored| stored.object.clone()).unwrap_or_default();
            quota.object.insert("status", status.clone());
            Ok(quota)
        };
        let registry = &cluster.registry;
        registry
            .update(&served, "default", "q", Part::Status, Precondition::None, options, &mut make)
            .unwrap();
    };
    set(json!({}));
    cluster.secret("a", true).unwrap();
    set(json!({"hard": {"secrets": "1"}}));
    assert_eq!(
        cluster.secret("a", true).unwrap_err().message(),
        "secrets \"a\" is forbidden: status unknown for quota: q, resources: secrets"
    );
    cluster.settle();
    cluster.secret("a", true).unwrap();
}

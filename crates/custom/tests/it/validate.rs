//! `Validate` returns what a server returns for the same object.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::collections::BTreeMap;

use client_rs_apiserver::{Server, ServerOptions};
use client_rs_client::Api;
use client_rs_custom::machinery::{ApiError, Object};
use client_rs_custom::{CustomResource, Schema, Validate, crds};
use serde::{Deserialize, Serialize};

#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
#[resource(group = "fleet.example.com", version = "v1", kind = "Fleet", namespaced, status = FleetStatus)]
#[resource(scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.replicas"))]
#[resource(rule(
    expression = "!has(self.status) || self.status.replicas <= 5",
    message = "at most five run"
))]
#[resource(crate = client_rs_custom, derive(PartialEq))]
#[schema(crate = client_rs_custom, rule(expression = "self.minSize <= self.maxSize", message = "min above max"))]
#[derive(PartialEq)]
struct FleetSpec {
    #[schema(minimum = 0)]
    min_size: i32,
    max_size: i32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(default = 3)]
    replicas: Option<i32>,
    #[schema(
        max_length = 20,
        pattern = "^[a-z]+$",
        rule(expression = "self == oldSelf", message = "class is immutable")
    )]
    class: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 4, list_type = "set", items(max_length = 10))]
    zones: Vec<String>,
}

#[derive(Schema, Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
#[schema(crate = client_rs_custom)]
struct FleetStatus {
    #[serde(default)]
    #[schema(minimum = 0)]
    replicas: i32,
}

/// A rule that no server accepts: it refers to a field that does not exist.
#[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
#[resource(group = "fleet.example.com", version = "v1", kind = "Wreck", crate = client_rs_custom)]
#[schema(crate = client_rs_custom, rule(expression = "self.anchor == 'x'", message = "m"))]
struct WreckSpec {
    #[schema(max_length = 5)]
    name: String,
}

fn spec() -> FleetSpec {
    FleetSpec { min_size: 1, max_size: 3, replicas: None, class: "small".to_owned(), zones: Vec::new() }
}

fn fleet(change: impl FnOnce(&mut FleetSpec)) -> Fleet {
    let mut spec = spec();
    change(&mut spec);
    Fleet::new("north", spec)
}

fn message(result: Result<impl Sized, ApiError>) -> Result<(), String> {
    result.map(|_| ()).map_err(|error| {
        assert!(error.is_invalid(), "{error}");
        error.message().to_owned()
    })
}

async fn installed() -> (Server, Api<Fleet>) {
    let server = Server::start_with(ServerOptions::default().with_listen(None)).await.unwrap();
    let rest = server.rest_client().unwrap();
    crds::apply(&rest, [Fleet::crd()]).await.unwrap();
    let fleets = Api::<Fleet>::namespaced(&rest, "default");
    (server, fleets)
}

/// New objects: each is valid or invalid here exactly as on the server, with the same message.
#[tokio::test]
async fn a_create_has_the_result_of_the_server() {
    let (_server, fleets) = installed().await;
    let mut labelled = fleet(|_| ());
    labelled.metadata.labels.insert("tier", "not a value".into());
    let mut with_status = fleet(|_| ());
    with_status.status = Some(FleetStatus { replicas: -1 });
    let cases: BTreeMap<&str, Fleet> = [
        ("valid", fleet(|_| ())),
        ("below the minimum", fleet(|spec| spec.min_size = -1)),
        ("a rule over two fields", fleet(|spec| spec.min_size = 9)),
        ("a pattern", fleet(|spec| spec.class = "Large".to_owned())),
        ("too long, which stops the rules", fleet(|spec| spec.class = "x".repeat(30))),
        ("twice in a set", fleet(|spec| spec.zones = vec!["a".to_owned(), "a".to_owned()])),
        ("too many", fleet(|spec| spec.zones = ["a", "b", "c", "d", "e"].map(str::to_owned).into())),
        ("negative replicas", fleet(|spec| spec.replicas = Some(-1))),
        ("several errors", fleet(|spec| (spec.min_size, spec.class) = (-5, "?".to_owned()))),
        ("a label", labelled),
        ("a status, which a create ignores", with_status),
    ]
    .into();
    let mut valid = 0;
    for (case, object) in cases {
        let here = message(object.validate());
        let there = fleets.create(object.clone()).await;
        if there.is_ok() {
            fleets.delete("north").await.unwrap();
            valid += 1;
        }
        let there = there.map_err(|error| ApiError::find(&error).unwrap().clone());
        assert_eq!(here, message(there), "{case}");
    }
    assert_eq!(valid, 2);
}

/// Changes: `oldSelf`, and errors that the old object has already.
#[tokio::test]
async fn an_update_has_the_result_of_the_server() {
    type Case = (&'static str, fn(&mut Fleet));
    let (_server, fleets) = installed().await;
    let old = fleets.create(fleet(|_| ())).await.unwrap();
    let cases: [Case; 5] = [
        ("no change", |_| ()),
        ("a valid change", |fleet| fleet.spec.max_size = 7),
        ("an immutable field", |fleet| fleet.spec.class = "big".to_owned()),
        ("a status, which an update ignores", |fleet| fleet.status = Some(FleetStatus { replicas: 99 })),
        ("a rule over two fields", |fleet| fleet.spec.min_size = 100),
    ];
    for (case, change) in cases {
        let mut new = old.clone();
        change(&mut new);
        let here = message(new.validate_update(&old));
        let there = fleets.update(new).dry_run().await;
        let there = there.map_err(|error| ApiError::find(&error).unwrap().clone());
        assert_eq!(here, message(there), "{case}");
    }
    for (replicas, case) in [(5, "valid"), (6, "a rule of the whole object"), (-1, "below the minimum")] {
        let mut new = old.clone();
        new.status = Some(FleetStatus { replicas });
        new.spec.min_size = 1_000; // Ignored: only the status counts.
        let here = message(new.validate_status(&old));
        assert_eq!(here.is_ok(), replicas == 5, "{case}: {here:?}");
        let there = fleets.update_status(new).dry_run().await;
        let there = there.map_err(|error| ApiError::find(&error).unwrap().clone());
        assert_eq!(here, message(there), "{case}");
    }
}

#[test]
fn an_unchanged_error_of_the_old_object_is_ignored() {
    // As if a rule had become stricter after the object was stored.
    let old = fleet(|spec| spec.min_size = -1);
    let mut new = old.clone();
    new.spec.max_size = 9;
    assert_eq!(message(new.validate_update(&old)), Ok(()));
    new.spec.min_size = -2;
    assert!(new.validate_update(&old).is_err());
}

#[test]
fn defaults_are_those_of_the_schema() {
    let object = fleet(|_| ()).with_defaults().unwrap();
    assert_eq!((object.spec.replicas, object.name()), (Some(3), "north"));
    assert_eq!(fleet(|spec| spec.replicas = Some(8)).with_defaults().unwrap().spec.replicas, Some(8));
}

#[test]
fn definitions_are_checked_before_a_server_sees_them() {
    assert_eq!(message(Fleet::validate_definition()), Ok(()));
    let error = message(Wreck::validate_definition()).unwrap_err();
    assert!(
        error.contains("wrecks.fleet.example.com") && error.contains("undefined field 'anchor'"),
        "{error}"
    );
}

//! Every attribute of the derive macros, seen through a server.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use client_rs::custom::crds;
use client_rs_api::apiextensions::v1::CustomResourceDefinition;
use client_rs_client::api::FieldValidation;
use client_rs_client::wait::conditions;
use client_rs_client::warning::WarningHandler;
use client_rs_client::{Api, DynamicClient, Request};
use client_rs_machinery::patch::Patch;
use client_rs_machinery::{Json, Object, Resource, Unstructured, json};
use client_rs_tests::{Stage, eventually};

use super::gadget::{self, Color, Gadget, Mode, Part, gadget, older};

/// Keeps what a server warns of.
#[derive(Debug, Default)]
struct Heard(Mutex<Vec<String>>);

impl WarningHandler for Heard {
    fn handle(&self, _: u16, _: &str, text: &str) {
        self.0.lock().unwrap().push(text.to_owned());
    }
}

pub(super) async fn accepted(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    let api = Api::<CustomResourceDefinition>::cluster(&rest);
    let heard = Arc::new(Heard::default());
    let handler: Arc<dyn WarningHandler> = heard.clone();
    let create = api.create(Gadget::crd()).field_validation(FieldValidation::Strict);
    create.map_request(|request| request.warnings(handler)).await?;
    let name = Gadget::crd().metadata.name;
    let made = api.wait_for(&name, conditions::crd_established(), Duration::from_mins(1)).await?;
    let made = made.context("a definition")?;
    let warnings = heard.0.lock().unwrap().clone();
    ensure!(warnings.is_empty(), "{warnings:?}");
    for condition in &made.status.conditions {
        ensure!(condition.type_ != "NonStructuralSchema", "{condition:?}");
    }
    // The server stores the schema unchanged.
    ensure!(made.spec.versions[0].schema == Gadget::crd().spec.versions[0].schema, "the schema was changed");
    ensure!(made.spec.names == Gadget::crd().spec.names, "{:?}", made.spec.names);
    let client = DynamicClient::from_rest(rest.clone());
    let found = eventually("the short name", || async {
        client.mapper().reset();
        Ok(client.find("gdg").await?)
    })
    .await?;
    ensure!(*found.resource() == Gadget::gvr(), "{found:?}");
    let mapper = client.mapper().mapper().await?;
    ensure!(!mapper.category("gizmos").is_empty(), "not in its category");
    gadget::remove(&rest, &Gadget::crd()).await
}

pub(super) async fn behave(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    gadget::install(&rest).await?;
    let namespace = stage.namespace().await?;
    let api = Api::<Gadget>::namespaced(&rest, namespace.as_str());

    // Defaults are the server's, so a manifest that leaves them out is enough.
    let client = DynamicClient::from_rest(rest.clone());
    let mut plain = Unstructured::new(Gadget::gvk().group_version().to_string(), "Gadget", "plain");
    plain.object.insert("spec", json!({"low": 1}));
    let made = client.resource(Gadget::gvr()).namespace(&namespace).create(plain).await?;
    let filled = json!({"low": 1, "high": 10, "replicas": 2, "color": "Red"});
    ensure!(made.object["spec"] == filled, "{:?}", made.object["spec"]);

    let mut full = gadget("full");
    full.spec.color = Color::Blue;
    full.spec.limit = Some("1500m".parse()?);
    full.spec.port = Some(80.into());
    full.spec.parts = vec![Part { name: "a".to_owned(), size: 1 }];
    full.spec.mode = Some(Mode::On { level: 3 });
    full.spec.free = Some(json!({"any": [1, "x"]}));
    let made = api.create(full.clone()).await?;
    ensure!(made.spec == full.spec, "{:?}", made.spec);

    let blue = api.list().field_selector("spec.color=Blue").await?;
    let names: Vec<&str> = blue.items.iter().map(Object::name).collect();
    ensure!(names == ["full"], "{names:?}");

    let columns = table(&rest, &namespace).await?;
    ensure!(columns == ["Name", "Color", "Replicas"], "{columns:?}");

    let mut scale = api.scale("full").get().await?;
    ensure!(scale.spec.replicas == 2, "{scale:?}");
    scale.spec.replicas = 5;
    api.scale("full").update(scale).await?;
    ensure!(api.get("full").await?.spec.replicas == 5, "it was not scaled");

    let mut with_status = api.get("full").await?;
    with_status.status = Some(gadget::GadgetStatus { replicas: 4, ..gadget::GadgetStatus::default() });
    with_status.spec.high = 99;
    let written = api.update_status(with_status).await?;
    ensure!(
        written.spec.high == 9 && written.status.context("a status")?.replicas == 4,
        "both or none were written"
    );

    // Lists that are maps merge by their keys.
    let part = |name: &str, size: i32| {
        let spec = json!({"low": 1, "high": 9, "parts": [{"name": name, "size": size}]});
        json!({"metadata": {"name": "applied"}, "spec": spec})
    };
    api.apply(part("p", 1), "one").await?;
    let both = api.apply(part("q", 2), "two").await?;
    ensure!(both.spec.parts.len() == 2, "{:?}", both.spec.parts);
    gadget::remove(&rest, &Gadget::crd()).await
}

/// The names of the columns that a table has.
async fn table(rest: &client_rs_client::RestClient, namespace: &str) -> Result<Vec<String>> {
    let accept = "application/json;as=Table;v=v1;g=meta.k8s.io";
    let request = Request::get().of::<Gadget>().namespace(namespace).header(http::header::ACCEPT, accept);
    let answer = Json::parse(&rest.send_raw(request).await?.body)?;
    let columns = answer["columnDefinitions"].as_list().context("columns")?;
    Ok(columns.iter().map(|column| column["name"].as_str().unwrap_or_default().to_owned()).collect())
}

pub(super) async fn refused(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    gadget::install(&rest).await?;
    let namespace = stage.namespace().await?;
    let api = Api::<Gadget>::namespaced(&rest, namespace.as_str());
    api.create(gadget("there")).await?;
    let cases = [
        (
            json!({"low": -1}),
            "spec.low: Invalid value: -1: spec.low in body should be greater than or equal to 0",
        ),
        (
            json!({"high": 1001}),
            "spec.high: Invalid value: 1001: spec.high in body should be less than or equal to 1000",
        ),
        (
            json!({"code": "LONGER"}),
            "[spec.code: Too long: may not be more than 5 bytes, <nil>: Invalid value: null: some validation rules were not \
             checked because the object was invalid; correct the existing errors to complete validation]",
        ),
        (
            json!({"code": "ABC"}),
            "spec.code: Invalid value: \"ABC\": spec.code in body should match '^[a-z]*$'",
        ),
        (
            json!({"color": "Green"}),
            "[spec.color: Unsupported value: \"Green\": supported values: \"Red\", \"Blue\", <nil>: Invalid value: null: some \
             validation rules were not checked because the object was invalid; correct the existing errors to complete \
             validation]",
        ),
        (json!({"tags": ["a", "a"]}), "spec.tags[1]: Duplicate value: \"a\""),
        (
            json!({"mode": {"type": "On"}}),
            "[<nil>: Invalid value: \"\": \"spec.mode\" must validate one and only one schema (oneOf). Found none valid, \
             spec.mode.type: Unsupported value: \"On\": supported values: \"Off\", <nil>: Invalid value: null: some validation \
             rules were not checked because the object was invalid; correct the existing errors to complete validation]",
        ),
        (json!({"low": 7, "high": 3}), "spec: Invalid value: low is above high"),
    ];
    let mut different = Vec::new();
    for (spec, expected) in &cases {
        let refused = api.patch("there", &Patch::Merge(json!({"spec": spec.clone()}))).await;
        let said = match refused {
            Ok(_) => "it was taken".to_owned(),
            Err(error) => error.api().map_or_else(|| error.to_string(), |error| error.message().to_owned()),
        };
        let expected = format!("Gadget.{} \"there\" is invalid: {expected}", Gadget::INFO.group);
        if said != expected {
            different.push(format!("{spec}:\n  said:     {said}\n  expected: {expected}"));
        }
    }
    gadget::remove(&rest, &Gadget::crd()).await?;
    ensure!(different.is_empty(), "{}", different.join("\n"));
    Ok(())
}

pub(super) async fn versions(stage: &Stage) -> Result<()> {
    let rest = stage.client()?;
    let merged = crds::merge([Gadget::crd(), older::Gadget::crd()], "v1")?;
    crds::apply(&rest, [merged.clone()]).await?;
    let namespace = stage.namespace().await?;
    let newer = Api::<Gadget>::namespaced(&rest, namespace.as_str());
    let old = Api::<older::Gadget>::namespaced(&rest, namespace.as_str());
    let heard = Arc::new(Heard::default());
    let handler: Arc<dyn WarningHandler> = heard.clone();
    let made = eventually("the older version", || async {
        let object = older::Gadget::new("a", older::GadgetSpec { low: 1, high: 2 });
        let handler = Arc::clone(&handler);
        Ok(old.create(object).map_request(|request| request.warnings(handler)).await?)
    })
    .await?;
    let warnings = heard.0.lock().unwrap().clone();
    ensure!(warnings.iter().any(|text| text == "v1beta1 is old"), "{warnings:?}");
    let same = newer.get("a").await?;
    ensure!(same.uid() == made.uid() && same.spec.high == 2, "{same:?}");
    gadget::remove(&rest, &merged).await
}

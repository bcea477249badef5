//! The `scale` subresource of workloads and custom resources.

use client_rs_machinery::managed_fields::{FieldPath, FieldSet, Managers, OwnedFields};
use client_rs_machinery::{ApiError, FieldError, FieldErrors, GroupKind, Json, Unstructured, json};
use http::Method;

use super::decode::Expected;
use super::objects::{check_name, encoding};
use super::reply::{Failure, Reply};
use super::{Api, Call, custom, encode, method_not_allowed, no_such_resource, not_implemented, patch};
use crate::object::label_selector;
use crate::registry::{
    Live, Operation, Part, Precondition, Served, Stored, Subject, WriteOptions, internal, typed,
};
use crate::request::Target;

impl Api {
    /// Handles `…/NAME/scale`.
    pub(super) fn scale(
        &self,
        served: &Served,
        target: &Target<'_>,
        call: &Call<'_>,
    ) -> Result<Reply, Failure> {
        let kind = self.scheme.find("autoscaling/v1", "Scale");
        let kind = kind.ok_or_else(|| not_implemented("scale without the autoscaling group"))?;
        let applies = call.method == Method::PATCH && patch::applies(call);
        let (options, validation, force) = if call.method == Method::PATCH {
            call.query.patch_options(applies)?
        } else {
            let (options, validation) = call.query.write_options("UpdateOptions")?;
            (options, validation, false)
        };
        let expected = Expected { scheme: &self.scheme, api_version: "autoscaling/v1", kind, validation };
        let manager = call.query.manager(call.user_agent);
        let ownership = self.ownership(served, "scale", call).of_scale(kind);
        // Webhooks review the scale, not the object that has it.
        let options = WriteOptions { admitted: true, ..call.asking(options) };
        let subject = Subject {
            served,
            kind: Some(("autoscaling/v1", "Scale")),
            operation: Operation::Update,
            namespace: target.namespace,
            dry_run: options.dry_run,
            options: None,
        };
        let custom = served.custom().and_then(|custom| custom.scale.as_ref());
        let of = |object: &Unstructured| match custom {
            Some(scale) => custom::scale_of(scale, object),
            None => of(served, object),
        };
        let mut warnings = Vec::new();
        let stored = match *call.method {
            Method::GET => {
                let stored = self.registry.get(served, target.namespace, target.name)?.stored;
                let object = &served.shown(&stored, Some(call.session))?.object;
                let missing = custom.and_then(|scale| custom::no_scale(scale, object));
                if let Some(error) = missing {
                    return Err(error.into());
                }
                stored
            }
            Method::PUT | Method::PATCH => {
                let mut make = |stored: Option<&Stored>| {
                    warnings.clear();
                    let object = &stored.ok_or_else(no_such_resource)?.object;
                    let owners = Owners::of(served, object)?;
                    let mut old = of(object);
                    owners.set_on(&mut old);
                    let old = Unstructured::try_from(old).map_err(|_| internal("no scale"))?;
                    let decoded = if call.method == Method::PUT {
                        expected.decode(encoding(call)?, &call.body)?
                    } else if applies {
                        let sent = patch::applied(call)?;
                        let object =
                            ownership.applied(Some(Live::Computed(&old)), &sent.object, &manager, force)?;
                        sent.check(validation, &mut warnings)?;
                        expected.patched(&object)?
                    } else {
                        let patch = patch::parse(call)?;
                        let patched = patch::apply(&patch, &Json::Map(old.object.clone()), kind)?;
                        expected.patched(&patched)?
                    };
                    check_name(&decoded.object, target.name)?;
                    warnings.extend(decoded.warnings);
                    let mut new = if applies {
                        decoded.object
                    } else {
                        ownership.updated(Some(Live::Computed(&old)), decoded.object, &manager)?
                    };
                    call.session.mutate(&subject, &mut new, Some(&old))?;
                    call.session.validate(&subject, &new, Some(&old))?;
                    let mut scaled = if let Some(scale) = custom {
                        custom::scaled(scale, object, &new)
                    } else {
                        check_replicas(&new)?;
                        applied(object, &new)
                    };
                    owners.give_back(&new, &mut scaled)?;
                    Ok(scaled)
                };
                let (namespace, name) = (target.namespace, target.name);
                let precondition = Precondition::None;
                self.registry
                    .update(served, namespace, name, Part::Whole, precondition, options, &mut make)?
                    .0
            }
            _ => return Err(method_not_allowed().into()),
        };
        let stored = served.shown(&stored, Some(call.session))?;
        let scale = Unstructured::try_from(of(&stored.object)).map_err(|_| internal("no scale"))?;
        let scale = typed(kind, &scale).map_err(ApiError::internal_error)?;
        Ok(Reply::new(200, call.form, encode::plain(call.form, &*scale)?).warned(warnings))
    }
}

/// The `Scale` of an object.
fn of(served: &Served, object: &Unstructured) -> Json {
    let meta = |key: &str| object.object.get("metadata").and_then(|meta| meta.get(key)).cloned();
    let replicas = |part: &str| object.nested_i64(&[part, "replicas"]).ok().flatten().unwrap_or(0);
    let selector = object.nested(&["spec", "selector"]).ok().flatten();
    let selector = selector.map(|selector| text(served, selector)).unwrap_or_default();
    let mut scale = json!({
        "kind": "Scale", "apiVersion": "autoscaling/v1",
        "metadata": {
            "name": object.name(), "namespace": object.namespace(), "uid": object.uid(),
            "resourceVersion": object.resource_version(), "creationTimestamp": meta("creationTimestamp"),
        },
        "spec": {"replicas": replicas("spec")},
        "status": {"replicas": replicas("status"), "selector": selector},
    });
    if replicas("spec") == 0 {
        scale.remove(&["spec", "replicas"]);
    }
    scale
}

/// Refuses a negative number of replicas. The definition of a custom resource has an error of its own.
fn check_replicas(scale: &Unstructured) -> Result<(), ApiError> {
    match scale.nested_i64(&["spec", "replicas"]) {
        Ok(Some(count @ ..0)) => {
            let why = "must be greater than or equal to 0";
            let errors = FieldErrors(vec![FieldError::invalid_json("spec.replicas", count.to_string(), why)]);
            Err(ApiError::invalid(&GroupKind::new("autoscaling", "Scale"), scale.name(), &errors))
        }
        _ => Ok(()),
    }
}

/// The object with the replicas of a `Scale`.
fn applied(object: &Unstructured, scale: &Unstructured) -> Unstructured {
    let mut scaled = object.clone();
    let replicas = scale.nested_i64(&["spec", "replicas"]).ok().flatten().unwrap_or(0);
    drop(scaled.set_nested(&["spec", "replicas"], replicas));
    scaled.set_resource_version(scale.resource_version());
    scaled
}

/// The field managers of a workload during a write of its scale. A manager owns the replicas in both or in neither.
struct Owners {
    api_version: String,
    managers: Managers,
}

/// The path of the managed fields.
const MANAGED_FIELDS: &[&str] = &["metadata", "managedFields"];

/// The path of the replicas, in a scale and in every object that has one.
fn replicas() -> FieldPath {
    FieldPath::of_fields(&["spec", "replicas"])
}

impl Owners {
    fn of(served: &Served, object: &Unstructured) -> Result<Self, ApiError> {
        Ok(Self { api_version: served.api_version(), managers: managers(object)? })
    }

    /// Sets the managers of the scale.
    fn set_on(&self, scale: &mut Json) {
        let path = replicas();
        let owners = self.managers.0.iter().filter(|(_, owned)| self.owns(owned));
        let owners = owners.map(|(id, owned)| {
            let api_version = "autoscaling/v1".into();
            (id.clone(), OwnedFields { fields: [&path].into_iter().collect(), api_version, time: owned.time })
        });
        if let Some(entries) = Managers(owners.collect()).to_json() {
            drop(scale.set(&["metadata", "managedFields"], entries));
        }
    }

    /// Sets the managers of the workload, with the changes from the scale.
    fn give_back(&self, scale: &Unstructured, object: &mut Unstructured) -> Result<(), ApiError> {
        let path = replicas();
        let only: FieldSet = [&path].into_iter().collect();
        let mut scale = managers(scale)?;
        let mut all = Managers::default();
        for (id, owned) in &self.managers.0 {
            if owned.api_version.as_str() != self.api_version {
                continue;
            }
            let mut owned = owned.clone();
            if self.owns(&owned) && scale.0.remove(id).is_none() {
                owned.fields = owned.fields.difference(&only);
            }
            if !owned.fields.is_empty() {
                all.0.insert(id.clone(), owned);
            }
        }
        for (id, owned) in scale.0 {
            if owned.fields.has(&path.0) {
                let api_version = self.api_version.as_str().into();
                let time = self.managers.0.get(&id).and_then(|owned| owned.time);
                all.0.insert(id, OwnedFields { fields: only.clone(), api_version, time });
            }
        }
        match all.to_json() {
            Some(entries) => drop(object.set_nested(MANAGED_FIELDS, entries)),
            None => drop(object.remove_nested(MANAGED_FIELDS)),
        }
        Ok(())
    }

    fn owns(&self, owned: &OwnedFields) -> bool {
        owned.api_version.as_str() == self.api_version && owned.fields.has(&replicas().0)
    }
}

fn managers(object: &Unstructured) -> Result<Managers, ApiError> {
    let entries = object.nested(&["metadata", "managedFields"]).ok().flatten().unwrap_or(&Json::Null);
    Managers::from_json(entries).map_err(ApiError::internal_error)
}

/// A selector as text.
fn text(served: &Served, selector: &Json) -> String {
    let plain = served.rules.plain_selector;
    let selector = if plain { &json!({"matchLabels": selector.clone()}) } else { selector };
    label_selector(selector).map(|selector| selector.to_string()).unwrap_or_default()
}

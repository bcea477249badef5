//! The steps of a stage: events, finalizers, deletion, patches.

use client_rs_client::manifest;
use client_rs_machinery::patch::{JsonPatch, Patch};
use client_rs_machinery::{Json, Map, json};

use super::fields::Fields;
use super::functions::Values;
use super::template::Template;

/// A change, or an event.
#[derive(Debug)]
pub(super) enum Step {
    Event { warning: bool, reason: String, message: String },
    Finalizers { add: Vec<String>, remove: Vec<String>, empty: bool },
    Delete,
    Patch { subresource: String, root: String, template: Template, form: Option<Form> },
}

/// The form of a patch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Json,
    Merge,
    Strategic,
}

/// The steps of `next`, in the order in which they are made.
pub(super) fn next(mut fields: Fields<'_>) -> Result<Vec<Step>, String> {
    let mut steps = first_steps(&mut fields)?;
    for one in fields.maps("patches")? {
        steps.push(patch(one)?);
    }
    let subresource = fields.text("statusSubresource").unwrap_or("status").to_owned();
    if let Some(text) = fields.text("statusTemplate").filter(|text| !text.trim().is_empty()) {
        let template = Template::parse(text)?;
        steps.push(Step::Patch { subresource, root: "status".to_owned(), template, form: None });
    }
    fields.end()?;
    Ok(steps)
}

/// The steps that come before patches.
fn first_steps(fields: &mut Fields<'_>) -> Result<Vec<Step>, String> {
    let mut steps = Vec::new();
    if fields.has("event") {
        steps.push(event(fields.map("event")?)?);
    }
    if fields.has("finalizers") {
        steps.push(finalizers(fields.map("finalizers")?)?);
    }
    if fields.flag("delete") {
        steps.push(Step::Delete);
    }
    Ok(steps)
}

pub(super) fn one_step(mut fields: Fields<'_>) -> Result<Vec<Step>, String> {
    let mut steps = first_steps(&mut fields)?;
    if fields.has("patch") {
        steps.push(patch(fields.map("patch")?)?);
    }
    fields.end()?;
    Ok(steps)
}

fn event(mut fields: Fields<'_>) -> Result<Step, String> {
    let mut text = |name: &str| fields.text(name).unwrap_or_default().to_owned();
    let step =
        Step::Event { warning: text("type") == "Warning", reason: text("reason"), message: text("message") };
    fields.end()?;
    Ok(step)
}

fn finalizers(mut fields: Fields<'_>) -> Result<Step, String> {
    let mut values = |name: &str| -> Result<Vec<String>, String> {
        let items = fields.maps(name)?.into_iter();
        items
            .map(|mut item| {
                let value = item.text("value").unwrap_or_default().to_owned();
                item.end().map(|()| value)
            })
            .collect()
    };
    let (add, remove) = (values("add")?, values("remove")?);
    let empty = fields.flag("empty");
    fields.end()?;
    Ok(Step::Finalizers { add, remove, empty })
}

fn patch(mut fields: Fields<'_>) -> Result<Step, String> {
    let template = Template::parse(fields.text("template").unwrap_or_default())?;
    let mut text = |name: &str| fields.text(name).unwrap_or_default().to_owned();
    let (subresource, root) = (text("subresource"), text("root"));
    let form = match text("type").as_str() {
        "" => None,
        "json" => Some(Form::Json),
        "merge" => Some(Form::Merge),
        "strategic" => Some(Form::Strategic),
        other => return Err(format!("the patch type {other:?} is not supported")),
    };
    fields.end()?;
    Ok(Step::Patch { subresource, root, template, form })
}

impl Step {
    /// The patch of a step for an object; `None` if the step is no patch, or changes nothing.
    pub(super) fn patch(&self, object: &Json, values: &dyn Values) -> Result<Option<Patch>, String> {
        match self {
            Self::Event { .. } | Self::Delete => Ok(None),
            Self::Finalizers { add, remove, empty } => {
                let before: Vec<&str> = object
                    .path(&["metadata", "finalizers"])
                    .and_then(Json::as_list)
                    .into_iter()
                    .flat_map(|list| list.iter())
                    .filter_map(Json::as_str)
                    .collect();
                let kept =
                    before.iter().copied().filter(|name| !empty && !remove.iter().any(|one| one == name));
                let mut after: Vec<&str> = kept.collect();
                for name in add {
                    if !after.contains(&name.as_str()) {
                        after.push(name);
                    }
                }
                let after: Vec<Json> = after.into_iter().map(Json::from).collect();
                let same = after.len() == before.len()
                    && after.iter().zip(&before).all(|(a, b)| a.as_str() == Some(b));
                Ok((!same).then(|| Patch::Merge(json!({"metadata": {"finalizers": after}}))))
            }
            Self::Patch { root, template, form, .. } => {
                let text = template.render(object, values)?;
                let document = parsed(&text)?;
                let kind = object.get("kind").and_then(Json::as_str).unwrap_or_default();
                let core = object.get("apiVersion").and_then(Json::as_str) == Some("v1");
                // As KWOK does: pods and nodes are merged by their types.
                let form = form.unwrap_or(if core && ["Pod", "Node"].contains(&kind) {
                    Form::Strategic
                } else {
                    Form::Merge
                });
                if form == Form::Json {
                    return json_patch(document, root).map(Some);
                }
                let document = if root.is_empty() {
                    document
                } else {
                    let mut map = Map::default();
                    map.insert(root.as_str(), document);
                    Json::Map(map)
                };
                Ok(Some(if form == Form::Merge {
                    Patch::Merge(document)
                } else {
                    Patch::Strategic(document)
                }))
            }
        }
    }
}

/// A JSON patch whose paths are below a field.
fn json_patch(mut document: Json, root: &str) -> Result<Patch, String> {
    if !root.is_empty() {
        for operation in document.as_list_mut().into_iter().flat_map(|list| list.iter_mut()) {
            let path = operation.get("path").and_then(Json::as_str).unwrap_or_default();
            let path = format!("/{root}{path}");
            operation.set(&["path"], path).map_err(|_| "an operation of a JSON patch is not an object")?;
        }
    }
    JsonPatch::from_json(&document).map(Patch::Json).map_err(|error| error.to_string())
}

/// The value that a rendered text is. The reader of manifests wants an object, so it is read as a field of one.
fn parsed(text: &str) -> Result<Json, String> {
    let mut manifest = "apiVersion: v1\nkind: Value\nvalue:\n".to_owned();
    for line in text.lines() {
        manifest.push_str("  ");
        manifest.push_str(line);
        manifest.push('\n');
    }
    let read = manifest::read(&manifest).map_err(|error| format!("{error}, in\n{text}"))?;
    let object = read.into_iter().next().map(|read| read.object);
    Ok(object.and_then(|object| object.object.get("value").cloned()).unwrap_or_default())
}

//! Objects in the forms that are for programs.

use std::io::Write;

use anyhow::Result;
use client_rs_client::manifest;
use client_rs_machinery::{Json, Unstructured, json};

use super::tabs::{self, Widths};
use super::{Format, Output, json as json_text};

/// Options for printing an object.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ObjectOptions {
    pub(crate) no_headers: bool,
    pub(crate) show_managed_fields: bool,
}

/// One object, as itself.
pub(crate) fn print_one(
    object: &Unstructured,
    format: &Format,
    options: ObjectOptions,
    out: &mut Output<'_>,
) -> Result<()> {
    print(&Json::from(object), std::slice::from_ref(object), format, options, out)
}

/// Objects, as a list.
pub(crate) fn print_list(
    objects: &[Unstructured],
    format: &Format,
    options: ObjectOptions,
    out: &mut Output<'_>,
) -> Result<()> {
    let keep = options.show_managed_fields || !matches!(format, Format::Json | Format::Yaml);
    let items: Vec<Json> =
        objects.iter().map(|object| without_managed_fields(Json::from(object), keep)).collect();
    let list =
        json!({"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "items": items});
    print(&list, objects, format, options, out)
}

/// `pod/web`, `deployment.apps/web`.
pub(crate) fn name_of(object: &Unstructured) -> String {
    let group = object.api_version().split_once('/').map_or("", |(group, _)| group);
    let dot = if group.is_empty() { "" } else { "." };
    format!("{}{dot}{group}/{}", object.kind().to_lowercase(), object.name())
}

fn print(
    whole: &Json,
    objects: &[Unstructured],
    format: &Format,
    options: ObjectOptions,
    out: &mut Output<'_>,
) -> Result<()> {
    match format {
        Format::Json => {
            let whole = without_managed_fields(whole.clone(), options.show_managed_fields);
            write!(out.raw(), "{}", json_text::pretty(&whole))?;
        }
        Format::Yaml => {
            let whole = without_managed_fields(whole.clone(), options.show_managed_fields);
            write!(out.raw(), "{}", manifest::to_yaml(&whole))?;
        }
        Format::Name | Format::Table { .. } => {
            for object in objects {
                writeln!(out, "{}", name_of(object))?;
            }
        }
        Format::JsonPath(path) => write!(out.raw(), "{}", path.render(whole)?)?,
        Format::CustomColumns(columns) => {
            let mut lines = Vec::new();
            if !options.no_headers {
                lines.push(columns.headers());
            }
            for object in objects {
                lines.push(columns.row(&Json::from(object))?);
            }
            write!(out, "{}", tabs::align(&lines, Widths::TABLE, None))?;
        }
    }
    Ok(())
}

fn without_managed_fields(mut object: Json, keep: bool) -> Json {
    if !keep {
        object.remove(&["metadata", "managedFields"]);
    }
    object
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(name: &str) -> Unstructured {
        let object = json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": name, "managedFields": [{"manager": "m"}]},
        });
        object.try_into().unwrap()
    }

    fn printed(format: &str, one: bool) -> String {
        let format = Format::parse(Some(format)).unwrap();
        let mut bytes = Vec::new();
        let mut out = Output::new(&mut bytes);
        if one {
            print_one(&object("a"), &format, ObjectOptions::default(), &mut out).unwrap();
        } else {
            print_list(&[object("a"), object("b")], &format, ObjectOptions::default(), &mut out).unwrap();
        }
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn every_form() {
        assert_eq!(printed("yaml", true), "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: a\n");
        let list = "apiVersion: v1\nitems:\n- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: a\n- apiVersion: \
                    apps/v1\n  kind: Deployment\n  metadata:\n    name: b\nkind: List\nmetadata:\n  resourceVersion: \"\"\n";
        assert_eq!(printed("yaml", false), list);
        assert!(printed("json", true).starts_with("{\n    \"apiVersion\": \"apps/v1\",\n"));
        assert_eq!(printed("name", false), "deployment.apps/a\ndeployment.apps/b\n");
        assert_eq!(printed("jsonpath={.items[*].metadata.name}", false), "a b");
        assert_eq!(printed("jsonpath={.metadata.managedFields[0].manager}", true), "m");
        assert_eq!(
            printed("custom-columns=NAME:.metadata.name,K:kind", false),
            "NAME   K\na      Deployment\nb      Deployment\n"
        );
    }
}

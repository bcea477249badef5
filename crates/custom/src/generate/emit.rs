//! Writes types as Rust code.

use std::fmt::Write as _;

use crate::generate::GenerateOptions;
use crate::generate::docs;
use crate::generate::names;
use crate::generate::types::{Kind, Struct};

pub(crate) fn header(options: &GenerateOptions) -> String {
    let accessors = if options.accessors {
        let krate = &options.crate_path;
        format!("use {krate}::client::api::Within;\nuse {krate}::client::{{Api, RestClient}};\n\n")
    } else {
        String::new()
    };
    format!("// Made by `krs generate`: change the definition, not this.\n\n{accessors}")
}

pub(crate) fn module(kind: &Kind, options: &GenerateOptions) -> String {
    let krate = &options.crate_path;
    let mut out = String::new();
    let (module, api) = (&kind.module, format!("{}/{}", kind.group, kind.version));
    let _ = writeln!(out, "/// `{}` of `{api}`.", kind.kind);
    let _ =
        writeln!(out, "#[allow(unused_imports, missing_docs, clippy::all, clippy::pedantic, rustdoc::all)]");
    let _ = writeln!(out, "pub mod {module} {{");
    let _ = writeln!(out, "    use std::collections::BTreeMap;\n");
    let _ = writeln!(out, "    use {krate}::machinery::meta::v1::Condition;");
    let _ = writeln!(out, "    use {krate}::machinery::{{IntOrString, Json, Quantity, Time}};");
    let apply = if options.apply { "Apply, " } else { "" };
    let _ = writeln!(out, "    use {krate}::{{{apply}CustomResource, Schema}};");
    let _ = writeln!(out, "    use serde::{{Deserialize, Serialize}};");
    for (at, one) in kind.structs.iter().enumerate() {
        out.push('\n');
        docs::write(&mut out, &one.description, &[], "    ");
        if at == 0 {
            let _ = writeln!(
                out,
                "    #[derive(CustomResource, Schema, {apply}Clone, Debug, Default, Deserialize, PartialEq, Serialize)]"
            );
            let _ = writeln!(out, "    #[serde(rename_all = \"camelCase\")]");
            resource(&mut out, kind, krate);
        } else {
            let _ = writeln!(
                out,
                "    #[derive(Schema, {apply}Clone, Debug, Default, Deserialize, PartialEq, Serialize)]"
            );
            let _ = writeln!(out, "    #[serde(rename_all = \"camelCase\")]");
        }
        if krate != "client_rs" {
            let _ = writeln!(out, "    #[schema(crate = {krate}::custom)]");
        }
        structure(&mut out, one);
    }
    out.push_str("}\n\n");
    out
}

fn resource(out: &mut String, kind: &Kind, krate: &str) {
    let mut words = vec![
        format!("group = {:?}", kind.group),
        format!("version = {:?}", kind.version),
        format!("kind = {:?}", kind.kind),
        format!("plural = {:?}", kind.plural),
        format!("singular = {:?}", kind.singular),
        "derive(PartialEq, Default)".to_owned(),
    ];
    let description = docs::plain(&kind.description);
    if !description.is_empty() {
        words.push(format!("description = {description:?}"));
    }
    if kind.root != kind.kind {
        words.push(format!("root = {}", kind.root));
    }
    if kind.namespaced {
        words.push("namespaced".to_owned());
    }
    if kind.has_status {
        words.push(format!("status = {}Status", kind.root));
        if !kind.status_subresource {
            words.push("status_subresource = false".to_owned());
        }
    }
    if kind.has_extra {
        words.push(format!("extra = {}Extra", kind.root));
    }
    if kind.optional_spec {
        words.push("optional_spec".to_owned());
    }
    words.extend(kind.short_names.iter().map(|name| format!("short_name = {name:?}")));
    words.extend(kind.categories.iter().map(|name| format!("category = {name:?}")));
    if let Some([spec, status, selector]) = &kind.has_scale {
        let selector =
            if selector.is_empty() { String::new() } else { format!(", label_selector_path = {selector:?}") };
        words.push(format!(
            "scale(spec_replicas_path = {spec:?}, status_replicas_path = {status:?}{selector})"
        ));
    }
    if krate != "client_rs" {
        words.push(format!("crate = {krate}::custom"));
    }
    for word in words {
        let _ = writeln!(out, "    #[resource({word})]");
    }
}

fn structure(out: &mut String, one: &Struct) {
    let _ = writeln!(out, "    pub struct {} {{", one.name);
    for field in &one.fields {
        docs::write(out, &field.description, &field.values, "        ");
        let mut serde = Vec::new();
        if names::camel(&field.name) != field.json {
            serde.push(format!("rename = {:?}", field.json));
        }
        if !field.required {
            serde.push("default".to_owned());
            serde.push("skip_serializing_if = \"Option::is_none\"".to_owned());
        }
        if !serde.is_empty() {
            let _ = writeln!(out, "        #[serde({})]", serde.join(", "));
        }
        let ty = if field.required { field.ty.clone() } else { format!("Option<{}>", field.ty) };
        let _ = writeln!(out, "        pub {}: {ty},", field.name);
    }
    let _ = writeln!(out, "        /// Fields that this type does not have; they are kept.");
    let _ = writeln!(out, "        #[serde(flatten)]");
    let _ = writeln!(out, "        pub {}: BTreeMap<String, Json>,", one.other);
    let _ = writeln!(out, "    }}");
}

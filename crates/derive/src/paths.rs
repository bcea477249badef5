//! Paths into an object, such as `.spec.replicas`, and whether they exist.

use syn::{Data, DeriveInput, Error, Fields, LitStr, Result};

use crate::{schema_attrs, serde_attrs};

/// The fields of a path that has only fields.
pub(crate) fn fields(text: &LitStr) -> Result<Vec<String>> {
    let value = text.value();
    let name = |part: &str| {
        !part.is_empty() && part.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    };
    match value.strip_prefix('.') {
        Some(rest) if rest.split('.').all(name) => Ok(rest.split('.').map(str::to_owned).collect()),
        _ => Err(Error::new(
            text.span(),
            format!(
                "{value:?} is not a path of fields: write a dot before each field, as in `.spec.replicas`"
            ),
        )),
    }
}

/// The fields at the start of a column's path. Other syntax of `JSONPath` may follow them.
pub(crate) fn leading_fields(text: &LitStr) -> Result<Vec<String>> {
    let value = text.value();
    let wrong =
        |why: &str| Err(Error::new(text.span(), format!("{value:?} is not the path of a column: {why}")));
    let Some(rest) = value.strip_prefix('.') else {
        return wrong("begin it with a dot, as in `.spec.replicas`");
    };
    if let Err(why) = balanced(rest) {
        return wrong(why);
    }
    let plain = rest.split('[').next().unwrap_or_default();
    if plain.is_empty() || plain.split('.').any(str::is_empty) || rest.ends_with('.') {
        return wrong("a dot has no field after it");
    }
    if plain.contains(|c: char| c.is_whitespace() || "(){}]".contains(c)) {
        return wrong("use fields with dots before them, and filters in brackets");
    }
    Ok(plain.split('.').map(str::to_owned).collect())
}

/// Checks that brackets and quotes are closed.
fn balanced(text: &str) -> std::result::Result<(), &'static str> {
    let mut open = Vec::new();
    let mut quote = None;
    for letter in text.chars() {
        match (quote, letter) {
            (Some(begun), letter) if letter == begun => quote = None,
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[') => open.push(']'),
            (None, '(') => open.push(')'),
            (None, ']' | ')') if open.pop() != Some(letter) => {
                return Err("a closing bracket has no opening one");
            }
            _ => {}
        }
    }
    match (quote, open.last()) {
        (Some(_), _) => Err("a quote is not closed"),
        (None, Some(_)) => Err("a bracket is not closed"),
        (None, None) => Ok(()),
    }
}

/// The fields of an object, as far as the struct of the spec defines them.
pub(crate) struct Known {
    status: bool,
    extra: bool,
    /// The fields of the spec; `None` if it may have others.
    spec: Option<Vec<String>>,
}

impl Known {
    pub(crate) fn of(input: &DeriveInput, status: bool, extra: bool) -> Result<Self> {
        Ok(Self { status, extra, spec: spec_fields(input)? })
    }

    /// Returns an error at the path if it does not exist.
    pub(crate) fn check(&self, text: &LitStr, path: &[String]) -> Result<()> {
        let wrong = |why: String| Err(Error::new(text.span(), why));
        match (path.first().map(String::as_str), path.get(1)) {
            (Some("apiVersion" | "kind" | "metadata"), _) | (Some("spec"), None) => Ok(()),
            (Some("status"), _) if self.status => Ok(()),
            (Some("status"), _) => wrong("the kind has no status; add `status = …`".to_owned()),
            (Some("spec"), Some(field)) => match &self.spec {
                Some(fields) if !fields.contains(field) => {
                    wrong(format!("the spec has no field {field:?}; it has {}", quoted(fields)))
                }
                _ => Ok(()),
            },
            // Another type defines the fields next to them.
            (Some(_), _) if self.extra => Ok(()),
            _ => wrong("an object has `.metadata`, `.spec` and `.status`".to_owned()),
        }
    }
}

fn spec_fields(input: &DeriveInput) -> Result<Option<Vec<String>>> {
    let serde = serde_attrs::container(&input.attrs)?;
    let words = schema_attrs::words(&input.attrs)?;
    let Data::Struct(data) = &input.data else { return Ok(None) };
    if serde.proxy.is_some() || words.instead.is_some() || !matches!(data.fields, Fields::Named(_)) {
        return Ok(None);
    }
    let mut names = Vec::new();
    for field in &data.fields {
        let of_serde = serde_attrs::field(&field.attrs)?;
        if of_serde.flatten {
            return Ok(None);
        }
        names.extend(
            field
                .ident
                .as_ref()
                .filter(|_| !of_serde.skip)
                .map(|ident| of_serde.name(ident, serde.rename_all)),
        );
    }
    Ok(Some(names))
}

fn quoted(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use proc_macro2::Span;

    use super::*;

    fn text(path: &str) -> LitStr {
        LitStr::new(path, Span::call_site())
    }

    #[test]
    fn paths_of_fields() {
        assert_eq!(fields(&text(".spec.replicas")).unwrap(), ["spec", "replicas"]);
        for bad in ["", ".", "spec", ".spec.", ".spec..a", ".spec.a[0]", ".spec a"] {
            assert!(fields(&text(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn paths_of_columns() {
        for (path, leading) in [
            (".metadata.creationTimestamp", ["metadata", "creationTimestamp"]),
            (r#".status.conditions[?(@.type=="Ready")].status"#, ["status", "conditions"]),
            (".spec.hosts[0]", ["spec", "hosts"]),
            (r".metadata.labels['a.b/c]']", ["metadata", "labels"]),
        ] {
            assert_eq!(leading_fields(&text(path)).unwrap(), leading, "{path}");
        }
        for bad in [
            "",
            ".",
            "spec.a",
            ".spec.a[",
            ".spec.a]",
            ".spec.a['b]",
            ".spec.a[?(@.b]",
            "..a",
            ".spec.",
            "{.spec}",
            ".a b",
        ] {
            assert!(leading_fields(&text(bad)).is_err(), "{bad}");
        }
    }
}

//! Sentences about types and fields, from their facts.
//!
//! Rustdoc and `kubectl explain` show the same sentences: the code generator uses `xtask/src/codegen/facts.rs` and writes a copy of it
//! for the embedded server. So it uses `std` alone. `xtask/src/codegen/openapi.rs` documents the keys of facts. `quote` is put before
//! and after each value.

use std::fmt::Write as _;

/// A key and its value.
pub(crate) type Fact<'a> = (&'a str, &'a str);

/// Longer lists of allowed values are shortened to the first and the last one.
const MOST_VALUES: usize = 24;

/// The facts of a field: at most a few short sentences.
pub(crate) fn of_field(required: bool, facts: &[Fact<'_>], quote: &str) -> String {
    let get = |key: &str| value_of(facts, key);
    let mut text = String::from(if required { "Required" } else { "Optional" });
    if get("X").is_some() {
        text.push_str(", deprecated");
    }
    if get("R").is_some() {
        text.push_str(", set by the system");
    }
    text.push_str(match get("I") {
        Some("afterCreation") => ", immutable",
        Some("onceSet") => ", immutable once set",
        Some("inPod") => ", immutable in a pod",
        Some("conditional") => ", immutable with exceptions",
        _ => "",
    });
    if let Some(release) = get("S") {
        let _ = write!(text, ", since {release}");
    }
    text.push('.');
    for (key, many, few) in
        [("E", "One of", "Always"), ("v", "One of", "Always"), ("e", "Known values:", "Known value:")]
    {
        let values = get(key).map(strings).unwrap_or_default();
        match values.as_slice() {
            [] => {}
            [only] => drop(write!(text, " {few} {quote}{}{quote}.", shown(only))),
            [first, .., last] if values.len() > MOST_VALUES => {
                let (count, first, last) = (values.len(), shown(first), shown(last));
                let _ =
                    write!(text, " One of {count} values, {quote}{first}{quote} to {quote}{last}{quote}.");
            }
            _ => drop(write!(text, " {many} {}.", listed(values.iter().map(|value| shown(value)), quote))),
        }
    }
    if let Some(default) = get("D").or(get("V")) {
        let default = strings(default).into_iter().next().unwrap_or_default();
        let _ = write!(text, " Defaults to {quote}{}{quote}.", shown(&default));
    }
    limits(&get, quote, &mut text);
    updates(get("N").unwrap_or_default(), &mut text);
    merging(&get, quote, &mut text);
    if let Some(gates) = get("G") {
        let word = if gates.contains(',') { "gates" } else { "gate" };
        let _ = write!(text, " Feature {word} {}.", listed(gates.split(',').map(str::to_owned), quote));
    }
    text
}

/// The meaning of a field that every kind has.
pub(crate) fn of_convention(name: &str) -> Option<&'static str> {
    Some(match name {
        "apiVersion" => "The group and version of the object.",
        "kind" => "The kind of the object.",
        "metadata" => "The name, labels and other metadata.",
        "spec" => "The desired state.",
        "status" => "The observed state.",
        "items" => "The objects of the list.",
        _ => return None,
    })
}

/// The facts of a type, after its name and version; empty when there are none.
pub(crate) fn of_type(facts: &[Fact<'_>], quote: &str) -> String {
    let get = |key: &str| value_of(facts, key);
    let mut text = String::new();
    if let Some((plural, scope)) = get("R").and_then(|value| value.split_once(',')) {
        let scope = if scope == "n" { "namespaced" } else { "cluster-scoped" };
        let _ = write!(text, " Served as {quote}{plural}{quote}, {scope}.");
    }
    if let Some(release) = get("S") {
        let _ = write!(text, " Since {release}.");
    }
    match get("d") {
        Some(release) => drop(write!(text, " Deprecated since {release}.")),
        None if get("X").is_some() => text.push_str(" Deprecated."),
        None => {}
    }
    if let Some(release) = get("r") {
        let _ = write!(text, " Not served since {release}.");
    }
    if let Some([group, version, kind]) =
        get("B").map(|value| value.splitn(3, ',').collect::<Vec<_>>()).as_deref()
    {
        let _ = write!(text, " Replaced by {quote}{kind}{quote} of {quote}{group}/{version}{quote}.");
    }
    text.trim_start().to_owned()
}

/// The page of a type in the API reference of a release, such as `1.37`.
pub(crate) fn reference(release: &str, name: &str, group: &str, version: &str) -> String {
    let (name, group) = (name.to_lowercase(), group.replace('.', "-"));
    format!(
        "https://kubernetes.io/docs/reference/generated/kubernetes-api/v{release}/#{name}-{version}-{group}"
    )
}

fn value_of<'a>(facts: &[Fact<'a>], key: &str) -> Option<&'a str> {
    facts.iter().find(|(of, _)| *of == key).map(|(_, value)| *value)
}

fn limits<'a>(get: &impl Fn(&str) -> Option<&'a str>, quote: &str, text: &mut String) {
    match (get("m"), get("x")) {
        (Some(least), Some(most)) => drop(write!(text, " From {least} to {most}.")),
        (Some(least), None) => drop(write!(text, " At least {least}.")),
        (None, Some(most)) => drop(write!(text, " At most {most}.")),
        (None, None) => {}
    }
    for (key, one, many) in
        [("n", "entry", "entries"), ("l", "character", "characters"), ("b", "byte", "bytes")]
    {
        if let Some(most) = get(key) {
            let _ = write!(text, " At most {most} {}.", if most == "1" { one } else { many });
        }
    }
    match get("F") {
        Some("k8s-long-name" | "k8s-long-name-caseless") => text.push_str(" A DNS subdomain."),
        Some("k8s-short-name") => text.push_str(" A DNS label."),
        Some("k8s-uuid") => text.push_str(" A UUID."),
        Some(other) => drop(write!(text, " Format {quote}{other}{quote}.")),
        None => {}
    }
}

/// Changes that an update can't make.
fn updates(forbidden: &str, text: &mut String) {
    for (rules, of) in [
        ([("NoSet", "set"), ("NoUnset", "clear"), ("NoModify", "change")].as_slice(), "it"),
        ([("NoAddItem", "add"), ("NoRemoveItem", "remove")].as_slice(), "entries"),
    ] {
        let verbs: Vec<&str> = rules
            .iter()
            .filter(|(rule, _)| forbidden.split(',').any(|one| one == *rule))
            .map(|(_, verb)| *verb)
            .collect();
        if !verbs.is_empty() {
            let _ = write!(text, " Updates can't {} {of}.", verbs.join(" or "));
        }
    }
}

/// How server-side apply and strategic merge patch merge the field.
fn merging<'a>(get: &impl Fn(&str) -> Option<&'a str>, quote: &str, text: &mut String) {
    let by = |keys: &str| format!("merges entries by {}", listed(keys.split(',').map(str::to_owned), quote));
    let apply = match (get("L"), get("K"), get("M")) {
        (Some("map"), Some(keys), _) => Some(by(keys)),
        (Some("set"), ..) => Some("merges entries".to_owned()),
        (Some("atomic"), ..) => Some("replaces the list".to_owned()),
        (.., Some("atomic")) => Some("replaces the whole value".to_owned()),
        _ => None,
    };
    let strategies: Vec<&str> = get("P").map(|text| text.split(',').collect()).unwrap_or_default();
    let patch = match (strategies.as_slice(), get("Y")) {
        (some, Some(key)) if some.contains(&"merge") => Some(by(key)),
        (some, None) if some.contains(&"merge") => Some("merges entries".to_owned()),
        (some, _) if some.contains(&"replace") => Some("replaces the whole value".to_owned()),
        _ => None,
    };
    match (apply, patch) {
        (Some(apply), Some(patch)) if apply == patch => {
            let verb = apply.replacen("merges", "merge", 1).replacen("replaces", "replace", 1);
            let _ = write!(text, " Apply and strategic merge patch {verb}.");
        }
        (apply, patch) => {
            for (what, how) in [("Apply", apply), ("Strategic merge patch", patch)] {
                if let Some(how) = how {
                    let _ = write!(text, " {what} {how}.");
                }
            }
        }
    }
    if strategies.contains(&"retainKeys") {
        let _ = write!(text, " Patch strategy {quote}retainKeys{quote}.");
    }
}

fn listed(values: impl Iterator<Item = String>, quote: &str) -> String {
    values.map(|value| format!("{quote}{value}{quote}")).collect::<Vec<_>>().join(", ")
}

/// A value; an empty string is shown by its quotation marks.
fn shown(value: &str) -> String {
    if value.is_empty() { "\"\"".to_owned() } else { value.to_owned() }
}

/// The strings of a JSON list, or the only value. Values have no commas, and spaces as escapes; an object stays as it is.
fn strings(json: &str) -> Vec<String> {
    let plain = |one: &str| one.trim_matches('"').replace("\\u0020", " ");
    match json.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some("") => Vec::new(),
        Some(list) => list.split(',').map(plain).collect(),
        None if json.starts_with('{') => vec![json.to_owned()],
        None => vec![plain(json)],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_without_facts_says_whether_it_is_required() {
        assert_eq!(of_field(false, &[], ""), "Optional.");
        assert_eq!(of_field(true, &[], "`"), "Required.");
    }

    #[test]
    fn values_defaults_and_limits_are_sentences() {
        let facts = [("E", r#"["Always","Never"]"#), ("V", r#""Always""#), ("S", "1.28"), ("I", "onceSet")];
        let expected =
            "Optional, immutable once set, since 1.28. One of `Always`, `Never`. Defaults to `Always`.";
        assert_eq!(of_field(false, &facts, "`"), expected);
        let facts = [("e", r#"["server\u0020auth",""]"#), ("D", "420"), ("m", "0"), ("x", "511"), ("n", "1")];
        let expected =
            "Required. Known values: server auth, \"\". Defaults to 420. From 0 to 511. At most 1 entry.";
        assert_eq!(of_field(true, &facts, ""), expected);
        let facts =
            [("N", "NoSet,NoUnset,NoAddItem"), ("G", "One,Two"), ("X", ""), ("R", ""), ("F", "k8s-uuid")];
        let expected = "Optional, deprecated, set by the system. A UUID. Updates can't set or clear it. \
                        Updates can't add entries. Feature gates One, Two.";
        assert_eq!(of_field(false, &facts, ""), expected);
        let many: Vec<String> = (0..30).map(|number| format!("\"v{number}\"")).collect();
        let many = format!("[{}]", many.join(","));
        assert_eq!(of_field(false, &[("E", &many)], ""), "Optional. One of 30 values, v0 to v29.");
    }

    #[test]
    fn merging_names_the_keys_of_apply_and_of_patches() {
        let facts = [("L", "map"), ("K", "containerPort,protocol"), ("P", "merge"), ("Y", "containerPort")];
        let expected = "Optional. Apply merges entries by containerPort, protocol. \
                        Strategic merge patch merges entries by containerPort.";
        assert_eq!(of_field(false, &facts, ""), expected);
        let facts = [("L", "map"), ("K", "name"), ("P", "merge,retainKeys"), ("Y", "name")];
        let expected =
            "Optional. Apply and strategic merge patch merge entries by name. Patch strategy retainKeys.";
        assert_eq!(of_field(false, &facts, ""), expected);
        assert_eq!(of_field(false, &[("L", "atomic")], ""), "Optional. Apply replaces the list.");
        assert_eq!(of_field(false, &[("M", "atomic")], ""), "Optional. Apply replaces the whole value.");
    }

    #[test]
    fn a_type_says_how_it_is_served() {
        let facts = [("R", "ingresses,n"), ("S", "1.14"), ("d", "1.19"), ("r", "1.22")];
        let expected =
            "Served as ingresses, namespaced. Since 1.14. Deprecated since 1.19. Not served since 1.22.";
        assert_eq!(of_type(&facts, ""), expected);
        let facts = [("R", "nodes,c"), ("X", ""), ("B", "apps,v1,Deployment")];
        let expected =
            "Served as `nodes`, cluster-scoped. Deprecated. Replaced by `Deployment` of `apps/v1`.";
        assert_eq!(of_type(&facts, "`"), expected);
        assert_eq!(of_type(&[], ""), "");
        let expected = "https://kubernetes.io/docs/reference/generated/kubernetes-api/v1.37/#ingress-v1-networking-k8s-io";
        assert_eq!(reference("1.37", "Ingress", "networking.k8s.io", "v1"), expected);
    }
}

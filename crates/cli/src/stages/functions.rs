//! The functions of templates: those of Go's templates and of KWOK that KWOK's own stages use.

use client_rs_client::manifest::to_yaml;
use client_rs_machinery::{Json, Map, json};

/// Values that only the player of the stages knows.
pub(super) trait Values {
    /// The time, as RFC 3339.
    fn now(&self) -> String;
    /// The time at which playing began.
    fn start_time(&self) -> String;
    /// The version of this program.
    fn version(&self) -> String;
    /// The name of the node that the template is rendered for; empty for other kinds.
    fn node_name(&self) -> String;
    /// The address of a node; empty if it is not known.
    fn node_ip(&self, node: &str) -> String;
    /// An address for the pod with this UID.
    fn pod_ip(&self, uid: &str) -> String;
}

const KNOWN: &[&str] = &[
    "and",
    "default",
    "dict",
    "eq",
    "ge",
    "gt",
    "index",
    "le",
    "len",
    "lt",
    "ne",
    "not",
    "or",
    "print",
    "printf",
    "NodeConditions",
    "NodeIP",
    "NodeIPWith",
    "NodeIPs",
    "NodeIPsWith",
    "NodeName",
    "NodePort",
    "Now",
    "PodIPWith",
    "PodIPsWith",
    "Quote",
    "StartTime",
    "Version",
    "YAML",
];

/// Whether a function is supported.
pub(super) fn is_known(name: &str) -> bool {
    KNOWN.contains(&name)
}

/// Calls a function. `and` and `or` get here only if no argument decides before the last.
pub(super) fn call(name: &str, mut arguments: Vec<Json>, values: &dyn Values) -> Result<Json, String> {
    let count = arguments.len();
    let text = |at: usize| arguments.get(at).and_then(Json::as_str).unwrap_or_default();
    let need = |wanted: std::ops::RangeInclusive<usize>| {
        if wanted.contains(&count) { Ok(()) } else { Err(format!("{name} has {count} arguments")) }
    };
    let some = |text: String| if text.is_empty() { Json::Null } else { Json::from(text) };
    Ok(match name {
        "and" | "or" => arguments.pop().ok_or("and and or have arguments")?,
        "not" => need(1..=1).map(|()| (!is_true(&arguments[0])).into())?,
        "eq" => need(2..=usize::MAX).map(|()| arguments[1..].contains(&arguments[0]).into())?,
        "ne" => need(2..=2).map(|()| (arguments[0] != arguments[1]).into())?,
        "lt" | "le" | "gt" | "ge" => {
            need(2..=2)?;
            let order = order(&arguments[0], &arguments[1])?;
            match name {
                "lt" => order.is_lt(),
                "le" => order.is_le(),
                "gt" => order.is_gt(),
                _ => order.is_ge(),
            }
            .into()
        }
        "len" => need(1..=1).and_then(|()| length(&arguments[0]))?,
        "index" => {
            need(1..=usize::MAX)?;
            let rest = arguments.split_off(1);
            rest.iter().try_fold(arguments.pop().unwrap_or_default(), |value, key| element(&value, key))?
        }
        "default" => {
            need(2..=2)?;
            let given = arguments.pop().unwrap_or_default();
            if is_true(&given) { given } else { arguments.pop().unwrap_or_default() }
        }
        "dict" => {
            let mut map = Map::default();
            for pair in arguments.chunks(2) {
                map.insert(printed(&pair[0]), pair.get(1).cloned().unwrap_or_default());
            }
            Json::Map(map)
        }
        "print" => arguments.iter().map(printed).collect::<String>().into(),
        "printf" => format(&arguments)?.into(),
        "Quote" => need(1..=1).map(|()| quoted(&arguments[0]).into())?,
        "YAML" => need(1..=2).map(|()| yaml(&arguments[0], arguments.get(1)).into())?,
        "Now" => values.now().into(),
        "StartTime" => values.start_time().into(),
        "Version" => values.version().into(),
        "NodeConditions" => node_conditions(),
        "NodeName" => some(values.node_name()),
        "NodeIP" => some(values.node_ip(&values.node_name())),
        "NodeIPs" => list(values.node_ip(&values.node_name())),
        // Nothing listens on played nodes.
        "NodePort" => 0.into(),
        "NodeIPWith" => need(1..=1).map(|()| some(values.node_ip(text(0))))?,
        "NodeIPsWith" => need(1..=1).map(|()| list(values.node_ip(text(0))))?,
        "PodIPWith" | "PodIPsWith" => {
            need(5..=5)?;
            let on_host = is_true(&arguments[1]);
            let address = if on_host { values.node_ip(text(0)) } else { values.pod_ip(text(2)) };
            if name == "PodIPWith" { some(address) } else { list(address) }
        }
        other => return Err(format!("the template function {other} is not supported")),
    })
}

fn list(text: String) -> Json {
    if text.is_empty() { Json::Null } else { json!([text]) }
}

/// Whether a value is true, as Go's templates see it.
pub(super) fn is_true(value: &Json) -> bool {
    match value {
        Json::Null => false,
        Json::Bool(value) => *value,
        Json::Int(number) => *number != 0,
        Json::Float(number) => *number != 0.0,
        Json::Str(text) => !text.is_empty(),
        Json::List(list) => !list.is_empty(),
        Json::Map(map) => !map.is_empty(),
    }
}

/// A value as Go prints it.
pub(super) fn printed(value: &Json) -> String {
    match value {
        Json::Null => "<no value>".to_owned(),
        Json::Str(text) => text.to_string(),
        Json::List(list) => format!("[{}]", list.iter().map(printed).collect::<Vec<_>>().join(" ")),
        Json::Map(map) => {
            let mut pairs: Vec<String> =
                map.iter().map(|(key, value)| format!("{key}:{}", printed(value))).collect();
            pairs.sort_unstable();
            format!("map[{}]", pairs.join(" "))
        }
        other => other.to_string(),
    }
}

/// A text in quotes; another value as the text of its JSON, in quotes.
fn quoted(value: &Json) -> String {
    match value {
        Json::Str(_) => value.to_string(),
        other => Json::from(other.to_string()).to_string(),
    }
}

/// A value as YAML, indented by levels of two spaces.
fn yaml(value: &Json, levels: Option<&Json>) -> String {
    let text = to_yaml(value);
    match levels.and_then(Json::as_i64).and_then(|levels| usize::try_from(levels).ok()) {
        None | Some(0) => text,
        Some(levels) => format!("\n{text}").replace('\n', &format!("\n{}", "  ".repeat(levels.min(32)))),
    }
}

fn length(value: &Json) -> Result<Json, String> {
    let length = match value {
        Json::Null => 0,
        Json::Str(text) => text.len(),
        Json::List(list) => list.len(),
        Json::Map(map) => map.len(),
        other => return Err(format!("{other} has no length")),
    };
    Ok(length.into())
}

fn element(value: &Json, key: &Json) -> Result<Json, String> {
    match (value, key) {
        (Json::Map(map), Json::Str(key)) => Ok(map.get(key).cloned().unwrap_or_default()),
        (Json::List(list), key) => {
            let index = key.as_i64().and_then(|index| usize::try_from(index).ok());
            let found = index.and_then(|index| list.get(index));
            found.cloned().ok_or_else(|| format!("index {key} is out of range"))
        }
        (value, key) => Err(format!("{value} has no element {key}")),
    }
}

fn order(one: &Json, other: &Json) -> Result<std::cmp::Ordering, String> {
    let order = match (one, other) {
        (Json::Str(one), Json::Str(other)) => Some(one.cmp(other)),
        _ => one.as_f64().zip(other.as_f64()).and_then(|(one, other)| one.partial_cmp(&other)),
    };
    order.ok_or_else(|| format!("{one} and {other} can't be compared"))
}

/// `printf` with `%s`, `%d`, `%v`, `%q` and `%%`.
fn format(arguments: &[Json]) -> Result<String, String> {
    let mut rest = arguments.iter();
    let pattern = rest.next().and_then(Json::as_str).ok_or("printf has no format")?;
    let mut out = String::new();
    let mut characters = pattern.chars();
    while let Some(one) = characters.next() {
        if one != '%' {
            out.push(one);
            continue;
        }
        let verb = characters.next().ok_or("printf ends in %")?;
        if verb == '%' {
            out.push('%');
            continue;
        }
        if !"sdvq".contains(verb) {
            return Err(format!("the verb %{verb} of printf is not supported"));
        }
        let value = rest.next().ok_or("printf has too few arguments")?;
        if verb == 'q' { out.push_str(&quoted(value)) } else { out.push_str(&printed(value)) }
    }
    Ok(out)
}

/// The conditions of a healthy node.
fn node_conditions() -> Json {
    let all = [
        ("Ready", "True", "KubeletReady", "the node is played, and ready"),
        ("MemoryPressure", "False", "KubeletHasSufficientMemory", "the node has enough memory"),
        ("DiskPressure", "False", "KubeletHasNoDiskPressure", "the node has enough disk space"),
        ("PIDPressure", "False", "KubeletHasSufficientPID", "the node has enough process IDs"),
        ("NetworkUnavailable", "False", "RouteCreated", "the node has a route"),
    ];
    let all = all.map(|(kind, status, reason, message)| {
        json!({"type": kind, "status": status, "reason": reason, "message": message})
    });
    Json::from(all.to_vec())
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Values that tests know.
    pub(in super::super) struct Fixed;

    impl Values for Fixed {
        fn now(&self) -> String {
            "2026-01-01T00:00:00Z".to_owned()
        }

        fn start_time(&self) -> String {
            "2025-01-01T00:00:00Z".to_owned()
        }

        fn version(&self) -> String {
            "v0".to_owned()
        }

        fn node_name(&self) -> String {
            String::new()
        }

        fn node_ip(&self, node: &str) -> String {
            if node.is_empty() { String::new() } else { format!("ip-{node}") }
        }

        fn pod_ip(&self, uid: &str) -> String {
            format!("pod-{uid}")
        }
    }

    #[test]
    fn each_function_of_the_list_exists() {
        for name in KNOWN {
            let error = call(name, Vec::new(), &Fixed).err().unwrap_or_default();
            assert!(!error.contains("not supported"), "{name}: {error}");
        }
        assert!(call("upper", Vec::new(), &Fixed).is_err() && !is_known("upper"));
    }

    #[test]
    fn functions_give_the_values_of_go() {
        for (name, arguments, expected) in [
            ("eq", vec![json!("a"), json!("b"), json!("a")], json!(true)),
            ("eq", vec![Json::Null, json!("Always")], json!(false)),
            ("lt", vec![json!(1), json!(2)], json!(true)),
            ("ge", vec![json!("a"), json!("b")], json!(false)),
            ("default", vec![json!("d"), Json::Null], json!("d")),
            ("default", vec![json!("d"), json!("x")], json!("x")),
            ("dict", vec![json!("a"), json!(1)], json!({"a": 1})),
            ("index", vec![json!({"a": [5, 6]}), json!("a"), json!(1)], json!(6)),
            ("Quote", vec![Json::Null], json!("\"null\"")),
            ("Quote", vec![json!(3)], json!("\"3\"")),
            ("printf", vec![json!("%s-%d %q%%"), json!("a"), json!(1), json!("b")], json!("a-1 \"b\"%")),
            ("NodeIPsWith", vec![json!("n")], json!(["ip-n"])),
            ("NodePort", vec![], json!(0)),
            ("print", vec![json!(["a", 1]), json!({"b": true})], json!("[a 1]map[b:true]")),
        ] {
            assert_eq!(call(name, arguments, &Fixed), Ok(expected), "{name}");
        }
        assert!(call("lt", vec![json!("a"), json!(1)], &Fixed).is_err());
        assert_eq!(node_conditions().as_list().map(client_rs_machinery::List::len), Some(5));
    }
}

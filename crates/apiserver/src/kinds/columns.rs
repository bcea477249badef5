//! The columns that `kubectl get` shows, and their building blocks. The columns of each kind are in its file.

use client_rs_machinery::time::age;
use client_rs_machinery::{Json, Time, Unstructured, json};

/// A column of the table that `kubectl get` shows.
///
/// ```
/// use client_rs_apiserver::columns;
/// use client_rs_machinery::{Time, Unstructured, json};
///
/// let deployments = columns::of("apps", "deployments").expect("a built-in resource with its own columns");
/// let object: Unstructured = json!({
///     "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"},
///     "spec": {"replicas": 3}, "status": {"readyReplicas": 2},
/// })
/// .try_into()
/// .unwrap();
///
/// let ready = &deployments[1];
/// assert_eq!(ready.definition()["name"], json!("Ready"));
/// assert_eq!(ready.cell(&object, Time::now()), json!("2/3"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Column {
    name: &'static str,
    kind: &'static str,
    format: &'static str,
    description: &'static str,
    /// 0 is always shown, 1 only with `-o wide`.
    priority: i64,
    cell: fn(&Unstructured, Time) -> Json,
}

impl Column {
    /// The definition of the column: name, type, format, description and priority, as in a `Table` object.
    pub fn definition(&self) -> Json {
        json!({
            "name": self.name, "type": self.kind, "format": self.format, "description": self.description,
            "priority": self.priority,
        })
    }

    /// Computes the cell of an object. `now` is the reference for ages.
    pub fn cell(&self, object: &Unstructured, now: Time) -> Json {
        (self.cell)(object, now)
    }
}

/// The columns of a built-in resource; `None` if it has only the default columns. The core group is `""`.
pub fn of(group: &str, resource: &str) -> Option<&'static [Column]> {
    super::find(group, resource).columns
}

/// The definition of a printer column of a custom resource.
pub(crate) fn custom_definition(column: &client_rs_schema::PrinterColumn) -> Json {
    json!({
        "name": column.name.as_str(), "type": column.kind.as_str(), "format": column.format.as_str(),
        "description": column.description.as_str(), "priority": column.priority,
    })
}

pub(super) const fn text(
    name: &'static str,
    description: &'static str,
    cell: fn(&Unstructured, Time) -> Json,
) -> Column {
    Column { name, kind: "string", format: "", description, priority: 0, cell }
}

pub(super) const fn integer(
    name: &'static str,
    description: &'static str,
    cell: fn(&Unstructured, Time) -> Json,
) -> Column {
    Column { name, kind: "integer", format: "", description, priority: 0, cell }
}

pub(super) const fn wide(column: Column) -> Column {
    Column { priority: 1, ..column }
}

pub(super) const NAME: Column = Column {
    name: "Name",
    kind: "string",
    format: "name",
    description: "The name of the object.",
    priority: 0,
    cell: |object, _| object.name().into(),
};

pub(super) const READY_OF: Column =
    text("Ready", "Number of ready pods, and of desired pods.", |object, _| {
        let ready = number(at(object, &["status", "readyReplicas"]));
        format!("{ready}/{}", number(at(object, &["spec", "replicas"]))).into()
    });
pub(super) const AGE: Column = text("Age", "Time since the creation of the object.", |object, now| {
    object.creation_timestamp().map_or_else(|| "<unknown>".into(), |created| age(created, now).into())
});

const CREATED: Column = Column {
    name: "Created At",
    kind: "date",
    format: "",
    description: "When the object was created.",
    priority: 0,
    cell: |object, _| Json::from(object.creation_timestamp().map(|created| created.to_string())),
};

pub(super) const DEFAULT: &[Column] = &[NAME, CREATED];

pub(super) const CONTAINERS: Column =
    wide(text("Containers", "Names of the containers in the template.", |object, _| {
        joined(at(object, &["spec", "template", "spec", "containers"]), "name")
    }));
pub(super) const IMAGES: Column =
    wide(text("Images", "Images of the containers in the template.", |object, _| {
        joined(at(object, &["spec", "template", "spec", "containers"]), "image")
    }));
pub(super) const SELECTOR: Column = wide(text("Selector", "Label selector of the pods.", |object, _| {
    selector(at(object, &["spec", "selector"]))
}));

static NULL: Json = Json::Null;

pub(super) fn at<'o>(object: &'o Unstructured, path: &[&str]) -> &'o Json {
    let Some((first, rest)) = path.split_first() else { return &NULL };
    object.object.get(first).and_then(|value| value.path(rest)).unwrap_or(&NULL)
}

pub(super) fn list(value: &Json) -> impl Iterator<Item = &Json> {
    value.as_list().into_iter().flatten()
}

pub(super) fn entries(value: &Json) -> usize {
    value.as_map().map_or(0, client_rs_machinery::Map::len)
}

pub(super) fn number(value: &Json) -> i64 {
    value.as_i64().unwrap_or(0)
}

pub(super) fn or_none(value: &Json) -> Json {
    value.as_str().filter(|text| !text.is_empty()).unwrap_or("<none>").into()
}

pub(super) fn joined(value: &Json, field: &str) -> Json {
    list(value).filter_map(|item| item[field].as_str()).collect::<Vec<_>>().join(",").into()
}

pub(super) fn pairs(value: &Json) -> Json {
    let pairs = value.as_map().into_iter().flatten();
    let pairs: Vec<String> =
        pairs.map(|(key, value)| format!("{key}={}", value.as_str().unwrap_or_default())).collect();
    if pairs.is_empty() { "<none>".into() } else { pairs.join(",").into() }
}

pub(super) fn selector(value: &Json) -> Json {
    let labels = value.get("matchLabels").unwrap_or(&NULL);
    let mut parts: Vec<String> =
        pairs(labels).as_str().map(str::to_owned).filter(|text| text != "<none>").into_iter().collect();
    for expression in list(&value["matchExpressions"]) {
        let key = expression["key"].as_str().unwrap_or_default();
        let values: Vec<&str> = list(&expression["values"]).filter_map(Json::as_str).collect();
        parts.push(match expression["operator"].as_str() {
            Some("In") => format!("{key} in ({})", values.join(",")),
            Some("NotIn") => format!("{key} notin ({})", values.join(",")),
            Some("DoesNotExist") => format!("!{key}"),
            _ => key.to_owned(),
        });
    }
    if parts.is_empty() { "<none>".into() } else { parts.join(",").into() }
}

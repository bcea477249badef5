//! Printer columns of definitions.

use client_rs_machinery::jsonpath::JsonPath;
use client_rs_machinery::{Json, Time, json};

use super::go;
use super::json_path::{first_match, parse_path};

/// A column that `kubectl get` shows for a custom resource: one of `additionalPrinterColumns`.
///
/// ```
/// use client_rs_machinery::{Time, json};
/// use client_rs_schema::PrinterColumn;
///
/// let columns = PrinterColumn::all(&json!({
///     "name": "v1",
///     "additionalPrinterColumns": [{"name": "Replicas", "type": "integer", "jsonPath": ".spec.replicas"}],
/// }));
/// assert_eq!(columns[0].name, "Replicas");
/// assert_eq!(columns[0].cell(&json!({"spec": {"replicas": 3}}), Time::now()), json!(3));
/// ```
#[derive(Clone, Debug)]
pub struct PrinterColumn {
    /// The header.
    pub name: String,
    /// The type: `string`, `integer`, `number`, `boolean` or `date`.
    pub kind: String,
    /// The format of the type, such as `int32`; often empty.
    pub format: String,
    /// The description of the column in a `Table` object.
    pub description: String,
    /// 0 for a column that is always shown. Columns with a higher priority appear in wide output.
    pub priority: i64,
    path: JsonPath,
}

impl PrinterColumn {
    /// The columns of a version of a definition. A version without columns has the age. The list ends before the
    /// first column with a malformed path.
    pub fn all(version: &Json) -> Vec<Self> {
        let columns = version["additionalPrinterColumns"].as_list().into_iter().flatten();
        let mut all: Vec<&Json> = columns.collect();
        let age = json!({"name": "Age", "type": "date", "jsonPath": ".metadata.creationTimestamp"});
        if all.is_empty() {
            all.push(&age);
        }
        all.into_iter().map_while(Self::of).collect()
    }

    fn of(column: &Json) -> Option<Self> {
        let text = |key: &str| column[key].as_str().unwrap_or_default().to_owned();
        let path = text("jsonPath");
        let description = match text("description") {
            given if !given.is_empty() => given,
            _ => format!("Custom resource definition column (in JSONPath format): {path}"),
        };
        Some(Self {
            name: text("name"),
            kind: text("type"),
            format: text("format"),
            description,
            priority: column["priority"].as_i64().unwrap_or(0),
            path: parse_path(&path)?,
        })
    }

    /// Computes the cell of an object; null if the object has no value there. `now` is the reference for ages.
    pub fn cell(&self, object: &Json, now: Time) -> Json {
        let Some(value) = first_match(&self.path, object) else { return Json::Null };
        match (self.kind.as_str(), &value) {
            (_, Json::Null) => Json::Null,
            ("string", Json::Str(text)) => text.clone().into(),
            ("string", Json::Float(number)) => go::float(*number).into(),
            ("string", other) => go::json(other).into(),
            ("integer" | "number", Json::Int(_))
            | ("number", Json::Float(_))
            | ("boolean", Json::Bool(_)) => value,
            #[allow(clippy::cast_possible_truncation)]
            ("integer", Json::Float(number)) => Json::Int(*number as i64),
            ("date", Json::Str(text)) => match text.parse::<Time>() {
                Ok(time) => client_rs_machinery::time::age(time, now).into(),
                Err(_) => "<invalid>".into(),
            },
            _ => Json::Null,
        }
    }
}

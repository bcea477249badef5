//! Tables that a server makes of objects.

use client_rs_machinery::{Json, Time, Unstructured, json};

use super::number;

/// A `Table` of `meta.k8s.io`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Table {
    /// None: those of the table before.
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
    /// The version of the list, or of the only object.
    pub(crate) resource_version: String,
    /// The continue token of the list.
    pub(crate) continue_from: String,
}

/// A column.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Column {
    pub(crate) name: String,
    /// Does it hold the objects' names?
    pub(crate) is_name: bool,
    /// Is it shown with `-o wide` alone?
    pub(crate) is_wide: bool,
}

/// A row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) cells: Vec<Json>,
    /// The object, or its metadata.
    pub(crate) object: Json,
}

impl Table {
    /// The server's response: a table, or objects that are made into a plain table.
    pub(crate) fn from_answer(answer: &Json) -> Self {
        if answer["kind"] == "Table"
            && answer["apiVersion"].as_str().is_some_and(|v| v.starts_with("meta.k8s.io/"))
        {
            return Self::from_table(answer);
        }
        let metadata = &answer["metadata"];
        let objects = match answer["items"].as_list() {
            Some(items) => items.to_vec(),
            None => vec![answer.clone()],
        };
        Self {
            resource_version: text(metadata, "resourceVersion"),
            continue_from: text(metadata, "continue"),
            ..Self::plain(objects, Time::now())
        }
    }

    /// Names and ages: for servers that make no tables.
    pub(crate) fn plain(objects: Vec<Json>, now: Time) -> Self {
        let column = |name: &str, is_name| Column { name: name.to_owned(), is_name, is_wide: false };
        let row = |object: Json| {
            let name = object["metadata"]["name"].clone();
            Row { cells: vec![name, age(&object["metadata"]["creationTimestamp"], now).into()], object }
        };
        Self {
            columns: vec![column("Name", true), column("Age", false)],
            rows: objects.into_iter().map(row).collect(),
            ..Self::default()
        }
    }

    fn from_table(table: &Json) -> Self {
        let column = |definition: &Json| Column {
            name: text(definition, "name"),
            is_name: definition["format"] == "name" && definition["type"] == "string",
            is_wide: definition["priority"].as_i64().unwrap_or(0) != 0,
        };
        let row = |row: &Json| Row {
            cells: row["cells"].as_list().map(|cells| cells.to_vec()).unwrap_or_default(),
            object: row["object"].clone(),
        };
        let list = |name: &str| table[name].as_list().into_iter().flatten();
        let metadata = &table["metadata"];
        Self {
            columns: list("columnDefinitions").map(column).collect(),
            rows: list("rows").map(row).collect(),
            resource_version: text(metadata, "resourceVersion"),
            continue_from: text(metadata, "continue"),
        }
    }

    /// A table of objects with the columns of their kind, where those are known.
    pub(crate) fn of_kind<'o>(
        group: &str,
        resource: &str,
        objects: impl Iterator<Item = &'o Unstructured>,
        now: Time,
    ) -> Self {
        let Some(known) = client_rs_apiserver::columns::of(group, resource) else {
            return Self::plain(objects.map(Json::from).collect(), now);
        };
        let columns = known.iter().map(client_rs_apiserver::columns::Column::definition).collect::<Vec<_>>();
        let rows = objects.map(|object| {
            let cells: Vec<Json> = known.iter().map(|column| column.cell(object, now)).collect();
            json!({"cells": cells, "object": Json::from(object)})
        });
        let rows: Vec<Json> = rows.collect();
        Self::from_table(&json!({"columnDefinitions": columns, "rows": rows}))
    }
}

/// How long ago a time of an object was.
pub(crate) fn age(time: &Json, now: Time) -> String {
    match time.as_str().and_then(|time| Time::parse(time).ok()) {
        Some(time) => client_rs_apiserver::columns::age(time, now),
        None => "<unknown>".to_owned(),
    }
}

/// A cell as text.
pub(super) fn cell_text(cell: &Json) -> String {
    match cell {
        Json::Null => String::new(),
        Json::Str(text) => text.to_string(),
        Json::Float(value) => number::shortest(*value),
        other => other.to_string(),
    }
}

fn text(value: &Json, field: &str) -> String {
    value[field].as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_and_objects_become_tables() {
        let table = Table::from_answer(&json!({
            "kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": {"resourceVersion": "7", "continue": "c"},
            "columnDefinitions": [{"name": "Name", "type": "string", "format": "name"}, {"name": "IP", "priority": 1}],
            "rows": [{"cells": ["a", null], "object": {"metadata": {"name": "a"}}}],
        }));
        assert_eq!((table.resource_version.as_str(), table.continue_from.as_str()), ("7", "c"));
        assert!(table.columns[0].is_name && table.columns[1].is_wide);
        assert_eq!(table.rows[0].cells.len(), 2);

        let list = json!({"kind": "PodList", "metadata": {"resourceVersion": "3"}, "items": [{"metadata": {"name": "b"}}]});
        let table = Table::from_answer(&list);
        assert_eq!(table.rows[0].cells, [json!("b"), json!("<unknown>")]);
        let one = Table::from_answer(&json!({"kind": "Pod", "metadata": {"name": "c"}}));
        assert_eq!(one.rows.len(), 1);
    }
}

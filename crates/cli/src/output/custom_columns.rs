//! `-o custom-columns`.

use anyhow::{Result, bail};
use client_rs_machinery::Json;
use client_rs_machinery::jsonpath::JsonPath;

use super::printable;
use super::server_table::cell_text;

/// Columns that the user has chosen, each with a path.
#[derive(Clone, Debug)]
pub(crate) struct CustomColumns(Vec<(String, JsonPath)>);

impl CustomColumns {
    /// `HEADER:path,HEADER:path`.
    pub(crate) fn parse(text: &str) -> Result<Self> {
        let columns = text.split(',').map(|column| match column.split_once(':') {
            Some((header, path)) => Ok((header.to_owned(), relaxed(path)?)),
            None => bail!("unexpected custom-columns spec: {column}, expected <header>:<json-path-expr>"),
        });
        Ok(Self(columns.collect::<Result<_>>()?))
    }

    /// A line of headers and a line of paths.
    pub(crate) fn from_template(text: &str) -> Result<Self> {
        const FORM: &str = "Expected format is one line of space separated headers, one line of space separated column specs.";
        let mut lines = text.lines();
        let Some(headers) = lines.next() else { bail!("invalid template, missing header line. {FORM}") };
        let Some(paths) = lines.next() else { bail!("invalid template, missing spec line. {FORM}") };
        let (headers, paths): (Vec<_>, Vec<_>) =
            (headers.split_whitespace().collect(), paths.split_whitespace().collect());
        if headers.len() != paths.len() {
            bail!(
                "number of headers ({}) and field specifications ({}) don't match",
                headers.len(),
                paths.len()
            );
        }
        let columns =
            headers.iter().zip(paths).map(|(header, path)| Ok(((*header).to_owned(), relaxed(path)?)));
        Ok(Self(columns.collect::<Result<_>>()?))
    }

    pub(crate) fn headers(&self) -> Vec<String> {
        self.0.iter().map(|(header, _)| header.clone()).collect()
    }

    pub(crate) fn row(&self, object: &Json) -> Result<Vec<String>> {
        let cell = |(_, path): &(String, JsonPath)| {
            let found = path.find(object)?;
            if found.first().is_none_or(Vec::is_empty) {
                return Ok("<none>".to_owned());
            }
            let texts: Vec<String> =
                found.iter().flatten().map(|value| printable(&shown(value)).into_owned()).collect();
            Ok(texts.join(","))
        };
        self.0.iter().map(cell).collect()
    }
}

fn relaxed(path: &str) -> Result<JsonPath> {
    Ok(JsonPath::parse_relaxed(path)?.allow_missing_keys(true))
}

/// As Go's `fmt` shows a value.
fn shown(value: &Json) -> String {
    match value {
        Json::Null => "<nil>".to_owned(),
        Json::List(list) => {
            let items: Vec<String> = list.iter().map(shown).collect();
            format!("[{}]", items.join(" "))
        }
        Json::Map(map) => {
            let entries: Vec<String> =
                map.iter().map(|(key, value)| format!("{key}:{}", shown(value))).collect();
            format!("map[{}]", entries.join(" "))
        }
        other => cell_text(other),
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn cells_are_shown_as_go_shows_them() {
        let columns = CustomColumns::parse("NAME:.metadata.name,ALL:spec,EACH:.list[*],NONE:{.x.y}").unwrap();
        let object =
            json!({"metadata": {"name": "a"}, "spec": {"b": [1, true], "c": null}, "list": [1, 2.5]});
        assert_eq!(columns.headers(), ["NAME", "ALL", "EACH", "NONE"]);
        assert_eq!(columns.row(&object).unwrap(), ["a", "map[b:[1 true] c:<nil>]", "1,2.5", "<none>"]);
        let columns = CustomColumns::from_template("A  B\n.metadata.name {.list}\n").unwrap();
        assert_eq!(columns.row(&object).unwrap(), ["a", "[1 2.5]"]);
        assert!(CustomColumns::from_template("A B\n.a").is_err());
    }
}

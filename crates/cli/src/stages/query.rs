//! The part of jq that selectors of stages use: paths, iteration, and `select` with one comparison.
//!
//! `.status.phase`, `.metadata.annotations["a/b"]`, `.metadata.ownerReferences.[].kind`,
//! `.status.conditions.[] | select(.type == "Ready") | .status`

use client_rs_machinery::Json;

/// A query.
#[derive(Debug, PartialEq)]
pub(super) struct Query(Vec<Part>);

#[derive(Debug, PartialEq)]
enum Part {
    /// `.name` and `["name"]`
    Field(String),
    /// `[0]`
    Index(usize),
    /// `[]`
    Each,
    /// `select(.a == "b")`, or with `!=`
    Select { path: Vec<Part>, equal: bool, value: Json },
}

static NULL: Json = Json::Null;

impl Query {
    /// Reads a query. Another part of jq is an error that quotes it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut reader = Reader { rest: text.trim() };
        let parts = reader.pipeline()?;
        if reader.rest.is_empty() { Ok(Self(parts)) } else { Err(reader.unknown()) }
    }

    /// The results that are not null; `None` if the query does not fit the value, as for `.[]` of a missing list.
    pub(super) fn run<'v>(&self, value: &'v Json) -> Option<Vec<&'v Json>> {
        let mut found = results(&self.0, value)?;
        found.retain(|one| !one.is_null());
        Some(found)
    }
}

/// All results of a path.
fn results<'v>(path: &[Part], value: &'v Json) -> Option<Vec<&'v Json>> {
    let mut now = vec![value];
    for part in path {
        let mut next = Vec::new();
        for value in now {
            match (part, value) {
                (Part::Field(name), Json::Map(map)) => next.push(map.get(name.as_str()).unwrap_or(&NULL)),
                (Part::Index(index), Json::List(list)) => next.push(list.get(*index).unwrap_or(&NULL)),
                (Part::Field(_) | Part::Index(_), Json::Null) => next.push(&NULL),
                (Part::Each, Json::List(list)) => next.extend(list.iter()),
                (Part::Each, Json::Map(map)) => next.extend(map.iter().map(|(_, value)| value)),
                (Part::Select { path, equal, value: wanted }, _) => {
                    let found = results(path, value)?;
                    next.extend(found.iter().filter(|one| (**one == wanted) == *equal).map(|_| value));
                }
                _ => return None,
            }
        }
        now = next;
    }
    Some(now)
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn unknown(&self) -> String {
        format!("{:?} is not supported in a query", self.rest)
    }

    fn take(&mut self, start: &str) -> bool {
        let rest = self.rest.trim_start();
        let found = rest.strip_prefix(start);
        self.rest = found.unwrap_or(rest);
        found.is_some()
    }

    fn expect(&mut self, text: &str) -> Result<(), String> {
        if self.take(text) { Ok(()) } else { Err(format!("{text:?} is missing before {:?}", self.rest)) }
    }

    fn pipeline(&mut self) -> Result<Vec<Part>, String> {
        let mut parts = self.stage()?;
        while self.take("|") {
            parts.extend(self.stage()?);
        }
        Ok(parts)
    }

    fn stage(&mut self) -> Result<Vec<Part>, String> {
        if !self.take("select") {
            return self.path();
        }
        self.expect("(")?;
        let path = self.path()?;
        let equal = self.take("==");
        if !equal && !self.take("!=") {
            return Err(self.unknown());
        }
        let value = self.literal()?;
        self.expect(")")?;
        Ok(vec![Part::Select { path, equal, value }])
    }

    fn path(&mut self) -> Result<Vec<Part>, String> {
        if !self.take(".") {
            return Err(self.unknown());
        }
        let mut parts = Vec::new();
        // After a dot a name or a bracket may follow; after those only a dot or a bracket.
        let mut dot = true;
        loop {
            if self.rest.starts_with('[') {
                self.rest = &self.rest[1..];
                parts.push(self.bracket()?);
                dot = false;
                continue;
            }
            let end = self.rest.find(|one: char| !one.is_ascii_alphanumeric() && one != '_');
            let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
            if dot && !name.is_empty() {
                parts.push(Part::Field(name.to_owned()));
                self.rest = rest;
                dot = false;
            } else if !dot && self.rest.starts_with('.') {
                self.rest = &self.rest[1..];
                dot = true;
            } else {
                return Ok(parts);
            }
        }
    }

    fn bracket(&mut self) -> Result<Part, String> {
        if self.take("]") {
            return Ok(Part::Each);
        }
        let part = match self.literal()? {
            Json::Str(name) => Part::Field(name.to_string()),
            number => {
                let index = number.as_i64().and_then(|number| usize::try_from(number).ok());
                Part::Index(index.ok_or_else(|| format!("[{number}] is not supported in a query"))?)
            }
        };
        self.expect("]")?;
        Ok(part)
    }

    /// A string, a number, `true`, `false` or `null`.
    fn literal(&mut self) -> Result<Json, String> {
        self.rest = self.rest.trim_start();
        let end = if self.rest.starts_with('"') {
            let mut escaped = false;
            let end = self.rest.char_indices().skip(1).find(|(_, one)| {
                let ends = *one == '"' && !escaped;
                escaped = *one == '\\' && !escaped;
                ends
            });
            end.map(|(at, _)| at + 1)
        } else {
            self.rest.find(|one: char| !one.is_ascii_alphanumeric() && one != '-')
        };
        let (text, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        let value = Json::parse(text.as_bytes()).map_err(|_| self.unknown())?;
        self.rest = rest;
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;

    #[test]
    fn the_queries_of_selectors_find_their_values() {
        let pod = json!({
            "metadata": {"annotations": {"a.b/c": "x"}, "ownerReferences": [{"kind": "Job"}, {"kind": "Other"}]},
            "status": {"phase": "Running", "conditions": [
                {"type": "Ready", "status": "True"}, {"type": "Initialized", "status": "False"},
            ]},
        });
        for (query, expected) in [
            (".status.phase", Some(vec![json!("Running")])),
            (".status.podIP", Some(vec![])),
            (".missing.below", Some(vec![])),
            (r#".metadata.annotations["a.b/c"]"#, Some(vec![json!("x")])),
            (r#".metadata.labels["a"]"#, Some(vec![])),
            (".metadata.ownerReferences.[].kind", Some(vec![json!("Job"), json!("Other")])),
            (".metadata.ownerReferences[1].kind", Some(vec![json!("Other")])),
            (".metadata.ownerReferences[7].kind", Some(vec![])),
            (r#".status.conditions.[] | select( .type == "Ready" ) | .status"#, Some(vec![json!("True")])),
            (r#".status.conditions[]|select(.type != "Ready")|.status"#, Some(vec![json!("False")])),
            (".status.containerStatuses.[].name", None),
            (".status.phase.below", None),
        ] {
            let parsed = Query::parse(query).unwrap();
            let found = parsed.run(&pod).map(|all| all.into_iter().cloned().collect::<Vec<_>>());
            assert_eq!(found, expected, "{query}");
        }
        assert_eq!(Query::parse(".").unwrap().run(&json!(1)), Some(vec![&json!(1)]));
    }

    #[test]
    fn other_queries_are_refused() {
        for query in [
            "",
            "status",
            ".a | length",
            ".a + 1",
            "select(.a)",
            ".a[",
            ".a[-1]",
            "..",
            ".a // .b",
            r#"."a""#,
        ] {
            assert!(Query::parse(query).is_err(), "{query}");
        }
        assert_eq!(Query::parse(".a | length").unwrap_err(), "\"length\" is not supported in a query");
    }
}

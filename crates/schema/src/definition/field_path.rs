//! Field paths of rules and selectable fields.

use client_rs_machinery::Json;

/// The schema at a path, and the segments of the path. It is an error if the path leads nowhere.
pub(super) fn resolve<'s>(
    path: &str,
    schema: &'s Json,
    brackets: bool,
) -> Result<(&'s Json, Vec<String>), String> {
    let mut tokens = tokens(path).into_iter();
    let mut found = schema;
    let mut segments = Vec::new();
    let end = || "unexpected end of JSON path".to_owned();
    while let Some(token) = tokens.next() {
        let name = match token.as_str() {
            "." => tokens.next().ok_or_else(end)?,
            "[" if !brackets => return Err("array notation is not allowed".to_owned()),
            "[" => {
                let quoted = tokens.next().ok_or_else(end)?;
                let inner = quoted.strip_prefix('\'').and_then(|text| text.strip_suffix('\''));
                let inner = inner.ok_or_else(|| format!("expected single quoted string but got {quoted}"))?;
                match tokens.next().ok_or_else(end)?.as_str() {
                    "]" => inner.replace("\\'", "'"),
                    other => return Err(format!("expected ] but got {other}")),
                }
            }
            other => return Err(format!("expected [ or . but got: {other}")),
        };
        let nowhere = || "does not refer to a valid field".to_owned();
        found = if found["properties"].as_map().is_some_and(|all| !all.is_empty()) {
            found["properties"].get(name.as_str()).ok_or_else(nowhere)?
        } else if found["additionalProperties"].as_map().is_some() {
            &found["additionalProperties"]
        } else {
            return Err(nowhere());
        };
        segments.push(name);
    }
    Ok((found, segments))
}

fn tokens(path: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = path;
    while !rest.is_empty() {
        let length = if rest.starts_with(['.', '[', ']']) {
            1
        } else if let Some(inner) = rest.strip_prefix('\'') {
            inner.find('\'').map_or(rest.len(), |end| end + 2)
        } else {
            rest.find(['.', '[', ']']).unwrap_or(rest.len())
        };
        tokens.push(rest[..length].to_owned());
        rest = &rest[length..];
    }
    tokens
}

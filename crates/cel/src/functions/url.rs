//! URLs.

use std::sync::Arc;

use super::Outcome;
use crate::value::Kind;
use crate::{EvalError, Value, go};

pub(super) const GLOBAL: [&str; 2] = ["url", "isURL"];
pub(super) const METHODS: [&str; 6] =
    ["getScheme", "getHost", "getHostname", "getPort", "getEscapedPath", "getQuery"];

pub(super) fn global(function: &str, text: &str) -> Outcome {
    if function == "isURL" {
        return Ok(Value::Bool(go::request_uri(text).is_ok()));
    }
    let wrong = |why| EvalError::failed(format!("URL parse error during conversion from string: {why}"));
    go::request_uri(text).map_err(wrong)?;
    Ok(Kind::Url(Arc::new(go::url(text).map_err(wrong)?)).into())
}

pub(super) fn method(url: &go::Url, function: &str, args: &[Value]) -> Option<Outcome> {
    if !args.is_empty() {
        return None;
    }
    Some(Ok(match function {
        "getScheme" => Value::text(url.scheme.as_str()),
        "getHost" => Value::text(url.host.as_str()),
        "getHostname" => Value::text(url.hostname()),
        "getPort" => Value::text(url.port()),
        "getEscapedPath" => Value::text(url.escaped_path()),
        "getQuery" => Value::object(
            url.query()
                .into_iter()
                .map(|(key, values)| (key, Value::list(values.into_iter().map(Value::text)))),
        ),
        _ => return None,
    }))
}

//! Request paths with placeholders, for metrics.

use std::fmt;

use super::{Request, Root, params, path};

const NAMESPACE: &str = "{namespace}";
const NAME: &str = "{name}";

/// Path and query of a request with placeholders, built when it is displayed.
pub(crate) struct Template<'r> {
    pub(crate) request: &'r Request,
    pub(crate) base: &'r str,
}

impl fmt::Display for Template<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&of(self.request, self.base))
    }
}

/// Returns path and query of the request, with placeholders.
pub(super) fn of(request: &Request, base: &str) -> String {
    let structured = match &request.parts.root {
        Root::Api(_) => request.parts.resource.is_some() && request.parts.subpath.is_empty(),
        Root::Absolute { .. } => false,
    };
    let path = if structured {
        request.path(base, Some((NAMESPACE, NAME)))
    } else {
        let Some(path) = of_path(&request.path(base, None), base) else {
            return path::join([base, "{prefix}"]);
        };
        path
    };
    let mut names: Vec<_> = request.all_params().into_iter().map(|(name, _)| name).collect();
    names.sort();
    names.dedup();
    if names.is_empty() {
        return path;
    }
    let params: Vec<_> = names.into_iter().map(|name| (name, "value".to_owned())).collect();
    format!("{path}?{}", params::encode(&params).replace("=value", "={value}"))
}

/// Replaces names in a path that is only known as text. `None` if it is not a path of the API.
fn of_path(path: &str, base: &str) -> Option<String> {
    let below = path.strip_prefix(base.trim_end_matches('/')).unwrap_or(path);
    let mut segments: Vec<&str> = below.split('/').filter(|segment| !segment.is_empty()).collect();
    if segments.len() < 2 {
        return Some(path.to_owned());
    }
    let resource = match segments[0] {
        "api" => 2,
        "apis" => 3,
        _ => return None,
    };
    let rest = segments.get_mut(resource..).unwrap_or_default();
    match rest {
        [_, name] | [_, name, "finalize" | "status"] => *name = NAME,
        [_, namespace, _] | [_, namespace, _, "finalize" | "status", ..] => *namespace = NAMESPACE,
        [_, namespace, _, name, ..] => {
            *namespace = NAMESPACE;
            *name = NAME;
        }
        _ => {}
    }
    Some(path::join([base].into_iter().chain(segments)))
}

//! URLs without their secrets.

use std::fmt;

/// Shows a URL without a password, and without the values of parameters that may be secret.
pub(crate) struct ShownUrl<'a>(pub(crate) &'a str);

/// Parameters whose values are numbers, flags, versions, or names that also appear in paths.
const PLAIN: &[&str] = &[
    "allowWatchBookmarks",
    "container",
    "dryRun",
    "fieldManager",
    "fieldValidation",
    "follow",
    "force",
    "gracePeriodSeconds",
    "limit",
    "limitBytes",
    "orphanDependents",
    "ports",
    "pretty",
    "previous",
    "propagationPolicy",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "sinceSeconds",
    "sinceTime",
    "stderr",
    "stdin",
    "stdout",
    "stream",
    "tailLines",
    "timeout",
    "timeoutSeconds",
    "timestamps",
    "tty",
    "watch",
];

impl fmt::Display for ShownUrl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (place, query) =
            self.0.split_once('?').map_or((self.0, None), |(place, query)| (place, Some(query)));
        let (scheme, rest) = place.split_once("://").map_or(("", place), |(scheme, rest)| (scheme, rest));
        let host_end = if scheme.is_empty() { 0 } else { rest.find('/').unwrap_or(rest.len()) };
        let (host, path) = rest.split_at(host_end);
        let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
        write!(f, "{scheme}{}{host}{path}", if scheme.is_empty() { "" } else { "://" })?;
        for (index, pair) in query.into_iter().flat_map(|query| query.split('&')).enumerate() {
            f.write_str(if index == 0 { "?" } else { "&" })?;
            match pair.split_once('=') {
                Some((name, _)) if PLAIN.binary_search(&name).is_err() => write!(f, "{name}=...")?,
                Some(_) => f.write_str(pair)?,
                // A single word may be a value as well as a name.
                None => f.write_str("...")?,
            }
        }
        Ok(())
    }
}

impl fmt::Debug for ShownUrl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{self}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_parameters_can_be_searched() {
        assert!(PLAIN.is_sorted());
    }
}

//! The versions that the caches of a leader had.

use std::cmp::Ordering;

use client_rs_cache::Coverage;
use client_rs_machinery::{collections::VecMap, compare_resource_versions};

/// The longest text in bytes: it is sent with every renewal of the Lease. An entry has some 30 bytes.
pub(super) const LIMIT: usize = 4096;

/// The newest version that a cache had, for each informer, or for each of its namespaces.
///
/// Versions of different resources can't be compared, so each is compared only with that of the same name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen(VecMap<String, String>);

/// The name of a part of an informer's cache: `pods.v1`, or `pods.v1/shop` for one namespace.
pub(super) fn name_of(informer: &str, part: &Coverage) -> String {
    match part {
        Coverage::All => informer.to_owned(),
        Coverage::Namespace(namespace) => format!("{informer}/{namespace}"),
    }
}

impl Seen {
    /// Reads a text. One that has another form is empty: there is nothing to wait for.
    pub(super) fn parse(text: &str) -> Self {
        let versions: VecMap<String, String> = serde_json::from_str(text).unwrap_or_default();
        Self(versions.into_iter().filter(|(_, version)| is_number(version)).collect())
    }

    /// Adds a version. If there is one of this name, the newer one counts. A version that is not a number is ignored.
    pub(super) fn add(&mut self, name: String, version: &str) {
        if !is_number(version) {
            return;
        }
        let known = self.0.entry(name).or_default();
        if known.is_empty() || is_older(known, version) {
            version.clone_into(known);
        }
    }

    /// Returns for each name the newer version of both.
    pub(super) fn newest(mut self, other: &Self) -> Self {
        for (name, version) in &other.0 {
            self.add(name.clone(), version);
        }
        self
    }

    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// Returns the text, and how many names it leaves out because it would exceed [`LIMIT`].
    pub(super) fn text(&self) -> (String, usize) {
        // The braces.
        let mut length = 2;
        let fits = |entry: &(&String, &String)| {
            // Two pairs of quotes, a colon, a comma. Names of resources and namespaces have no characters to escape; for
            // others the text may be a little longer than the limit.
            length += entry.0.len() + entry.1.len() + 6;
            length <= LIMIT
        };
        let kept: VecMap<&String, &String> = self.0.iter().take_while(fits).collect();
        let left_out = self.0.len() - kept.len();
        (serde_json::to_string(&kept).unwrap_or_default(), left_out)
    }
}

/// Whether a version is older than another one of the same resource. Versions that are not numbers are not.
pub(super) fn is_older(version: &str, than: &str) -> bool {
    compare_resource_versions(version, than) == Some(Ordering::Less)
}

fn is_number(version: &str) -> bool {
    compare_resource_versions(version, version).is_some()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn seen(entries: &[(&str, &str)]) -> Seen {
        let mut seen = Seen::default();
        for (name, version) in entries {
            seen.add((*name).to_owned(), version);
        }
        seen
    }

    #[test]
    fn the_text_is_short_and_readable() {
        let one = seen(&[("pods.v1", "4711"), ("secrets.v1/shop", "99")]);
        let (text, left_out) = one.text();
        assert_eq!((text.as_str(), left_out), (r#"{"pods.v1":"4711","secrets.v1/shop":"99"}"#, 0));
        assert_eq!(Seen::parse(&text), one);
        assert_eq!(name_of("secrets.v1", &Coverage::Namespace("shop".into())), "secrets.v1/shop");
        for odd in ["", "x", "[]", "{\"pods.v1\":7}", "{\"pods.v1\":\"a\"}", "{\"pods.v1\":\"07\"}"] {
            assert_eq!(Seen::parse(odd), Seen::default(), "{odd}");
        }
    }

    #[test]
    fn the_text_has_a_limit() {
        let mut many = Seen::default();
        for number in 0..1_000 {
            many.add(format!("resource-{number}.v1"), "1234567890");
        }
        let (text, left_out) = many.text();
        assert!(text.len() <= LIMIT && text.len() > LIMIT - 50, "{}", text.len());
        assert_eq!(Seen::parse(&text).0.len() + left_out, 1_000);
    }

    proptest! {
        #[test]
        fn the_newest_of_two_is_the_greater_number_of_each(a in any::<[Option<u64>; 3]>(), b in any::<[Option<u64>; 3]>()) {
            let of = |versions: [Option<u64>; 3]| {
                let mut seen = Seen::default();
                for (name, version) in ["x", "y", "z"].into_iter().zip(versions) {
                    if let Some(version) = version {
                        seen.add(name.to_owned(), &version.to_string());
                    }
                }
                seen
            };
            let newest = [0, 1, 2].map(|at| a[at].max(b[at]));
            prop_assert_eq!(of(a).newest(&of(b)), of(newest));
            prop_assert_eq!(Seen::parse(&of(a).text().0), of(a));
        }
    }
}

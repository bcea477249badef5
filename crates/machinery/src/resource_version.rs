//! The order of resourceVersions.

use std::cmp::Ordering;

/// Compares two versions of objects of one resource, from one server: `Less` if the first is older.
///
/// Versions are decimal numbers of any length without leading zeros (a rule since Kubernetes 1.35). Returns `None` if one of them
/// is not: versions of other servers can only be compared for equality. Versions of different resources have no order,
/// and after a restore from a backup a lower version may be the newer one.
///
/// ```
/// use std::cmp::Ordering;
///
/// use client_rs_machinery::compare_resource_versions;
///
/// assert_eq!(compare_resource_versions("99", "100"), Some(Ordering::Less));
/// assert_eq!(compare_resource_versions("", "100"), None);
/// ```
pub fn compare_resource_versions(left: &str, right: &str) -> Option<Ordering> {
    (is_comparable(left) && is_comparable(right))
        .then(|| left.len().cmp(&right.len()).then_with(|| left.cmp(right)))
}

fn is_comparable(version: &str) -> bool {
    let digits = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
    digits && (version == "0" || !version.starts_with('0'))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn compares_as_numbers(a in any::<u128>(), b in any::<u128>()) {
            prop_assert_eq!(compare_resource_versions(&a.to_string(), &b.to_string()), Some(a.cmp(&b)));
        }
    }

    #[test]
    fn only_numbers_compare() {
        for text in ["", "a", "1a", "01", "-1", "1.0", " 1", "٣"] {
            assert_eq!(compare_resource_versions(text, "1"), None, "{text}");
            assert_eq!(compare_resource_versions("1", text), None, "{text}");
        }
        let long = "99999999999999999999999999999999999999999999";
        assert_eq!(compare_resource_versions(long, "100"), Some(Ordering::Greater));
    }
}

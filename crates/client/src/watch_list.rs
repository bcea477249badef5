//! Lists that are sent as watches.

use client_rs_machinery::features::{Feature, FeatureGates};
use client_rs_machinery::meta::v1::ListOptions;

const EXACT: &str = "Exact";
const NOT_OLDER_THAN: &str = "NotOlderThan";

/// The options of a watch that begins with the objects of a list with these options; `None` if no watch can do that, or if the
/// feature gate `WatchListClient` is off.
///
/// It is not possible for a list at an exact version, for a page, and for the continuation of one. With version `0`, a limit is
/// dropped, because the cache of a server ignores it too.
///
/// ```
/// use client_rs_client::watch_list_options;
/// use client_rs_machinery::features::FeatureGates;
/// use client_rs_machinery::meta::v1::ListOptions;
///
/// let gates = FeatureGates::with_env(|name| name.ends_with("WatchListClient").then(|| "true".to_owned()));
/// let watch = watch_list_options(&gates, &ListOptions::default()).unwrap();
/// assert_eq!(watch.send_initial_events, Some(true));
///
/// let mut page = ListOptions::default();
/// page.continue_ = "token".into();
/// assert_eq!(watch_list_options(&gates, &page), None);
/// ```
pub fn watch_list_options(gates: &FeatureGates, options: &ListOptions) -> Option<ListOptions> {
    let legacy = options.resource_version == "0";
    let refused = !gates.enabled(Feature::WatchListClient)
        || !is_valid(options)
        || (options.limit > 0 && !legacy)
        || options.resource_version_match == EXACT
        || !options.continue_.is_empty();
    (!refused).then(|| ListOptions {
        limit: 0,
        watch: true,
        allow_watch_bookmarks: true,
        send_initial_events: Some(true),
        resource_version_match: NOT_OLDER_THAN.into(),
        ..options.clone()
    })
}

/// Returns `true` if a server accepts these options for a list.
fn is_valid(options: &ListOptions) -> bool {
    let matching = options.resource_version_match.as_str();
    if options.send_initial_events.is_some() {
        return false;
    }
    match matching {
        "" => true,
        EXACT => {
            !options.resource_version.is_empty()
                && options.resource_version != "0"
                && options.continue_.is_empty()
        }
        NOT_OLDER_THAN => !options.resource_version.is_empty() && options.continue_.is_empty(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t8_9_01_every_combination_is_converted_or_refused() {
        let gates = FeatureGates::with_env(|_| None);
        let options = |version: &str, matching: &str, limit: i64, token: &str| ListOptions {
            resource_version: version.into(),
            resource_version_match: matching.into(),
            limit,
            continue_: token.into(),
            label_selector: "app=web".into(),
            ..ListOptions::EMPTY
        };
        for (version, matching, limit, token, converted) in [
            ("", "", 0, "", true),
            ("0", "", 0, "", true),
            ("0", "", 500, "", true),
            ("0", NOT_OLDER_THAN, 500, "", true),
            ("5", "", 0, "", true),
            ("5", NOT_OLDER_THAN, 0, "", true),
            ("", "", 500, "", false),
            ("5", "", 500, "", false),
            ("5", EXACT, 0, "", false),
            ("0", EXACT, 0, "", false),
            ("", NOT_OLDER_THAN, 0, "", false),
            ("", "", 0, "token", false),
            ("5", "Sideways", 0, "", false),
        ] {
            let list = options(version, matching, limit, token);
            let watch = watch_list_options(&gates, &list);
            let expected = ListOptions {
                limit: 0,
                watch: true,
                allow_watch_bookmarks: true,
                send_initial_events: Some(true),
                resource_version_match: NOT_OLDER_THAN.into(),
                ..list
            };
            assert_eq!(watch, converted.then_some(expected), "{version} {matching} {limit} {token}");
        }
        let off = FeatureGates::with_env(|_| None);
        off.set(Feature::WatchListClient, false).unwrap();
        assert_eq!(watch_list_options(&off, &ListOptions::EMPTY), None);
    }
}

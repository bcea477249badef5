//! Field selectors for the events of an object.

use client_rs_machinery::fields::Selector;
use client_rs_machinery::{GroupVersion, GroupVersionKind};

/// The error for an API version without events.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0} has no events")]
pub struct UnknownVersion(pub GroupVersion);

/// The field selector for the events of an object. The field of the object depends on the API version of the events:
/// `involvedObject` in `core/v1`, `regarding` in `events.k8s.io`. Empty arguments are not part of the selector.
///
/// ```
/// use client_rs_events::events_v1::field_selector;
/// use client_rs_machinery::{GroupVersion, GroupVersionKind};
///
/// let pod = GroupVersionKind::new("", "v1", "Pod");
/// let selector = field_selector(&GroupVersion::new("", "v1"), &pod, "web", "")?;
/// let text = selector.to_string();
/// assert!(text.contains("involvedObject.name=web") && text.contains("involvedObject.kind=Pod"));
/// assert!(field_selector(&GroupVersion::new("apps", "v1"), &pod, "web", "").is_err());
/// # Ok::<(), client_rs_events::events_v1::UnknownVersion>(())
/// ```
pub fn field_selector(
    events: &GroupVersion,
    kind: &GroupVersionKind,
    name: &str,
    uid: &str,
) -> Result<Selector, UnknownVersion> {
    let prefix = match (events.group.as_str(), events.version.as_str()) {
        ("", "v1") => "involvedObject",
        ("events.k8s.io", "v1" | "v1beta1") => "regarding",
        _ => return Err(UnknownVersion(events.clone())),
    };
    let api_version = match (kind.group.as_str(), kind.version.as_str()) {
        ("", version) => version.to_owned(),
        (group, "") => format!("{group}/"),
        (group, version) => format!("{group}/{version}"),
    };
    let terms = [("apiVersion", api_version.as_str()), ("kind", &kind.kind), ("name", name), ("uid", uid)];
    let terms = terms.into_iter().filter(|(_, value)| !value.is_empty());
    Ok(terms.fold(Selector::everything(), |selector, (field, value)| {
        selector.and(&Selector::equals(format!("{prefix}.{field}"), value))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t6_3_06_field_names_by_version() {
        let pod = GroupVersionKind::new("", "v1", "Pod");
        let deployment = GroupVersionKind::new("apps", "v1", "Deployment");
        let of = |group: &str, version: &str, kind: &GroupVersionKind, name: &str, uid: &str| {
            field_selector(&GroupVersion::new(group, version), kind, name, uid).map(|found| found.to_string())
        };
        assert_eq!(
            of("events.k8s.io", "v1", &pod, "web", "u-1").unwrap(),
            "regarding.apiVersion=v1,regarding.kind=Pod,regarding.name=web,regarding.uid=u-1"
        );
        assert_eq!(
            of("events.k8s.io", "v1beta1", &deployment, "web", "").unwrap(),
            "regarding.apiVersion=apps/v1,regarding.kind=Deployment,regarding.name=web"
        );
        assert_eq!(
            of("", "v1", &pod, "", "u-1").unwrap(),
            "involvedObject.apiVersion=v1,involvedObject.kind=Pod,involvedObject.uid=u-1"
        );
        assert_eq!(of("", "v1", &GroupVersionKind::new("", "", ""), "", "").unwrap(), "");
        assert_eq!(of("", "v2", &pod, "web", ""), Err(UnknownVersion(GroupVersion::new("", "v2"))));
    }
}

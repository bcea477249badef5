//! Names of API types: group, version, kind and resource in their usual combinations.

use crate::Str;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{cmp::Ordering, fmt, str::FromStr};

/// A group and one of its versions: `apps/v1`, or `v1` in the core group, whose name is empty.
///
/// Order is by text; for the order of preference see [`compare_versions`].
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupVersion {
    /// The group; empty for the core group.
    pub group: Str,
    /// The version.
    pub version: Str,
}

/// A kind of object in one version: `apps/v1, Kind=Deployment`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct GroupVersionKind {
    /// The group; empty for the core group.
    #[serde(with = "text")]
    pub group: Str,
    /// The version.
    #[serde(with = "text")]
    pub version: Str,
    /// The kind, in singular and camel case.
    #[serde(with = "text")]
    pub kind: Str,
}

/// A resource in one version: `apps/v1, Resource=deployments`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct GroupVersionResource {
    /// The group; empty for the core group.
    #[serde(with = "text")]
    pub group: Str,
    /// The version.
    #[serde(with = "text")]
    pub version: Str,
    /// The resource: as in URLs, plural and lower case.
    #[serde(with = "text")]
    pub resource: Str,
}

/// A kind of object in any version: `Deployment.apps`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct GroupKind {
    /// The group; empty for the core group.
    #[serde(with = "text")]
    pub group: Str,
    /// The kind, in singular and camel case.
    #[serde(with = "text")]
    pub kind: Str,
}

/// A resource in any version: `deployments.apps`.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct GroupResource {
    /// The group; empty for the core group.
    #[serde(with = "text")]
    pub group: Str,
    /// The resource: as in URLs, plural and lower case.
    #[serde(with = "text")]
    pub resource: Str,
}

/// A text that does not name what it should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GvkError {
    /// More than one slash.
    #[error("unexpected GroupVersion string: {0}")]
    GroupVersion(Str),
    /// Not `group/version, Kind=kind`.
    #[error("unexpected GroupVersionKind string: {0}")]
    GroupVersionKind(Str),
    /// Not `group/version, Resource=resource`.
    #[error("unexpected GroupVersionResource string: {0}")]
    GroupVersionResource(Str),
}

/// Orders two versions by preference, the greater being preferred: stable before beta before alpha, then the higher
/// number. `v2 > v1 > v1beta2 > v1beta1 > v1alpha1`, and these before any other text; among others the first in
/// the alphabet is the greatest.
pub fn compare_versions(a: &str, b: &str) -> Ordering {
    match (priority(a), priority(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(_), None) => Ordering::Greater,
        (None, Some(_)) => Ordering::Less,
        (None, None) => b.cmp(a),
    }
}

/// Reads `resource.group` or `resource.version.group`: the text alone doesn't tell which, so it gives both readings.
/// The first needs two dots.
///
/// ```
/// # use client_rs_machinery::parse_resource_arg;
/// let (exact, any) = parse_resource_arg("deployments.v1.apps");
/// assert_eq!(exact.unwrap().to_string(), "apps/v1, Resource=deployments");
/// assert_eq!(any.group, "v1.apps");
/// ```
pub fn parse_resource_arg(arg: &str) -> (Option<GroupVersionResource>, GroupResource) {
    let exact = three_parts(arg)
        .map(|(resource, version, group)| GroupVersionResource::new(group, version, resource));
    (exact, GroupResource::parse(arg))
}

/// Reads `Kind.group` or `Kind.version.group`, as [`parse_resource_arg`] does.
pub fn parse_kind_arg(arg: &str) -> (Option<GroupVersionKind>, GroupKind) {
    let exact = three_parts(arg).map(|(kind, version, group)| GroupVersionKind::new(group, version, kind));
    (exact, GroupKind::parse(arg))
}

impl GroupVersion {
    /// No group, no version.
    pub const EMPTY: Self = Self { group: Str::EMPTY, version: Str::EMPTY };

    /// A version of a group.
    pub fn new(group: impl Into<Str>, version: impl Into<Str>) -> Self {
        Self { group: group.into(), version: version.into() }
    }

    /// Reads `version` or `group/version`, the form of `apiVersion`.
    pub fn parse(text: &str) -> Result<Self, GvkError> {
        match text.split_once('/') {
            None => Ok(Self::new(Str::EMPTY, text)),
            Some((_, rest)) if rest.contains('/') => Err(GvkError::GroupVersion(text.into())),
            Some((group, version)) => Ok(Self::new(group, version)),
        }
    }

    /// Are both empty?
    pub fn is_empty(&self) -> bool {
        self.group.is_empty() && self.version.is_empty()
    }

    /// A kind in this version.
    pub fn with_kind(&self, kind: impl Into<Str>) -> GroupVersionKind {
        GroupVersionKind { group: self.group.clone(), version: self.version.clone(), kind: kind.into() }
    }

    /// A resource in this version.
    pub fn with_resource(&self, resource: impl Into<Str>) -> GroupVersionResource {
        GroupVersionResource {
            group: self.group.clone(),
            version: self.version.clone(),
            resource: resource.into(),
        }
    }
}

impl GroupVersionKind {
    /// Nothing named.
    pub const EMPTY: Self = Self { group: Str::EMPTY, version: Str::EMPTY, kind: Str::EMPTY };

    /// A kind in one version of a group.
    pub fn new(group: impl Into<Str>, version: impl Into<Str>, kind: impl Into<Str>) -> Self {
        Self { group: group.into(), version: version.into(), kind: kind.into() }
    }

    /// Of an object's `apiVersion` and `kind`. An `apiVersion` that can't be read counts as absent.
    pub fn from_api_version(api_version: &str, kind: impl Into<Str>) -> Self {
        GroupVersion::parse(api_version).unwrap_or_default().with_kind(kind)
    }

    /// The object's `apiVersion`.
    pub fn api_version(&self) -> Str {
        if self.group.is_empty() { self.version.clone() } else { self.group_version().to_string().into() }
    }

    /// Without the kind.
    pub fn group_version(&self) -> GroupVersion {
        GroupVersion { group: self.group.clone(), version: self.version.clone() }
    }

    /// Without the version.
    pub fn group_kind(&self) -> GroupKind {
        GroupKind { group: self.group.clone(), kind: self.kind.clone() }
    }

    /// Are all three empty?
    pub fn is_empty(&self) -> bool {
        self.group.is_empty() && self.version.is_empty() && self.kind.is_empty()
    }
}

impl GroupVersionResource {
    /// Nothing named.
    pub const EMPTY: Self = Self { group: Str::EMPTY, version: Str::EMPTY, resource: Str::EMPTY };

    /// A resource in one version of a group.
    pub fn new(group: impl Into<Str>, version: impl Into<Str>, resource: impl Into<Str>) -> Self {
        Self { group: group.into(), version: version.into(), resource: resource.into() }
    }

    /// Without the resource.
    pub fn group_version(&self) -> GroupVersion {
        GroupVersion { group: self.group.clone(), version: self.version.clone() }
    }

    /// Without the version.
    pub fn group_resource(&self) -> GroupResource {
        GroupResource { group: self.group.clone(), resource: self.resource.clone() }
    }

    /// Are all three empty?
    pub fn is_empty(&self) -> bool {
        self.group.is_empty() && self.version.is_empty() && self.resource.is_empty()
    }
}

impl GroupKind {
    /// Nothing named.
    pub const EMPTY: Self = Self { group: Str::EMPTY, kind: Str::EMPTY };

    /// A kind of a group.
    pub fn new(group: impl Into<Str>, kind: impl Into<Str>) -> Self {
        Self { group: group.into(), kind: kind.into() }
    }

    /// Reads `Kind` or `Kind.group`. Every text is one.
    pub fn parse(text: &str) -> Self {
        let (kind, group) = text.split_once('.').unwrap_or((text, ""));
        Self::new(group, kind)
    }

    /// This kind in one version.
    pub fn with_version(&self, version: impl Into<Str>) -> GroupVersionKind {
        GroupVersionKind { group: self.group.clone(), version: version.into(), kind: self.kind.clone() }
    }

    /// Are both empty?
    pub fn is_empty(&self) -> bool {
        self.group.is_empty() && self.kind.is_empty()
    }
}

impl GroupResource {
    /// Nothing named.
    pub const EMPTY: Self = Self { group: Str::EMPTY, resource: Str::EMPTY };

    /// A resource of a group.
    pub fn new(group: impl Into<Str>, resource: impl Into<Str>) -> Self {
        Self { group: group.into(), resource: resource.into() }
    }

    /// Reads `resource` or `resource.group`. Every text is one.
    pub fn parse(text: &str) -> Self {
        let (resource, group) = text.split_once('.').unwrap_or((text, ""));
        Self::new(group, resource)
    }

    /// This resource in one version.
    pub fn with_version(&self, version: impl Into<Str>) -> GroupVersionResource {
        GroupVersionResource {
            group: self.group.clone(),
            version: version.into(),
            resource: self.resource.clone(),
        }
    }

    /// Are both empty?
    pub fn is_empty(&self) -> bool {
        self.group.is_empty() && self.resource.is_empty()
    }
}

/// The form of `apiVersion`.
impl fmt::Display for GroupVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.group.is_empty() {
            return f.write_str(&self.version);
        }
        write!(f, "{}/{}", self.group, self.version)
    }
}

impl fmt::Display for GroupVersionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}, Kind={}", self.group, self.version, self.kind)
    }
}

impl fmt::Display for GroupVersionResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}, Resource={}", self.group, self.version, self.resource)
    }
}

impl fmt::Display for GroupKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_dotted(f, &self.kind, &self.group)
    }
}

impl fmt::Display for GroupResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_dotted(f, &self.resource, &self.group)
    }
}

impl FromStr for GroupVersion {
    type Err = GvkError;

    fn from_str(text: &str) -> Result<Self, GvkError> {
        Self::parse(text)
    }
}

impl FromStr for GroupVersionKind {
    type Err = GvkError;

    fn from_str(text: &str) -> Result<Self, GvkError> {
        let (group, version, kind) =
            long_form(text, ", Kind=").ok_or_else(|| GvkError::GroupVersionKind(text.into()))?;
        Ok(Self::new(group, version, kind))
    }
}

impl FromStr for GroupVersionResource {
    type Err = GvkError;

    fn from_str(text: &str) -> Result<Self, GvkError> {
        let (group, version, resource) =
            long_form(text, ", Resource=").ok_or_else(|| GvkError::GroupVersionResource(text.into()))?;
        Ok(Self::new(group, version, resource))
    }
}

impl FromStr for GroupKind {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self::parse(text))
    }
}

impl FromStr for GroupResource {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(Self::parse(text))
    }
}

impl Serialize for GroupVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for GroupVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = text::deserialize(deserializer)?;
        Self::parse(&text).map_err(de::Error::custom)
    }
}

fn write_dotted(f: &mut fmt::Formatter<'_>, name: &str, group: &str) -> fmt::Result {
    f.write_str(name)?;
    if group.is_empty() { Ok(()) } else { write!(f, ".{group}") }
}

fn three_parts(text: &str) -> Option<(&str, &str, &str)> {
    let (first, rest) = text.split_once('.')?;
    let (second, third) = rest.split_once('.')?;
    Some((first, second, third))
}

fn long_form<'a>(text: &'a str, separator: &str) -> Option<(&'a str, &'a str, &'a str)> {
    let (group_version, last) = text.split_once(separator)?;
    let (group, version) = group_version.split_once('/')?;
    (!version.contains('/')).then_some((group, version, last))
}

/// Stability, major and minor number of `v1`, `v2beta3` and their like.
fn priority(version: &str) -> Option<(u8, u64, u64)> {
    // Go's numbers are signed.
    let number = |digits: &str| {
        let all_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        all_digits.then(|| digits.parse::<i64>().ok()).flatten().map(i64::unsigned_abs)
    };
    let rest = version.strip_prefix('v')?;
    if let Some((major, minor)) = rest.split_once("beta") {
        return Some((1, number(major)?, number(minor)?));
    }
    if let Some((major, minor)) = rest.split_once("alpha") {
        return Some((0, number(major)?, number(minor)?));
    }
    Some((2, number(rest)?, 0))
}

/// `Str` as a plain JSON string.
mod text {
    use super::{Deserialize, Deserializer, Serializer, Str};
    use std::borrow::Cow;

    pub(super) fn serialize<S: Serializer>(text: &Str, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Str, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        Ok(Str::from(&*text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn group_versions_parse_as_in_go() {
        for (text, want) in [
            ("", Some(("", ""))),
            ("/", Some(("", ""))),
            ("v1", Some(("", "v1"))),
            ("apps/v1", Some(("apps", "v1"))),
            ("/v1", Some(("", "v1"))),
            ("apps/", Some(("apps", ""))),
            ("a.b.c/v1beta1", Some(("a.b.c", "v1beta1"))),
            ("a/b/c", None),
            ("//", None),
        ] {
            let got = GroupVersion::parse(text);
            match want {
                Some((group, version)) => assert_eq!(got, Ok(GroupVersion::new(group, version)), "{text}"),
                None => assert_eq!(got, Err(GvkError::GroupVersion(text.into())), "{text}"),
            }
        }
        assert_eq!(
            GroupVersion::parse("a/b/c").unwrap_err().to_string(),
            "unexpected GroupVersion string: a/b/c"
        );
        assert_eq!(GroupVersionKind::from_api_version("a/b/c", "K"), GroupVersionKind::new("", "", "K"));
        assert_eq!(
            GroupVersionKind::from_api_version("apps/v1", "K"),
            GroupVersionKind::new("apps", "v1", "K")
        );
    }

    #[test]
    fn args_have_two_readings() {
        let gvr = |g, v, r| Some(GroupVersionResource::new(g, v, r));
        for (text, exact, any) in [
            (
                "deployments.v1.apps",
                gvr("apps", "v1", "deployments"),
                GroupResource::new("v1.apps", "deployments"),
            ),
            ("deployments.apps", None, GroupResource::new("apps", "deployments")),
            ("pods", None, GroupResource::new("", "pods")),
            ("a.b.c.d", gvr("c.d", "b", "a"), GroupResource::new("b.c.d", "a")),
            ("..", gvr("", "", ""), GroupResource::new(".", "")),
            ("", None, GroupResource::EMPTY),
        ] {
            assert_eq!(parse_resource_arg(text), (exact, any), "{text}");
        }
        let (exact, any) = parse_kind_arg("Deployment.v1.apps");
        assert_eq!(exact, Some(GroupVersionKind::new("apps", "v1", "Deployment")));
        assert_eq!(any, GroupKind::new("v1.apps", "Deployment"));
        assert_eq!(parse_kind_arg("Pod"), (None, GroupKind::new("", "Pod")));
    }

    #[test]
    fn prints_as_go() {
        let kind = GroupVersionKind::new("apps", "v1", "Deployment");
        assert_eq!(kind.to_string(), "apps/v1, Kind=Deployment");
        assert_eq!(kind.group_kind().to_string(), "Deployment.apps");
        assert_eq!(kind.api_version(), "apps/v1");
        let resource = GroupVersionResource::new("", "v1", "pods");
        assert_eq!(resource.to_string(), "/v1, Resource=pods");
        assert_eq!(resource.group_resource().to_string(), "pods");
        assert_eq!(resource.group_version().to_string(), "v1");
        assert_eq!(GroupVersionKind::new("", "v1", "Pod").api_version(), "v1");
    }

    #[test]
    fn versions_are_ordered_by_preference() {
        // Each is preferred to all that follow it.
        let ordered = [
            "v10",
            "v2",
            "v1",
            "v0",
            "v11beta2",
            "v10beta3",
            "v3beta1",
            "v2beta10",
            "v2beta2",
            "v12alpha1",
            "v11alpha2",
            "v1alpha1",
            "",
            "1",
            "V1",
            "bar1",
            "foo10",
            "v",
            "v-1",
            "v1alpha",
            "v1beta",
            "v1beta1alpha1",
            "v1gamma1",
            "v99999999999999999999",
            "va",
            "vbeta1",
        ];
        for (i, a) in ordered.iter().enumerate() {
            for (j, b) in ordered.iter().enumerate() {
                assert_eq!(compare_versions(a, b), j.cmp(&i), "{a} {b}");
            }
        }
        assert_eq!(compare_versions("v1", "v01"), Ordering::Equal);
    }

    #[test]
    fn json_forms() {
        let kind = GroupVersionKind::new("apps", "v1", "Deployment");
        let json = serde_json::to_string(&kind).unwrap();
        assert_eq!(json, r#"{"group":"apps","version":"v1","kind":"Deployment"}"#);
        assert_eq!(serde_json::from_str::<GroupVersionKind>(&json).unwrap(), kind);
        assert_eq!(
            serde_json::from_str::<GroupResource>(r#"{"resource":"pods"}"#).unwrap(),
            GroupResource::new("", "pods")
        );
        assert_eq!(serde_json::to_string(&kind.group_version()).unwrap(), r#""apps/v1""#);
        assert_eq!(serde_json::from_str::<GroupVersion>(r#""apps\u002fv1""#).unwrap(), kind.group_version());
        assert!(serde_json::from_str::<GroupVersion>(r#""a/b/c""#).is_err());
    }

    #[test]
    fn emptiness_and_steps_between_types() {
        assert!(
            GroupVersion::EMPTY.is_empty()
                && GroupVersionKind::EMPTY.is_empty()
                && GroupKind::EMPTY.is_empty()
        );
        assert!(GroupVersionResource::EMPTY.is_empty() && GroupResource::EMPTY.is_empty());
        let version = GroupVersion::new("apps", "v1");
        assert_eq!(version.with_kind("D"), GroupKind::new("apps", "D").with_version("v1"));
        assert_eq!(version.with_resource("ds"), GroupResource::new("apps", "ds").with_version("v1"));
        assert!(
            !version.is_empty()
                && !version.with_kind("D").is_empty()
                && !version.with_resource("d").is_empty()
        );
    }

    proptest! {
        #[test]
        fn prints_and_parses_back(group in "[a-z.]{0,9}", version in "v[a-z0-9]{0,5}", kind in "[A-Za-z]{0,9}") {
            let gvk = GroupVersionKind::new(&*group, &*version, &*kind);
            prop_assert_eq!(gvk.to_string().parse(), Ok(gvk.clone()));
            let gvr = GroupVersionResource::new(&*group, &*version, &*kind);
            prop_assert_eq!(gvr.to_string().parse(), Ok(gvr.clone()));
            prop_assert_eq!(gvk.group_version().to_string().parse(), Ok(gvk.group_version()));
            prop_assert_eq!(gvk.group_kind().to_string().parse(), Ok(gvk.group_kind()));
            prop_assert_eq!(gvr.group_resource().to_string().parse(), Ok(gvr.group_resource()));
        }

        #[test]
        fn no_text_panics(text in ".*") {
            let _ = (text.parse::<GroupVersion>(), text.parse::<GroupVersionKind>(), text.parse::<GroupVersionResource>());
            let _ = (parse_resource_arg(&text), parse_kind_arg(&text), compare_versions(&text, "v1"));
        }

        #[test]
        fn version_order_is_total(a in "v?[0-9]{1,2}((alpha|beta)[0-9])?", b in "v?[0-9]{1,2}((alpha|beta)[0-9])?", c in "v?[0-9]{1,2}((alpha|beta)[0-9])?") {
            prop_assert_eq!(compare_versions(&a, &b), compare_versions(&b, &a).reverse());
            if compare_versions(&a, &b).is_ge() && compare_versions(&b, &c).is_ge() {
                prop_assert!(compare_versions(&a, &c).is_ge());
            }
        }
    }
}

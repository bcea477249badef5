//! Names of API types: group, version, kind and resource in their usual combinations.

use crate::Str;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{cmp::Ordering, fmt, str::FromStr};

/// A group and one of its versions: `apps/v1`, or `v1` in the core group, whose name is empty.
///
/// The order is alphabetical; for the order of preference see [`compare_versions`].
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupVersion {
    /// The group; empty for the core group.
    pub group: Str,
    /// The version.
    pub version: Str,
}

/// A kind of object in one version: `apps/v1, Kind=Deployment`.
///
/// ```
/// use client_rs_machinery::{GroupVersion, GroupVersionKind};
///
/// let deployment = GroupVersionKind::from_api_version("apps/v1", "Deployment");
/// assert_eq!(deployment, GroupVersion::parse("apps/v1")?.with_kind("Deployment"));
/// assert_eq!(deployment.to_string(), "apps/v1, Kind=Deployment");
/// assert_eq!(deployment.group_kind().to_string(), "Deployment.apps");
///
/// // The core group has no name.
/// assert_eq!(GroupVersionKind::new("", "v1", "Pod").api_version(), "v1");
/// assert!(GroupVersion::parse("apps/v1/extra").is_err());
/// # Ok::<(), client_rs_machinery::GvkError>(())
/// ```
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

/// A resource in one version: `apps/v1, Resource=deployments`. URLs and RBAC rules name resources, objects name
/// kinds; a RESTMapper converts between the two.
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

/// A malformed text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
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

/// Compares two versions by preference; the greater one is preferred: stable before beta before alpha, then the
/// higher number. `v2 > v1 > v1beta2 > v1beta1 > v1alpha1`, and these before any other text; among others the first
/// in the alphabet is the greatest.
///
/// ```
/// use client_rs_machinery::compare_versions;
///
/// let mut versions = ["v1beta1", "v2", "v1", "v1alpha3"];
/// versions.sort_by(|a, b| compare_versions(b, a));
/// assert_eq!(versions, ["v2", "v1", "v1beta1", "v1alpha3"]);
/// ```
pub fn compare_versions(a: &str, b: &str) -> Ordering {
    match (priority(a), priority(b)) {
        (Some(a), Some(b)) => a.cmp(&b),
        (Some(_), None) => Ordering::Greater,
        (None, Some(_)) => Ordering::Less,
        (None, None) => b.cmp(a),
    }
}

/// Parses `resource.group` or `resource.version.group`. The text is ambiguous, so it returns both readings. The first
/// needs two dots.
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

/// Parses `Kind.group` or `Kind.version.group`, like [`parse_resource_arg`].
pub fn parse_kind_arg(arg: &str) -> (Option<GroupVersionKind>, GroupKind) {
    let exact = three_parts(arg).map(|(kind, version, group)| GroupVersionKind::new(group, version, kind));
    (exact, GroupKind::parse(arg))
}

impl GroupVersion {
    /// No group, no version.
    pub const EMPTY: Self = Self { group: Str::EMPTY, version: Str::EMPTY };

    /// Creates a version of a group.
    pub fn new(group: impl Into<Str>, version: impl Into<Str>) -> Self {
        Self { group: group.into(), version: version.into() }
    }

    /// Parses `version` or `group/version`, the form of `apiVersion`.
    pub fn parse(text: &str) -> Result<Self, GvkError> {
        match text.split_once('/') {
            None => Ok(Self::new(Str::EMPTY, text)),
            Some((_, rest)) if rest.contains('/') => Err(GvkError::GroupVersion(text.into())),
            Some((group, version)) => Ok(Self::new(group, version)),
        }
    }

    /// Whether both parts are empty.
    pub fn is_empty(&self) -> bool {
        self.group.is_empty() && self.version.is_empty()
    }

    /// Returns a kind in this version.
    pub fn with_kind(&self, kind: impl Into<Str>) -> GroupVersionKind {
        GroupVersionKind { group: self.group.clone(), version: self.version.clone(), kind: kind.into() }
    }

    /// Returns a resource in this version.
    pub fn with_resource(&self, resource: impl Into<Str>) -> GroupVersionResource {
        GroupVersionResource {
            group: self.group.clone(),
            version: self.version.clone(),
            resource: resource.into(),
        }
    }
}

impl GroupVersionKind {
    /// All parts empty.
    pub const EMPTY: Self = Self { group: Str::EMPTY, version: Str::EMPTY, kind: Str::EMPTY };

    /// Creates a kind in one version of a group.
    pub fn new(group: impl Into<Str>, version: impl Into<Str>, kind: impl Into<Str>) -> Self {
        Self { group: group.into(), version: version.into(), kind: kind.into() }
    }

    /// Creates the kind from an object's `apiVersion` and `kind`. A malformed `apiVersion` counts as absent.
    pub fn from_api_version(api_version: &str, kind: impl Into<Str>) -> Self {
        GroupVersion::parse(api_version).unwrap_or_default().with_kind(kind)
    }

    /// Returns the `apiVersion` of such an object.
    pub fn api_version(&self) -> Str {
        if self.group.is_empty() { self.version.clone() } else { self.group_version().to_string().into() }
    }

    /// Returns it without the kind.
    pub fn group_version(&self) -> GroupVersion {
        GroupVersion { group: self.group.clone(), version: self.version.clone() }
    }

    /// Returns it without the version.
    pub fn group_kind(&self) -> GroupKind {
        GroupKind { group: self.group.clone(), kind: self.kind.clone() }
    }

    /// Whether all three parts are empty.
    pub fn is_empty(&self) -> bool {
        self.group.is_empty() && self.version.is_empty() && self.kind.is_empty()
    }
}

impl GroupVersionResource {
    /// All parts empty.
    pub const EMPTY: Self = Self { group: Str::EMPTY, version: Str::EMPTY, resource: Str::EMPTY };

    /// Creates a resource in one version of a group.
    pub fn new(group: impl Into<Str>, version: impl Into<Str>, resource: impl Into<Str>) -> Self {
        Self { group: group.into(), version: version.into(), resource: resource.into() }
    }

    /// Returns it without the resource.
    pub fn group_version(&self) -> GroupVersion {
        GroupVersion { group: self.group.clone(), version: self.version.clone() }
    }

    /// Returns it without the version.
    pub fn group_resource(&self) -> GroupResource {
        GroupResource { group: self.group.clone(), resource: self.resource.clone() }
    }

    /// Whether all three parts are empty.
    pub fn is_empty(&self) -> bool {
        self.group.is_empty() && self.version.is_empty() && self.resource.is_empty()
    }
}

impl GroupKind {
    /// Both parts empty.
    pub const EMPTY: Self = Self { group: Str::EMPTY, kind: Str::EMPTY };

    /// Creates a kind of a group.
    pub fn new(group: impl Into<Str>, kind: impl Into<Str>) -> Self {
        Self { group: group.into(), kind: kind.into() }
    }

    /// Parses `Kind` or `Kind.group`. Every text is valid.
    pub fn parse(text: &str) -> Self {
        let (kind, group) = text.split_once('.').unwrap_or((text, ""));
        Self::new(group, kind)
    }

    /// Returns this kind in one version.
    pub fn with_version(&self, version: impl Into<Str>) -> GroupVersionKind {
        GroupVersionKind { group: self.group.clone(), version: version.into(), kind: self.kind.clone() }
    }

    /// Whether both parts are empty.
    pub fn is_empty(&self) -> bool {
        self.group.is_empty() && self.kind.is_empty()
    }
}

impl GroupResource {
    /// Both parts empty.
    pub const EMPTY: Self = Self { group: Str::EMPTY, resource: Str::EMPTY };

    /// Creates a resource of a group.
    pub fn new(group: impl Into<Str>, resource: impl Into<Str>) -> Self {
        Self { group: group.into(), resource: resource.into() }
    }

    /// Parses `resource` or `resource.group`. Every text is valid.
    pub fn parse(text: &str) -> Self {
        let (resource, group) = text.split_once('.').unwrap_or((text, ""));
        Self::new(group, resource)
    }

    /// Returns this resource in one version.
    pub fn with_version(&self, version: impl Into<Str>) -> GroupVersionResource {
        GroupVersionResource {
            group: self.group.clone(),
            version: version.into(),
            resource: self.resource.clone(),
        }
    }

    /// Whether both parts are empty.
    pub fn is_empty(&self) -> bool {
        self.group.is_empty() && self.resource.is_empty()
    }
}

/// Prints the form of `apiVersion`.
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

/// Returns the stability, the major and the minor number of versions such as `v1` and `v2beta3`.
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
mod tests;

//! Which server this is.

use client_rs_machinery::Str;
use serde::Deserialize;

/// What a server says of itself at `/version`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct VersionInfo {
    /// The major version, such as `1`.
    pub major: Str,
    /// The minor version, such as `37`; some providers put a `+` behind it.
    pub minor: Str,
    /// The version that it emulates, where it says so: major.
    pub emulation_major: Str,
    /// The version that it emulates, where it says so: minor.
    pub emulation_minor: Str,
    /// The oldest version that it is compatible with, where it says so: major.
    pub min_compatibility_major: Str,
    /// The oldest version that it is compatible with, where it says so: minor.
    pub min_compatibility_minor: Str,
    /// All of it, such as `v1.37.1`.
    pub git_version: Str,
    /// The commit that it was built from.
    pub git_commit: Str,
    /// Whether that tree had changes.
    pub git_tree_state: Str,
    /// When it was built.
    pub build_date: Str,
    /// The Go release that built it.
    pub go_version: Str,
    /// The compiler.
    pub compiler: Str,
    /// Operating system and processor.
    pub platform: Str,
}

impl VersionInfo {
    /// Major and minor version as numbers; what follows the digits is passed over.
    pub fn numbers(&self) -> Option<(u32, u32)> {
        let number = |text: &str| {
            let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
            text[..end].parse().ok()
        };
        Some((number(&self.major)?, number(&self.minor)?))
    }
}

impl std::fmt::Display for VersionInfo {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.git_version)
    }
}

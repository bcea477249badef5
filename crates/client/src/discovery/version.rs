//! The version of a server.

use client_rs_machinery::Str;
use serde::Deserialize;

/// The version of a server, as it reports it at `/version`.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_client::testing::Canned;
/// use client_rs_client::discovery::DiscoveryClient;
///
/// # let rest = Canned::new().on("GET /version", r#"{"major": "1", "minor": "37+", "gitVersion": "v1.37.1"}"#).client();
/// let version = DiscoveryClient::from_rest(rest).server_version().await?;
/// assert_eq!((version.numbers(), version.to_string()), (Some((1, 37)), "v1.37.1".to_owned()));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase", default)]
#[non_exhaustive]
pub struct VersionInfo {
    /// The major version, such as `1`.
    pub major: Str,
    /// The minor version, such as `37`. Some providers append a `+`.
    pub minor: Str,
    /// The major version that it emulates. Empty if the server does not report it.
    pub emulation_major: Str,
    /// The minor version that it emulates. Empty if the server does not report it.
    pub emulation_minor: Str,
    /// The major version of the oldest compatible release. Empty if the server does not report it.
    pub min_compatibility_major: Str,
    /// The minor version of the oldest compatible release. Empty if the server does not report it.
    pub min_compatibility_minor: Str,
    /// The full version, such as `v1.37.1`.
    pub git_version: Str,
    /// The commit of the build.
    pub git_commit: Str,
    /// Whether the source tree had changes: `clean` or `dirty`.
    pub git_tree_state: Str,
    /// The time of the build.
    pub build_date: Str,
    /// The Go release that built it.
    pub go_version: Str,
    /// The compiler.
    pub compiler: Str,
    /// Operating system and processor.
    pub platform: Str,
}

impl VersionInfo {
    /// Major and minor version as numbers. Text after the digits is ignored. `None` if there are no digits.
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

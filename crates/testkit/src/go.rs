//! The Go toolchain: its version and its location.

use std::process::Command;

use crate::error::{Context, Error, Result};

/// A Go release; a pre-release counts as the release it leads to, and Go itself has the last word on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(u32, u32, u32);

impl Version {
    /// Reads `1.26`, `1.26.8`, `1.27rc1` or what `go version` prints.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        text.split_ascii_whitespace().find_map(|word| {
            let mut parts = word.strip_prefix("go").unwrap_or(word).split('.');
            let major = parts.next()?.parse().ok()?;
            let minor = leading_number(parts.next()?)?;
            Some(Self(major, minor, parts.next().and_then(leading_number).unwrap_or(0)))
        })
    }
}

fn leading_number(text: &str) -> Option<u32> {
    let end = text.find(|character: char| !character.is_ascii_digit()).unwrap_or(text.len());
    text[..end].parse().ok()
}

/// A `go` that uses no other toolchain than itself: what is on the PATH is what builds.
pub(crate) fn command() -> Command {
    let mut command = Command::new("go");
    command.env("GOTOOLCHAIN", "local").env("GOWORK", "off").env("GOFLAGS", "").env("CGO_ENABLED", "0");
    command.env_remove("GOOS").env_remove("GOARCH");
    command
}

/// Checks that there is a `go`, and that it is new enough for `needed` (the `go` line of a go.mod).
pub(crate) fn check(needed: &str) -> Result<()> {
    let output = match command().arg("version").output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            return Err(Error::GoMissing { needed: needed.into() });
        }
        Err(error) => return Err(error).context(|| "run `go version`".into()),
    };
    let said = String::from_utf8_lossy(&output.stdout);
    judge(said.trim(), needed)
}

fn judge(said: &str, needed: &str) -> Result<()> {
    match (Version::parse(said), Version::parse(needed)) {
        (Some(found), Some(wanted)) if found >= wanted => Ok(()),
        _ => {
            let found = said.lines().next().filter(|line| !line.is_empty()).unwrap_or("the Go on the PATH");
            let found = found.strip_prefix("go version ").unwrap_or(found);
            Err(Error::GoTooOld { found: found.into(), needed: needed.into() })
        }
    }
}

/// Without the credentials that the addresses of proxies may hold.
pub(crate) fn without_credentials(proxies: &str) -> String {
    let mut clean = String::new();
    for proxy in proxies.trim().split_inclusive([',', '|']) {
        match (proxy.find("://"), proxy.rfind('@')) {
            (Some(scheme), Some(at)) if scheme + 3 <= at => {
                clean.push_str(&proxy[..scheme + 3]);
                clean.push_str(&proxy[at + 1..]);
            }
            _ => clean.push_str(proxy),
        }
    }
    clean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_parse_in_every_form_go_prints() {
        assert_eq!(Version::parse("go version go1.26.8 linux/amd64"), Some(Version(1, 26, 8)));
        assert_eq!(Version::parse("go version go1.27rc1 darwin/arm64"), Some(Version(1, 27, 0)));
        assert_eq!(Version::parse("go version go1.9 linux/386"), Some(Version(1, 9, 0)));
        assert_eq!(
            Version::parse("go version devel go1.28-3c9f7a1 Mon linux/amd64"),
            Some(Version(1, 28, 0))
        );
        assert_eq!(
            Version::parse("go version go1.26.8 X:nocoverageredesign linux/amd64"),
            Some(Version(1, 26, 8))
        );
        assert_eq!(Version::parse("1.26.0"), Some(Version(1, 26, 0)));
        for text in ["", "go", "go version", "gone.with.wind", "go1", "gcc (GCC) twelve"] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
    }

    #[test]
    fn versions_compare_as_numbers() {
        judge("go version go1.26.0 linux/amd64", "1.26.0").unwrap();
        judge("go version go1.100 linux/amd64", "1.26.0").unwrap();
        judge("go version go2.0 linux/amd64", "1.26.0").unwrap();
        for old in ["go version go1.25.9 linux/amd64", "go version go1.9.7 linux/amd64", "", "who knows"] {
            let message = judge(old, "1.26.0").unwrap_err().to_string();
            assert!(message.contains("install Go 1.26.0 or newer"), "{message}");
        }
    }

    #[test]
    fn credentials_of_proxies_are_not_shown() {
        assert_eq!(
            without_credentials("https://u:p@proxy.example/go,https://modules.example|direct\n"),
            "https://proxy.example/go,https://modules.example|direct"
        );
        assert_eq!(without_credentials("off"), "off");
    }
}

//! Feature gates of kube-apiserver: their defaults are what this server does.

use anyhow::{Result, bail};

const TABLE: &str = include_str!("feature_gates.txt");

/// Checks an item of `--feature-gates`: `NAME=true`, or with the component in front, `kube:NAME=true`.
pub(super) fn check(item: &str) -> Result<()> {
    let gate = item.strip_prefix("kube:").unwrap_or(item);
    let Some((name, value)) = gate.split_once('=') else { bail!("missing bool value for {item}") };
    let (name, value) = (name.trim(), value.trim());
    if !matches!(value, "true" | "false") {
        bail!("invalid value of {name}={value}, must be true or false");
    }
    let known = TABLE.lines().filter_map(|line| line.split_once(' ')).find(|(known, _)| *known == name);
    match known {
        None => bail!("unrecognized feature gate: {name}"),
        Some((_, default)) if default == value => Ok(()),
        Some(_) => bail!("the feature gate {name}={value} is not supported, only its default"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_defaults_are_accepted() {
        assert!(check("AllAlpha=false").is_ok() && check("kube:AllBeta=false").is_ok());
        for (item, error) in [
            ("AllAlpha=true", "the feature gate AllAlpha=true is not supported, only its default"),
            ("NoSuchGate=true", "unrecognized feature gate: NoSuchGate"),
            ("AllAlpha", "missing bool value for AllAlpha"),
            ("AllAlpha=1", "invalid value of AllAlpha=1, must be true or false"),
        ] {
            assert_eq!(check(item).unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn the_table_has_a_default_for_each_gate() {
        let lines: Vec<&str> = TABLE.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(lines.len() > 100);
        for line in lines {
            assert!(matches!(line.split_once(' '), Some((_, "true" | "false"))), "{line}");
        }
    }
}

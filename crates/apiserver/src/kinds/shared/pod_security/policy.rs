//! The policy of a namespace, in its labels.

use std::fmt;

use client_rs_machinery::{FieldError, Unstructured};

const PREFIX: &str = "pod-security.kubernetes.io/";

/// The levels, from the most permissive one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    #[default]
    Privileged,
    Baseline,
    Restricted,
}

/// The version of a level: the rules of this minor version of Kubernetes 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Version {
    Minor(u64),
    #[default]
    Latest,
}

/// A level in a version.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Standard {
    pub(super) level: Level,
    pub(super) version: Version,
}

/// The policy of a namespace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Policy {
    pub(super) enforce: Standard,
    pub(super) warn: Standard,
}

impl fmt::Display for Standard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let level = match self.level {
            Level::Privileged => "privileged",
            Level::Baseline => "baseline",
            Level::Restricted => "restricted",
        };
        match self.version {
            Version::Latest => write!(f, "{level}:latest"),
            Version::Minor(minor) => write!(f, "{level}:v1.{minor}"),
        }
    }
}

impl Policy {
    /// Reads the labels of a namespace, and returns the errors in them. A malformed level of pods that are enforced
    /// is the most restricted one.
    pub(super) fn of(namespace: &Unstructured) -> (Self, Vec<FieldError>) {
        let mut errors = Vec::new();
        let enforce = mode(namespace, "enforce", &mut errors);
        mode(namespace, "audit", &mut errors);
        let warn = mode(namespace, "warn", &mut errors);
        let version = |mode: &Mode| mode.version.unwrap_or_default();
        let level = |mode: &Mode, malformed: Level| match mode.level {
            Given::Missing => Level::Privileged,
            Given::Malformed => malformed,
            Given::Level(level) => level,
        };
        let enforced = Standard { level: level(&enforce, Level::Restricted), version: version(&enforce) };
        let mut warned = Standard { level: level(&warn, Level::Privileged), version: version(&warn) };
        // The enforced level is the level of warnings too, unless there is a label for that.
        let well_formed = matches!(enforce.level, Given::Level(_));
        if warn.level == Given::Missing && well_formed && enforced.level > warned.level {
            warned.level = enforced.level;
            if warn.version.is_none() {
                warned.version = enforced.version;
            }
        }
        (Self { enforce: enforced, warn: warned }, errors)
    }
}

/// Whether a namespace has labels of pod security.
pub(super) fn has_labels(namespace: &Unstructured) -> bool {
    namespace.labels().any(|(key, _)| key.starts_with(PREFIX))
}

/// The level in a label.
#[derive(PartialEq, Eq)]
enum Given {
    Missing,
    Malformed,
    Level(Level),
}

/// The labels of a mode.
struct Mode {
    level: Given,
    version: Option<Version>,
}

fn mode(namespace: &Unstructured, name: &str, errors: &mut Vec<FieldError>) -> Mode {
    let (level_label, version_label) = (format!("{PREFIX}{name}"), format!("{PREFIX}{name}-version"));
    let mut wrong = |label: &str, value: &str, why: &str| {
        errors.push(FieldError::invalid(format!("metadata.labels[{label}]"), value, why.to_owned()));
    };
    let level = match namespace.label(&level_label) {
        None => Given::Missing,
        Some("privileged") => Given::Level(Level::Privileged),
        Some("baseline") => Given::Level(Level::Baseline),
        Some("restricted") => Given::Level(Level::Restricted),
        Some(value) => {
            wrong(&level_label, value, "must be one of privileged, baseline, restricted");
            Given::Malformed
        }
    };
    let version = namespace.label(&version_label).map(|value| {
        parse_version(value).unwrap_or_else(|| {
            wrong(&version_label, value, "must be \"latest\" or \"v1.x\"");
            Version::Latest
        })
    });
    Mode { level, version }
}

fn parse_version(text: &str) -> Option<Version> {
    if text == "latest" {
        return Some(Version::Latest);
    }
    let minor = text.strip_prefix("v1.")?;
    let canonical = minor == "0" || !minor.starts_with('0');
    let digits = !minor.is_empty() && minor.bytes().all(|byte| byte.is_ascii_digit());
    // Go's integers are those of `i64`.
    let minor = minor.parse::<i64>().ok().filter(|_| canonical && digits)?;
    Some(Version::Minor(minor.unsigned_abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy(labels: &[(&str, &str)]) -> (String, String, Vec<String>) {
        let mut namespace = Unstructured::new("v1", "Namespace", "n");
        namespace.set_labels(labels.iter().map(|(key, value)| (format!("{PREFIX}{key}"), *value)));
        let (policy, errors) = Policy::of(&namespace);
        let errors = errors.iter().map(ToString::to_string).collect();
        (policy.enforce.to_string(), policy.warn.to_string(), errors)
    }

    #[test]
    fn warnings_follow_the_enforced_level_unless_they_have_their_own() {
        let (enforce, warn, errors) = policy(&[("enforce", "baseline"), ("enforce-version", "v1.30")]);
        assert_eq!((enforce.as_str(), warn.as_str()), ("baseline:v1.30", "baseline:v1.30"));
        assert!(errors.is_empty());
        let (_, warn, _) = policy(&[("enforce", "baseline"), ("warn-version", "v1.8")]);
        assert_eq!(warn, "baseline:v1.8");
        let (enforce, warn, _) = policy(&[("enforce", "baseline"), ("warn", "restricted")]);
        assert_eq!((enforce.as_str(), warn.as_str()), ("baseline:latest", "restricted:latest"));
        assert_eq!(policy(&[]).0, "privileged:latest");
    }

    #[test]
    fn malformed_labels_are_errors_and_the_enforced_level_is_the_strictest() {
        let (enforce, warn, errors) = policy(&[("enforce", "x"), ("warn", "y"), ("audit-version", "v1.01")]);
        assert_eq!((enforce.as_str(), warn.as_str()), ("restricted:latest", "privileged:latest"));
        assert_eq!(
            errors,
            [
                "metadata.labels[pod-security.kubernetes.io/enforce]: Invalid value: \"x\": must be one of \
                 privileged, baseline, restricted",
                "metadata.labels[pod-security.kubernetes.io/audit-version]: Invalid value: \"v1.01\": must be \
                 \"latest\" or \"v1.x\"",
                "metadata.labels[pod-security.kubernetes.io/warn]: Invalid value: \"y\": must be one of privileged, \
                 baseline, restricted",
            ]
        );
    }
}

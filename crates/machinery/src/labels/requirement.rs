//! [`Requirement`]: one condition on one label.

use super::Labels;
use crate::{FieldError, FieldErrors, List, Str, validation};
use std::fmt;

/// One condition on one label. It is always valid: the key is a qualified name, the values are label values, and
/// their number fits the operator.
///
/// ```
/// use client_rs_machinery::labels::{Operator, Requirement};
///
/// let tier = Requirement::new("tier", Operator::In, ["front", "back"])?;
/// assert!(tier.matches(&[("tier", "back")]));
/// assert_eq!(tier.to_string(), "tier in (back,front)");
///
/// let error = Requirement::new("tier", Operator::In, Vec::<&str>::new()).unwrap_err();
/// assert_eq!(error.0.len(), 1);
/// # Ok::<(), client_rs_machinery::FieldErrors>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Requirement {
    key: Str,
    operator: Operator,
    values: List<Str>,
}

/// The comparison of a label with the values of a requirement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operator {
    /// Has one of the values: `key in (a,b)`.
    In,
    /// Has none of the values, or is absent: `key notin (a,b)`.
    NotIn,
    /// Has the one value: `key=a`.
    Equals,
    /// The same, written `key==a`.
    DoubleEquals,
    /// Does not have the one value, or is absent: `key!=a`.
    NotEquals,
    /// Exists: `key`.
    Exists,
    /// Is absent: `!key`.
    DoesNotExist,
    /// Is a whole number above the one value: `key>5`.
    GreaterThan,
    /// Is a whole number below the one value: `key<5`.
    LessThan,
}

impl Operator {
    /// Returns the name in Kubernetes: `in`, `notin`, `=`, `==`, `!=`, `exists`, `!`, `gt` or `lt`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::NotIn => "notin",
            Self::Equals => "=",
            Self::DoubleEquals => "==",
            Self::NotEquals => "!=",
            Self::Exists => "exists",
            Self::DoesNotExist => "!",
            Self::GreaterThan => "gt",
            Self::LessThan => "lt",
        }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Requirement {
    /// Creates a requirement. `In` and `NotIn` take one value or more, `Exists` and `DoesNotExist` take none, the
    /// others take one; that of `GreaterThan` and `LessThan` must be a whole number. An empty value is a value.
    ///
    /// # Errors
    ///
    /// All violations of these rules at once, with the API server's messages.
    pub fn new<V: Into<Str>>(
        key: impl Into<Str>,
        operator: Operator,
        values: impl IntoIterator<Item = V>,
    ) -> Result<Self, FieldErrors> {
        let key = key.into();
        let values: List<Str> = values.into_iter().map(Into::into).collect();
        let mut errors = Vec::new();
        if let Err(violations) = validation::qualified_name(&key) {
            errors.push(FieldError::invalid("key", &key, violations.to_string()));
        }
        let complaint = match operator {
            Operator::In | Operator::NotIn if values.is_empty() => {
                Some("for 'in', 'notin' operators, values set can't be empty")
            }
            Operator::Equals | Operator::DoubleEquals | Operator::NotEquals if values.len() != 1 => {
                Some("exact-match compatibility requires one single value")
            }
            Operator::Exists | Operator::DoesNotExist if !values.is_empty() => {
                Some("values set must be empty for exists and does not exist")
            }
            Operator::GreaterThan | Operator::LessThan if values.len() != 1 => {
                Some("for 'Gt', 'Lt' operators, exactly one value is required")
            }
            _ => None,
        };
        if let Some(complaint) = complaint {
            errors.push(FieldError::invalid_json("values", json_list(&values), complaint));
        }
        if matches!(operator, Operator::GreaterThan | Operator::LessThan) {
            for (i, value) in values.iter().enumerate().filter(|(_, value)| value.parse::<i64>().is_err()) {
                let complaint = "for 'Gt', 'Lt' operators, the value must be an integer";
                errors.push(FieldError::invalid(format!("values[{i}]"), value, complaint));
            }
        }
        for (i, value) in values.iter().enumerate() {
            if let Err(violations) = validation::label_value(value) {
                errors.push(FieldError::invalid(
                    format!("values[{i}][{key}]"),
                    value,
                    violations.to_string(),
                ));
            }
        }
        FieldErrors(errors).into_result()?;
        Ok(Self { key, operator, values })
    }

    /// Returns the key of the label.
    pub fn key(&self) -> &Str {
        &self.key
    }

    /// Returns the comparison.
    pub fn operator(&self) -> Operator {
        self.operator
    }

    /// Returns the values, in the order given.
    pub fn values(&self) -> &List<Str> {
        &self.values
    }

    /// Whether the labels meet it.
    pub fn matches(&self, labels: &(impl Labels + ?Sized)) -> bool {
        let value = labels.get(&self.key);
        match self.operator {
            Operator::In | Operator::Equals | Operator::DoubleEquals => {
                value.is_some_and(|value| self.has(&value))
            }
            Operator::NotIn | Operator::NotEquals => value.is_none_or(|value| !self.has(&value)),
            Operator::Exists => value.is_some(),
            Operator::DoesNotExist => value.is_none(),
            Operator::GreaterThan => self.compare(value.as_deref()).is_some_and(std::cmp::Ordering::is_gt),
            Operator::LessThan => self.compare(value.as_deref()).is_some_and(std::cmp::Ordering::is_lt),
        }
    }

    fn has(&self, value: &str) -> bool {
        self.values.iter().any(|known| known == value)
    }

    fn compare(&self, value: Option<&str>) -> Option<std::cmp::Ordering> {
        let value: i64 = value?.parse().ok()?;
        let limit: i64 = self.values.first()?.parse().ok()?;
        Some(value.cmp(&limit))
    }
}

/// Prints the canonical form, with sorted values.
impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, after) = match self.operator {
            Operator::Exists => return f.write_str(&self.key),
            Operator::DoesNotExist => return write!(f, "!{}", self.key),
            Operator::Equals => ("=", ""),
            Operator::DoubleEquals => ("==", ""),
            Operator::NotEquals => ("!=", ""),
            Operator::GreaterThan => (">", ""),
            Operator::LessThan => ("<", ""),
            Operator::In => (" in (", ")"),
            Operator::NotIn => (" notin (", ")"),
        };
        let mut values: Vec<&str> = self.values.iter().map(Str::as_str).collect();
        values.sort_unstable();
        write!(f, "{}{before}{}{after}", self.key, values.join(","))
    }
}

/// Prints a list as Go shows it in an error: as JSON, and an empty one as `null`.
fn json_list(values: &[Str]) -> String {
    if values.is_empty() {
        return "null".into();
    }
    let values: Vec<&str> = values.iter().map(Str::as_str).collect();
    serde_json::to_string(&values).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [&str; 0] = [];

    #[test]
    fn number_of_values_fits_the_operator() {
        use Operator::{
            DoesNotExist, DoubleEquals, Equals, Exists, GreaterThan, In, LessThan, NotEquals, NotIn,
        };
        for (operators, least, most) in [
            (vec![In, NotIn], 1, 3),
            (vec![Equals, DoubleEquals, NotEquals, GreaterThan, LessThan], 1, 1),
            (vec![Exists, DoesNotExist], 0, 0),
        ] {
            for operator in operators {
                for count in 0..=3 {
                    let got = Requirement::new("x", operator, ["1", "2", "3"].into_iter().take(count));
                    assert_eq!(got.is_ok(), (least..=most).contains(&count), "{operator} {count}");
                }
            }
        }
    }

    #[test]
    fn errors_are_the_servers() {
        let text = |key: &str, operator, values: &[&str]| {
            Requirement::new(key, operator, values.iter().copied()).unwrap_err().to_string()
        };
        assert_eq!(
            text("x", Operator::In, &[]),
            "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"
        );
        assert_eq!(
            text("x", Operator::Equals, &["a", "b"]),
            r#"values: Invalid value: ["a","b"]: exact-match compatibility requires one single value"#
        );
        assert_eq!(
            text("x", Operator::Exists, &["a"]),
            r#"values: Invalid value: ["a"]: values set must be empty for exists and does not exist"#
        );
        assert_eq!(
            text("x", Operator::GreaterThan, &["a"]),
            r#"values[0]: Invalid value: "a": for 'Gt', 'Lt' operators, the value must be an integer"#
        );
        assert!(text("x", Operator::LessThan, &["1", "2"]).ends_with("exactly one value is required"));
        let both = text("a b", Operator::In, &["ok", "c d"]);
        assert!(both.starts_with(r#"[key: Invalid value: "a b": name part must consist of"#), "{both}");
        assert!(both.contains(r#", values[1][a b]: Invalid value: "c d": a valid label must be"#), "{both}");
    }

    #[test]
    fn matching() {
        use Operator::{
            DoesNotExist, DoubleEquals, Equals, Exists, GreaterThan, In, LessThan, NotEquals, NotIn,
        };
        // The label x as absent, empty, "a", "5".
        let labels = [None, Some(""), Some("a"), Some("5")];
        for (operator, values, want) in [
            (In, vec!["a", "b"], [false, false, true, false]),
            (In, vec![""], [false, true, false, false]),
            (NotIn, vec!["a", "b"], [true, true, false, true]),
            (Equals, vec!["a"], [false, false, true, false]),
            (DoubleEquals, vec!["a"], [false, false, true, false]),
            (Equals, vec![""], [false, true, false, false]),
            (NotEquals, vec!["a"], [true, true, false, true]),
            (Exists, vec![], [false, true, true, true]),
            (DoesNotExist, vec![], [true, false, false, false]),
            (GreaterThan, vec!["4"], [false, false, false, true]),
            (GreaterThan, vec!["5"], [false, false, false, false]),
            (LessThan, vec!["6"], [false, false, false, true]),
            (LessThan, vec!["5"], [false, false, false, false]),
        ] {
            let requirement = Requirement::new("x", operator, values).unwrap();
            for (label, want) in labels.iter().zip(want) {
                let source = super::super::from_fn(|key| if key == "x" { *label } else { None });
                assert_eq!(requirement.matches(&source), want, "{requirement} on {label:?}");
            }
        }
    }

    #[test]
    fn prints_values_sorted_and_keeps_their_order() {
        let requirement = Requirement::new("x", Operator::NotIn, ["c", "", "a"]).unwrap();
        assert_eq!(requirement.to_string(), "x notin (,a,c)");
        assert_eq!(requirement.values().as_slice(), ["c", "", "a"]);
        assert_eq!((requirement.key().as_str(), requirement.operator()), ("x", Operator::NotIn));
        assert_eq!(Requirement::new("x", Operator::Exists, NONE).unwrap().to_string(), "x");
        assert!(Requirement::new("x", Operator::LessThan, ["-5"]).is_err());
        assert_eq!(Operator::GreaterThan.to_string(), "gt");
    }
}

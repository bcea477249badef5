//! [`Selector`]: a conjunction of requirements.

use super::{Labels, Operator, ParseError, Requirement, parse};
use crate::{FieldErrors, List, Str, quote::Quoted};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::{borrow::Cow, fmt, str::FromStr};

/// Selects objects by their labels: those that meet every requirement.
///
/// Lists, watches, informers and caches take one. It parses the syntax of `kubectl -l`, and is also made from a map
/// of labels or from the API type `LabelSelector`.
///
/// ```
/// use client_rs_machinery::{labels::Selector, meta::v1::LabelSelector};
///
/// let parsed: Selector = "app=web,tier in (front,back)".parse()?;
/// assert!(parsed.matches(&[("app", "web"), ("tier", "front")]));
///
/// let of_labels = Selector::from_set([("app", "web")])?;
/// assert_eq!(of_labels.to_string(), "app=web");
///
/// // The selector of a Deployment or a Service.
/// let api = LabelSelector { match_labels: [("app", "web")].into(), ..LabelSelector::default() };
/// assert_eq!(Selector::try_from(&api)?, of_labels);
///
/// assert!("app=web=again".parse::<Selector>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// [`EVERYTHING`](Self::EVERYTHING) has no requirements. [`NOTHING`](Self::NOTHING) matches no object, regardless of
/// the requirements added to it. A clone copies nothing.
///
/// The text form is that of the API's `labelSelector` parameter. It cannot express `NOTHING`, which prints as the
/// empty text, and that selects everything: check [`is_nothing`](Self::is_nothing) before a request. For selection by
/// fields, see [`fields`](crate::fields).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Selector {
    /// `None` selects nothing. Sorted by key; requirements of one key stay in their original order.
    requirements: Option<List<Requirement>>,
}

/// The operators of a `LabelSelector`'s `matchExpressions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExpressionOperator {
    /// Has one of the values.
    In,
    /// Has none of the values, or is absent.
    NotIn,
    /// Exists.
    Exists,
    /// Is absent.
    DoesNotExist,
}

/// One of a `LabelSelector`'s `matchExpressions`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expression {
    /// The label's key.
    pub key: Str,
    /// The comparison with the values.
    pub operator: ExpressionOperator,
    /// The values.
    pub values: List<Str>,
}

/// The parts of the API's `LabelSelector`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabelSelectorParts {
    /// `matchLabels`, in the order of their keys.
    pub match_labels: Vec<(Str, Str)>,
    /// `matchExpressions`.
    pub match_expressions: Vec<Expression>,
}

/// A `LabelSelector` or a [`Selector`] that has no counterpart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectorError {
    /// A key or value breaks the rules for labels, or the values do not fit the operator.
    #[error(transparent)]
    Requirement(#[from] FieldErrors),
    /// Not one of the operators of `matchExpressions`.
    #[error("{} is not a valid label selector operator", Quoted(.0))]
    Operator(Str),
    /// `LabelSelector` has no such operator.
    #[error("{} isn't supported in label selectors", Quoted(.0.as_str()))]
    Unsupported(Operator),
    /// `LabelSelector` can't select nothing.
    #[error("a selector of nothing isn't supported in label selectors")]
    Nothing,
}

impl Selector {
    /// Selects every object.
    pub const EVERYTHING: Self = Self { requirements: Some(List::EMPTY) };
    /// Selects no object.
    pub const NOTHING: Self = Self { requirements: None };

    /// Selects every object.
    pub const fn everything() -> Self {
        Self::EVERYTHING
    }

    /// Selects no object.
    pub const fn nothing() -> Self {
        Self::NOTHING
    }

    /// Parses the text form, which has the grammar of `kubectl -l`.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        Ok(Self { requirements: Some(parse::parse(text)?.into()) })
    }

    /// Selects the objects that have all of these labels with these values.
    pub fn from_set<K: Into<Str>, V: Into<Str>>(
        labels: impl IntoIterator<Item = (K, V)>,
    ) -> Result<Self, FieldErrors> {
        let requirements =
            labels.into_iter().map(|(key, value)| Requirement::new(key, Operator::Equals, [value]));
        Ok(requirements.collect::<Result<Vec<_>, _>>()?.into_iter().collect())
    }

    /// Converts the parts of a `LabelSelector`. One without parts selects everything. In most of the API, an absent
    /// selector selects nothing; the caller decides that.
    pub fn from_label_selector<K: Into<Str>, V: Into<Str>, E: Into<Str>, W: Into<Str>>(
        match_labels: impl IntoIterator<Item = (K, V)>,
        match_expressions: impl IntoIterator<Item = (E, impl AsRef<str>, impl IntoIterator<Item = W>)>,
    ) -> Result<Self, SelectorError> {
        let mut requirements = Vec::new();
        for (key, value) in match_labels {
            requirements.push(Requirement::new(key, Operator::Equals, [value])?);
        }
        for (key, operator, values) in match_expressions {
            let operator: ExpressionOperator = operator.as_ref().parse()?;
            requirements.push(Requirement::new(key, operator.into(), values)?);
        }
        Ok(requirements.into_iter().collect())
    }

    /// Returns the parts of an equivalent `LabelSelector`. `!=` becomes `NotIn`; `>` and `<` have no counterpart.
    pub fn to_label_selector(&self) -> Result<LabelSelectorParts, SelectorError> {
        let mut parts = LabelSelectorParts::default();
        for requirement in self.requirements().ok_or(SelectorError::Nothing)? {
            let operator = match requirement.operator() {
                Operator::Equals | Operator::DoubleEquals => {
                    let key = requirement.key();
                    // A map holds one value per key: a second one goes among the expressions.
                    if parts.match_labels.last().is_none_or(|(last, _)| last != key)
                        && let Some(value) = requirement.values().first()
                    {
                        parts.match_labels.push((key.clone(), value.clone()));
                        continue;
                    }
                    ExpressionOperator::In
                }
                Operator::In => ExpressionOperator::In,
                Operator::NotIn | Operator::NotEquals => ExpressionOperator::NotIn,
                Operator::Exists => ExpressionOperator::Exists,
                Operator::DoesNotExist => ExpressionOperator::DoesNotExist,
                operator @ (Operator::GreaterThan | Operator::LessThan) => {
                    return Err(SelectorError::Unsupported(operator));
                }
            };
            let mut values = requirement.values().to_vec();
            values.sort_unstable();
            values.dedup();
            let key = requirement.key().clone();
            parts.match_expressions.push(Expression { key, operator, values: values.into() });
        }
        Ok(parts)
    }

    /// Whether the labels meet every requirement.
    pub fn matches(&self, labels: &(impl Labels + ?Sized)) -> bool {
        self.requirements().is_some_and(|all| all.iter().all(|requirement| requirement.matches(labels)))
    }

    /// Returns the requirements in the order of their keys; `None` for [`NOTHING`](Self::NOTHING).
    pub fn requirements(&self) -> Option<&[Requirement]> {
        self.requirements.as_deref()
    }

    /// Whether it has no requirements, and so selects everything.
    pub fn is_everything(&self) -> bool {
        self.requirements().is_some_and(<[_]>::is_empty)
    }

    /// Whether it is [`NOTHING`](Self::NOTHING). Requirements that contradict each other are not detected.
    pub fn is_nothing(&self) -> bool {
        self.requirements.is_none()
    }

    /// Returns the selector with further requirements.
    #[must_use]
    pub fn with(&self, more: impl IntoIterator<Item = Requirement>) -> Self {
        let Some(requirements) = self.requirements() else { return Self::NOTHING };
        requirements.iter().cloned().chain(more).collect()
    }

    /// Selects the objects that both select.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        match other.requirements() {
            Some(more) => self.with(more.iter().cloned()),
            None => Self::NOTHING,
        }
    }

    /// Returns the only value that the label may have, if the first requirement on it fixes it.
    pub fn requires_exact_match(&self, key: &str) -> Option<&str> {
        let requirement = self.requirements()?.iter().find(|requirement| requirement.key() == key)?;
        match (requirement.operator(), requirement.values().as_slice()) {
            (Operator::Equals | Operator::DoubleEquals | Operator::In, [value]) => Some(value),
            _ => None,
        }
    }
}

/// Selects everything.
impl Default for Selector {
    fn default() -> Self {
        Self::EVERYTHING
    }
}

/// Sorts by key.
impl FromIterator<Requirement> for Selector {
    fn from_iter<I: IntoIterator<Item = Requirement>>(requirements: I) -> Self {
        let mut requirements: Vec<_> = requirements.into_iter().collect();
        requirements.sort_by(|a, b| a.key().cmp(b.key()));
        Self { requirements: Some(requirements.into()) }
    }
}

impl From<Requirement> for Selector {
    fn from(requirement: Requirement) -> Self {
        Self::from_iter([requirement])
    }
}

impl FromStr for Selector {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        Self::parse(text)
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, requirement) in self.requirements().unwrap_or_default().iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            fmt::Display::fmt(requirement, f)?;
        }
        Ok(())
    }
}

impl Serialize for Selector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Selector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = Cow::<'de, str>::deserialize(deserializer)?;
        Self::parse(&text).map_err(de::Error::custom)
    }
}

impl ExpressionOperator {
    /// Returns the name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::In => "In",
            Self::NotIn => "NotIn",
            Self::Exists => "Exists",
            Self::DoesNotExist => "DoesNotExist",
        }
    }
}

impl AsRef<str> for ExpressionOperator {
    fn as_ref(&self) -> &str {
        self.as_str()
    }
}

impl fmt::Display for ExpressionOperator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for ExpressionOperator {
    type Err = SelectorError;

    fn from_str(text: &str) -> Result<Self, SelectorError> {
        match text {
            "In" => Ok(Self::In),
            "NotIn" => Ok(Self::NotIn),
            "Exists" => Ok(Self::Exists),
            "DoesNotExist" => Ok(Self::DoesNotExist),
            _ => Err(SelectorError::Operator(text.into())),
        }
    }
}

impl From<ExpressionOperator> for Operator {
    fn from(operator: ExpressionOperator) -> Self {
        match operator {
            ExpressionOperator::In => Self::In,
            ExpressionOperator::NotIn => Self::NotIn,
            ExpressionOperator::Exists => Self::Exists,
            ExpressionOperator::DoesNotExist => Self::DoesNotExist,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const NO_LABELS: [(&str, &str); 0] = [];
    const NO_EXPRESSIONS: [(&str, &str, [&str; 0]); 0] = [];

    fn selector(text: &str) -> Selector {
        text.parse().unwrap()
    }

    #[test]
    fn everything_and_nothing() {
        let labels = [("a", "b")];
        assert!(Selector::everything().matches(&labels) && Selector::default().matches(&NO_LABELS));
        assert!(!Selector::nothing().matches(&labels) && !Selector::NOTHING.matches(&NO_LABELS));
        assert!(Selector::EVERYTHING.is_everything() && !Selector::NOTHING.is_everything());
        assert!(Selector::NOTHING.is_nothing() && !Selector::EVERYTHING.is_nothing());
        assert_eq!(selector(""), Selector::EVERYTHING);
        assert_eq!((Selector::NOTHING.to_string(), Selector::EVERYTHING.to_string()), Default::default());
        assert_eq!(Selector::NOTHING.requirements(), None);
    }

    #[test]
    fn requirements_are_all_of_them() {
        let selector = selector("app in (web,api),tier!=db,!legacy,weight>3");
        let matches = |labels: &[(&str, &str)]| selector.matches(labels);
        assert!(matches(&[("app", "web"), ("weight", "4")]));
        assert!(matches(&[("app", "api"), ("tier", "front"), ("weight", "100")]));
        assert!(!matches(&[("app", "web"), ("weight", "3")]));
        assert!(!matches(&[("app", "web"), ("weight", "4"), ("legacy", "")]));
        assert!(!matches(&[("app", "web"), ("weight", "4"), ("tier", "db")]));
        assert!(!matches(&[("weight", "4")]));
    }

    #[test]
    fn combining_keeps_the_order_of_keys() {
        let base = selector("b=1");
        let more = Requirement::new("a", Operator::Exists, [""; 0]).unwrap();
        assert_eq!(base.with([more.clone()]).to_string(), "a,b=1");
        assert_eq!(base.and(&selector("c,a!=x")).to_string(), "a!=x,b=1,c");
        assert_eq!(base.and(&Selector::NOTHING), Selector::NOTHING);
        assert_eq!(Selector::NOTHING.and(&base), Selector::NOTHING);
        assert_eq!(Selector::NOTHING.with([more.clone()]), Selector::NOTHING);
        assert_eq!(Selector::from(more).to_string(), "a");
    }

    #[test]
    fn exact_matches() {
        let selector = selector("a=1,b==2,c in (3),d in (4,5),e!=6,f");
        for (key, want) in [
            ("a", Some("1")),
            ("b", Some("2")),
            ("c", Some("3")),
            ("d", None),
            ("e", None),
            ("f", None),
            ("g", None),
        ] {
            assert_eq!(selector.requires_exact_match(key), want, "{key}");
        }
        assert_eq!(Selector::NOTHING.requires_exact_match("a"), None);
    }

    #[test]
    fn from_set_checks_its_labels() {
        assert_eq!(Selector::from_set([("b", "2"), ("a", "")]).unwrap().to_string(), "a=,b=2");
        assert_eq!(Selector::from_set(NO_LABELS).unwrap(), Selector::EVERYTHING);
        assert!(Selector::from_set([("a b", "")]).is_err());
    }

    #[test]
    fn label_selectors_convert() {
        let got = Selector::from_label_selector(
            [("foo", "bar")],
            [("baz", "In", vec!["qux", "norf"]), ("a", "Exists", vec![]), ("b", "DoesNotExist", vec![])],
        );
        assert_eq!(got.unwrap().to_string(), "a,!b,baz in (norf,qux),foo=bar");
        let everything = Selector::from_label_selector(NO_LABELS, NO_EXPRESSIONS);
        assert_eq!(everything, Ok(Selector::EVERYTHING));
        let bad = Selector::from_label_selector(NO_LABELS, [("a", "Like", ["x"])]).unwrap_err();
        assert_eq!(bad.to_string(), r#""Like" is not a valid label selector operator"#);
        let bad = Selector::from_label_selector(NO_LABELS, [("a", "In", [""; 0])]).unwrap_err();
        assert_eq!(
            bad.to_string(),
            "values: Invalid value: null: for 'in', 'notin' operators, values set can't be empty"
        );
    }

    #[test]
    fn selectors_convert_to_label_selectors() {
        let parts = selector("a=1,a==2,b in (y,x),c!=z,d,!e,f notin (g)").to_label_selector().unwrap();
        assert_eq!(parts.match_labels, [("a".into(), "1".into())]);
        let shown: Vec<_> = parts
            .match_expressions
            .iter()
            .map(|e| format!("{} {} {:?}", e.key, e.operator, e.values))
            .collect();
        assert_eq!(
            shown,
            [
                r#"a In ["2"]"#,
                r#"b In ["x", "y"]"#,
                r#"c NotIn ["z"]"#,
                "d Exists []",
                "e DoesNotExist []",
                r#"f NotIn ["g"]"#
            ]
        );
        assert_eq!(
            selector("a>1").to_label_selector(),
            Err(SelectorError::Unsupported(Operator::GreaterThan))
        );
        assert_eq!(
            SelectorError::Unsupported(Operator::LessThan).to_string(),
            r#""lt" isn't supported in label selectors"#
        );
        assert_eq!(Selector::NOTHING.to_label_selector(), Err(SelectorError::Nothing));
    }

    #[test]
    fn json_is_text() {
        assert_eq!(serde_json::to_string(&selector("b, a")).unwrap(), r#""a,b""#);
        assert_eq!(serde_json::from_str::<Selector>(r#""a in (b)""#).unwrap(), selector("a in (b)"));
        assert!(serde_json::from_str::<Selector>(r#""a in""#).is_err());
    }

    fn any_requirement() -> impl Strategy<Value = Requirement> {
        let values = proptest::collection::btree_set("[a-c]{0,2}", 1..3);
        ("[xyz]", 0..9_usize, values, 0..3_u8).prop_map(|(key, operator, values, number)| {
            let one = values.first().cloned();
            let (operator, values): (_, Vec<String>) = match operator {
                0 => (Operator::In, values.into_iter().collect()),
                1 => (Operator::NotIn, values.into_iter().collect()),
                2 => (Operator::Equals, one.into_iter().collect()),
                3 => (Operator::DoubleEquals, one.into_iter().collect()),
                4 => (Operator::NotEquals, one.into_iter().collect()),
                5 => (Operator::Exists, vec![]),
                6 => (Operator::DoesNotExist, vec![]),
                7 => (Operator::GreaterThan, vec![number.to_string()]),
                _ => (Operator::LessThan, vec![number.to_string()]),
            };
            Requirement::new(key, operator, values).unwrap()
        })
    }

    proptest! {
        #[test]
        fn prints_and_parses_back(requirements in proptest::collection::vec(any_requirement(), 0..5)) {
            let selector: Selector = requirements.into_iter().collect();
            prop_assert_eq!(selector.to_string().parse(), Ok(selector));
        }

        #[test]
        fn conversion_keeps_the_meaning(requirements in proptest::collection::vec(any_requirement(), 0..4), labels in proptest::collection::btree_map("[xyz]", "[a-c0-2]{0,2}", 0..4)) {
            let labels: BTreeMap<String, String> = labels;
            let selector: Selector = requirements.iter().cloned().collect();
            prop_assert_eq!(selector.matches(&labels), requirements.iter().all(|r| r.matches(&labels)));
            if let Ok(parts) = selector.to_label_selector() {
                let expressions = parts.match_expressions.into_iter().map(|e| (e.key, e.operator, e.values.to_vec()));
                let back = Selector::from_label_selector(parts.match_labels, expressions).unwrap();
                prop_assert_eq!(back.matches(&labels), selector.matches(&labels));
            }
        }
    }
}

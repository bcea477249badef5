//! The API's own `LabelSelector` and the selector that it means.

use super::{Selector, SelectorError};
use crate::meta::v1::{LabelSelector, LabelSelectorRequirement};

impl TryFrom<&LabelSelector> for Selector {
    type Error = SelectorError;

    /// Converts the API type. A selector without parts selects everything. In most of the API, an absent selector
    /// selects nothing; the caller decides that.
    fn try_from(selector: &LabelSelector) -> Result<Self, SelectorError> {
        let labels = selector.match_labels.iter().map(|(key, value)| (key.clone(), value.clone()));
        let expressions = selector.match_expressions.iter();
        Self::from_label_selector(
            labels,
            expressions.map(|needs| (needs.key.clone(), &needs.operator, needs.values.iter().cloned())),
        )
    }
}

impl TryFrom<&Selector> for LabelSelector {
    type Error = SelectorError;

    /// Returns the equivalent `LabelSelector`, if it exists.
    fn try_from(selector: &Selector) -> Result<Self, SelectorError> {
        let parts = selector.to_label_selector()?;
        let expressions = parts.match_expressions.into_iter().map(|needs| LabelSelectorRequirement {
            key: needs.key,
            operator: needs.operator.as_str().into(),
            values: needs.values,
        });
        Ok(Self {
            match_labels: parts.match_labels.into_iter().collect(),
            match_expressions: expressions.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Message, Peek};

    #[test]
    fn a_label_selector_and_its_text_mean_the_same() {
        let json = br#"{"matchLabels":{"app":"web"},"matchExpressions":[
            {"key":"tier","operator":"In","values":["b","a"]},{"key":"old","operator":"DoesNotExist"}]}"#;
        let object = LabelSelector::from_json(json).unwrap();
        let selector = Selector::try_from(&object).unwrap();
        assert_eq!(selector.to_string(), "app=web,!old,tier in (a,b)");
        let back = LabelSelector::try_from(&selector).unwrap();
        assert_eq!(Selector::try_from(&back).unwrap().to_string(), selector.to_string());
    }

    #[test]
    fn an_unknown_operator_is_an_error() {
        let json = br#"{"matchExpressions":[{"key":"a","operator":"Like","values":["b"]}]}"#;
        let object = LabelSelector::from_json(json).unwrap();
        assert!(matches!(Selector::try_from(&object), Err(SelectorError::Operator(_))));
    }

    #[test]
    fn selects_on_wire_bytes() {
        let selector: Selector = "app in (web,api),!gone".parse().unwrap();
        let matches = |json: &str| selector.matches(&Peek::json(json.as_bytes()));
        assert!(matches(r#"{"metadata":{"labels":{"app":"web"}},"spec":{}}"#));
        assert!(matches(r#"{"metadata":{"labels":{"app":"\u0077eb"}}}"#));
        assert!(!matches(r#"{"metadata":{"labels":{"app":"web","gone":""}}}"#));
        assert!(!matches(r#"{"metadata":{}}"#));
    }
}

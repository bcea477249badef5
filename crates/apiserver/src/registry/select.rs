//! Label, field and shard selectors of lists and watches.

use std::borrow::Cow;

use client_rs_machinery::labels::{self, Labels};
use client_rs_machinery::{ApiError, Json, ShardSelector, Unstructured, fields};

use super::catalog::Served;
use super::internal;

/// Selects objects by label, field and shard.
#[derive(Clone, Debug, Default)]
pub(crate) struct Selection {
    labels: labels::Selector,
    fields: fields::Selector,
    shard: Option<ShardSelector>,
}

impl Selection {
    /// Parses both selectors. It is an error if one is malformed or has a field that the kind does not support.
    pub(crate) fn parse(served: &Served, labels: &str, fields: &str) -> Result<Self, ApiError> {
        let bad = |why: String| ApiError::bad_request(why);
        let labels = labels::Selector::parse(labels).map_err(|error| bad(error.to_string()))?;
        let fields = fields::Selector::parse(fields).map_err(|error| bad(error.to_string()))?;
        for requirement in fields.requirements().unwrap_or_default() {
            let field = requirement.field.as_str();
            let common = matches!(field, "metadata.name" | "metadata.namespace");
            let custom = served.custom();
            let selectable =
                custom.is_some_and(|custom| custom.selectable.iter().any(|(label, _)| label == field));
            if common || selectable || served.rules.fields.iter().any(|known| known.label == field) {
                continue;
            }
            return Err(bad(if served.rules.own_labels {
                format!("field label not supported: {field}")
            } else {
                format!(
                    "{field:?} is not a known field selector: only \"metadata.name\", \"metadata.namespace\""
                )
            }));
        }
        Ok(Self { labels, fields, shard: None })
    }

    /// Adds the shard of a request, if it has one.
    pub(crate) fn with_shard(mut self, shard: &str) -> Result<Self, ApiError> {
        if !shard.is_empty() {
            let shard = ShardSelector::parse(shard);
            self.shard = Some(shard.map_err(|error| internal(format!("invalid shard selector: {error}")))?);
        }
        Ok(self)
    }

    /// The shard.
    pub(crate) fn shard(&self) -> Option<&ShardSelector> {
        self.shard.as_ref()
    }

    /// Whether it selects every object.
    pub(crate) fn is_everything(&self) -> bool {
        self.labels.is_everything() && self.fields.is_everything() && self.shard.is_none()
    }

    /// Whether it selects this object.
    pub(crate) fn matches(&self, served: &Served, object: &Unstructured) -> bool {
        (self.labels.is_everything() || self.labels.matches(&labels::from_fn(|key| object.label(key))))
            && (self.fields.is_everything() || self.fields.matches(&Fields { served, object }))
            && self.shard.as_ref().is_none_or(|shard| shard.matches(object))
    }
}

struct Fields<'a> {
    served: &'a Served,
    object: &'a Unstructured,
}

impl Labels for Fields<'_> {
    fn get(&self, key: &str) -> Option<Cow<'_, str>> {
        match key {
            "metadata.name" => return Some(self.object.name().into()),
            "metadata.namespace" => return Some(self.object.namespace().into()),
            _ => {}
        }
        if let Some(custom) = self.served.custom() {
            let (_, path) = custom.selectable.iter().find(|(label, _)| label == key)?;
            let whole = Json::Map(self.object.object.clone());
            return Some(match client_rs_schema::first_match(path, &whole) {
                None | Some(Json::Null) => "".into(),
                Some(Json::Str(text)) => text.to_string().into(),
                Some(other) => other.to_string().into(),
            });
        }
        let field = self.served.rules.fields.iter().find(|known| known.label == key)?;
        let at = |path: &'static [&'static str]| {
            let (first, rest) = path.split_first()?;
            self.object.object.get(first).and_then(|value| value.path(rest))
        };
        let is_set = |value: &&Json| !matches!(value, Json::Null) && value.as_str() != Some("");
        Some(match at(field.path).filter(is_set).or_else(|| at(field.or)) {
            None | Some(Json::Null) => field.absent.into(),
            Some(Json::Str(text)) => text.as_str().into(),
            Some(other) => other.to_string().into(),
        })
    }
}

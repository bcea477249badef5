//! Default classes: of storage, of ingresses.

use client_rs_machinery::{Time, Unstructured};

use crate::kinds::rules::WriteContext;

/// The name of the default class of a resource: the newest with one of these annotations, and of those created at
/// the same time the first by name.
pub(crate) fn default_class(
    context: &dyn WriteContext,
    group: &str,
    plural: &str,
    annotations: &[&str],
) -> Option<String> {
    let mut best: Option<(Time, String)> = None;
    context.each(group, plural, &mut |class: &Unstructured| {
        if annotations.iter().any(|annotation| class.annotation(annotation) == Some("true")) {
            let created = class.creation_timestamp().unwrap_or_default();
            // The classes come in the order of their names.
            if best.as_ref().is_none_or(|(newest, _)| created > *newest) {
                best = Some((created, class.name().to_owned()));
            }
        }
    });
    best.map(|(_, name)| name)
}

//! `ControllerRevision`.

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::{Generation, KindRules};

pub(super) const RULES: KindRules = KindRules {
    plural: "controllerrevisions",
    columns: Some(COLUMNS),
    generation: Generation::None,
    ..super::SHARED
};

const COLUMNS: &[Column] = &[
    columns::NAME,
    columns::text("Controller", "What the revision belongs to.", |object, _| {
        let Some(owner) = object.controller() else { return "<none>".into() };
        let group = owner.api_version.split_once('/').map_or("", |(group, _)| group);
        let kind = owner.kind.to_ascii_lowercase();
        let dot = if group.is_empty() { "" } else { "." };
        format!("{kind}{dot}{group}/{}", owner.name).into()
    }),
    columns::text("Revision", "Number of the revision.", |object, _| {
        columns::number(columns::at(object, &["revision"])).into()
    }),
    columns::AGE,
];

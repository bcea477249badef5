//! `StorageVersionMigration`.

use crate::kinds::columns::{self, Column};
use crate::kinds::rules::KindRules;
use crate::kinds::shared::checks::text;

pub(super) const RULES: KindRules =
    KindRules { plural: "storageversionmigrations", columns: Some(COLUMNS), ..super::SHARED };

const COLUMNS: &[Column] = &[
    // The real server has no format here.
    columns::text("Name", "The name of the object.", |object, _| object.name().into()),
    columns::text("Resource", "Resource that is migrated.", |object, _| {
        let resource = columns::at(object, &["spec", "resource"]);
        let (group, plural) = (text(&resource["group"]), text(&resource["resource"]));
        if group.is_empty() { plural.into() } else { format!("{plural}.{group}").into() }
    }),
    columns::text("Status", "Running, Succeeded, Failed or Unknown.", |object, _| {
        let conditions = columns::list(columns::at(object, &["status", "conditions"]));
        let holds = conditions.filter(|one| text(&one["status"]) == "True").map(|one| text(&one["type"]));
        holds
            .filter(|kind| ["Running", "Failed", "Succeeded"].contains(kind))
            .last()
            .unwrap_or("Unknown")
            .into()
    }),
];

//! The migration from client-side to server-side apply.

use super::{FieldSet, FieldsError};
use crate::meta::v1::{ManagedFieldsEntry, ObjectMeta};
use crate::patch::JsonPatch;
use crate::{FieldsV1, Json, List, json};

const APPLY: &str = "Apply";
const UPDATE: &str = "Update";

/// Returns the entries of an operation (`Apply` or `Update`) that own all of these fields.
pub fn owners<'e>(
    entries: &'e [ManagedFieldsEntry],
    operation: &str,
    fields: &FieldSet,
) -> Result<Vec<&'e ManagedFieldsEntry>, FieldsError> {
    let mut owners = Vec::new();
    for entry in entries.iter().filter(|entry| entry.operation == operation) {
        if fields.difference(&set(entry)?).is_empty() {
            owners.push(entry);
        }
    }
    Ok(owners)
}

/// Hands the fields that some managers own by updates over to a manager that applies. A program needs this when it
/// has updated its objects so far and begins to apply them: else it would share each field with its old entry, and
/// could never give one up.
///
/// Entries of other operations, subresources (empty: the object itself) and managers stay unchanged. Returns `None`
/// if there is nothing to hand over.
pub fn upgrade(
    entries: &[ManagedFieldsEntry],
    updaters: &[&str],
    applier: &str,
    subresource: &str,
) -> Result<Option<List<ManagedFieldsEntry>>, FieldsError> {
    let is_updater = |entry: &ManagedFieldsEntry| {
        entry.operation == UPDATE
            && entry.subresource == subresource
            && updaters.contains(&entry.manager.as_str())
    };
    let is_applier = |entry: &ManagedFieldsEntry| {
        entry.operation == APPLY && entry.subresource == subresource && entry.manager == applier
    };
    let Some(first) = entries.iter().find(|entry| is_updater(entry)) else { return Ok(None) };
    let mut fields = FieldSet::EMPTY;
    for entry in entries.iter().filter(|entry| is_updater(entry) || is_applier(entry)) {
        fields = fields.union(&set(entry)?);
    }
    let kept = entries.iter().find(|entry| is_applier(entry)).unwrap_or(first);
    let upgraded = entries.iter().filter_map(|entry| {
        if std::ptr::eq(entry, kept) {
            return Some(ManagedFieldsEntry {
                manager: applier.into(),
                operation: APPLY.into(),
                fields_v1: Some(FieldsV1::from(&fields)),
                ..entry.clone()
            });
        }
        (!is_updater(entry) && !is_applier(entry)).then(|| entry.clone())
    });
    Ok(Some(upgraded.collect()))
}

/// Returns [`upgrade`] of an object as a patch, which fails with a conflict if the object has changed since it was
/// read.
pub fn upgrade_patch(
    metadata: &ObjectMeta,
    updaters: &[&str],
    applier: &str,
    subresource: &str,
) -> Result<Option<JsonPatch>, FieldsError> {
    let Some(entries) = upgrade(&metadata.managed_fields, updaters, applier, subresource)? else {
        return Ok(None);
    };
    let entries = entries.iter().map(Json::from_message).collect::<Result<Json, _>>()?;
    let patch = json!([
        {"op": "replace", "path": "/metadata/managedFields", "value": entries},
        {"op": "replace", "path": "/metadata/resourceVersion", "value": metadata.resource_version.as_str()},
    ]);
    // Both operations are complete, so the conversion never fails.
    Ok(JsonPatch::from_json(&patch).ok())
}

fn set(entry: &ManagedFieldsEntry) -> Result<FieldSet, FieldsError> {
    entry.fields_v1.as_ref().map_or(Ok(FieldSet::EMPTY), FieldSet::try_from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(manager: &str, operation: &str, subresource: &str, fields: &str) -> ManagedFieldsEntry {
        ManagedFieldsEntry {
            manager: manager.into(),
            operation: operation.into(),
            subresource: subresource.into(),
            fields_v1: Some(FieldsV1::from_bytes(fields.as_bytes().to_vec())),
            ..ManagedFieldsEntry::EMPTY
        }
    }

    fn shown(entries: &[ManagedFieldsEntry]) -> Vec<String> {
        let text = |entry: &ManagedFieldsEntry| {
            let fields = String::from_utf8_lossy(&set(entry).unwrap().to_text()).into_owned();
            format!("{} {} {}{fields}", entry.manager, entry.operation, entry.subresource)
        };
        entries.iter().map(text).collect()
    }

    const A: &str = r#"{"f:a":{}}"#;
    const B: &str = r#"{"f:b":{}}"#;
    const AB: &str = r#"{"f:a":{},"f:b":{}}"#;

    #[test]
    fn t5_8_01_managers_owning_a_given_field_set_are_found_by_operation() {
        let entries = [
            entry("one", UPDATE, "", A),
            entry("both", UPDATE, "", AB),
            entry("both", APPLY, "", AB),
            entry("other", APPLY, "", B),
        ];
        let find = |operation, fields: &str| {
            let fields = FieldSet::parse(fields.as_bytes()).unwrap();
            let found = owners(&entries, operation, &fields).unwrap();
            found.iter().map(|entry| entry.manager.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(find(UPDATE, A), ["one", "both"]);
        assert_eq!(find(UPDATE, AB), ["both"]);
        assert_eq!(find(APPLY, B), ["both", "other"]);
        assert_eq!(find(APPLY, r#"{"f:c":{}}"#), [""; 0]);
    }

    #[test]
    fn t5_8_02_one_or_several_csa_managers_are_folded_into_the_ssa_manager() {
        let entries = [entry("kubectl", UPDATE, "", A), entry("else", UPDATE, "", B)];
        let one = upgrade(&entries, &["kubectl"], "me", "").unwrap().unwrap();
        assert_eq!(shown(&one), [format!("me Apply {A}"), format!("else Update {B}")]);
        let both = upgrade(&entries, &["kubectl", "else"], "me", "").unwrap().unwrap();
        assert_eq!(shown(&both), [format!("me Apply {AB}")]);
    }

    #[test]
    fn t5_8_03_nothing_to_upgrade_is_no_patch() {
        let managed_fields = [entry("me", APPLY, "", A), entry("else", UPDATE, "", B)].into();
        let metadata = ObjectMeta { managed_fields, resource_version: "7".into(), ..ObjectMeta::EMPTY };
        assert_eq!(upgrade_patch(&metadata, &["kubectl"], "me", "").unwrap(), None);
        let patch = upgrade_patch(&metadata, &["else"], "me", "").unwrap().unwrap().to_json();
        assert_eq!(patch[1], json!({"op": "replace", "path": "/metadata/resourceVersion", "value": "7"}));
        assert_eq!(patch[0]["path"], json!("/metadata/managedFields"));
        assert_eq!(patch[0]["value"][0]["fieldsV1"], Json::parse(AB.as_bytes()).unwrap());
        assert_eq!(patch[0]["value"].as_list().unwrap().len(), 1);
    }

    #[test]
    fn t5_8_04_an_existing_ssa_entry_is_unioned_with_csa_fields() {
        let entries = [entry("kubectl", UPDATE, "", A), entry("x", APPLY, "", A), entry("me", APPLY, "", B)];
        let upgraded = upgrade(&entries, &["kubectl"], "me", "").unwrap().unwrap();
        assert_eq!(shown(&upgraded), [format!("x Apply {A}"), format!("me Apply {AB}")]);
    }

    #[test]
    fn t5_8_05_entries_for_another_subresource_are_untouched() {
        let entries = [entry("kubectl", UPDATE, "status", A), entry("kubectl", UPDATE, "", B)];
        let upgraded = upgrade(&entries, &["kubectl"], "me", "").unwrap().unwrap();
        assert_eq!(shown(&upgraded), [format!("kubectl Update status{A}"), format!("me Apply {B}")]);
        let status = upgrade(&entries, &["kubectl"], "me", "status").unwrap().unwrap();
        assert_eq!(shown(&status), [format!("me Apply status{A}"), format!("kubectl Update {B}")]);
    }

    #[test]
    fn malformed_managed_fields_are_an_error() {
        let entries = [entry("kubectl", UPDATE, "", "[]")];
        assert!(upgrade(&entries, &["kubectl"], "me", "").is_err());
    }
}

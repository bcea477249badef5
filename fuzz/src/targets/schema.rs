//! Definitions of custom resources, and objects by them.

use client_rs_machinery::{Json, Time, Unstructured};
use client_rs_schema::{ObjectRules, PrinterColumn, Schema, definition};

use super::{json, sections};

const MAX_LENGTH: usize = 8 * 1024;

/// A definition is checked, and objects are pruned, defaulted and validated by a schema that was accepted: what was pruned and
/// defaulted once stays the same.
pub fn custom_resource(data: &[u8]) {
    if data.len() > MAX_LENGTH {
        return;
    }
    let [crd, object] = sections(data);
    let Ok(mut crd) = Unstructured::from_json(crd) else { return };
    definition::default(&mut crd);
    definition::note_storage(&mut crd);
    let _ = definition::warnings(&crd, None);
    let _ = definition::storage_version(&crd);
    let _ = definition::check_status(&crd);
    let errors = definition::check(&crd, None);
    for error in &errors {
        let _ = error.to_string();
    }
    let _ = definition::check(&crd, Some(&crd));
    if !errors.is_empty() {
        return;
    }
    let Some(object) = json(object) else { return };
    let versions = crd.object.get("spec").map(|spec| &spec["versions"]).and_then(Json::as_list).cloned();
    for version in &versions.unwrap_or_default() {
        let columns = PrinterColumn::all(version);
        let schema = &version["schema"]["openAPIV3Schema"];
        let schema = Schema::compile(schema);
        let rules = ObjectRules { schema: Some(&schema), scale: None, preserve_unknown: false };
        let Ok(object) = Unstructured::from_json(&object.to_vec()) else { return };
        let Ok(read) = rules.read(object) else { continue };
        let mut again = read.object.clone();
        assert_eq!(rules.prune(&mut again), Vec::<String>::new(), "nothing is left to prune");
        rules.apply_defaults(&mut again);
        assert_eq!(again.object, read.object.object, "pruned and defaulted once is enough");
        for error in
            rules.validate(&read.object, None).iter().chain(&rules.validate(&again, Some(&read.object)))
        {
            let _ = error.to_string();
        }
        let whole = Json::Map(read.object.object.clone());
        let Some(now) = Time::new(1_700_000_000, 0) else { return };
        for column in &columns {
            let _ = column.cell(&whole, now);
        }
    }
}

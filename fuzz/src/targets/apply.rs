//! Server-side apply, and who manages what.

use client_rs_machinery::managed_fields::schema::TypeId;
use client_rs_machinery::managed_fields::{
    FieldManager, FieldSet, Managers, MergeSchema, TypeRef, Versions, extract,
};
use client_rs_machinery::{Json, Time, json as value};

use super::{json, sections};

const API_VERSION: &str = "x.io/v1";
const MAX_LENGTH: usize = 8 * 1024;

/// A kind with one version.
struct Kind(MergeSchema, TypeId);

impl Versions for Kind {
    fn empty(&self) -> Json {
        value!({"apiVersion": API_VERSION, "kind": "Widget"})
    }

    fn type_of(&self, api_version: &str) -> Option<TypeRef<'_>> {
        (api_version == API_VERSION).then(|| self.0.root(self.1))
    }

    fn convert(&self, object: &Json, api_version: &str) -> Option<Json> {
        (api_version == API_VERSION).then(|| object.clone())
    }

    fn written(&self, _: &str, fields: &FieldSet) -> FieldSet {
        fields.clone()
    }
}

/// For any schema, live object, applied object and updated object: a second apply of the same object changes nothing, managers
/// that were written can be read, and the fields of a manager can be extracted.
pub fn server_side_apply(data: &[u8]) {
    if data.len() > MAX_LENGTH {
        return;
    }
    let [schema, live, applied, updated] = sections(data).map(json);
    let (schema, root) = MergeSchema::from_structural(&schema.unwrap_or(Json::Null), false);
    let kind = Kind(schema, root);
    let Some(now) = Time::new(1_700_000_000, 0) else { return };
    let manager =
        FieldManager { versions: &kind, api_version: API_VERSION, kind: "Widget", subresource: "", now };
    let live = live.filter(|live| live.as_map().is_some()).unwrap_or_else(|| kind.empty());
    let Some(applied) = applied else { return };
    let first = match manager.apply(&live, &applied, "first", true) {
        Ok(object) => object,
        Err(_) => return,
    };
    look(&first);
    let again = manager.apply(&first, &applied, "first", false);
    match again {
        Ok(again) => assert_eq!(again, first, "an apply is the same the second time"),
        Err(error) => panic!("an apply fails the second time: {error:?}: {first}"),
    }
    let updated = updated.filter(|updated| updated.as_map().is_some()).unwrap_or_else(|| live.clone());
    let second = manager.update(&first, &updated, "second");
    look(&second);
    for force in [false, true] {
        if let Ok(object) = manager.apply(&second, &applied, "third", force) {
            look(&object);
        }
    }
}

fn look(object: &Json) {
    let entries = object.path(&["metadata", "managedFields"]).cloned().unwrap_or(Json::Null);
    let managers = Managers::from_json(&entries).unwrap_or_else(|error| panic!("{error}: {entries}"));
    assert_eq!(managers.to_json().unwrap_or(Json::Null), entries);
    for manager in ["first", "second", "third"] {
        let _ = extract(object, manager, "");
    }
}

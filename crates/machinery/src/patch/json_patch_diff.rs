//! Finds a JSON patch between two documents.

use super::json_patch::Operation;
use super::pointer::Pointer;
use crate::{Json, Map};

pub(super) fn diff(original: &Json, modified: &Json) -> Vec<Operation> {
    let mut differ = Differ { path: Pointer::ROOT, operations: Vec::new() };
    differ.values(original, modified);
    differ.operations
}

struct Differ {
    path: Pointer,
    operations: Vec<Operation>,
}

impl Differ {
    fn values(&mut self, original: &Json, modified: &Json) {
        match (original, modified) {
            (Json::Map(original), Json::Map(modified)) => self.maps(original, modified),
            (Json::List(original), Json::List(modified)) => self.lists(original, modified),
            _ if original == modified => {}
            _ => {
                self.operations.push(Operation::Replace { path: self.path.clone(), value: modified.clone() });
            }
        }
    }

    fn maps(&mut self, original: &Map<Json>, modified: &Map<Json>) {
        for (key, value) in original {
            self.at(key.clone(), |differ| match modified.get(key) {
                Some(modified) => differ.values(value, modified),
                None => differ.operations.push(Operation::Remove { path: differ.path.clone() }),
            });
        }
        for (key, value) in modified.iter().filter(|(key, _)| !original.contains_key(key)) {
            self.at(key.clone(), |differ| {
                differ.operations.push(Operation::Add { path: differ.path.clone(), value: value.clone() });
            });
        }
    }

    fn lists(&mut self, original: &[Json], modified: &[Json]) {
        let before = original.iter().zip(modified).take_while(|(left, right)| left == right).count();
        let (original, modified) = (&original[before..], &modified[before..]);
        let behind =
            original.iter().rev().zip(modified.iter().rev()).take_while(|(left, right)| left == right);
        let behind = behind.count();
        let (original, modified) =
            (&original[..original.len() - behind], &modified[..modified.len() - behind]);

        let both = original.len().min(modified.len());
        for at in 0..both {
            self.at((before + at).to_string(), |differ| differ.values(&original[at], &modified[at]));
        }
        // From the end, so that each index still means what it meant.
        for at in (both..original.len()).rev() {
            self.at((before + at).to_string(), |differ| {
                differ.operations.push(Operation::Remove { path: differ.path.clone() });
            });
        }
        for (at, value) in modified.iter().enumerate().skip(both) {
            self.at((before + at).to_string(), |differ| {
                differ.operations.push(Operation::Add { path: differ.path.clone(), value: value.clone() });
            });
        }
    }

    fn at(&mut self, token: impl Into<crate::Str>, inner: impl FnOnce(&mut Self)) {
        self.path.push(token);
        inner(self);
        self.path.pop();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::patch::JsonPatch;
    use crate::value::tests_support::any_json;
    use crate::{Json, json};

    // Cases read better when they are not all borrowed.
    #[allow(clippy::needless_pass_by_value)]
    fn diff(original: Json, modified: Json) -> Json {
        JsonPatch::diff(&original, &modified).to_json()
    }

    #[test]
    fn contains_only_the_changes() {
        assert_eq!(diff(json!({"a": [1, {"b": 2}]}), json!({"a": [1, {"b": 2}]})), json!([]));
        assert_eq!(
            diff(json!({"a": 1, "b": {"c": 1, "d~e": 1}}), json!({"b": {"c": 2}, "f/g": null})),
            json!([
                {"op": "remove", "path": "/a"},
                {"op": "replace", "path": "/b/c", "value": 2},
                {"op": "remove", "path": "/b/d~0e"},
                {"op": "add", "path": "/f~1g", "value": null},
            ]),
        );
        assert_eq!(diff(json!({"a": null}), json!({})), json!([{"op": "remove", "path": "/a"}]));
        assert_eq!(diff(json!(1), json!({})), json!([{"op": "replace", "path": "", "value": {}}]));
    }

    #[test]
    fn lists_keep_their_equal_ends() {
        assert_eq!(
            diff(json!([1, 2, 3]), json!([1, 9, 2, 3])),
            json!([{"op": "add", "path": "/1", "value": 9}])
        );
        assert_eq!(diff(json!([1, 2, 3, 4]), json!([1, 4])), {
            json!([{"op": "remove", "path": "/2"}, {"op": "remove", "path": "/1"}])
        });
        assert_eq!(
            diff(json!([{"n": 1, "v": 1}, {"n": 2}]), json!([{"n": 1, "v": 2}, {"n": 2}, {"n": 3}])),
            json!([{"op": "replace", "path": "/0/v", "value": 2}, {"op": "add", "path": "/2", "value": {"n": 3}}]),
        );
        assert_eq!(diff(json!([1, 1]), json!([1, 1, 1])), json!([{"op": "add", "path": "/2", "value": 1}]));
        assert_eq!(diff(json!([]), json!([1, 2])), {
            json!([{"op": "add", "path": "/0", "value": 1}, {"op": "add", "path": "/1", "value": 2}])
        });
    }

    proptest! {
        #[test]
        fn applied_to_the_original_it_makes_the_modified(original in any_json(), modified in any_json()) {
            let patch = JsonPatch::diff(&original, &modified);
            prop_assert_eq!(patch.apply(&original).unwrap(), modified.clone());
            let sent = JsonPatch::parse(&patch.to_json().to_vec()).unwrap();
            prop_assert_eq!(sent.apply(&original).unwrap(), modified);
        }

        #[test]
        fn equal_documents_need_nothing(document in any_json()) {
            prop_assert_eq!(JsonPatch::diff(&document, &document), JsonPatch::default());
        }
    }
}

//! Makes a JSON patch's edits.

use super::json_patch::{JsonPatch, JsonPatchError, JsonPatchErrorKind, Operation, shown};
use super::pointer::Pointer;
use super::tree::Node;
use crate::wire::MAX_DEPTH;
use crate::{Json, Str};

type Outcome<T = ()> = Result<T, JsonPatchErrorKind>;

pub(super) fn apply(operations: &[Operation], document: &Json) -> Result<Json, JsonPatchError> {
    if operations.len() > JsonPatch::MAX_OPERATIONS {
        let kind = JsonPatchErrorKind::TooManyOperations;
        return Err(JsonPatchError { operation: None, path: String::new(), kind });
    }
    let mut editing = Editing { root: Node::Whole(document.clone()), copied: 0 };
    for (index, operation) in operations.iter().enumerate() {
        editing.run(operation).map_err(|kind| JsonPatchError {
            operation: Some(index),
            path: shown(&operation.path().to_string()),
            kind,
        })?;
    }
    Ok(editing.root.to_json())
}

struct Editing {
    root: Node,
    /// Bytes that `copy` has added so far.
    copied: usize,
}

impl Editing {
    fn run(&mut self, operation: &Operation) -> Outcome {
        match operation {
            Operation::Add { path, value } => self.add(path, Node::Whole(value.clone()), value.depth()),
            Operation::Remove { path } => self.remove(path).map(drop),
            Operation::Replace { path, value } => self.replace(path, value),
            Operation::Move { from, path } => {
                let node = self.remove(from)?;
                // Up or level, it can't get deeper than it was; measuring a large part on every move would
                // make a long patch slow.
                let deeper = path.tokens().len() > from.tokens().len();
                let depth = if deeper { node.depth() } else { 0 };
                self.add(path, node, depth)
            }
            Operation::Copy { from, path } => {
                let value = self.get(from)?.map_or(Json::Null, Node::to_json);
                self.copied = self.copied.saturating_add(value.to_vec().len());
                if self.copied > JsonPatch::MAX_COPIED_BYTES {
                    return Err(JsonPatchErrorKind::CopiesTooLarge);
                }
                let depth = value.depth();
                self.add(path, Node::Whole(value), depth)
            }
            Operation::Test { path, value } => {
                let found = self.get(path)?.map_or(Json::Null, Node::to_json);
                if found == *value { Ok(()) } else { Err(JsonPatchErrorKind::TestFailed) }
            }
        }
    }

    fn add(&mut self, path: &Pointer, node: Node, depth: usize) -> Outcome {
        if path.tokens().len() + depth > MAX_DEPTH {
            return Err(JsonPatchErrorKind::TooDeep);
        }
        let Some((parent, key)) = self.parent(path)? else {
            self.root = node;
            return Ok(());
        };
        match parent {
            Node::Map(map) => {
                map.insert(key.clone(), node);
            }
            Node::List(list) => {
                let at = if *key == "-" { list.len() } else { index(key, list.len() + 1)? };
                list.insert(at, node);
            }
            Node::Whole(_) => return Err(JsonPatchErrorKind::NotFound),
        }
        Ok(())
    }

    fn remove(&mut self, path: &Pointer) -> Outcome<Node> {
        match self.parent(path)? {
            None => Err(JsonPatchErrorKind::RemovesDocument),
            Some((Node::Map(map), key)) => map.remove(key).ok_or(JsonPatchErrorKind::NotFound),
            Some((Node::List(list), key)) => Ok(list.remove(index(key, list.len())?)),
            Some((Node::Whole(_), _)) => Err(JsonPatchErrorKind::NotFound),
        }
    }

    fn replace(&mut self, path: &Pointer, value: &Json) -> Outcome {
        if path.tokens().len() + value.depth() > MAX_DEPTH {
            return Err(JsonPatchErrorKind::TooDeep);
        }
        let node = Node::Whole(value.clone());
        match self.parent(path)? {
            None => self.root = node,
            Some((Node::Map(map), key)) => {
                map.insert(key.clone(), node);
            }
            Some((Node::List(list), key)) => {
                let at = index(key, list.len())?;
                list[at] = node;
            }
            Some((Node::Whole(_), _)) => return Err(JsonPatchErrorKind::NotFound),
        }
        Ok(())
    }

    /// Returns the value at a path; `None` if only the last key is missing from its object.
    fn get(&mut self, path: &Pointer) -> Outcome<Option<&Node>> {
        if path.is_root() {
            return Ok(Some(&self.root));
        }
        match self.parent(path)? {
            Some((Node::Map(map), key)) => Ok(map.get(key)),
            Some((Node::List(list), key)) => {
                let at = index(key, list.len())?;
                Ok(list.get(at))
            }
            _ => Err(JsonPatchErrorKind::NotFound),
        }
    }

    /// The object or array that a path's last step is in, opened, and that step; `None` for the root.
    fn parent<'p>(&mut self, path: &'p Pointer) -> Outcome<Option<(&mut Node, &'p Str)>> {
        let Some((step, parents)) = path.tokens().split_last() else { return Ok(None) };
        let mut node = self.root.open();
        for token in parents {
            let child = match node {
                Node::Map(map) => map.get_mut(token),
                Node::List(list) => {
                    let at = index(token, list.len())?;
                    list.get_mut(at)
                }
                Node::Whole(_) => None,
            };
            node = child.ok_or(JsonPatchErrorKind::NotFound)?.open();
        }
        Ok(Some((node, step)))
    }
}

/// An index below `length`, counted from the end where it is negative.
fn index(token: &str, length: usize) -> Outcome<usize> {
    let number: i64 = token.parse().map_err(|_| JsonPatchErrorKind::InvalidIndex)?;
    let distance = usize::try_from(number.unsigned_abs()).map_err(|_| JsonPatchErrorKind::InvalidIndex)?;
    let at = if number < 0 { length.checked_sub(distance) } else { Some(distance) };
    at.filter(|at| *at < length).ok_or(JsonPatchErrorKind::InvalidIndex)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::json;
    use crate::value::tests_support::any_json;
    use JsonPatchErrorKind as Kind;

    // Cases read better when they are not all borrowed.
    #[allow(clippy::needless_pass_by_value)]
    fn patched(document: Json, patch: Json) -> Result<Json, Kind> {
        JsonPatch::from_json(&patch).unwrap().apply(&document).map_err(|error| error.kind)
    }

    #[test]
    fn adds() {
        for (document, path, expected) in [
            (json!({}), "/a", json!({"a": 9})),
            (json!({"a": 1}), "/a", json!({"a": 9})),
            (json!({"a": {"b": 1}}), "/a/c", json!({"a": {"b": 1, "c": 9}})),
            (json!([]), "/-", json!([9])),
            (json!([]), "/0", json!([9])),
            (json!([1, 2]), "/0", json!([9, 1, 2])),
            (json!([1, 2]), "/1", json!([1, 9, 2])),
            (json!([1, 2]), "/2", json!([1, 2, 9])),
            (json!([1, 2]), "/-", json!([1, 2, 9])),
            (json!([1, 2]), "/-1", json!([1, 2, 9])),
            (json!([1, 2]), "/-3", json!([9, 1, 2])),
            (json!({"-": 1}), "/-", json!({"-": 9})),
            (json!({"a": [{"b": []}]}), "/a/0/b/-", json!({"a": [{"b": [9]}]})),
            (json!({"a": [{"b": []}]}), "/a/-1/b/-", json!({"a": [{"b": [9]}]})),
            (json!({}), "/", json!({"": 9})),
            (json!({"a/b": {}}), "/a~1b/~0", json!({"a/b": {"~": 9}})),
            (json!({"a": 1}), "", json!(9)),
        ] {
            let result = patched(document.clone(), json!([{"op": "add", "path": path, "value": 9}]));
            assert_eq!(result, Ok(expected), "{document} {path}");
        }
    }

    #[test]
    fn refuses_to_add_nowhere() {
        for (document, path, kind) in [
            (json!({}), "/a/b", Kind::NotFound),
            (json!({"a": null}), "/a/b", Kind::NotFound),
            (json!({"a": 1}), "/a/b", Kind::NotFound),
            (json!({"a": "text"}), "/a/0", Kind::NotFound),
            (json!(1), "/a", Kind::NotFound),
            (json!([1]), "/2", Kind::InvalidIndex),
            (json!([1]), "/-3", Kind::InvalidIndex),
            (json!([1]), "/x", Kind::InvalidIndex),
            (json!([1]), "/", Kind::InvalidIndex),
            (json!([1]), "/--", Kind::InvalidIndex),
            (json!([1]), "/1.0", Kind::InvalidIndex),
            (json!([1]), "/1e0", Kind::InvalidIndex),
            (json!([1]), "/9223372036854775808", Kind::InvalidIndex),
            (json!([1]), "/-9223372036854775808", Kind::InvalidIndex),
            (json!([1]), "/18446744073709551615", Kind::InvalidIndex),
            (json!([[]]), "/-/0", Kind::InvalidIndex),
            (json!({"a": []}), "/a/-/-", Kind::InvalidIndex),
        ] {
            let result = patched(document.clone(), json!([{"op": "add", "path": path, "value": 9}]));
            assert_eq!(result, Err(kind), "{document} {path}");
        }
    }

    #[test]
    fn removes() {
        let remove = |document, path| patched(document, json!([{"op": "remove", "path": path}]));
        assert_eq!(remove(json!({"a": 1, "b": 2}), "/a"), Ok(json!({"b": 2})));
        assert_eq!(remove(json!([1, 2, 3]), "/1"), Ok(json!([1, 3])));
        assert_eq!(remove(json!([1, 2, 3]), "/-1"), Ok(json!([1, 2])));
        assert_eq!(remove(json!({"a": null}), "/a"), Ok(json!({})));
        assert_eq!(remove(json!({}), "/a"), Err(Kind::NotFound));
        assert_eq!(remove(json!([1]), "/1"), Err(Kind::InvalidIndex));
        assert_eq!(remove(json!([1]), "/-"), Err(Kind::InvalidIndex));
        assert_eq!(remove(json!([1]), "/-2"), Err(Kind::InvalidIndex));
        assert_eq!(remove(json!({"a": 1}), ""), Err(Kind::RemovesDocument));
    }

    #[test]
    fn replaces() {
        let replace =
            |document, path| patched(document, json!([{"op": "replace", "path": path, "value": 9}]));
        assert_eq!(replace(json!({"a": 1}), "/a"), Ok(json!({"a": 9})));
        // The API server's leniency.
        assert_eq!(replace(json!({}), "/a"), Ok(json!({"a": 9})));
        assert_eq!(replace(json!([1, 2]), "/1"), Ok(json!([1, 9])));
        assert_eq!(replace(json!([1, 2]), "/-1"), Ok(json!([1, 9])));
        assert_eq!(replace(json!([1, 2]), "/2"), Err(Kind::InvalidIndex));
        assert_eq!(replace(json!([1, 2]), "/-"), Err(Kind::InvalidIndex));
        assert_eq!(replace(json!({}), "/a/b"), Err(Kind::NotFound));
        assert_eq!(replace(json!({}), ""), Ok(json!(9)));
        assert_eq!(patched(json!({}), json!([{"op": "replace", "path": "/a"}])), Ok(json!({"a": null})));
    }

    #[test]
    fn moves() {
        let moved =
            |document, from, path| patched(document, json!([{"op": "move", "from": from, "path": path}]));
        assert_eq!(
            moved(json!({"a": {"b": 1}, "c": {}}), "/a/b", "/c/d"),
            Ok(json!({"a": {}, "c": {"d": 1}}))
        );
        assert_eq!(moved(json!([1, 2, 3]), "/0", "/-"), Ok(json!([2, 3, 1])));
        assert_eq!(moved(json!([1, 2, 3]), "/2", "/0"), Ok(json!([3, 1, 2])));
        assert_eq!(moved(json!({"a": 1}), "/a", "/a"), Ok(json!({"a": 1})));
        assert_eq!(moved(json!({"a": {"b": 1}}), "/a/b", ""), Ok(json!(1)));
        assert_eq!(moved(json!({"a": {"b": 1}}), "/a", "/a/b"), Err(Kind::NotFound));
        assert_eq!(moved(json!({"a": 1}), "/b", "/c"), Err(Kind::NotFound));
        assert_eq!(moved(json!({"a": 1}), "", "/b"), Err(Kind::RemovesDocument));
        assert_eq!(moved(json!([1]), "/-", "/0"), Err(Kind::InvalidIndex));
    }

    #[test]
    fn copies() {
        let copied =
            |document, from, path| patched(document, json!([{"op": "copy", "from": from, "path": path}]));
        assert_eq!(copied(json!({"a": [1]}), "/a", "/b"), Ok(json!({"a": [1], "b": [1]})));
        assert_eq!(copied(json!({"a": [1]}), "/a", "/a/-"), Ok(json!({"a": [1, [1]]})));
        assert_eq!(copied(json!({"a": 1}), "", "/b"), Ok(json!({"a": 1, "b": {"a": 1}})));
        // The API server's leniency.
        assert_eq!(copied(json!({}), "/a", "/b"), Ok(json!({"b": null})));
        assert_eq!(copied(json!([1]), "/1", "/0"), Err(Kind::InvalidIndex));
        assert_eq!(copied(json!({}), "/a/b", "/b"), Err(Kind::NotFound));
        let edited_after = json!([
            {"op": "add", "path": "/a/x", "value": 1},
            {"op": "copy", "from": "/a", "path": "/b"},
            {"op": "add", "path": "/a/y", "value": 2},
        ]);
        assert_eq!(
            patched(json!({"a": {}}), edited_after),
            Ok(json!({"a": {"x": 1, "y": 2}, "b": {"x": 1}}))
        );
    }

    #[test]
    fn tests() {
        let test = |document, path, value: Json| {
            patched(document, json!([{"op": "test", "path": path, "value": value}])).map(drop)
        };
        let document = json!({"a": {"b": [1, 2.5, "x", null, {"c": true}]}});
        assert_eq!(test(document.clone(), "", document.clone()), Ok(()));
        assert_eq!(test(document.clone(), "/a/b", json!([1, 2.5, "x", null, {"c": true}])), Ok(()));
        assert_eq!(test(document.clone(), "/a/b/-1", json!({"c": true})), Ok(()));
        assert_eq!(test(document.clone(), "/a/b/0", json!(1.0)), Err(Kind::TestFailed));
        assert_eq!(test(document.clone(), "/a/b/0", json!("1")), Err(Kind::TestFailed));
        assert_eq!(test(document.clone(), "/a/b/3", json!(null)), Ok(()));
        assert_eq!(test(document.clone(), "/a/b/3", json!(false)), Err(Kind::TestFailed));
        assert_eq!(test(document.clone(), "/a/none", json!(null)), Ok(()));
        assert_eq!(test(document.clone(), "/a/none", json!(1)), Err(Kind::TestFailed));
        assert_eq!(test(document.clone(), "/none/b", json!(null)), Err(Kind::NotFound));
        assert_eq!(test(document, "/a/b/5", json!(null)), Err(Kind::InvalidIndex));
    }

    #[test]
    fn all_or_nothing_with_the_failing_index() {
        let document = json!({"a": 1});
        let patch = json!([
            {"op": "replace", "path": "/a", "value": 2},
            {"op": "test", "path": "/a", "value": 2},
            {"op": "remove", "path": "/nope/deeper"},
        ]);
        let error = JsonPatch::from_json(&patch).unwrap().apply(&document).unwrap_err();
        assert_eq!((error.operation, error.path.as_str()), (Some(2), "/nope/deeper"));
        assert_eq!(document, json!({"a": 1}));
    }

    #[test]
    fn nothing_gets_deeper_than_the_limit() {
        let deep =
            |depth: usize| Json::parse(["[".repeat(depth), "]".repeat(depth)].concat().as_bytes()).unwrap();
        let add = |value| patched(json!({}), json!([{"op": "add", "path": "/a", "value": value}]));
        assert!(add(deep(MAX_DEPTH - 2)).is_ok());
        // The patch itself nests its values two levels deeper: built by hand, not parsed.
        let operation = Operation::Add { path: ["a"].into(), value: deep(MAX_DEPTH) };
        assert_eq!(JsonPatch(vec![operation]).apply(&json!({})).unwrap_err().kind, Kind::TooDeep);
        let operation = Operation::Replace { path: ["a"].into(), value: deep(MAX_DEPTH) };
        assert_eq!(JsonPatch(vec![operation]).apply(&json!({})).unwrap_err().kind, Kind::TooDeep);
        // Each step wraps the existing value once more.
        for op in ["copy", "move"] {
            let steps = (0..1000).flat_map(|_| {
                [
                    json!({"op": "replace", "path": "/b", "value": {}}),
                    json!({"op": op, "from": "/a", "path": "/b/x"}),
                    json!({"op": "move", "from": "/b", "path": "/a"}),
                ]
            });
            let error = JsonPatch::from_json(&steps.collect()).unwrap().apply(&json!({"a": {}})).unwrap_err();
            assert_eq!(error.kind, Kind::TooDeep, "{op}");
        }
    }

    #[test]
    fn copies_can_not_explode() {
        let steps = (0..64).map(|_| json!({"op": "copy", "from": "/a", "path": "/a/-"}));
        let error = JsonPatch::from_json(&steps.collect()).unwrap().apply(&json!({"a": ["x"]})).unwrap_err();
        assert_eq!(error.kind, Kind::CopiesTooLarge);
        assert!(error.operation.unwrap() < 25);
    }

    fn any_operations() -> impl Strategy<Value = Json> {
        let path = || "(/(a|b|0|1|-|-1|c|99999999999999999999|)){0,4}";
        let op = prop_oneof![
            Just("add"),
            Just("remove"),
            Just("replace"),
            Just("move"),
            Just("copy"),
            Just("test")
        ];
        let operation = (op, path(), path(), any_json()).prop_map(
            |(op, path, from, value)| json!({"op": op, "path": path, "from": from, "value": value}),
        );
        proptest::collection::vec(operation, 0..6).prop_map(Json::from)
    }

    proptest! {
        #[test]
        fn any_patch_is_an_error_at_worst(document in any_json(), patch in any_operations()) {
            let patch = JsonPatch::from_json(&patch).unwrap();
            if let Ok(result) = patch.apply(&document) {
                prop_assert!(result.depth() <= MAX_DEPTH);
            }
        }
    }
}

//! Strategic merge patches, case by case.

// Helpers of tests may unwrap as tests do, and cases read better when they are not all borrowed.
#![allow(clippy::unwrap_used, clippy::needless_pass_by_value)]

use crate::shapes::{BUDGET, DEPLOYMENT, POD, SERVICE, TREE};
use client_rs_machinery::patch::strategic::{self, StrategicErrorKind as Kind, ThreeWayOptions};
use client_rs_machinery::patch::{JsonPatch, Precondition, PreconditionFailed, merge_patch};
use client_rs_machinery::wire::MAX_DEPTH;
use client_rs_machinery::{Json, JsonType, json};
use proptest::prelude::*;

fn apply(original: Json, patch: Json) -> Result<Json, (String, Kind)> {
    strategic::apply(&original, &patch, POD).map_err(|error| (error.path(), error.kind().clone()))
}

fn containers(list: Json) -> Json {
    json!({"spec": {"containers": list}})
}

fn finalizers(list: Json) -> Json {
    json!({"metadata": {"finalizers": list}})
}

#[test]
fn objects_merge_and_null_removes() {
    let original =
        json!({"metadata": {"name": "x", "labels": {"a": "1", "b": "2"}}, "spec": {"nodeName": "n"}});
    let patch =
        json!({"metadata": {"labels": {"a": null, "c": "3"}}, "spec": {"nodeName": null, "none": null}});
    let expected = json!({"metadata": {"name": "x", "labels": {"b": "2", "c": "3"}}, "spec": {}});
    assert_eq!(apply(original, patch), Ok(expected));
}

#[test]
fn null_counts_as_an_empty_object() {
    assert_eq!(apply(Json::Null, json!({"spec": {"nodeName": "n", "x": null}})), {
        Ok(json!({"spec": {"nodeName": "n"}}))
    });
    assert_eq!(apply(json!({"spec": {}}), Json::Null), Ok(json!({"spec": {}})));
    let wrong = Kind::WrongType { expected: JsonType::Map, found: JsonType::List };
    assert_eq!(apply(json!({}), json!([])), Err((String::new(), wrong)));
}

#[test]
fn lists_merge_by_key_and_are_replaced_without() {
    let original = containers(json!([{"name": "a", "image": "1", "command": ["x", "y"]}, {"name": "b"}]));
    let patch = containers(json!([{"name": "c"}, {"name": "a", "image": "2", "command": ["z"]}]));
    // Elements of the patch come in its order; `b` stays behind `a`.
    let expected = json!([{"name": "c"}, {"name": "a", "image": "2", "command": ["z"]}, {"name": "b"}]);
    assert_eq!(apply(original, patch), Ok(containers(expected)));
}

#[test]
fn plain_lists_merge_as_sets() {
    assert_eq!(apply(finalizers(json!(["a", "b"])), finalizers(json!(["c", "a"]))), {
        Ok(finalizers(json!(["c", "a", "b"])))
    });
    let patch = json!({"metadata": {"$deleteFromPrimitiveList/finalizers": ["a", "z"], "finalizers": ["c"]}});
    let result = apply(finalizers(json!(["a", "b"])), patch);
    assert_eq!(result, Ok(finalizers(json!(["c", "b"]))));
    let nothing_there = json!({"metadata": {"$deleteFromPrimitiveList/finalizers": ["a"]}});
    assert_eq!(apply(json!({"metadata": {}}), nothing_there), Ok(json!({"metadata": {}})));
}

#[test]
fn directives_delete_and_replace_objects() {
    let original = json!({"spec": {"nodeSelector": {"a": "1"}, "nodeName": "n"}});
    let replaced = json!({"spec": {"nodeSelector": {"$patch": "replace", "b": "2"}}});
    assert_eq!(apply(original.clone(), replaced).unwrap()["spec"]["nodeSelector"], json!({"b": "2"}));
    let deleted = json!({"spec": {"nodeSelector": {"$patch": "delete"}}});
    assert_eq!(apply(original.clone(), deleted).unwrap()["spec"]["nodeSelector"], json!({}));
    let whole = json!({"$patch": "replace", "kind": "Pod"});
    assert_eq!(apply(original.clone(), whole), Ok(json!({"kind": "Pod"})));
    for unknown in [json!("merge"), json!("Delete"), json!(1), json!(null)] {
        let patch = json!({"spec": {"nodeSelector": {"$patch": unknown}}});
        let expected = Err(("spec.nodeSelector".to_owned(), Kind::UnknownDirective));
        assert_eq!(apply(original.clone(), patch), expected);
    }
    // Where nothing is, there is nothing to delete or replace.
    let new = json!({"spec": {"nodeSelector": {"$patch": "delete"}, "tolerations": [{"$patch": "delete"}]}});
    assert_eq!(apply(json!({}), new), Ok(json!({"spec": {"tolerations": []}})));
}

#[test]
fn directives_delete_and_replace_elements() {
    let original = containers(json!([{"name": "a"}, {"name": "b"}, {"name": "c"}]));
    let deleted = containers(json!([{"name": "b", "$patch": "delete"}, {"name": "z", "$patch": "delete"}]));
    assert_eq!(apply(original.clone(), deleted), Ok(containers(json!([{"name": "a"}, {"name": "c"}]))));
    let replaced = containers(json!([{"name": "x"}, {"$patch": "replace"}, {"name": "b", "tty": true}]));
    assert_eq!(
        apply(original.clone(), replaced),
        Ok(containers(json!([{"name": "x"}, {"name": "b", "tty": true}])))
    );
    let emptied = containers(json!([{"$patch": "replace"}]));
    assert_eq!(apply(original.clone(), emptied), Ok(containers(json!([]))));
    for (element, kind) in [
        (json!({"$patch": "delete"}), Kind::NoMergeKey("name")),
        (json!({"$patch": "merge", "name": "a"}), Kind::UnknownDirective),
        (json!({"image": "x"}), Kind::NoMergeKey("name")),
        (json!({"name": {}}), Kind::NoMergeKey("name")),
        (json!("a"), Kind::MixedElements),
        (json!(null), Kind::MixedElements),
        (json!([]), Kind::MixedElements),
    ] {
        let result = apply(original.clone(), containers(json!([&element])));
        assert_eq!(result, Err(("spec.containers".to_owned(), kind)), "{element}");
    }
}

#[test]
fn order_can_be_set() {
    let original = containers(json!([{"name": "a"}, {"name": "s"}, {"name": "b"}]));
    let patch = json!({"spec": {
        "$setElementOrder/containers": [{"name": "b"}, {"name": "n"}, {"name": "a"}],
        "containers": [{"name": "n", "image": "1"}, {"name": "a", "image": "2"}],
    }});
    // `s`, which the patch does not know, keeps its place before `b`: it was behind `a`, though.
    let expected = containers(json!([
        {"name": "s"}, {"name": "b"}, {"name": "n", "image": "1"}, {"name": "a", "image": "2"},
    ]));
    assert_eq!(apply(original.clone(), patch), Ok(expected));
    let only_order = json!({"spec": {"$setElementOrder/containers": [{"name": "b"}, {"name": "a"}]}});
    assert_eq!(
        apply(original, only_order),
        Ok(containers(json!([{"name": "s"}, {"name": "b"}, {"name": "a"}])))
    );
    let plain = json!({"metadata": {"$setElementOrder/finalizers": ["c", "a"], "finalizers": ["c"]}});
    assert_eq!(apply(finalizers(json!(["a", "b"])), plain), Ok(finalizers(json!(["c", "a", "b"]))));
    let nothing = json!({"metadata": {"$setElementOrder/finalizers": ["c", "a"]}});
    assert_eq!(apply(json!({"metadata": {}}), nothing), Ok(json!({"metadata": {}})));
}

#[test]
fn order_must_fit_the_list() {
    for (order, list, kind) in [
        (json!([{"name": "a"}]), json!([{"name": "b"}]), Kind::OrderMismatch),
        (json!([{"name": "a"}, {"name": "b"}]), json!([{"name": "b"}, {"name": "a"}]), Kind::OrderMismatch),
        (json!([{"x": "a"}]), json!([{"name": "a"}]), Kind::NoMergeKey("name")),
        (json!(["a"]), json!([{"name": "a"}]), {
            Kind::WrongType { expected: JsonType::Map, found: JsonType::Str }
        }),
        (json!("a"), json!([]), Kind::WrongType { expected: JsonType::List, found: JsonType::Str }),
        (json!([]), json!("a"), Kind::WrongType { expected: JsonType::List, found: JsonType::Str }),
    ] {
        let patch = json!({"spec": {"$setElementOrder/containers": order, "containers": list}});
        let result = apply(containers(json!([{"name": "a"}])), patch.clone());
        assert_eq!(result, Err(("spec.containers".to_owned(), kind)), "{patch}");
    }
    for (directive, name) in [
        ("$setElementOrder", "$setElementOrder"),
        ("$setElementOrderX/a", "$setElementOrder"),
        ("$deleteFromPrimitiveList", "$deleteFromPrimitiveList"),
    ] {
        let error = apply(json!({}), json!({(directive): []})).unwrap_err();
        assert_eq!(error.1, Kind::MalformedDirective(name));
    }
}

#[test]
fn retained_keys_are_all_that_stays() {
    let original = json!({"spec": {"strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 1}}}});
    let apply = |strategy: Json| {
        strategic::apply(&original, &json!({"spec": {"strategy": strategy}}), DEPLOYMENT)
            .map(|result| result["spec"]["strategy"].clone())
            .map_err(|error| error.kind().clone())
    };
    assert_eq!(apply(json!({"$retainKeys": ["type"], "type": "Recreate"})), Ok(json!({"type": "Recreate"})));
    assert_eq!(apply(json!({"$retainKeys": []})), Ok(json!({})));
    let nulls = json!({"$retainKeys": ["type"], "rollingUpdate": null});
    assert_eq!(apply(nulls), Ok(json!({"type": "RollingUpdate"})));
    assert_eq!(apply(json!({"$retainKeys": ["rollingUpdate"], "type": "x"})), Err(Kind::NotRetained));
    assert_eq!(apply(json!({"$retainKeys": "type"})), Err(Kind::MalformedDirective("$retainKeys")));
}

#[test]
fn unknown_fields_merge_as_json() {
    let original =
        json!({"spec": {"new": {"a": 1, "list": [{"name": "x"}]}}, "other": [1, "mixed", null, []]});
    let patch = json!({"spec": {"new": {"b": 2, "list": [{"name": "y"}]}}, "other": [[2]]});
    let expected = json!({"spec": {"new": {"a": 1, "b": 2, "list": [{"name": "y"}]}}, "other": [[2]]});
    assert_eq!(apply(original, patch), Ok(expected));
}

#[test]
fn a_field_can_be_replaced_as_a_whole() {
    let original = json!({"spec": {"minAvailable": 1, "selector": {"matchLabels": {"a": "1"}}}});
    let modified = json!({"spec": {"minAvailable": 1, "selector": {"matchLabels": {"b": "2"}}}});
    let patch = strategic::two_way(&original, &modified, BUDGET, &[]).unwrap();
    assert_eq!(patch, json!({"spec": {"selector": {"matchLabels": {"b": "2"}}}}));
    assert_eq!(strategic::apply(&original, &patch, BUDGET), Ok(modified));
    assert_eq!(strategic::two_way(&original, &original, BUDGET, &[]), Ok(json!({})));
}

#[test]
fn a_patch_contains_the_changes() {
    let original = json!({
        "metadata": {"labels": {"a": "1", "b": "2"}, "finalizers": ["x", "y"]},
        "spec": {"containers": [{"name": "a", "image": "1"}, {"name": "b"}, {"name": "c"}], "tolerations": [1]},
    });
    let modified = json!({
        "metadata": {"labels": {"a": "1", "c": "3"}, "finalizers": ["y", "z"]},
        "spec": {"containers": [{"name": "c"}, {"name": "a", "image": "2"}, {"name": "d"}], "tolerations": [2]},
    });
    let patch = strategic::two_way(&original, &modified, POD, &[]).unwrap();
    let expected = json!({
        "metadata": {
            "labels": {"b": null, "c": "3"},
            "finalizers": ["z"],
            "$deleteFromPrimitiveList/finalizers": ["x"],
            "$setElementOrder/finalizers": ["y", "z"],
        },
        "spec": {
            "containers": [{"name": "a", "image": "2"}, {"name": "d"}, {"name": "b", "$patch": "delete"}],
            "$setElementOrder/containers": [{"name": "c"}, {"name": "a"}, {"name": "d"}],
            "tolerations": [2],
        },
    });
    assert_eq!(patch, expected);
    assert_eq!(strategic::apply(&original, &patch, POD), Ok(modified));
}

#[test]
fn order_alone_is_a_change() {
    let change = |original: &Json, modified: &Json| strategic::two_way(original, modified, POD, &[]).unwrap();
    let (ab, ba) = (json!([{"name": "a"}, {"name": "b"}]), json!([{"name": "b"}, {"name": "a"}]));
    assert_eq!(change(&containers(ab.clone()), &containers(ba.clone())), {
        json!({"spec": {"$setElementOrder/containers": &ba}})
    });
    assert_eq!(change(&containers(ba.clone()), &containers(ba)), json!({}));
    // Both ways round: sorted to unsorted, unsorted to sorted, and unsorted but the same.
    let (ab, ba) = (json!(["a", "b"]), json!(["b", "a"]));
    for (original, modified) in [(&ab, &ba), (&ba, &ab)] {
        let (original, modified) = (finalizers(original.clone()), finalizers(modified.clone()));
        let patch = change(&original, &modified);
        assert_eq!(patch["metadata"]["$setElementOrder/finalizers"], modified["metadata"]["finalizers"]);
        assert_eq!(strategic::apply(&original, &patch, POD), Ok(modified));
    }
    assert_eq!(change(&finalizers(ba.clone()), &finalizers(ba)), json!({}));
}

#[test]
fn retain_keys_are_written_if_the_type_requires_it() {
    let volume = |source: Json| json!({"spec": {"volumes": [source]}});
    let original = volume(json!({"name": "v", "emptyDir": {"medium": "Memory"}}));
    let modified = volume(json!({"name": "v", "configMap": {"name": "c"}}));
    let patch = strategic::two_way(&original, &modified, POD, &[]).unwrap();
    assert_eq!(
        patch["spec"]["volumes"],
        json!([{"name": "v", "emptyDir": null, "configMap": {"name": "c"}, "$retainKeys": ["configMap", "name"]}])
    );
    assert_eq!(strategic::apply(&original, &patch, POD), Ok(modified.clone()));
    // Also what the server has put there goes: one volume has one source.
    let current = volume(json!({"name": "v", "secret": {"secretName": "s"}}));
    assert_eq!(strategic::apply(&current, &patch, POD), Ok(modified));
}

#[test]
fn a_broken_precondition_prevents_the_patch() {
    let (original, modified) = (json!({"metadata": {"name": "a"}}), json!({"metadata": {"name": "b"}}));
    let protected = [Precondition::MetadataKeyUnchanged("name".into())];
    let failed = Kind::Precondition(PreconditionFailed { key: "metadata.name".into() });
    let error = strategic::two_way(&original, &modified, POD, &protected).unwrap_err();
    assert_eq!(*error.kind(), failed);
    assert_eq!(error.to_string(), "strategic merge patch: the patch would change metadata.name");
    let options = ThreeWayOptions::default().with_overwrite(true).with_preconditions(&protected);
    let error = strategic::three_way(&original, &modified, &original, POD, options).unwrap_err();
    assert_eq!(*error.kind(), failed);
    assert!(strategic::two_way(&original, &original, POD, &protected).is_ok());
}

#[test]
fn three_way_keeps_fields_of_others() {
    let original =
        json!({"spec": {"ports": [{"port": 80}, {"port": 443}], "selector": {"a": "1", "gone": "x"}}});
    let modified = json!({"spec": {"ports": [{"port": 80, "name": "web"}], "selector": {"a": "2"}}});
    let current = json!({"spec": {
        "ports": [{"port": 80}, {"port": 443, "name": "tls"}, {"port": 9090}],
        "selector": {"a": "1", "gone": "x", "theirs": "y"},
        "clusterIP": "10.0.0.1",
    }});
    let options = ThreeWayOptions::default().with_overwrite(true);
    let patch = strategic::three_way(&original, &modified, &current, SERVICE, options).unwrap();
    let expected = json!({"spec": {
        "ports": [{"port": 80, "name": "web"}, {"port": 443, "$patch": "delete"}],
        "$setElementOrder/ports": [{"port": 80}],
        "selector": {"a": "2", "gone": null},
    }});
    assert_eq!(patch, expected);
    let result = strategic::apply(&current, &patch, SERVICE).unwrap();
    let expected = json!({"spec": {
        "ports": [{"port": 80, "name": "web"}, {"port": 9090}],
        "selector": {"a": "2", "theirs": "y"},
        "clusterIP": "10.0.0.1",
    }});
    assert_eq!(result, expected);
}

#[test]
fn three_way_finds_conflicts() {
    let three_way = |original: &Json, modified: &Json, current: &Json| {
        strategic::three_way(original, modified, current, POD, ThreeWayOptions::default())
            .map_err(|error| (error.path(), error.kind().clone()))
    };
    let image = |image: &str| containers(json!([{"name": "a", "image": image}, {"name": "b"}]));
    let conflict = |path: &str| Err((path.to_owned(), Kind::Conflict));
    assert_eq!(three_way(&image("1"), &image("2"), &image("3")), conflict("spec.containers.image"));
    assert!(three_way(&image("1"), &image("2"), &image("1")).is_ok());
    // Both made the same change: there is nothing left to do.
    assert_eq!(three_way(&image("1"), &image("2"), &image("2")), Ok(json!({})));

    let node = |name: Json| json!({"spec": {"nodeName": name, "nodeSelector": {"a": "1"}}});
    let without = json!({"spec": {"nodeSelector": {"a": "1"}}});
    assert_eq!(three_way(&node(json!("x")), &without, &node(json!("y"))), conflict("spec.nodeName"));
    assert_eq!(three_way(&finalizers(json!(["a"])), &finalizers(json!(["b"])), &finalizers(json!(["c"]))), {
        Ok(json!({"metadata": {
            "finalizers": ["b"], "$deleteFromPrimitiveList/finalizers": ["a"], "$setElementOrder/finalizers": ["b"],
        }}))
    });
    let commands = |list: Json| containers(json!([{"name": "a", "command": list}]));
    let error = three_way(&commands(json!(["1"])), &commands(json!(["2"])), &commands(json!(["3"])));
    assert_eq!(error, conflict("spec.containers.command"));
}

#[test]
fn a_result_contains_no_directives() {
    let element = json!({
        "name": "n", "image": null, "$retainKeys": ["name"], "$setElementOrder/env": [{"name": "A"}],
        "env": [{"name": "A", "$patch": "delete"}], "$deleteFromPrimitiveList/command": ["x"], "$other": 1,
    });
    // The API server keeps the elements of a new element, with any fields that they have.
    let taken = json!({"name": "n", "env": [{"name": "A"}], "$other": 1});
    let patch = containers(json!([&element]));
    assert_eq!(apply(containers(json!([])), patch.clone()), Ok(containers(json!([&taken]))));
    // Where even the list is new, elements with a directive go.
    let new = json!({"name": "n", "env": [], "$other": 1});
    assert_eq!(apply(json!({}), patch), Ok(containers(json!([&new]))));
    let replaced = containers(json!([&element, {"$patch": "replace"}]));
    assert_eq!(apply(containers(json!([{"name": "x"}])), replaced), Ok(containers(json!([&taken]))));
    let tolerations = json!({"spec": {"tolerations": [{"key": null, "$patch": "delete"}]}});
    assert_eq!(
        apply(json!({"spec": {"tolerations": [1]}}), tolerations),
        Ok(json!({"spec": {"tolerations": [{}]}}))
    );
    let selector = json!({"spec": {"nodeSelector": {"$patch": "replace", "a": null, "b": "1"}}});
    let original = json!({"spec": {"nodeSelector": {"c": null}, "nodeName": null}});
    // The object's own fields stay.
    assert_eq!(
        apply(original, selector),
        Ok(json!({"spec": {"nodeSelector": {"b": "1"}, "nodeName": null}}))
    );
}

#[test]
fn errors_name_the_place_and_no_value() {
    let patch = containers(json!([{"name": "a", "env": [{"value": "hunter2"}]}]));
    let original = containers(json!([{"name": "a", "env": []}]));
    let error = strategic::apply(&original, &patch, POD).unwrap_err();
    let expected =
        "strategic merge patch, spec.containers.env: an element has no plain value at its merge key `name`";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn large_lists_are_no_trouble() {
    let names = |step: usize| (0..20_000).map(move |at| format!("f{}", at * step));
    let (original, modified) = (finalizers(names(1).collect()), finalizers(names(2).collect()));
    let patch = strategic::two_way(&original, &modified, POD, &[]).unwrap();
    assert_eq!(strategic::apply(&original, &patch, POD), Ok(modified));
    let list = |step| containers(names(step).map(|name| json!({"name": name})).collect());
    let (original, modified) = (list(1), list(3));
    let patch = strategic::two_way(&original, &modified, POD, &[]).unwrap();
    assert_eq!(strategic::apply(&original, &patch, POD), Ok(modified));
}

/// A document as deep as one may be, in both ways that the type nests.
fn deep(leaf: &str) -> [Json; 2] {
    let (mut lists, mut objects) = (json!({"name": leaf}), json!({"name": leaf}));
    while lists.depth() + 2 <= MAX_DEPTH {
        lists = json!({"name": "n", "children": [lists]});
    }
    while objects.depth() < MAX_DEPTH {
        objects = json!({"child": objects});
    }
    [lists, objects]
}

#[test]
fn the_deepest_documents_fit_a_small_stack() {
    let work = || {
        for (original, modified) in deep("a").into_iter().zip(deep("b")) {
            let read = Json::parse(&original.to_vec()).unwrap();
            assert_eq!(read, original);
            let options = ThreeWayOptions::default().with_overwrite(true);
            let patches = [
                strategic::two_way(&original, &modified, TREE, &[]),
                strategic::three_way(&original, &modified, &original, TREE, options),
                strategic::three_way(&original, &modified, &original, TREE, ThreeWayOptions::default()),
            ];
            for patch in patches {
                assert_eq!(strategic::apply(&original, &patch.unwrap(), TREE), Ok(modified.clone()));
            }
            let patch = merge_patch::diff(&original, &modified);
            assert_eq!(merge_patch::apply(&original, &patch), modified);
            let patch = JsonPatch::diff(&original, &modified);
            assert_eq!(patch.apply(&original), Ok(modified));
            assert!(!format!("{original:?} {original:#?}").is_empty());
        }
    };
    // Half of what a thread has by default, and that without optimization.
    std::thread::Builder::new().stack_size(1024 * 1024).spawn(work).unwrap().join().unwrap();
}

/// A pod whose merged lists hold each key once, and nothing `null`.
fn any_pod() -> impl Strategy<Value = Json> {
    let word = || prop_oneof![Just("x"), Just("y"), Just("z")];
    let words = || proptest::sample::subsequence(vec!["a", "b", "c", "d"], 0..=4).prop_shuffle();
    let labels = || proptest::collection::btree_map("[a-c]", word(), 0..3);
    let env = proptest::sample::subsequence(vec!["A", "B", "C"], 0..=3).prop_shuffle();
    let env = (env, word()).prop_map(|(names, value)| {
        names.into_iter().map(|name| json!({"name": name, "value": value})).collect::<Json>()
    });
    let container = (proptest::option::of(word()), words(), env, any::<bool>());
    let containers = proptest::collection::btree_map("[a-d]", container, 0..4)
        .prop_map(|map| map.into_iter().collect::<Vec<_>>());
    let containers = containers.prop_shuffle().prop_map(|list| {
        let container = |(name, (image, command, env, tty))| {
            let mut container = json!({"name": name, "command": command, "env": env, "tty": tty});
            if let Some(image) = image {
                container.set(&["image"], image).unwrap();
            }
            container
        };
        list.into_iter().map(container).collect::<Json>()
    });
    let volumes = proptest::collection::btree_map("[v-x]", any::<bool>(), 0..3).prop_map(|map| {
        let source = |empty| if empty { json!({"medium": "m"}) } else { json!({"name": "c"}) };
        let volume = |(name, empty)| json!({"name": name, (if empty { "emptyDir" } else { "configMap" }): source(empty)});
        map.into_iter().map(volume).collect::<Json>()
    });
    (labels(), words(), containers, volumes, proptest::option::of(word())).prop_map(
        |(labels, finalizers, containers, volumes, node)| {
            let mut pod = json!({
                "metadata": {"labels": labels, "finalizers": finalizers},
                "spec": {"containers": containers, "volumes": volumes},
            });
            if let Some(node) = node {
                pod.set(&["spec", "nodeName"], node).unwrap();
            }
            pod
        },
    )
}

/// Any JSON that looks a little like a patch.
fn any_patch() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        Just(json!("delete")),
        Just(json!("replace")),
        Just(json!("a")),
        Just(json!(1)),
        Just(json!(1.5)),
        Just(json!(true)),
    ];
    let key = proptest::sample::select(vec![
        "metadata",
        "spec",
        "containers",
        "volumes",
        "finalizers",
        "name",
        "env",
        "$patch",
        "$retainKeys",
        "$setElementOrder/containers",
        "$setElementOrder/finalizers",
        "$deleteFromPrimitiveList/finalizers",
        "$deleteFromPrimitiveList/containers",
        "$setElementOrder/spec",
        "$setElementOrder",
    ]);
    leaf.prop_recursive(6, 64, 5, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            proptest::collection::btree_map(key.clone(), inner, 0..6).prop_map(Json::from),
        ]
    })
}

proptest! {
    #[test]
    fn two_way_round_trips(original in any_pod(), modified in any_pod()) {
        let patch = strategic::two_way(&original, &modified, POD, &[]).unwrap();
        prop_assert_eq!(strategic::apply(&original, &patch, POD).unwrap(), modified.clone());
        prop_assert_eq!(patch == json!({}), original == modified);
    }

    #[test]
    fn applying_twice_changes_nothing_more(original in any_pod(), modified in any_pod()) {
        let patch = strategic::two_way(&original, &modified, POD, &[]).unwrap();
        prop_assert_eq!(strategic::apply(&modified, &patch, POD).unwrap(), modified);
    }

    #[test]
    fn three_way_of_one_owner_makes_the_modified(original in any_pod(), modified in any_pod()) {
        let patch = strategic::three_way(&original, &modified, &original, POD, ThreeWayOptions::default()).unwrap();
        prop_assert_eq!(strategic::apply(&original, &patch, POD).unwrap(), modified);
    }

    #[test]
    fn three_way_sets_all_of_the_modified(original in any_pod(), modified in any_pod(), current in any_pod()) {
        let options = ThreeWayOptions::default().with_overwrite(true);
        let patch = strategic::three_way(&original, &modified, &current, POD, options).unwrap();
        let result = strategic::apply(&current, &patch, POD).unwrap();
        // Applied again from what is now the last applied, nothing is left to set.
        let again = strategic::three_way(&modified, &modified, &result, POD, options).unwrap();
        prop_assert_eq!(strategic::apply(&result, &again, POD).unwrap(), result);
    }

    #[test]
    fn any_patch_is_an_error_at_worst(original in any_patch(), patch in any_patch(), current in any_patch()) {
        let _ = strategic::apply(&original, &patch, POD);
        let _ = strategic::two_way(&original, &patch, POD, &[]);
        let _ = strategic::three_way(&original, &patch, &current, POD, ThreeWayOptions::default());
    }
}

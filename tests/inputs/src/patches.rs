//! Patches that the Go libraries have created and applied, compared with ours.
//!
//! `cargo xtask record patches` writes `tests/corpora/patches.jsonl`; `PATCH_CORPUS` names another such file.
//!
//! Where Go fails, ours may succeed if it is more lenient on purpose. Where Go panics or its result depends on the
//! order of a map, ours must only not panic.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use client_rs_machinery::patch::strategic::{self, StrategicErrorKind, ThreeWayOptions};
use client_rs_machinery::wire::Descriptor;
use client_rs_machinery::{Json, json};

/// The description of a kind.
pub type Schemas = fn(&str) -> &'static Descriptor;

/// Makes and applies every strategic patch between states of an object.
pub fn check_created(schema: Schemas) {
    for line in lines("created") {
        let [original, modified, current] =
            ["original", "modified", "current"].map(|name| line[name].clone());
        let schema = schema(kind(&line));

        // Go also writes an unchanged field that is replaced as a whole.
        let says_more = line["type"] == "PodDisruptionBudget";

        let two_way = strategic::two_way(&original, &modified, schema, &[]).unwrap();
        compare_object(&line, "onOriginal", strategic::apply(&original, &two_way, schema));
        let overwrite = ThreeWayOptions::default().with_overwrite(true);
        let three_way = strategic::three_way(&original, &modified, &current, schema, overwrite).unwrap();
        compare_object(&line, "threeWayOnCurrent", strategic::apply(&current, &three_way, schema));
        if says_more {
            continue;
        }
        compare_object(&line, "onCurrent", strategic::apply(&current, &two_way, schema));
        compare(&line, "twoWay", Ok::<_, String>(two_way));
        compare(&line, "threeWay", Ok::<_, String>(three_way.clone()));

        // Go's search for conflicts sorts lists in the patch that it returns, so only the existence of a patch is
        // compared.
        match strategic::three_way(&original, &modified, &current, schema, ThreeWayOptions::default()) {
            Ok(strict) => {
                assert_eq!(strict, three_way);
                assert_ne!(line["threeWayStrict"]["failed"], "conflict", "{line}");
            }
            Err(error) => {
                assert_eq!(*error.kind(), StrategicErrorKind::Conflict, "{error}: {line}");
                assert!(!line["threeWayStrict"]["failed"].is_null(), "{error}: {line}");
            }
        }
    }
}

/// Applies every strategic patch that was written by hand, or might have been.
pub fn check_applied(schema: Schemas) {
    let lines = lines("applied");
    let lenient = lines.iter().filter(|line| {
        compare_object(
            line,
            "applied",
            strategic::apply(&line["original"], &line["patch"], schema(kind(line))),
        )
    });
    // Fields that the type does not have are merged, not refused.
    assert!(lenient.count() <= lines.len() / 20);
}

/// The lines of one sort.
pub fn lines(sort: &str) -> Vec<Json> {
    let lines: Vec<Json> = corpus().into_iter().filter(|line| line["sort"] == sort).collect();
    assert!(lines.len() >= 100, "{} lines of {sort}", lines.len());
    lines
}

/// Compares a result; returns whether Go failed and ours succeeded.
pub fn compare<E: std::fmt::Display>(line: &Json, what: &str, ours: Result<Json, E>) -> bool {
    let theirs = &line[what];
    match (theirs["failed"].as_str(), ours) {
        (None, Ok(ours)) => {
            assert_eq!(ours, theirs["result"], "{what} of {line}");
            false
        }
        (None, Err(error)) => panic!("{what}: {error}: {line}"),
        (Some("error"), Ok(_)) => true,
        (Some(_), _) => false,
    }
}

/// Compares the result of a strategic merge patch.
fn compare_object<E: std::fmt::Display>(line: &Json, what: &str, ours: Result<Json, E>) -> bool {
    let theirs = json!({"failed": line[what]["failed"].clone(), "result": read(&line[what]["result"])});
    let line = json!({(what): theirs, "of": line.clone()});
    compare(&line, what, ours.map(|ours| read(&ours)))
}

/// An object as a typed one reads it: Go leaves some of a patch's directives and `null`s in its results, and
/// the API server drops them when it decodes the result.
fn read(value: &Json) -> Json {
    match value {
        Json::Map(map) => map
            .iter()
            .filter(|(key, value)| !key.starts_with('$') && !value.is_null())
            .map(|(key, value)| (key.clone(), read(value)))
            .collect(),
        Json::List(list) => list.iter().map(read).collect(),
        _ => value.clone(),
    }
}

fn corpus() -> Vec<Json> {
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/../corpora/patches.jsonl");
    let path = std::env::var("PATCH_CORPUS").unwrap_or_else(|_| ours.to_owned());
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| line.parse().unwrap()).collect()
}

fn kind(line: &Json) -> &str {
    line["type"].as_str().unwrap()
}

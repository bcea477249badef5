//! The parser of manifests.

use client_rs_machinery::{Json, Unstructured, UnstructuredList};
use client_rs_transport::yaml_budget;
use serde_saphyr::options::{DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy};

use super::{Manifest, ManifestError, ManifestProblem};

pub(super) fn documents(text: &str) -> Result<Vec<Manifest>, ManifestError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut all = Vec::new();
    for (line, chunk) in chunks(text) {
        for (line, value) in values(line, chunk)? {
            if !value.is_null() {
                objects(line, value, &mut all)?;
            }
        }
    }
    Ok(all)
}

/// Splits a text at `---`, and returns each part with the number of its first line. The dashes belong to the part after them,
/// because content may follow them on the same line.
fn chunks(text: &str) -> Vec<(usize, &str)> {
    let mut chunks = Vec::new();
    let (mut begin, mut begin_line, mut at) = (0, 1, 0);
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let divides = line
            .strip_prefix("---")
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
        // Lines before it that are not content, such as `%YAML`, belong to the document.
        if divides && !text[begin..at].lines().all(|line| line.is_empty() || line.starts_with(['%', '#'])) {
            chunks.push((begin_line, &text[begin..at]));
            (begin, begin_line) = (at, index + 1);
        }
        at += line.len();
    }
    chunks.push((begin_line, &text[begin..]));
    chunks
}

/// Reads the documents of a part: one in YAML, or several in JSON, each with its first line.
fn values(first_line: usize, chunk: &str) -> Result<Vec<(usize, Json)>, ManifestError> {
    let skipped = skipped(chunk);
    let (content, line) = (&chunk[skipped..], first_line + chunk[..skipped].matches('\n').count());
    if content.starts_with(['{', '[']) {
        match json(line, content) {
            Ok(values) => return Ok(values),
            // YAML can start with a brace too.
            Err(error) => return yaml(first_line, chunk).map(|value| vec![(line, value)]).map_err(|_| error),
        }
    }
    Ok(vec![(line, yaml(first_line, chunk)?)])
}

/// The length of the beginning of a part that is not content: blank lines, comments, directives, dashes.
fn skipped(chunk: &str) -> usize {
    let mut at = 0;
    for line in chunk.split_inclusive('\n') {
        let trimmed = line.trim();
        if !(trimmed.is_empty() || trimmed.starts_with('#') || trimmed == "---" || line.starts_with('%')) {
            return at + (line.len() - line.trim_start().len());
        }
        at += line.len();
    }
    at
}

fn json(first_line: usize, content: &str) -> Result<Vec<(usize, Json)>, ManifestError> {
    let mut stream = serde_json::Deserializer::from_str(content).into_iter::<Json>();
    let mut all = Vec::new();
    loop {
        let before = stream.byte_offset();
        let blank = content[before..].len() - content[before..].trim_start().len();
        let line = first_line + content[..before + blank].matches('\n').count();
        match stream.next() {
            None => return Ok(all),
            Some(Ok(value)) => all.push((line, value)),
            Some(Err(error)) => {
                let why = error.to_string();
                // The position in the message is relative to the part.
                let why = why.rsplit_once(" at line ").map_or(why.as_str(), |(why, _)| why);
                return Err(ManifestError {
                    file: None,
                    line: first_line + error.line().saturating_sub(1),
                    column: error.column(),
                    problem: ManifestProblem::Syntax(why.to_owned()),
                });
            }
        }
    }
}

fn yaml(first_line: usize, chunk: &str) -> Result<Json, ManifestError> {
    let options = serde_saphyr::options! {
        duplicate_keys: DuplicateKeyPolicy::Error,
        merge_keys: MergeKeyPolicy::Merge,
        // JSON has no infinity.
        non_finite_float_policy: NonFiniteFloatPolicy::Reject,
        with_snippet: false,
        budget: yaml_budget(),
    };
    let mut bytes = chunk.as_bytes();
    let mut documents = serde_saphyr::read_with_options(&mut bytes, options);
    documents.next().unwrap_or(Ok(Json::Null)).map_err(|error| {
        let why = error.to_string();
        // Some errors have their position in the message only.
        let place =
            error.location().map(|place| (place.line(), place.column())).or_else(|| written_place(&why));
        let (line, column) = place.unwrap_or((1, 0));
        let number = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
        ManifestError {
            file: None,
            line: first_line.saturating_add(number(line)).saturating_sub(1),
            column: number(column),
            problem: ManifestProblem::Syntax(without_place(&why)),
        }
    })
}

/// Parses the position at the end of a message: `… at line 4, column 11`.
fn written_place(why: &str) -> Option<(u64, u64)> {
    let (_, place) = why.lines().next()?.rsplit_once(" at line ")?;
    let (line, column) = place.split_once(", column ")?;
    Some((line.parse().ok()?, column.parse().ok()?))
}

/// Removes the position in the part from a message. The error has the position in the file.
fn without_place(why: &str) -> String {
    let why = why.lines().next().unwrap_or_default();
    let why = why.strip_prefix("error: ").unwrap_or(why);
    let place = |text: &str| text.starts_with("line ") && text.contains("column ");
    match why.split_once(": ") {
        Some((first, rest)) if place(first) => rest.to_owned(),
        _ => why.split(" at line ").next().unwrap_or(why).to_owned(),
    }
}

/// Adds the object, or the items of a list.
fn objects(line: usize, value: Json, all: &mut Vec<Manifest>) -> Result<(), ManifestError> {
    let fails = |problem| ManifestError { file: None, line, column: 0, problem };
    let object = Unstructured::try_from(value)
        .map_err(|other| fails(ManifestProblem::NotAnObject(other.0.json_type().to_string())))?;
    for (field, text) in [("apiVersion", object.api_version()), ("kind", object.kind())] {
        if text.is_empty() {
            return Err(fails(ManifestProblem::NoKind(field)));
        }
    }
    if object.kind().ends_with("List") && object.is_list() {
        let list = UnstructuredList::try_from(object)
            .map_err(|error| fails(ManifestProblem::Items(error.to_string())))?;
        for item in list.items {
            objects(line, item.into(), all)?;
        }
        return Ok(());
    }
    all.push(Manifest { object, file: None, line });
    Ok(())
}

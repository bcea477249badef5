//! Manifests: YAML and JSON, several documents in a text.

use client_rs_client::manifest::{read, to_yaml};
use client_rs_machinery::Json;

use super::text;

/// Objects that are read are written as YAML, and read again as the same.
pub fn manifests(data: &[u8]) {
    let source = text(data);
    let objects = match read(&source) {
        Ok(objects) => objects,
        Err(error) => {
            assert!(error.to_string().len() < 4096 + 4 * source.len());
            return;
        }
    };
    let lines = source.lines().count().max(1);
    for manifest in &objects {
        assert!((1..=lines + 1).contains(&manifest.line), "line {} of {lines}", manifest.line);
        let object = Json::Map(manifest.object.object.clone());
        let written = to_yaml(&object);
        let again = read(&written).unwrap_or_else(|error| panic!("{error}:\n{written}"));
        assert_eq!(again.len(), 1, "one object is read as another number:\n{written}");
        assert_eq!(whole(Json::Map(again[0].object.object.clone())), whole(object), "{written}");
    }
}

/// A number without a fraction is written as an integer, as kubectl does.
fn whole(value: Json) -> Json {
    match value {
        Json::Map(map) => Json::Map(map.into_iter().map(|(key, value)| (key, whole(value))).collect()),
        Json::List(list) => Json::List(list.into_iter().map(whole).collect()),
        other => match other.as_f64() {
            Some(number) => Json::from(number),
            None => other,
        },
    }
}

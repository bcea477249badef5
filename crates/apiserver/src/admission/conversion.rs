//! Conversion webhooks: reviews, and the checks of their responses.

use std::sync::Arc;

use client_rs_machinery::{Json, Unstructured, go_type, json, validation};

use super::session::{Question, Session};
use crate::custom::{ConversionError, Convert, Converter};

impl Convert for Session {
    fn reuses_conversions(&self) -> bool {
        self.reuses
    }

    fn convert(
        &self,
        converter: &Arc<Converter>,
        object: &Unstructured,
        desired: &str,
    ) -> Result<Unstructured, ConversionError> {
        let question = Question::Convert {
            converter: Arc::clone(converter),
            desired: desired.to_owned(),
            object: object.to_json().into(),
        };
        let answer = self.ask(question).ok_or(ConversionError::Pending)?;
        let made = answer.said.clone().map_err(ConversionError::Failed)?;
        Unstructured::try_from(made)
            .map_err(|_| ConversionError::Failed("the value is not an object".to_owned()))
    }
}

/// The review that requests the conversion of objects. It is an error if both sides have no version of the review
/// in common.
pub(super) fn review(
    converter: &Converter,
    desired: &str,
    uid: &str,
    objects: &[Json],
) -> Result<Json, String> {
    let known = |version: &&String| ["v1", "v1beta1"].contains(&version.as_str());
    let version = converter.versions.iter().find(known);
    let version = version.ok_or_else(|| "no supported conversion review versions".to_owned())?;
    Ok(json!({
        "kind": "ConversionReview", "apiVersion": format!("apiextensions.k8s.io/{version}"),
        "request": {"uid": uid, "desiredAPIVersion": desired, "objects": objects.to_vec()},
    }))
}

/// The objects of a response, with the metadata that webhooks can't change restored.
pub(super) fn converted(
    said: Result<Json, String>,
    desired: &str,
    uid: &str,
    objects: &[Json],
) -> Result<Vec<Json>, String> {
    let of = objects.first().map(gvk).unwrap_or_default();
    let failed = |why: String| format!("conversion webhook for {of} failed: {why}");
    let made = said.and_then(|review| objects_of(&review, uid)).map_err(failed)?;
    if made.len() != objects.len() {
        let (got, wanted) = (made.len(), objects.len());
        return Err(format!("conversion webhook for {of} returned {got} objects, expected {wanted}"));
    }
    objects.iter().zip(made).map(|(original, made)| checked(original, made, desired, &of)).collect()
}

fn objects_of(review: &Json, uid: &str) -> Result<Vec<Json>, String> {
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    let (api_version, kind) = (text(&review["apiVersion"]), text(&review["kind"]));
    let old = api_version == "apiextensions.k8s.io/v1beta1";
    if !old && (api_version != "apiextensions.k8s.io/v1" || kind != "ConversionReview") {
        let wanted = "apiextensions.k8s.io/v1, Kind=ConversionReview";
        return Err(format!("expected webhook response of {wanted}, got {api_version}, Kind={kind}"));
    }
    let response = &review["response"];
    if response.is_null() {
        return Err("no response provided".to_owned());
    }
    if !old && text(&response["uid"]) != uid {
        return Err(format!("expected response.uid={uid:?}, got {:?}", text(&response["uid"])));
    }
    let status = text(&response["result"]["status"]);
    if status != "Success" {
        let message = text(&response["result"]["message"]);
        return Err(if message.is_empty() {
            format!("response.result.status was '{status}', not 'Success'")
        } else {
            message
        });
    }
    Ok(response["convertedObjects"].as_list().map(|all| all.to_vec()).unwrap_or_default())
}

fn checked(original: &Json, mut made: Json, desired: &str, of: &str) -> Result<Json, String> {
    let text = |value: &Json, key: &str| value[key].as_str().unwrap_or_default().to_owned();
    let got = text(&made, "apiVersion");
    if got != desired {
        return Err(format!(
            "conversion webhook for {of} returned invalid object at index 0: invalid groupVersion (expected {desired}, \
             received {got})"
        ));
    }
    let (expected, got) = (text(original, "kind"), text(&made, "kind"));
    if got != expected {
        return Err(format!(
            "conversion webhook for {of} returned invalid object at index 0: invalid kind (expected {expected}, \
             received {got})"
        ));
    }
    for (key, name) in [("name", "name"), ("namespace", "namespace"), ("uid", "UID")] {
        let (expected, got) = (text(&original["metadata"], key), text(&made["metadata"], key));
        if expected != got {
            let why = format!("must have the same {name}: {expected} != {got}");
            return Err(format!("conversion webhook for {of} returned invalid object: {why}"));
        }
    }
    let metadata = restored(&original["metadata"], &made["metadata"])
        .map_err(|why| format!("conversion webhook for {of} returned invalid metadata: {why}"))?;
    let _ = made.set(&["metadata"], metadata);
    Ok(made)
}

/// The metadata of the original, with the labels and annotations of the converted object.
fn restored(original: &Json, made: &Json) -> Result<Json, String> {
    if made.is_null() {
        return Err("missing metadata in converted object".to_owned());
    }
    let mut metadata = original.clone();
    for key in ["labels", "annotations"] {
        let Some(new) = made.get(key).filter(|new| !new.is_null()) else {
            metadata.remove(&[key]);
            continue;
        };
        let entries = new
            .as_map()
            .ok_or_else(|| format!("invalid metadata.{key} of type {} in converted object", go_type(new)))?;
        for (name, value) in entries {
            let Some(text) = value.as_str() else {
                let of = go_type(value);
                return Err(format!(
                    "metadata.{key}[{name}] must be a string, but is {of} in converted object"
                ));
            };
            if key == "labels"
                && original[key][name.as_str()].as_str() != Some(text)
                && let Some(why) = validation::label_value(text).err().into_iter().flatten().next()
            {
                return Err(format!("metadata.labels: Invalid value: {text:?}: {why}"));
            }
        }
        let _ = metadata.set(&[key], new.clone());
    }
    Ok(metadata)
}

/// The group, version and kind as Go prints them.
fn gvk(object: &Json) -> String {
    let text = |key: &str| object[key].as_str().unwrap_or_default();
    format!("{}, Kind={}", text("apiVersion"), text("kind"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(objects: Json) -> Json {
        json!({
            "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
            "response": {"uid": "u", "result": {"status": "Success"}, "convertedObjects": objects},
        })
    }

    #[test]
    fn only_labels_and_annotations_of_the_metadata_change() {
        let object = json!({
            "apiVersion": "g/v1", "kind": "K",
            "metadata": {"name": "a", "uid": "1", "labels": {"x": "y"}, "generation": 3},
        });
        let made = json!({
            "apiVersion": "g/v2", "kind": "K",
            "metadata": {"name": "a", "uid": "1", "annotations": {"b": "c"}, "generation": 7},
        });
        let all = converted(Ok(answer(json!([made]))), "g/v2", "u", &[object]).unwrap();
        let wanted = json!({"name": "a", "uid": "1", "annotations": {"b": "c"}, "generation": 3});
        assert_eq!(all[0]["metadata"], wanted);
    }

    #[test]
    fn malformed_conversions_have_the_errors_of_the_real_server() {
        let object = json!({"apiVersion": "g/v1", "kind": "K", "metadata": {"name": "a"}});
        let of = |said| converted(said, "g/v2", "u", std::slice::from_ref(&object)).unwrap_err();
        assert_eq!(of(Err("oops".to_owned())), "conversion webhook for g/v1, Kind=K failed: oops");
        assert_eq!(
            of(Ok(answer(json!([])))),
            "conversion webhook for g/v1, Kind=K returned 0 objects, expected 1"
        );
        let renamed = json!({"apiVersion": "g/v2", "kind": "K", "metadata": {"name": "b"}});
        assert_eq!(
            of(Ok(answer(json!([renamed])))),
            "conversion webhook for g/v1, Kind=K returned invalid object: must have the same name: a != b"
        );
        let old = json!({"apiVersion": "g/v1", "kind": "K", "metadata": {"name": "a"}});
        assert_eq!(
            of(Ok(answer(json!([old])))),
            "conversion webhook for g/v1, Kind=K returned invalid object at index 0: invalid groupVersion (expected g/v2, \
             received g/v1)"
        );
    }
}

//! Recorded requests to a fake.

use bytes::Bytes;
use client_rs_machinery::patch::PatchType;
use client_rs_machinery::wire::{Decoding, Envelope, Format, decode_json_into, decode_protobuf_into};
use client_rs_machinery::{GroupVersionResource, Scheme, Unstructured};
use http::{Uri, header, request};

use crate::http::decode::yaml_to_json;
use crate::http::media::Encoding;
use crate::request::{Query, Target};

/// A request for a resource, as a [`Fake`](super::Fake) records it and as reactors receive it.
///
/// Fields that the request does not have are empty or `None`. A reactor may change [`object`](Self::object) and
/// [`patch`](Self::patch), and returns [`Reaction::Continue`](super::Reaction::Continue) to pass the change on. The
/// record keeps the original request.
///
/// ```
/// use client_rs_api::core::v1::ConfigMap;
/// use client_rs_apiserver::fake::{FakeClient, Faked};
/// use client_rs_client::{Api, RestClient};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let Faked { client, fake } = RestClient::fake(&[])?;
/// let mut settings = ConfigMap::EMPTY;
/// settings.metadata.name = "settings".into();
/// Api::<ConfigMap, _>::within(&client, "shop").create(settings).await?;
///
/// let actions = fake.actions();
/// let [create] = &actions[..] else { panic!("expected one action") };
/// assert!(create.matches("create", "configmaps"));
/// assert_eq!(create.namespace, "shop");
/// // The path of a create has no name: the object has it.
/// assert_eq!(create.name, "");
/// assert_eq!(create.object.as_ref().unwrap().name(), "settings");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FakeAction {
    /// `get`, `list`, `watch`, `create`, `update`, `patch`, `delete` or `delete-collection`.
    pub verb: String,
    /// The group, version and resource.
    pub resource: GroupVersionResource,
    /// The subresource, such as `status`.
    pub subresource: String,
    /// The namespace in the path.
    pub namespace: String,
    /// The name in the path. A create has no name there; see [`object`](Self::object).
    pub name: String,
    /// The path behind the subresource, without a leading slash, and its query: of a request that is proxied.
    pub path: String,
    /// The body of a create or an update, or the options of a delete.
    pub object: Option<Unstructured>,
    /// The patch, if the verb is `patch`.
    pub patch: Option<PatchAction>,
    /// The label selector of a list or a watch.
    pub label_selector: String,
    /// The field selector of a list or a watch.
    pub field_selector: String,
}

/// A patch, as received.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PatchAction {
    /// The type of the patch.
    pub patch_type: PatchType,
    /// The document: JSON, or YAML for a server-side apply.
    pub body: Bytes,
}

impl FakeAction {
    pub(super) fn of(
        parts: &request::Parts,
        target: &Target<'_>,
        query: &Query,
        body: &Bytes,
        scheme: &Scheme,
    ) -> Self {
        let content_type = parts.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        let content_type = content_type.unwrap_or_default();
        let verb = match target.verb(&parts.method, query) {
            "deletecollection" => "delete-collection",
            verb => verb,
        };
        let patch = (verb == "patch").then(|| PatchType::from_media_type(content_type)).flatten();
        Self {
            verb: verb.to_owned(),
            resource: GroupVersionResource {
                group: target.group.into(),
                version: target.version.into(),
                resource: target.resource.into(),
            },
            subresource: target.subresource.to_owned(),
            namespace: target.namespace.to_owned(),
            name: target.name.to_owned(),
            path: behind_proxy(target, &parts.uri),
            object: if verb == "patch" { None } else { object(content_type, body, scheme) },
            patch: patch.map(|patch_type| PatchAction { patch_type, body: body.clone() }),
            label_selector: query.get("labelSelector").to_owned(),
            field_selector: query.get("fieldSelector").to_owned(),
        }
    }

    /// Whether a reactor for this verb and resource matches the action. The verb may be `*`. The resource is `*`, a
    /// resource with all its subresources (`pods`), or a single subresource (`pods/status`).
    pub fn matches(&self, verb: &str, resource: &str) -> bool {
        let is_verb = verb == "*"
            || verb == self.verb
            || (verb, &*self.verb) == ("deletecollection", "delete-collection");
        is_verb && self.is_of(resource)
    }

    pub(super) fn is_of(&self, resource: &str) -> bool {
        match resource.split_once('/') {
            Some((resource, subresource)) => {
                resource == &*self.resource.resource
                    && subresource == self.subresource
                    && !subresource.is_empty()
            }
            None => resource == "*" || resource == &*self.resource.resource,
        }
    }

    /// Whether the action can create an object.
    pub(super) fn creates(&self) -> bool {
        let applies = self.patch.as_ref().is_some_and(|patch| patch.patch_type == PatchType::Apply);
        applies || (self.verb == "create" && self.subresource.is_empty())
    }
}

/// The path and query behind `proxy`; empty for other subresources.
fn behind_proxy(target: &Target<'_>, uri: &Uri) -> String {
    if target.subresource != "proxy" {
        return String::new();
    }
    // The empty segment before the first slash, the version, the namespace, the resource and its name, and the subresource.
    let version = if target.group.is_empty() { 2 } else { 3 };
    let before = 1 + version + if target.namespace.is_empty() { 0 } else { 2 } + 2 + 1;
    let path = uri.path().splitn(before + 1, '/').nth(before).unwrap_or_default();
    uri.query().map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"))
}

/// Decodes a body. `None` if it is not an object; the storage then reports the error.
fn object(content_type: &str, body: &[u8], scheme: &Scheme) -> Option<Unstructured> {
    if body.is_empty() {
        return None;
    }
    match Encoding::of_content_type(content_type)? {
        Encoding::Json => Unstructured::from_json(body).ok(),
        Encoding::Yaml => Unstructured::from_json(&yaml_to_json(body).ok()?).ok(),
        Encoding::Protobuf => {
            let envelope = Envelope::open(body).ok()?;
            let mut object = scheme.find(envelope.api_version, envelope.kind)?.empty();
            let read = match envelope.format().ok()? {
                Format::Protobuf => decode_protobuf_into,
                Format::Json => decode_json_into,
            };
            read(object.fields_mut(), envelope.raw, &mut Decoding::new()).ok()?;
            Unstructured::from_json(&object.to_json()).ok()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t5_9_07_a_bare_name_matches_its_subresources_and_a_pair_only_itself() {
        let action = |resource: &str, subresource: &str| FakeAction {
            verb: "get".to_owned(),
            resource: GroupVersionResource { resource: resource.into(), ..GroupVersionResource::default() },
            subresource: subresource.to_owned(),
            ..FakeAction::default()
        };
        for (resource, matching, not) in [
            ("*", vec![("pods", ""), ("pods", "status"), ("nodes", "")], vec![]),
            ("pods", vec![("pods", ""), ("pods", "status")], vec![("nodes", "")]),
            (
                "pods/status",
                vec![("pods", "status")],
                vec![("pods", ""), ("pods", "log"), ("nodes", "status")],
            ),
        ] {
            for (found, subresource) in matching {
                assert!(
                    action(found, subresource).matches("*", resource),
                    "{resource}: {found}/{subresource}"
                );
            }
            for (found, subresource) in not {
                assert!(
                    !action(found, subresource).matches("*", resource),
                    "{resource}: {found}/{subresource}"
                );
            }
        }
        assert!(action("pods", "").matches("get", "pods"));
        assert!(!action("pods", "").matches("list", "pods"));
    }
}

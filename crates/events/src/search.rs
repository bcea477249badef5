//! The events of an object.

use client_rs_api::core::v1::Event;
use client_rs_client::api::ApiRequest;
use client_rs_client::{Api, Listed, RestClient};
use client_rs_machinery::fields::Selector;
use client_rs_machinery::meta::v1::ListOptions;

use crate::Reference;

/// Lists the events of an object, in no order: what `kubectl describe` shows, and client-go's `Events().Search`.
///
/// Events are found by namespace, name, kind and UID of the object; a part that the reference does not have is not compared. A
/// reference without a UID also finds the events of earlier objects with that name. The events of a cluster-scoped object are
/// searched in all namespaces.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// use client_rs_api::core::v1::Pod;
/// use client_rs_events::search;
/// # use client_rs_client::testing::Canned;
/// # use client_rs_machinery::meta::v1::ObjectMeta;
/// # let server = Canned::new().on("GET /api/v1/namespaces/shop/events", r#"{"items": [{"reason": "Scheduled"}]}"#);
/// # let rest = server.client();
/// # let pod = Pod { metadata: ObjectMeta { name: "web".into(), namespace: "shop".into(), uid: "7".into(), ..ObjectMeta::EMPTY }, ..Pod::EMPTY };
///
/// let events = search(&rest, &pod).limit(100).await?;
/// assert_eq!(events.items[0].reason, "Scheduled");
/// # let selector = "involvedObject.kind%3DPod%2CinvolvedObject.name%3Dweb%2CinvolvedObject.namespace%3Dshop%2CinvolvedObject.uid%3D7";
/// # assert_eq!(server.calls(), [format!("GET /api/v1/namespaces/shop/events?fieldSelector={selector}&limit=100")]);
/// # Ok(())
/// # }
/// ```
pub fn search(rest: &RestClient, object: impl Into<Reference>) -> ApiRequest<Listed<Event>, ListOptions> {
    let reference = object.into();
    let object = reference.as_ref();
    let terms = [
        ("kind", &object.kind),
        ("name", &object.name),
        ("namespace", &object.namespace),
        ("uid", &object.uid),
    ];
    let selector = terms.into_iter().filter(|(_, value)| !value.is_empty()).fold(
        Selector::everything(),
        |selector, (field, value)| {
            selector.and(&Selector::equals(format!("involvedObject.{field}"), value.clone()))
        },
    );
    let events = if object.namespace.is_empty() {
        Api::<Event, _>::all(rest).list()
    } else {
        Api::<Event>::namespaced(rest, object.namespace.clone()).list()
    };
    if selector.is_everything() { events } else { events.field_selector(selector.to_string()) }
}

#[cfg(test)]
mod tests {
    use client_rs_api::core::v1::{Node, ObjectReference, Pod};
    use client_rs_client::Verb;
    use client_rs_client::testing::Canned;
    use client_rs_machinery::meta::v1::ObjectMeta;

    use super::*;

    #[test]
    fn events_of_an_object_are_found_by_its_identity() {
        let rest = Canned::new().client();
        let asked = |object: Reference| {
            let request = search(&rest, object).into_request();
            assert_eq!(request.verb(), Verb::Get);
            request.path_and_query("").unwrap()
        };
        let metadata =
            ObjectMeta { name: "web".into(), namespace: "shop".into(), uid: "7".into(), ..ObjectMeta::EMPTY };
        let pod = Pod { metadata, ..Pod::EMPTY };
        let terms = ["kind%3DPod", "name%3Dweb", "namespace%3Dshop", "uid%3D7"]
            .map(|term| format!("involvedObject.{term}"));
        assert_eq!(
            asked(Reference::from(&pod)),
            format!("/api/v1/namespaces/shop/events?fieldSelector={}", terms.join("%2C"))
        );
        // A cluster-scoped object, known by its name only.
        let node = Node { metadata: ObjectMeta { name: "n1".into(), ..ObjectMeta::EMPTY }, ..Node::EMPTY };
        assert_eq!(
            asked(Reference::from(&node)),
            "/api/v1/events?fieldSelector=involvedObject.kind%3DNode%2CinvolvedObject.name%3Dn1"
        );
        assert_eq!(asked(Reference::from(ObjectReference::EMPTY)), "/api/v1/events");
    }
}

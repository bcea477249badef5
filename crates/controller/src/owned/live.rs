//! Metadata as the server has it now, for decisions that an outdated cache can't make.

use std::time::Duration;

use client_rs_client::{Error, MetadataClient, RestClient};
use client_rs_machinery::meta::v1::PartialObjectMetadata;
use client_rs_machinery::{Object, ObjectKey, Resource};

/// Reads the metadata of an object; `None` if there is no object. It is a list with one name, so it needs no permission that an informer
/// of the kind does not have.
pub(super) async fn live<K: Resource>(
    rest: &RestClient,
    key: &ObjectKey,
    timeout: Duration,
) -> Result<Option<PartialObjectMetadata>, Error> {
    let all = MetadataClient::from_rest(rest.clone()).resource(K::gvr());
    let all = if key.namespace.is_empty() { all } else { all.namespace(key.namespace.clone()) };
    let list = all.list().field_selector(format!("metadata.name={}", key.name)).timeout(timeout).await?;
    // A server that ignores the selector returns more than was requested.
    Ok(list.items.into_iter().find(|object| Object::name(object) == &*key.name))
}

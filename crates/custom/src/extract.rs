//! Extraction of the fields that a manager has applied.

use client_rs_machinery::Json;
use client_rs_machinery::apply::{Document, ExtractError};
use client_rs_machinery::managed_fields;
use client_rs_machinery::wire::{Format, Payload};

/// The fields of an object that a manager has applied, according to its managed fields. With a subresource, the fields that
/// were applied there.
pub fn extract<K: Payload>(object: &K, manager: &str, subresource: &str) -> Result<Document, ExtractError> {
    let object = Json::parse(&object.encode(Format::Json))?;
    Ok(Document::of_object(managed_fields::extract(&object, manager, subresource)?))
}

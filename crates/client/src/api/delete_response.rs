//! What a server answers to a delete.

use client_rs_machinery::meta::v1::Status;
use client_rs_machinery::wire::{DecodeError, Decoding, Format, ListDecoder, Payload};

use crate::Listed;
use crate::rest::is_status;

/// What was deleted.
///
/// Neither form says that the object is gone: with a grace period or finalizers it stays, marked, for a while. A watch
/// tells.
#[derive(Clone, Debug, PartialEq)]
pub enum DeleteResponse<T> {
    /// The object, or the list of them, in its last state, or as it is while it waits for its finalizers or grace period.
    Object(T),
    /// That it is done; `details` name the object.
    Status(Status),
}

impl<T> DeleteResponse<T> {
    /// The object, if the server told it.
    pub fn object(self) -> Option<T> {
        match self {
            Self::Object(object) => Some(object),
            Self::Status(_) => None,
        }
    }
}

/// Reads the answer to a delete.
pub(crate) fn object<K: Payload>(format: Format, bytes: &[u8]) -> Result<DeleteResponse<K>, DecodeError> {
    let mut decoding = Decoding::new();
    if is_status(format, bytes)? {
        return Status::decode(format, bytes, &mut decoding).map(DeleteResponse::Status);
    }
    K::decode(format, bytes, &mut decoding).map(DeleteResponse::Object)
}

/// Reads the answer to a delete of many.
pub(crate) fn collection<K: Payload>(
    format: Format,
    bytes: &[u8],
) -> Result<DeleteResponse<Listed<K>>, DecodeError> {
    let mut decoding = Decoding::new();
    if is_status(format, bytes)? {
        return Status::decode(format, bytes, &mut decoding).map(DeleteResponse::Status);
    }
    let mut decoder = ListDecoder::new(format);
    decoder.push(bytes);
    let mut list = Listed::default();
    while let Some(item) = decoder.next_object::<K>(&mut decoding)? {
        list.items.push(item.map_err(|bad| bad.error)?);
    }
    let summary = decoder.finish()?;
    list.metadata.resource_version = summary.resource_version;
    Ok(DeleteResponse::Object(list))
}

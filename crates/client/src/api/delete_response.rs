//! The response to a delete.

use client_rs_machinery::meta::v1::Status;
use client_rs_machinery::wire::{DecodeError, Decoding, Format, ListDecoder, Payload};

use crate::Listed;
use crate::rest::is_status;

/// The response to a delete: the object, or a `Status`. The server chooses.
///
/// Neither variant means that the object is gone. With a grace period or finalizers it stays for a while, with a
/// `deletionTimestamp`. To wait until it is gone, use [`wait`](crate::wait).
///
/// ```
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # use client_rs_api::core::v1::ConfigMap;
/// # use client_rs_client::{Api, testing::Canned};
/// use client_rs_client::api::DeleteResponse;
///
/// # let server = Canned::new().on("DELETE /api/v1/namespaces/a/configmaps/m", r#"{"kind": "Status", "apiVersion": "v1", "status": "Success"}"#);
/// # let maps = Api::<ConfigMap>::namespaced(&server.client(), "a");
/// match maps.delete("m").await? {
///     DeleteResponse::Object(map) => println!("{} still exists", map.metadata.name),
///     DeleteResponse::Status(status) => assert_eq!(status.status, "Success"),
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum DeleteResponse<T> {
    /// The object, or the list of objects: the last state, or the state while it waits for finalizers or the grace period.
    Object(T),
    /// A success. `details` names the object.
    Status(Status),
}

impl<T> DeleteResponse<T> {
    /// The object, if the response has it.
    ///
    /// ```
    /// use client_rs_client::api::DeleteResponse;
    ///
    /// assert_eq!(DeleteResponse::Object("web").object(), Some("web"));
    /// assert_eq!(DeleteResponse::<&str>::Status(Default::default()).object(), None);
    /// ```
    pub fn object(self) -> Option<T> {
        match self {
            Self::Object(object) => Some(object),
            Self::Status(_) => None,
        }
    }
}

/// Decodes the response to a delete.
pub(crate) fn object<K: Payload>(format: Format, bytes: &[u8]) -> Result<DeleteResponse<K>, DecodeError> {
    let mut decoding = Decoding::new();
    if is_status(format, bytes)? {
        return Status::decode(format, bytes, &mut decoding).map(DeleteResponse::Status);
    }
    K::decode(format, bytes, &mut decoding).map(DeleteResponse::Object)
}

/// Decodes the response to a delete of a collection.
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

//! Conversion between the versions of a custom resource.

use std::collections::BTreeMap;
use std::fmt::{self, Display};
use std::sync::Arc;

use bytes::Bytes;
use client_rs_api::apiextensions::v1::{ConversionResponse, ConversionReview};
use client_rs_machinery::meta::v1::Status;
use client_rs_machinery::wire::{Decoding, Format, Message, Payload};
use client_rs_machinery::{Json, List, RawExtension, Resource};

use crate::webhook::hook::{Hook, HookError};

/// Converts between the versions of a kind, through one of them: the hub. So n versions need 2·(n − 1) conversions instead
/// of n².
///
/// Use it if the schemas of two versions differ. If they are equal, the conversion strategy `None` is enough.
///
/// Conversions must not lose data: if a version lacks a field of the hub, keep the value somewhere, for example in an
/// annotation. Otherwise it is lost when a client of that version writes the object back.
///
/// ```
/// use client_rs_custom::webhook::Conversions;
/// # use client_rs_custom::machinery::{Json, json};
///
/// mod v1 {
///     # use client_rs_custom::{CustomResource, Schema};
///     # use serde::{Deserialize, Serialize};
///     #[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
///     #[resource(group = "example.com", version = "v1", kind = "Site")]
///     # #[resource(crate = client_rs_custom)]
///     # #[schema(crate = client_rs_custom)]
///     pub struct SiteSpec {
///         pub host: String,
///     }
/// }
/// mod v2 {
///     # use client_rs_custom::{CustomResource, Schema};
///     # use serde::{Deserialize, Serialize};
///     #[derive(CustomResource, Schema, Clone, Debug, Deserialize, Serialize)]
///     #[resource(group = "example.com", version = "v2", kind = "Site")]
///     # #[resource(crate = client_rs_custom)]
///     # #[schema(crate = client_rs_custom)]
///     pub struct SiteSpec {
///         pub hosts: Vec<String>,
///     }
/// }
/// impl From<v1::Site> for v2::Site {
///     fn from(old: v1::Site) -> Self {
///         Self::new(old.metadata.name, v2::SiteSpec { hosts: vec![old.spec.host] })
///     }
/// }
/// impl TryFrom<v2::Site> for v1::Site {
///     type Error = &'static str;
///
///     fn try_from(new: v2::Site) -> Result<Self, Self::Error> {
///         let [host] = &new.spec.hosts[..] else { return Err("v1 has exactly one host") };
///         Ok(Self::new(new.metadata.name, v1::SiteSpec { host: host.clone() }))
///     }
/// }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() {
/// let hook = Conversions::<v2::Site>::hub().version::<v1::Site>().into_hook();
/// # let object = json!({
/// #     "apiVersion": "example.com/v1", "kind": "Site", "metadata": {"name": "a"}, "spec": {"host": "x"},
/// # });
/// # let review = json!({
/// #     "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
/// #     "request": {"uid": "1", "desiredAPIVersion": "example.com/v2", "objects": [object]},
/// # });
/// // The API server asks for a v1 object in version v2.
/// let response = Json::parse(&hook.answer(review.to_vec()).await.unwrap()).unwrap();
/// let converted = &response["response"]["convertedObjects"][0];
/// assert_eq!(converted["spec"], json!({"hosts": ["x"]}));
/// # }
/// ```
pub struct Conversions<Hub> {
    versions: BTreeMap<String, Version<Hub>>,
}

struct Version<Hub> {
    to_hub: fn(&[u8]) -> Result<Hub, String>,
    from_hub: fn(Hub) -> Result<Vec<u8>, String>,
}

impl<Hub: Resource + Payload> Conversions<Hub> {
    /// Conversions with the hub only. Choose the version with the most information as the hub.
    pub fn hub() -> Self {
        let version = Version { to_hub: decode::<Hub>, from_hub: |hub| Ok(hub.encode(Format::Json)) };
        Self { versions: [(api_version::<Hub>(), version)].into() }
    }

    /// Adds a version. `From` is enough for a conversion that can't fail.
    #[must_use]
    pub fn version<V>(mut self) -> Self
    where
        V: Resource + Payload + TryFrom<Hub, Error: Display>,
        Hub: TryFrom<V, Error: Display>,
    {
        let version = Version {
            to_hub: |bytes| Hub::try_from(decode::<V>(bytes)?).map_err(|error| error.to_string()),
            from_hub: |hub| {
                let version = V::try_from(hub).map_err(|error| error.to_string())?;
                Ok(version.encode(Format::Json))
            },
        };
        self.versions.insert(api_version::<V>(), version);
        self
    }

    /// Builds the webhook. An object that can't be converted fails the whole review, with the reason; the API server then
    /// fails the request.
    pub fn into_hook(self) -> Hook {
        let this = Arc::new(self);
        Hook::new(move |bytes: Bytes| {
            let this = Arc::clone(&this);
            async move {
                let review = ConversionReview::from_json(&bytes)
                    .map_err(|error| HookError(format!("the body is not a ConversionReview: {error}")))?;
                let request =
                    review.request.ok_or_else(|| HookError("the review has no request".to_owned()))?;
                let mut response =
                    ConversionResponse { uid: request.uid.clone(), ..ConversionResponse::EMPTY };
                let converted: Result<List<RawExtension>, String> = request
                    .objects
                    .iter()
                    .map(|object| this.convert(object.as_bytes(), &request.desired_api_version))
                    .collect::<Result<Vec<_>, _>>()
                    .map(|objects| objects.into_iter().map(RawExtension::from_bytes).collect());
                match converted {
                    Ok(objects) => {
                        response.converted_objects = objects;
                        response.result = Status { status: "Success".into(), ..Status::EMPTY }.into();
                    }
                    Err(why) => {
                        response.result =
                            Status { status: "Failure".into(), message: why.into(), ..Status::EMPTY }.into();
                    }
                }
                Ok(ConversionReview { request: None, response: Some(response.into()) }.to_json())
            }
        })
    }

    /// Converts one object, as JSON.
    fn convert(&self, object: &[u8], desired: &str) -> Result<Vec<u8>, String> {
        let original = Json::parse(object).map_err(|error| format!("can't parse an object: {error}"))?;
        let current = original["apiVersion"].as_str().unwrap_or_default();
        if current == desired {
            return Ok(object.to_vec());
        }
        let known = |version: &str| {
            self.versions.get(version).ok_or_else(|| format!("there is no conversion of {version:?}"))
        };
        let hub = (known(current)?.to_hub)(object)?;
        let converted = (known(desired)?.from_hub)(hub)?;
        let mut converted = Json::parse(&converted).map_err(|error| error.to_string())?;
        // A server accepts no changes of metadata except labels and annotations.
        let mut metadata = original["metadata"].clone();
        for key in ["labels", "annotations"] {
            match converted["metadata"].get(key).cloned() {
                Some(value) => drop(metadata.set(&[key], value)),
                None => drop(metadata.remove(&[key])),
            }
        }
        let _ = converted.set(&["metadata"], metadata);
        Ok(converted.to_vec())
    }
}

fn decode<K: Payload>(bytes: &[u8]) -> Result<K, String> {
    K::decode(Format::Json, bytes, &mut Decoding::new()).map_err(|error| error.to_string())
}

fn api_version<K: Resource>() -> String {
    format!("{}/{}", K::INFO.group, K::INFO.version)
}

impl<Hub> fmt::Debug for Conversions<Hub> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Conversions").field(&self.versions.keys().collect::<Vec<_>>()).finish()
    }
}

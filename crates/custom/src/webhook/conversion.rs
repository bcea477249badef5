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

/// How the versions of a kind are converted: each to one of them, the hub, and from it. So n versions need 2·(n − 1)
/// conversions and not n².
///
/// What a version does not have must be kept somewhere, in an annotation for instance, or it is lost when an object goes
/// through it and back.
pub struct Conversions<Hub> {
    versions: BTreeMap<String, Version<Hub>>,
}

struct Version<Hub> {
    to_hub: fn(&[u8]) -> Result<Hub, String>,
    from_hub: fn(Hub) -> Result<Vec<u8>, String>,
}

impl<Hub: Resource + Payload> Conversions<Hub> {
    /// With the hub alone.
    pub fn hub() -> Self {
        let version = Version { to_hub: decode::<Hub>, from_hub: |hub| Ok(hub.encode(Format::Json)) };
        Self { versions: [(api_version::<Hub>(), version)].into() }
    }

    /// With another version. `From` is enough where a conversion can't fail.
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

    /// The webhook that converts so.
    pub fn into_hook(self) -> Hook {
        let this = Arc::new(self);
        Hook::new(move |bytes: Bytes| {
            let this = Arc::clone(&this);
            async move {
                let review = ConversionReview::from_json(&bytes)
                    .map_err(|error| HookError(format!("this is no ConversionReview: {error}")))?;
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
        let original = Json::parse(object).map_err(|error| format!("an object can't be read: {error}"))?;
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
        // A server takes no change of metadata but of labels and annotations.
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

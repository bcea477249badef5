//! What a field of a configuration can hold.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use client_rs_machinery::{Blob, Duration, IntOrString, Json, MicroTime, Quantity, Str, Time};

/// A value of a field, as it stands in a document.
pub trait Value: Sized {
    /// The value as JSON.
    fn into_json(self) -> Json;
}

macro_rules! plain {
    ($($ty:ty),*) => {$(
        impl Value for $ty {
            fn into_json(self) -> Json {
                self.into()
            }
        }
    )*};
}

plain!(bool, i32, i64, f64, Str, Json);

macro_rules! written {
    ($($ty:ty),*) => {$(
        impl Value for $ty {
            fn into_json(self) -> Json {
                // A text or a number, which is always JSON.
                Json::from_serde(&self).unwrap_or_default()
            }
        }
    )*};
}

written!(Duration, IntOrString, MicroTime, Quantity, Time);

/// Bytes are base64 in JSON.
impl Value for Blob {
    fn into_json(self) -> Json {
        STANDARD.encode(self.as_slice()).into()
    }
}

impl Value for Vec<Str> {
    fn into_json(self) -> Json {
        self.into_iter().map(Json::from).collect()
    }
}

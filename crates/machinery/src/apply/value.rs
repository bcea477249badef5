//! The values that a field of a configuration can hold.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::{Blob, Duration, IntOrString, Json, Map, MicroTime, Quantity, Str, Time};

/// A value of a field, in the form that it has in a document.
pub trait ApplyValue: Sized {
    /// The value as JSON.
    fn into_json(self) -> Json;
}

macro_rules! plain {
    ($($ty:ty),*) => {$(
        impl ApplyValue for $ty {
            fn into_json(self) -> Json {
                self.into()
            }
        }
    )*};
}

plain!(bool, i8, i16, i32, i64, isize, u8, u16, u32, u64, usize, f64, Str, Json);

macro_rules! written {
    ($($ty:ty),*) => {$(
        impl ApplyValue for $ty {
            fn into_json(self) -> Json {
                // A text or a number, which is always JSON.
                Json::from_serde(&self).unwrap_or_default()
            }
        }
    )*};
}

written!(f32, Duration, IntOrString, MicroTime, Quantity, Time);

/// Bytes are base64 in JSON.
impl ApplyValue for Blob {
    fn into_json(self) -> Json {
        STANDARD.encode(self.as_slice()).into()
    }
}

impl<T: ApplyValue> ApplyValue for Vec<T> {
    fn into_json(self) -> Json {
        self.into_iter().map(ApplyValue::into_json).collect()
    }
}

impl<V: ApplyValue + Clone> ApplyValue for Map<V> {
    fn into_json(self) -> Json {
        let entries = self.into_iter().map(|(key, value)| (key, value.into_json()));
        Json::Map(entries.collect())
    }
}

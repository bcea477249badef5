//! An object as the server keeps it.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use client_rs_machinery::wire::{DecodeError, Decoding, Envelope, decode_json_into};
use client_rs_machinery::{AnyKind, Kind, Unstructured};

use crate::custom::Custom;

/// An object with its wire forms, each made once, when it is first asked for: a hundred watches of an object share its
/// bytes.
///
/// Never changes: a write makes a new one.
#[derive(Debug)]
pub(crate) struct Stored {
    /// The object, in the version that is stored.
    pub(crate) object: Unstructured,
    json: OnceLock<Bytes>,
    protobuf: OnceLock<Bytes>,
    /// As a version of a custom resource shows it: the first that asked, by its number.
    shown: OnceLock<(u64, Arc<Stored>)>,
}

impl Stored {
    pub(crate) fn new(object: Unstructured) -> Self {
        Self { object, json: OnceLock::new(), protobuf: OnceLock::new(), shown: OnceLock::new() }
    }

    /// The object as JSON, fields in the order of its type.
    pub(crate) fn json(&self, kind: Option<Kind>) -> Result<Bytes, DecodeError> {
        cached(&self.json, || match kind {
            Some(kind) => Ok(typed(kind, &self.object)?.to_json()),
            None => Ok(self.object.to_json()),
        })
    }

    /// The object as a version of a custom resource shows it.
    pub(crate) fn shown(self: &Arc<Self>, custom: &Custom) -> Arc<Self> {
        match self.shown.get() {
            Some((id, shown)) if *id == custom.id => return Arc::clone(shown),
            _ => {}
        }
        let object = custom.shown(&self.object);
        let shown = Arc::new(Self::new(object));
        let _ = self.shown.set((custom.id, Arc::clone(&shown)));
        shown
    }

    /// The object's own protobuf message, without an envelope.
    pub(crate) fn protobuf(&self, kind: Kind) -> Result<Bytes, DecodeError> {
        cached(&self.protobuf, || {
            let sealed = typed(kind, &self.object)?.to_envelope();
            Ok(Envelope::open(&sealed)?.raw.to_vec())
        })
    }
}

/// The typed object that an untyped one is.
pub(crate) fn typed(kind: Kind, object: &Unstructured) -> Result<Box<dyn AnyKind>, DecodeError> {
    let mut typed = kind.empty();
    decode_json_into(typed.fields_mut(), &object.to_json(), &mut Decoding::new())?;
    Ok(typed)
}

fn cached(
    cell: &OnceLock<Bytes>,
    make: impl FnOnce() -> Result<Vec<u8>, DecodeError>,
) -> Result<Bytes, DecodeError> {
    if let Some(bytes) = cell.get() {
        return Ok(bytes.clone());
    }
    let bytes = Bytes::from(make()?);
    Ok(cell.get_or_init(|| bytes).clone())
}

//! Stored objects.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use client_rs_machinery::wire::{DecodeError, Decoding, Envelope, decode_json_into};
use client_rs_machinery::{AnyKind, Kind, Unstructured};

/// The largest number of converted versions of an object that are kept.
const VERSIONS_MAX: usize = 8;

/// An object with its encodings. Each encoding is computed once, on first use: a hundred watches of an object share
/// its bytes.
///
/// It is immutable: a write creates a new one.
#[derive(Debug)]
pub(crate) struct Stored {
    /// The object, in the stored version.
    pub(crate) object: Unstructured,
    json: OnceLock<Bytes>,
    protobuf: OnceLock<Bytes>,
    /// The converted object per version of a custom resource, by version number. `None` if it is equal to the
    /// stored one.
    versions: Mutex<Vec<(u64, Option<Arc<Stored>>)>>,
}

impl Stored {
    pub(crate) fn new(object: Unstructured) -> Self {
        Self { object, json: OnceLock::new(), protobuf: OnceLock::new(), versions: Mutex::default() }
    }

    /// The object as JSON. `write` is called at most once.
    pub(crate) fn json(
        &self,
        write: impl FnOnce(&Unstructured) -> Result<Vec<u8>, DecodeError>,
    ) -> Result<Bytes, DecodeError> {
        cached(&self.json, || write(&self.object))
    }

    /// The object in another version, converted by `convert`. `version` is unique, also among earlier states of its
    /// definition.
    ///
    /// With `reuse`, the result is kept and used again.
    pub(crate) fn in_version<E>(
        self: &Arc<Self>,
        version: u64,
        reuse: bool,
        convert: impl FnOnce(&Unstructured) -> Result<Unstructured, E>,
    ) -> Result<Arc<Self>, E> {
        let kept = || self.versions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = kept().iter().find(|(id, _)| reuse && *id == version) {
            return Ok(Arc::clone(known.as_ref().unwrap_or(self)));
        }
        let object = convert(&self.object)?;
        let converted = (object != self.object).then(|| Arc::new(Self::new(object)));
        if reuse {
            let mut kept = kept();
            if kept.len() >= VERSIONS_MAX {
                kept.remove(0);
            }
            kept.push((version, converted.clone()));
        }
        Ok(converted.unwrap_or_else(|| Arc::clone(self)))
    }

    /// The protobuf message of the object, without an envelope.
    pub(crate) fn protobuf(&self, kind: Kind) -> Result<Bytes, DecodeError> {
        cached(&self.protobuf, || {
            let sealed = typed(kind, &self.object)?.to_envelope();
            Ok(Envelope::open(&sealed)?.raw.to_vec())
        })
    }
}

/// Decodes an untyped object into its type.
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

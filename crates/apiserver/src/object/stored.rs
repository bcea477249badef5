//! An object as the server keeps it.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use bytes::Bytes;
use client_rs_machinery::wire::{DecodeError, Decoding, Envelope, decode_json_into};
use client_rs_machinery::{AnyKind, Kind, Unstructured};

/// In how many versions an object is kept at most.
const VERSIONS_MAX: usize = 8;

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
    /// As versions of a custom resource show it, by their numbers.
    /// `None` where that is as it is stored.
    versions: Mutex<Vec<(u64, Option<Arc<Stored>>)>>,
}

impl Stored {
    pub(crate) fn new(object: Unstructured) -> Self {
        Self { object, json: OnceLock::new(), protobuf: OnceLock::new(), versions: Mutex::default() }
    }

    /// The object as JSON. `write` is asked for it once.
    pub(crate) fn json(
        &self,
        write: impl FnOnce(&Unstructured) -> Result<Vec<u8>, DecodeError>,
    ) -> Result<Bytes, DecodeError> {
        cached(&self.json, || write(&self.object))
    }

    /// The object in another version, which `convert` makes of this one. `version` tells that version from all others,
    /// also from what its definition was before it changed.
    ///
    /// With `reuse`, what was converted once is kept and not converted again.
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

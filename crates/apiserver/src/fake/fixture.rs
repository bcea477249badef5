//! What a test begins with.

use client_rs_machinery::Unstructured;
use client_rs_machinery::wire::{DecodeError, Format, Payload};

/// An object that is there from the start: of any type, untyped, or a list of them.
pub trait Fixture {
    /// The object, with its `apiVersion` and `kind`.
    fn to_unstructured(&self) -> Result<Unstructured, DecodeError>;
}

impl<P: Payload> Fixture for P {
    fn to_unstructured(&self) -> Result<Unstructured, DecodeError> {
        Unstructured::from_json(&self.encode(Format::Json))
    }
}

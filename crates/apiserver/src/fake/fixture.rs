//! The initial objects of a fake.

use client_rs_machinery::Unstructured;
use client_rs_machinery::wire::{DecodeError, Format, Payload};

/// An initial object of a fake: of any type, untyped, or a list of objects.
pub trait Fixture {
    /// Returns the object, with its `apiVersion` and `kind`.
    fn to_unstructured(&self) -> Result<Unstructured, DecodeError>;
}

impl<P: Payload> Fixture for P {
    fn to_unstructured(&self) -> Result<Unstructured, DecodeError> {
        Unstructured::from_json(&self.encode(Format::Json))
    }
}

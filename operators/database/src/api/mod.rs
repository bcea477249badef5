//! The API: one module per version. [`v1`] is stored, and the version that the operator works with.

mod conversion;
pub mod v1;
pub mod v1beta1;

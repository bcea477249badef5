//! YAML, read as kubectl reads it and written so that kubectl understands it.

use serde_json::Value;
use serde_saphyr::options::{DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy};

/// Reads the first document. The error says where and what, but quotes nothing of the text.
pub(crate) fn parse(text: &[u8]) -> Result<Value, String> {
    let options = serde_saphyr::options! {
        duplicate_keys: DuplicateKeyPolicy::LastWins,
        merge_keys: MergeKeyPolicy::Merge,
        non_finite_float_policy: NonFiniteFloatPolicy::AsString,
        with_snippet: false,
    };
    serde_saphyr::from_slice_with_options(text, options).map_err(|error| error.to_string())
}

/// Writes a document, keys in the order of the alphabet.
pub(crate) fn print(value: &Value) -> Result<String, String> {
    // Block scalars are pretty, but a token or key must come back to the byte.
    let options = serde_saphyr::ser_options! { prefer_block_scalars: false };
    serde_saphyr::to_string_with_options(value, options).map_err(|error| error.to_string())
}

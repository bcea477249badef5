//! Rust types from existing custom resource definitions.
//!
//! Use it for kinds that somebody else defines, such as cert-manager's. `krs generate` is the command line for it. For your
//! own kinds write the struct and derive the definition.
//!
//! [`generate`] writes one module per definition and version: the struct of the spec, with `#[derive(CustomResource)]`, and
//! one struct for every object inside. Handles, informers and controllers use them like types that were written by hand.
//!
//! - **No data is lost.** Every struct keeps unknown fields in `other` and writes them back, so an update by a program that
//!   is older than the definition drops nothing. A missing list stays different from an empty one. One exception: a list of
//!   conditions has the type `Condition` of `meta/v1`, which keeps no unknown fields. Fields next to `spec` and `status` are
//!   in `extra`. A `spec` that the definition does not require is an `Option`.
//! - **Values of newer servers are accepted.** An enumeration is a plain string; its values are in the documentation.
//! - **Definitions are not trusted.** Names that a server would refuse are refused before any code is generated. Code in a
//!   description becomes a block of `text`, so rustdoc does not run it. All other texts become string literals.
//! - The definition belongs to its author. `crd()` of a generated kind is similar to it; do not install it.

mod accessors;
mod docs;
mod emit;
mod error;
mod names;
mod types;

pub use error::GenerateError;
pub use names::is_keyword;

use client_rs_machinery::Json;

client_rs_machinery::options! {
    /// The options of [`generate`].
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct GenerateOptions {
        /// The path of the crate that the code uses. Default: `client_rs`.
        pub crate_path: String => with_crate_path,
        /// Whether to generate a `Clientset` with an accessor for each group, version and kind. Default: no.
        pub accessors: bool => with_accessors,
        /// Whether every struct derives `Apply`. Apply configurations take some time to compile. Default: no.
        pub apply: bool => with_apply,
        /// Whether to include versions that are not served. Default: no.
        pub unserved: bool => with_unserved,
    }
}

impl Default for GenerateOptions {
    fn default() -> Self {
        Self { crate_path: "client_rs".to_owned(), accessors: false, apply: false, unserved: false }
    }
}

/// Writes Rust code for definitions, each a `CustomResourceDefinition` of `apiextensions.k8s.io/v1`: one module per
/// definition and version. The output is deterministic.
///
/// # Errors
///
/// [`GenerateError`] for the first definition that is malformed.
///
/// ```
/// use client_rs_custom::generate::{GenerateOptions, generate};
/// use client_rs_custom::machinery::json;
///
/// let definition = json!({
///     "apiVersion": "apiextensions.k8s.io/v1",
///     "kind": "CustomResourceDefinition",
///     "metadata": {"name": "boats.example.com"},
///     "spec": {
///         "group": "example.com",
///         "scope": "Namespaced",
///         "names": {"kind": "Boat", "plural": "boats"},
///         "versions": [{
///             "name": "v1", "served": true, "storage": true,
///             "schema": {"openAPIV3Schema": {"type": "object", "properties": {
///                 "spec": {"type": "object", "properties": {"lengthInMeters": {"type": "integer"}}},
///             }}},
///         }],
///     },
/// });
/// let code = generate(&[definition], &GenerateOptions::default())?;
/// assert!(code.contains("pub mod boats_v1"));
/// assert!(code.contains("pub length_in_meters: Option<i64>"));
/// # Ok::<(), client_rs_custom::generate::GenerateError>(())
/// ```
pub fn generate(definitions: &[Json], options: &GenerateOptions) -> Result<String, GenerateError> {
    let mut kinds = Vec::new();
    for definition in definitions {
        kinds.extend(types::kinds(definition, options)?);
    }
    name_modules(&mut kinds);
    let mut code = emit::header(options);
    for kind in &kinds {
        code.push_str(&emit::module(kind, options));
    }
    if options.accessors {
        code.push_str(&accessors::write(&kinds));
    }
    Ok(code)
}

/// Checks that [`generate`] would accept a definition. A caller that reads many files can report the file of a bad one.
///
/// ```
/// use client_rs_custom::generate::{GenerateError, GenerateOptions, check};
/// use client_rs_custom::machinery::json;
///
/// let pod = json!({"apiVersion": "v1", "kind": "Pod"});
/// let error = check(&pod, &GenerateOptions::default()).unwrap_err();
/// assert_eq!(error, GenerateError::NotADefinition("v1 Pod".to_owned()));
/// ```
pub fn check(definition: &Json, options: &GenerateOptions) -> Result<(), GenerateError> {
    types::kinds(definition, options).map(drop)
}

/// Names modules after plural and version, and after the group too if two groups would share a name.
fn name_modules(kinds: &mut [types::Kind]) {
    let plain: Vec<String> = kinds.iter().map(|kind| names::joined(&[&kind.plural, &kind.version])).collect();
    for (at, kind) in kinds.iter_mut().enumerate() {
        let alone = plain.iter().filter(|name| **name == plain[at]).count() == 1;
        kind.module = if alone {
            plain[at].clone()
        } else {
            names::joined(&[&kind.plural, &kind.group, &kind.version])
        };
    }
}

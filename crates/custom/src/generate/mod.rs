//! Rust types from someone's custom resource definitions.
//!
//! [`generate`] writes a module a definition and version: the struct of the spec, with `#[derive(CustomResource)]`, and a
//! struct for every object inside. They are made to be read, and to be used by handles, informers and controllers as types
//! that were written by hand.
//!
//! - **Nothing is lost.** Every struct keeps the fields that it does not know in `other`, and writes them back: an update by
//!   a program that is older than the definition drops nothing. A list that is absent stays apart from one that is empty.
//!   One exception: a list of conditions is one of `meta/v1`'s own `Condition`, which is as it is. What a definition has
//!   next to `spec` and `status` is in `extra`; a `spec` that it does not require is an `Option`.
//! - **Nothing is refused** that a newer server may send: texts that are one of a few are plain texts, with the choices in
//!   the documentation.
//! - **Nothing is run, and nothing breaks out.** Definitions may come from strangers, and descriptions from whoever may write
//!   them in a cluster. Names that a server would refuse are refused before any code is made. Code in a description becomes a
//!   block of `text`: rustdoc makes no test of it. All other texts are string literals.
//! - The definition is its author's. What `crd()` of a generated kind says is close to it, and not to be installed.

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
    /// What is generated.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct GenerateOptions {
        /// The path of the crate that the code uses. Default: `client_rs`.
        pub crate_path: String => with_crate_path,
        /// Also a `Clientset` with an accessor for each group, version and kind. Default: no.
        pub accessors: bool => with_accessors,
        /// Also apply configurations of every struct, by `#[derive(Apply)]`: they cost some time to compile. Default: no.
        pub apply: bool => with_apply,
        /// Versions that are not served too. Default: no.
        pub unserved: bool => with_unserved,
    }
}

impl Default for GenerateOptions {
    fn default() -> Self {
        Self { crate_path: "client_rs".to_owned(), accessors: false, apply: false, unserved: false }
    }
}

/// Writes the Rust code of definitions, each a `CustomResourceDefinition` of `apiextensions.k8s.io/v1`: one module a
/// definition and version. The same definitions give the same code.
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

/// Whether code can be made of this definition: all that [`generate`] would refuse it for, for callers who know where each
/// definition comes from.
pub fn check(definition: &Json, options: &GenerateOptions) -> Result<(), GenerateError> {
    types::kinds(definition, options).map(drop)
}

/// A module is named after plural and version; where two groups have the same, after the group too.
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

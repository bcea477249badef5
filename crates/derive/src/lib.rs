//! Derive macros for custom resources (`CustomResource`, `Schema`, `Apply`), and the attribute of simulations.
//!
//! Do not depend on this crate directly. The generated code refers to `client_rs::custom` (or `client_rs_custom`), which
//! exports the macros and documents all of their attributes with examples.
//!
//! | macro | on | generates |
//! |---|---|---|
//! | [`CustomResource`](macro@CustomResource) | the struct of a spec | the struct of the kind, and its `CustomResourceDefinition` |
//! | [`Schema`](macro@Schema) | the spec, the status, and every struct and enum inside | a structural schema |
//! | [`Apply`](macro@Apply) | the same types | configurations for server-side apply |
//! | [`simulation_test`](macro@simulation_test) | a function that returns a `Simulation` | a test; exported as `client_rs::simulation::test` |
//!
//! Errors are reported at compile time, at the attribute that causes them: names that a server would refuse, rules that are
//! not CEL expressions, paths of fields that do not exist, types without a structural schema.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod apply;
mod docs;
mod names;
mod paths;
mod resource;
mod resource_attrs;
mod schema;
mod schema_attrs;
mod serde_attrs;
mod simulation;
mod unknown;

use proc_macro::TokenStream;
use syn::{DeriveInput, ItemFn, parse_macro_input};

/// Generates the kind of a custom resource from the struct of its spec.
///
/// `#[resource(group = "…", version = "…", kind = "…")]` is required. The page of `client_rs::custom` lists all arguments.
#[proc_macro_derive(CustomResource, attributes(resource))]
pub fn custom_resource(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    resource::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Generates the structural schema of a type, as its JSON is defined by serde's attributes.
///
/// `#[schema(…)]` adds validation: bounds, patterns, defaults, CEL rules. The page of `client_rs::custom` lists all arguments.
#[proc_macro_derive(Schema, attributes(schema))]
pub fn schema(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    schema::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Generates the apply configuration of a type: a builder that contains only the fields that were set, for server-side apply.
///
/// Next to `#[derive(CustomResource)]` it also generates the configuration of the kind. See the page of `client_rs::custom`.
#[proc_macro_derive(Apply, attributes(resource, schema))]
pub fn apply(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    apply::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Makes a test of a function that returns a `Simulation`. The page of `client_rs::simulation::test` explains it.
#[proc_macro_attribute]
pub fn simulation_test(arguments: TokenStream, function: TokenStream) -> TokenStream {
    let function = parse_macro_input!(function as ItemFn);
    let expanded = simulation::expand(&arguments.into(), &function);
    expanded.unwrap_or_else(|error| error.to_compile_error()).into()
}

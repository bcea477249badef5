//! Derive macros for custom resources. Use them through `client_rs::custom`, which says what they do.
//!
//! Every error is at the attribute that causes it: names that a server would refuse, rules that are no expressions, types
//! that have no structural schema.

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
mod unknown;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

/// Makes the kind of a custom resource from the struct of its spec. See `client_rs::custom`.
#[proc_macro_derive(CustomResource, attributes(resource))]
pub fn custom_resource(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    resource::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Makes the structural schema of a type. See `client_rs::custom`.
#[proc_macro_derive(Schema, attributes(schema))]
pub fn schema(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    schema::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

/// Makes the apply configuration of a type: the fields that somebody wants to own. See `client_rs::custom`.
#[proc_macro_derive(Apply, attributes(resource, schema))]
pub fn apply(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    apply::expand(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}

//! The Common Expression Language (CEL), as Kubernetes uses it in validation rules and admission policies.
//!
//! # Parse, check, evaluate
//!
//! [`parse`] turns a text into an [`Expr`]. It has no dependencies, so that a derive macro can check the rules of a
//! custom resource when a program is compiled.
//!
//! A [`Checker`] knows the types of the variables. It finds mistakes before an evaluation: unknown fields, functions
//! for other types, and rules that may cost too much.
//!
//! ```
//! use client_rs_cel::{Checker, Type};
//!
//! let object = Type::object("Widget", [("replicas", Type::Int), ("tags", Type::list(Type::Text))]);
//! let checker = Checker::new([("self", object)]);
//! assert_eq!(checker.check("self.replicas > 0 && self.tags.all(tag, tag.startsWith('a'))"), Ok(Type::Bool));
//!
//! let error = checker.check("self.replica > 0").unwrap_err();
//! assert_eq!(error.faults().collect::<Vec<_>>(), ["undefined field 'replica'"]);
//! ```
//!
//! With the feature `evaluate`, a [`Program`] is an expression that can be evaluated, with a [`Value`] for each
//! variable:
//!
//! ```
//! # #[cfg(feature = "evaluate")] {
//! use client_rs_cel::{Program, Value};
//!
//! let rule = Program::compile("self.low <= self.high && self.tags.all(tag, tag.startsWith('a'))").unwrap();
//! let object = Value::object([("low", Value::Int(1)), ("high", Value::Int(2)), ("tags", Value::list([Value::text("ab")]))]);
//! assert_eq!(rule.evaluate(&[("self", object)]), Ok(Value::Bool(true)));
//! # }
//! ```
//!
//! Without a checker, mistakes that cel-go reports when it compiles a rule, such as `1 + 'a'`, are errors of the
//! evaluation.
//!
//! # Compatibility
//!
//! All libraries of Kubernetes that rules of custom resources can use are here: texts, lists, sets, regular
//! expressions, URLs, IP addresses, quantities, formats and semantic versions. Errors that a user gets to see have
//! cel-go's messages. Costs are counted in the units of the real server, both before an evaluation and during it.
//!
//! # Limits
//!
//! Expressions and objects may come from untrusted people.
//!
//! - [`parse`] refuses a text of more than 5,000 tokens, or with a tree deeper than 250 nodes. A parsed expression
//!   fits a stack of 2 MiB.
//! - An evaluation stops before its cost exceeds `CALL_COST_LIMIT`, before the values that it creates exceed
//!   `CALL_MEMORY_LIMIT`, and before it compares and copies more than takes about a second. Its error is then that of
//!   an exceeded cost.
//! - Constant patterns are compiled once per program. Others are kept while an evaluation uses them. Each may take 1
//!   MiB.

#![cfg_attr(docsrs, feature(doc_cfg))]
// The links of the page above, for documentation that is built without the feature.
#![cfg_attr(
    not(feature = "evaluate"),
    doc = "",
    doc = "[`Program`]: <https://docs.rs/client-rs-cel/latest/client_rs_cel/struct.Program.html>",
    doc = "",
    doc = "[`Value`]: <https://docs.rs/client-rs-cel/latest/client_rs_cel/enum.Value.html>"
)]

mod ast;
mod check;
mod clause;
#[cfg(feature = "evaluate")]
mod evaluate;
#[cfg(feature = "evaluate")]
mod functions;
#[cfg(feature = "evaluate")]
pub mod go;
#[cfg(feature = "evaluate")]
mod host;
mod lexer;
#[cfg(feature = "evaluate")]
mod list;
#[cfg(feature = "evaluate")]
mod meter;
mod parser;
mod patch_types;
mod text;
#[cfg(feature = "evaluate")]
mod value;

pub use ast::Expr;
pub use check::{CheckError, Checked, Checker, Limits, Type};
#[cfg(feature = "evaluate")]
pub use evaluate::{EvalError, Evaluated, Program};
#[cfg(feature = "evaluate")]
pub use host::Host;
pub use lexer::SyntaxError;
#[cfg(feature = "evaluate")]
pub use list::List;
#[cfg(feature = "evaluate")]
pub use meter::{CALL_COST_LIMIT, CALL_MEMORY_LIMIT};
pub use parser::{MAX_DEPTH, is_identifier, parse};
#[cfg(feature = "evaluate")]
pub use value::{Key, Library, Struct, Value};

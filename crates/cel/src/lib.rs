//! The Common Expression Language, as Kubernetes uses it in validation rules.
//!
//! [`parse`] reads an expression. It has no dependencies, so that a derive macro can check the rules of a custom resource
//! when a program is compiled. With the feature `evaluate`, a [`Program`] is one that can be evaluated:
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
//! Errors are in cel-go's words where a user gets to see them. A [`Checker`] finds before anything is evaluated what can't be:
//! fields that there are not, functions of other types. Without it, what cel-go refuses when a rule is compiled, such as
//! `1 + 'a'`, is an error of its evaluation. There are all of Kubernetes' libraries that rules of custom resources have, and
//! what expressions cost is counted as the real server does, before they are evaluated and while they are.
//!
//! Expressions and objects may come from people that nobody trusts. A text of more than 5,000 words, or whose tree is deeper
//! than 250 nodes, is refused when it is read; what was read fits a stack of 2 MiB. An evaluation is stopped, before it does
//! more, when its cost exceeds `CALL_COST_LIMIT`, when the values that it makes exceed `CALL_MEMORY_LIMIT`, or when it
//! compares and copies more than takes about a second: then its error is that of an exceeded cost. Constant patterns are
//! compiled once a program; others are kept while an evaluation uses them. Each may take 1 MiB.

#![cfg_attr(docsrs, feature(doc_cfg))]

mod ast;
mod check;
mod clause;
#[cfg(feature = "evaluate")]
mod evaluate;
#[cfg(feature = "evaluate")]
mod functions;
#[cfg(feature = "evaluate")]
pub mod go;
mod lexer;
#[cfg(feature = "evaluate")]
mod list;
#[cfg(feature = "evaluate")]
mod meter;
mod parser;
mod text;
#[cfg(feature = "evaluate")]
mod value;

pub use ast::Expr;
pub use check::{CheckError, Checked, Checker, Limits, Type};
#[cfg(feature = "evaluate")]
pub use evaluate::{EvalError, Evaluated, Program};
pub use lexer::SyntaxError;
#[cfg(feature = "evaluate")]
pub use list::List;
#[cfg(feature = "evaluate")]
pub use meter::{CALL_COST_LIMIT, CALL_MEMORY_LIMIT};
pub use parser::{MAX_DEPTH, parse};
#[cfg(feature = "evaluate")]
pub use value::{Key, Library, Value};

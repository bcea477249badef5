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
mod parser;
#[cfg(feature = "evaluate")]
mod value;

pub use ast::Expr;
pub use check::{CheckError, Checked, Checker, Limits, Type};
#[cfg(feature = "evaluate")]
pub use evaluate::{CALL_COST_LIMIT, EvalError, Evaluated, Program};
pub use lexer::SyntaxError;
#[cfg(feature = "evaluate")]
pub use list::List;
pub use parser::{MAX_DEPTH, parse};
#[cfg(feature = "evaluate")]
pub use value::{Key, Library, Value};

//! Label selectors: select objects by their labels.
//!
//! ```
//! use client_rs_machinery::labels::Selector;
//! use std::collections::BTreeMap;
//!
//! let selector: Selector = "app=web, tier in (front, back), !legacy".parse()?;
//! let labels = BTreeMap::from([("app", "web"), ("tier", "front")]);
//! assert!(selector.matches(&labels));
//! assert_eq!(selector.to_string(), "app=web,!legacy,tier in (back,front)");
//! # Ok::<(), client_rs_machinery::labels::ParseError>(())
//! ```

mod label_selector;
mod parse;
mod requirement;
mod selector;
mod source;

pub use parse::{Expected, ParseError, ParseErrorKind};
pub use requirement::{Operator, Requirement};
pub use selector::{Expression, ExpressionOperator, LabelSelectorParts, Selector, SelectorError};
pub use source::{FromFn, Labels, from_fn};

//! Values that belong to the program that evaluates an expression.

use std::fmt;
use std::sync::Arc;

use crate::{EvalError, Value};

/// A value of the program that evaluates an expression, such as an authorizer. An expression reads its fields and
/// calls its methods.
///
/// A method is charged by its name, as the methods of the real server's libraries are.
///
/// ```
/// use std::sync::Arc;
///
/// use client_rs_cel::{EvalError, Host, Program, Value};
///
/// #[derive(Debug)]
/// struct Greeter;
///
/// impl Host for Greeter {
///     fn type_name(&self) -> &'static str {
///         "example.Greeter"
///     }
///
///     fn method(&self, function: &str, args: &[Value]) -> Option<Result<Value, EvalError>> {
///         match (function, args) {
///             ("greet", [Value::Text(name)]) => Some(Ok(Value::text(format!("hello {name}")))),
///             _ => None,
///         }
///     }
/// }
///
/// let program = Program::compile("greeter.greet('world')").unwrap();
/// let greeter = Value::host(Arc::new(Greeter));
/// assert_eq!(program.evaluate(&[("greeter", greeter)]), Ok(Value::text("hello world")));
/// ```
pub trait Host: fmt::Debug + Send + Sync {
    /// The name of its type.
    fn type_name(&self) -> &'static str;

    /// Returns a field; `None` if it has no such field.
    fn field(&self, name: &str) -> Option<Result<Value, EvalError>> {
        let _ = name;
        None
    }

    /// Calls a method; `None` if it has no such method for these arguments.
    fn method(&self, function: &str, args: &[Value]) -> Option<Result<Value, EvalError>> {
        let _ = (function, args);
        None
    }
}

/// A host as the content of a value. It is equal only to itself.
#[derive(Clone, Debug)]
pub(crate) struct Hosted(pub(crate) Arc<dyn Host>);

impl PartialEq for Hosted {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

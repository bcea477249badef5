//! Evaluating an expression.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use crate::functions::{self, Arithmetic};
use crate::{Expr, Key, SyntaxError, Value, parse};

/// How much may be done in one evaluation. A rule over ten thousand items takes some tens of thousands of steps.
const MAX_STEPS: u64 = 2_000_000;
/// How deep an evaluation may go.
const MAX_DEPTH: usize = 200;

/// An expression that was read and can be evaluated any number of times.
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    expr: Expr,
}

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EvalError {
    /// In cel-go's words: `no such key: a`, `division by zero`, `no such overload`, …
    Failed(String),
    /// A function that is not built here.
    Unsupported(String),
}

impl EvalError {
    pub(crate) fn failed(text: impl Into<String>) -> Self {
        Self::Failed(text.into())
    }

    pub(crate) fn overload() -> Self {
        Self::Failed("no such overload".to_owned())
    }
}

impl fmt::Display for EvalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(text) => f.write_str(text),
            Self::Unsupported(function) => write!(f, "the function {function} is not supported"),
        }
    }
}

impl std::error::Error for EvalError {}

type Outcome = Result<Value, EvalError>;

impl Program {
    /// Reads an expression.
    pub fn compile(text: &str) -> Result<Self, SyntaxError> {
        Ok(Self { expr: parse(text)? })
    }

    /// Evaluates it with these variables. The time that it takes is bounded.
    pub fn evaluate(&self, variables: &[(&str, Value)]) -> Outcome {
        let scope = variables.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Evaluation { scope, steps: 0, depth: 0 }.value(&self.expr)
    }

    /// Whether it speaks of a variable.
    pub fn uses(&self, variable: &str) -> bool {
        mentions(&self.expr, variable)
    }
}

fn mentions(expr: &Expr, variable: &str) -> bool {
    match expr {
        Expr::Ident(name) => name == variable,
        Expr::Select { operand, .. } => mentions(operand, variable),
        Expr::Call { target, args, .. } => {
            target.as_deref().is_some_and(|target| mentions(target, variable))
                || args.iter().any(|arg| mentions(arg, variable))
        }
        Expr::List(items) => items.iter().any(|(item, _)| mentions(item, variable)),
        Expr::Map(entries) => {
            entries.iter().any(|(key, value, _)| mentions(key, variable) || mentions(value, variable))
        }
        Expr::Struct { fields, .. } => fields.iter().any(|(_, value)| mentions(value, variable)),
        _ => false,
    }
}

struct Evaluation {
    /// The innermost is last.
    scope: Vec<(String, Value)>,
    steps: u64,
    depth: usize,
}

impl Evaluation {
    fn value(&mut self, expr: &Expr) -> Outcome {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return Err(EvalError::failed("operation cancelled: actual cost limit exceeded"));
        }
        if self.depth >= MAX_DEPTH {
            return Err(EvalError::failed("expression recursion limit exceeded"));
        }
        self.depth += 1;
        let value = self.inner(expr);
        self.depth -= 1;
        value
    }

    fn inner(&mut self, expr: &Expr) -> Outcome {
        match expr {
            Expr::Null => Ok(Value::Null),
            Expr::Bool(value) => Ok(Value::Bool(*value)),
            Expr::Int(value) => Ok(Value::Int(*value)),
            Expr::Uint(value) => Ok(Value::Uint(*value)),
            Expr::Double(value) => Ok(Value::Double(*value)),
            Expr::Text(text) => Ok(Value::text(text.as_str())),
            Expr::Bytes(bytes) => Ok(Value::Bytes(bytes.as_slice().into())),
            Expr::Ident(name) => self.variable(name),
            Expr::Select { operand, field, optional } => {
                let operand = self.value(operand)?;
                if *optional || matches!(operand, Value::Optional(_)) {
                    return optional_field(operand, field);
                }
                select(&operand, field)
            }
            Expr::Call { target, function, args } => self.call(target.as_deref(), function, args),
            Expr::List(items) => self.list(items),
            Expr::Map(entries) => self.map(entries),
            Expr::Struct { name, .. } => Err(EvalError::Unsupported(name.clone())),
        }
    }

    fn variable(&self, name: &str) -> Outcome {
        let plain = name.trim_start_matches('.');
        if let Some((_, value)) = self.scope.iter().rev().find(|(known, _)| known == plain) {
            return Ok(value.clone());
        }
        let types = ["bool", "int", "uint", "double", "string", "bytes", "list", "map", "null_type", "type"];
        match types.iter().find(|known| **known == plain) {
            Some(known) => Ok(Value::Type(known)),
            None => Err(EvalError::failed(format!("no such attribute(s): {plain}"))),
        }
    }

    fn list(&mut self, items: &[(Expr, bool)]) -> Outcome {
        let mut list = Vec::with_capacity(items.len());
        for (item, optional) in items {
            match (self.value(item)?, optional) {
                (Value::Optional(None), true) => {}
                (Value::Optional(Some(value)), true) => list.push(*value),
                (value, _) => list.push(value),
            }
        }
        Ok(Value::List(Arc::new(list)))
    }

    fn map(&mut self, entries: &[(Expr, Expr, bool)]) -> Outcome {
        let mut map = BTreeMap::new();
        for (key, value, optional) in entries {
            let key = self.value(key)?.as_key().ok_or_else(EvalError::overload)?;
            let value = match (self.value(value)?, optional) {
                (Value::Optional(None), true) => continue,
                (Value::Optional(Some(value)), true) => *value,
                (value, _) => value,
            };
            if map.insert(key.clone(), value).is_some() {
                return Err(EvalError::failed(format!("insert failed: key {key} already exists")));
            }
        }
        Ok(Value::Map(Arc::new(map)))
    }

    fn call(&mut self, target: Option<&Expr>, function: &str, args: &[Expr]) -> Outcome {
        match (target, function, args) {
            (None, "_&&_", [a, b]) => self.logic(a, b, false),
            (None, "_||_", [a, b]) => self.logic(a, b, true),
            (None, "_?_:_", [condition, yes, no]) => match self.value(condition)? {
                Value::Bool(holds) => self.value(if holds { yes } else { no }),
                _ => Err(EvalError::overload()),
            },
            (None, "has", [Expr::Select { operand, field, .. }]) => {
                let operand = self.value(operand)?;
                has(&operand, field)
            }
            (Some(range), _, [Expr::Ident(variable), rest @ ..])
                if is_macro(function, args.len()) && !variable.starts_with('.') =>
            {
                self.comprehension(range, function, variable, rest)
            }
            (Some(target), _, _) => {
                // `sets.contains(a, b)`: the name of a library, and no variable.
                if let Expr::Ident(library) = target
                    && ["sets", "optional", "math", "strings", "base64"].contains(&library.as_str())
                    && !self.scope.iter().any(|(known, _)| known == library)
                {
                    let args = self.values(args)?;
                    return functions::global(&format!("{library}.{function}"), &args);
                }
                let target = self.value(target)?;
                let args = self.values(args)?;
                functions::method(&target, function, &args)
            }
            (None, _, _) => {
                let args = self.values(args)?;
                self.operator(function, &args)
            }
        }
    }

    fn values(&mut self, args: &[Expr]) -> Result<Vec<Value>, EvalError> {
        args.iter().map(|arg| self.value(arg)).collect()
    }

    fn operator(&mut self, function: &str, args: &[Value]) -> Outcome {
        match (function, args) {
            ("!_", [Value::Bool(value)]) => Ok(Value::Bool(!value)),
            ("-_", [Value::Int(value)]) => {
                value.checked_neg().map(Value::Int).ok_or_else(|| EvalError::failed("integer overflow"))
            }
            ("-_", [Value::Double(value)]) => Ok(Value::Double(-value)),
            ("-_", [Value::Duration(value)]) => Ok(Value::Duration(-value)),
            ("_==_", [a, b]) => Ok(Value::Bool(a == b)),
            ("_!=_", [a, b]) => Ok(Value::Bool(a != b)),
            ("_<_" | "_<=_" | "_>_" | "_>=_", [a, b]) => {
                let comparable = a.type_name() == b.type_name() || (is_number(a) && is_number(b));
                let order = a.compare(b);
                if order.is_none() && !(comparable && is_number(a)) {
                    return Err(EvalError::overload());
                }
                // Nothing compares with a number that is none.
                Ok(Value::Bool(order.is_some_and(|order| match function {
                    "_<_" => order.is_lt(),
                    "_<=_" => order.is_le(),
                    "_>_" => order.is_gt(),
                    _ => order.is_ge(),
                })))
            }
            ("_+_", [a, b]) => functions::arithmetic(Arithmetic::Add, a, b),
            ("_-_", [a, b]) => functions::arithmetic(Arithmetic::Subtract, a, b),
            ("_*_", [a, b]) => functions::arithmetic(Arithmetic::Multiply, a, b),
            ("_/_", [a, b]) => functions::arithmetic(Arithmetic::Divide, a, b),
            ("_%_", [a, b]) => functions::arithmetic(Arithmetic::Remainder, a, b),
            ("@in", [item, Value::List(list)]) => {
                self.steps += list.len() as u64;
                Ok(Value::Bool(list.contains(item)))
            }
            ("@in", [key, Value::Map(map)]) => {
                Ok(Value::Bool(key.as_key().is_some_and(|key| map.contains_key(&key))))
            }
            ("_[_]" | "_[?_]", [Value::Optional(None), _]) => Ok(Value::Optional(None)),
            ("_[_]" | "_[?_]", [Value::Optional(Some(value)), at]) => {
                Ok(Value::Optional(index(value, at).ok().map(Box::new)))
            }
            ("_[?_]", [value, at]) => Ok(Value::Optional(index(value, at).ok().map(Box::new))),
            ("_[_]", [value, at]) => index(value, at),
            _ => functions::global(function, args),
        }
    }

    /// `&&` and `||`: what one side decides, an error of the other does not undo.
    fn logic(&mut self, a: &Expr, b: &Expr, decides: bool) -> Outcome {
        let first = self.value(a);
        if first == Ok(Value::Bool(decides)) {
            return first;
        }
        let second = self.value(b);
        if second == Ok(Value::Bool(decides)) {
            return second;
        }
        match (first?, second?) {
            (Value::Bool(_), Value::Bool(_)) => Ok(Value::Bool(!decides)),
            _ => Err(EvalError::overload()),
        }
    }

    /// `range.all(x, …)` and its kin; with two variables, index or key and value.
    fn comprehension(&mut self, range: &Expr, function: &str, first: &str, rest: &[Expr]) -> Outcome {
        let range = self.value(range)?;
        if let ("optMap" | "optFlatMap", [body]) = (function, rest) {
            let Value::Optional(content) = range else { return Err(EvalError::overload()) };
            let Some(content) = content else { return Ok(Value::Optional(None)) };
            let value = self.with(&[(first, *content)], body)?;
            return Ok(if function == "optMap" { Value::Optional(Some(Box::new(value))) } else { value });
        }
        let (second, bodies) = match (rest, function) {
            ([Expr::Ident(second), bodies @ ..], "all" | "exists" | "existsOne" | "exists_one")
                if !bodies.is_empty() =>
            {
                (Some(second.as_str()), bodies)
            }
            ([Expr::Ident(second), bodies @ ..], "transformList" | "transformMap") => {
                (Some(second.as_str()), bodies)
            }
            (bodies, _) => (None, bodies),
        };
        let entries: Vec<(Value, Value)> = match &range {
            Value::List(list) => list
                .iter()
                .enumerate()
                .map(|(at, item)| (Value::Int(i64::try_from(at).unwrap_or(i64::MAX)), item.clone()))
                .collect(),
            Value::Map(map) => map.iter().map(|(key, value)| (key.clone().into(), value.clone())).collect(),
            _ => return Err(EvalError::overload()),
        };
        let is_map = matches!(range, Value::Map(_));
        let bind = |entry: &(Value, Value)| -> Vec<(String, Value)> {
            match second {
                Some(second) => {
                    vec![(first.to_owned(), entry.0.clone()), (second.to_owned(), entry.1.clone())]
                }
                // With one variable, a map gives its keys and a list its items.
                None => vec![(first.to_owned(), if is_map { entry.0.clone() } else { entry.1.clone() })],
            }
        };
        let (filter, body) = match bodies {
            [body] => (None, body),
            [filter, body] => (Some(filter), body),
            _ => return Err(EvalError::overload()),
        };
        let (mut found, mut out, mut failed) = (0usize, Vec::new(), None);
        for entry in &entries {
            let bound = bind(entry);
            let bound: Vec<(&str, Value)> =
                bound.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
            if let Some(filter) = filter {
                match self.with(&bound, filter)? {
                    Value::Bool(true) => {}
                    Value::Bool(false) => continue,
                    _ => return Err(EvalError::overload()),
                }
            }
            let value = self.with(&bound, body);
            match function {
                "map" | "transformList" | "transformMap" => out.push((entry.0.clone(), value?)),
                "filter" => {
                    if holds(&value?)? {
                        out.push((entry.0.clone(), bound[0].1.clone()));
                    }
                }
                "all" | "exists" => match value.and_then(|value| holds(&value)) {
                    // What decides stops, whatever failed before.
                    Ok(holds) if holds == (function == "exists") => return Ok(Value::Bool(holds)),
                    Ok(_) => {}
                    Err(error) => failed = failed.or(Some(error)),
                },
                _ => found += usize::from(holds(&value?)?),
            }
        }
        if let Some(error) = failed {
            return Err(error);
        }
        Ok(match function {
            "all" => Value::Bool(true),
            "exists" => Value::Bool(false),
            "exists_one" | "existsOne" => Value::Bool(found == 1),
            "transformMap" => {
                let entries = out.into_iter().filter_map(|(key, value)| Some((key.as_key()?, value)));
                Value::Map(Arc::new(entries.collect()))
            }
            _ => Value::list(out.into_iter().map(|(_, value)| value)),
        })
    }

    fn with(&mut self, bound: &[(&str, Value)], body: &Expr) -> Outcome {
        let before = self.scope.len();
        self.scope.extend(bound.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        let value = self.value(body);
        self.scope.truncate(before);
        value
    }
}

fn is_macro(function: &str, args: usize) -> bool {
    match function {
        "all" | "exists" | "exists_one" | "existsOne" | "map" => args == 2 || args == 3,
        "filter" | "optMap" | "optFlatMap" => args == 2,
        "transformList" | "transformMap" => args == 3 || args == 4,
        _ => false,
    }
}

fn is_number(value: &Value) -> bool {
    matches!(value, Value::Int(_) | Value::Uint(_) | Value::Double(_))
}

fn holds(value: &Value) -> Result<bool, EvalError> {
    match value {
        Value::Bool(holds) => Ok(*holds),
        _ => Err(EvalError::overload()),
    }
}

/// A field by its name, or by the name that Kubernetes escapes it to.
fn field<'v>(value: &'v Value, name: &str) -> Option<&'v Value> {
    let Value::Map(map) = value else { return None };
    map.get(&Key::Text(name.into())).or_else(|| map.get(&Key::Text(unescape(name)?.into())))
}

fn select(value: &Value, name: &str) -> Outcome {
    match value {
        Value::Map(_) => {
            field(value, name).cloned().ok_or_else(|| EvalError::failed(format!("no such key: {name}")))
        }
        _ => Err(EvalError::overload()),
    }
}

fn optional_field(value: Value, name: &str) -> Outcome {
    let value = match value {
        Value::Optional(None) => return Ok(Value::Optional(None)),
        Value::Optional(Some(value)) => *value,
        value => value,
    };
    match value {
        Value::Map(_) => Ok(Value::Optional(field(&value, name).cloned().map(Box::new))),
        Value::Null => Ok(Value::Optional(None)),
        _ => Err(EvalError::overload()),
    }
}

fn has(value: &Value, name: &str) -> Outcome {
    match value {
        Value::Map(_) => Ok(Value::Bool(field(value, name).is_some())),
        Value::Optional(None) => Ok(Value::Bool(false)),
        Value::Optional(Some(value)) => has(value, name),
        _ => Err(EvalError::overload()),
    }
}

fn index(value: &Value, at: &Value) -> Outcome {
    match (value, at) {
        (Value::List(list), at) => {
            let Some(Key::Int(at)) = at.as_key() else { return Err(EvalError::overload()) };
            let found = usize::try_from(at).ok().and_then(|at| list.get(at)).cloned();
            found.ok_or_else(|| EvalError::failed(format!("index out of bounds: {at}")))
        }
        (Value::Map(map), at) => {
            let key = at.as_key().ok_or_else(EvalError::overload)?;
            map.get(&key).cloned().ok_or_else(|| EvalError::failed(format!("no such key: {key}")))
        }
        _ => Err(EvalError::overload()),
    }
}

/// Names that are no identifiers: `a__dash__b` is `a-b`, `__if__` is `if`.
fn unescape(name: &str) -> Option<String> {
    if !name.contains("__") {
        return None;
    }
    if let Some(word) = name.strip_prefix("__").and_then(|name| name.strip_suffix("__"))
        && !word.contains("__")
        && !["underscores", "dot", "dash", "slash"].contains(&word)
    {
        return Some(word.to_owned());
    }
    let plain = [("__underscores__", "__"), ("__dot__", "."), ("__dash__", "-"), ("__slash__", "/")];
    let (mut out, mut rest) = (String::new(), name);
    while let Some(letter) = rest.chars().next() {
        if let Some((escaped, text)) = plain.iter().find(|(escaped, _)| rest.starts_with(escaped)) {
            out.push_str(text);
            rest = &rest[escaped.len()..];
        } else {
            out.push(letter);
            rest = &rest[letter.len_utf8()..];
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object() -> Value {
        Value::object([
            ("low", Value::Int(1)),
            ("high", Value::Int(9)),
            ("name", Value::text("abc")),
            ("tags", Value::list([Value::text("a"), Value::text("b")])),
            ("a-b", Value::Bool(true)),
            ("if", Value::Int(3)),
            ("map", Value::object([("x", Value::Double(1.5))])),
        ])
    }

    fn evaluate(text: &str) -> Result<Value, String> {
        let program = Program::compile(text).map_err(|error| error.to_string())?;
        program.evaluate(&[("self", object())]).map_err(|error| error.to_string())
    }

    #[test]
    fn what_holds_holds() {
        for text in [
            "self.low <= self.high && self.low != self.high",
            "has(self.low) && !has(self.nothing)",
            "self.tags.all(t, t.size() == 1) && self.tags.exists(t, t == 'b') && self.tags.exists_one(t, t == 'a')",
            "self.tags.map(t, t + 'x') == ['ax', 'bx'] && self.tags.filter(t, t > 'a') == ['b']",
            "self.tags.map(t, t != 'a', t) == ['b']",
            "self.a__dash__b && self.__if__ == 3",
            "'x' in self.map && self.map['x'] == 1.5 && self.map.all(k, k == 'x')",
            "'a' in self.tags && size(self.tags) == 2",
            "1 == 1.0 && 1u == 1 && 2 > 1.5 && 'a' < 'b' && 1 != 'a'",
            "7 / 2 == 3 && -7 % 3 == -1 && 1.5 + 1.5 == 3.0 && 'a' + 'b' == 'ab' && [1] + [2] == [1, 2]",
            "false && self.nothing == 1 || true",
            "self.nothing == 1 || true",
            "self.?nothing.orValue(5) == 5 && self.?low.hasValue() && !self.?map.?y.hasValue()",
            "self.name.matches('^[a-c]+$') && self.name.contains('b') && self.name.startsWith('a')",
            "'A,b'.split(',').map(s, s.lowerAscii()).join('-') == 'a-b' && ' x '.trim() == 'x'",
            "'hello'.substring(1, 3) == 'el' && 'hello'.indexOf('l') == 2 && 'aXa'.replace('a', 'b') == 'bXb'",
            "[3, 1, 2].sum() == 6 && [3, 1].min() == 1 && [1, 2].isSorted() && [1, 2].max() == 2",
            "sets.contains([1, 2, 3], [2]) && sets.intersects([1], [1, 2]) && sets.equivalent([1, 2], [2, 1])",
            "int('5') == 5 && string(5) == '5' && double('1.5') == 1.5 && type(1) == int && dyn(1) == 1",
            "duration('1h') > duration('30m') && timestamp('2020-01-01T00:00:00Z') < timestamp('2021-01-01T00:00:00Z')",
            "timestamp('2020-01-01T00:00:00Z') + duration('24h') == timestamp('2020-01-02T00:00:00Z')",
            "{'a': 1}.all(k, v, k == 'a' && v == 1) && [1, 2].all(i, v, i + 1 == v)",
            "(self.low > 5 ? 'big' : 'small') == 'small'",
            "'abc 123'.find('[0-9]+') == '123' && 'a1b2'.findAll('[0-9]') == ['1', '2']",
            "null == null && !(null == 1) && [1, 'a', null].size() == 3",
        ] {
            assert_eq!(evaluate(text), Ok(Value::Bool(true)), "{text}");
        }
    }

    #[test]
    fn what_fails_says_why_in_cel_gos_words() {
        for (text, expected) in [
            ("self.nothing == 1", "no such key: nothing"),
            ("self.tags[5] == 'a'", "index out of bounds: 5"),
            ("self.map['y'] == 1", "no such key: y"),
            ("1 / 0 == 1", "division by zero"),
            ("1 % 0 == 1", "modulus by zero"),
            ("9223372036854775807 + 1 == 0", "integer overflow"),
            ("self.low + 'a' == 'b'", "no such overload"),
            ("self.low < 'a'", "no such overload"),
            ("nobody", "no such attribute(s): nobody"),
            ("ip('1.2.3.4').family() == 4", "the function ip is not supported"),
        ] {
            assert_eq!(evaluate(text), Err(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn an_evaluation_ends() {
        let many = Value::list((0..3000).map(Value::Int));
        let program = Program::compile("self.all(a, self.all(b, self.all(c, a + b + c >= 0)))").unwrap();
        let error = program.evaluate(&[("self", many)]).unwrap_err();
        assert_eq!(error.to_string(), "operation cancelled: actual cost limit exceeded");
        let chain = vec!["1"; 250].join(" + ");
        assert!(evaluate(&chain).is_err_and(|error| error.contains("recursion limit")));
        assert!(Program::compile("oldSelf.x == self.x").unwrap().uses("oldSelf"));
    }
}

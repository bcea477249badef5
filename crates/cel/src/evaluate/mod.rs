//! The evaluation of an expression.

mod macros;
mod operators;
mod structure;
mod uses;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::Arc;

use crate::functions;
use crate::meter::{Meter, Patterns};
use crate::parser::{dotted, is_macro};
use crate::{Expr, SyntaxError, Value, go, parse};
use operators::{has, optional_field, select};

/// Types whose names have dots.
const TYPES: [&str; 4] = ["net.IP", "net.CIDR", "google.protobuf.Timestamp", "google.protobuf.Duration"];
/// The number of constant patterns that a program keeps compiled. The others are compiled when an evaluation needs
/// them.
const MAX_PATTERNS: usize = 64;

/// A parsed expression that can be evaluated any number of times, from several threads at once. Constants and
/// constant patterns are prepared when it is compiled. Cheap to clone.
///
/// ```
/// use client_rs_cel::{Program, Value};
///
/// let rule = Program::compile("self.replicas <= 10 ? '' : 'at most 10 replicas'").unwrap();
/// let spec = |replicas| Value::object([("replicas", Value::Int(replicas))]);
/// assert_eq!(rule.evaluate(&[("self", spec(3))]), Ok(Value::text("")));
/// assert_eq!(rule.evaluate(&[("self", spec(30))]), Ok(Value::text("at most 10 replicas")));
///
/// // A missing field is an error with cel-go's message.
/// let empty = Value::object(Vec::<(&str, Value)>::new());
/// assert_eq!(rule.evaluate(&[("self", empty)]).unwrap_err().to_string(), "no such key: replicas");
///
/// assert!(Program::compile("self.replicas <=").is_err());
/// ```
#[derive(Clone)]
pub struct Program {
    expr: Arc<Expr>,
    /// The values of constant nodes, by the address of the node. Nodes do not move: they are behind the `Arc`.
    constants: Arc<HashMap<usize, Value>>,
    patterns: Arc<Patterns>,
}

impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        self.expr == other.expr
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Program").field("expr", &self.expr).finish_non_exhaustive()
    }
}

/// A failed evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvalError {
    /// A message of cel-go: `no such key: a`, `division by zero`, `no such overload`, …
    Failed(String),
    /// A function that is not implemented here.
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
    /// Parses an expression and prepares its constants.
    pub fn compile(text: &str) -> Result<Self, SyntaxError> {
        let expr = Arc::new(parse(text)?);
        let (mut constants, mut patterns) = (HashMap::new(), Patterns::new());
        prepare(&expr, &mut constants, &mut patterns);
        Ok(Self { expr, constants: Arc::new(constants), patterns: Arc::new(patterns) })
    }

    /// Evaluates the expression with these variables.
    ///
    /// Time and memory are bounded for all variables. The cost is at most
    /// [`CALL_COST_LIMIT`](crate::CALL_COST_LIMIT). The values that the evaluation creates have at most
    /// [`CALL_MEMORY_LIMIT`](crate::CALL_MEMORY_LIMIT) bytes. Further comparisons, copies and scans are bounded to
    /// about a second of work. Each is charged before the work is done.
    pub fn evaluate(&self, variables: &[(&str, Value)]) -> Outcome {
        self.run(variables).outcome
    }

    /// Evaluates the expression with these variables, and returns the cost as well.
    pub fn run(&self, variables: &[(&str, Value)]) -> Evaluated {
        let scope = variables.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        let meter = Meter::new(Arc::clone(&self.patterns));
        let mut evaluation = Evaluation { scope, meter, constants: Arc::clone(&self.constants) };
        let outcome = evaluation.value(&self.expr);
        Evaluated { outcome, cost: evaluation.meter.cost() }
    }

    /// Reports constants that can never be evaluated, such as an invalid pattern or a malformed quantity.
    pub fn constants(&self) -> Result<(), EvalError> {
        self.readable(&self.expr)
    }

    /// Whether the expression uses a variable.
    pub fn uses(&self, variable: &str) -> bool {
        uses::mentions(&self.expr, variable)
    }

    /// Returns the fields that the expression selects from a variable, each once: `a` and `b` of `v.a + v.b`.
    ///
    /// ```
    /// use client_rs_cel::Program;
    ///
    /// let program = Program::compile("variables.low < variables.high && has(variables.low)").unwrap();
    /// assert_eq!(program.selected("variables"), ["high", "low"]);
    /// ```
    pub fn selected(&self, variable: &str) -> Vec<&str> {
        let mut fields = BTreeSet::new();
        uses::selected(&self.expr, variable, &mut fields);
        fields.into_iter().collect()
    }
}

/// Returns the address of a node.
fn place(expr: &Expr) -> usize {
    std::ptr::from_ref(expr).addr()
}

/// Returns the pattern of a call, if it is constant.
fn constant_pattern<'e>(target: Option<&Expr>, function: &str, args: &'e [Expr]) -> Option<&'e str> {
    match (target, function, args) {
        (Some(_), "find" | "findAll" | "matches", [Expr::Text(pattern), ..])
        | (None, "matches", [_, Expr::Text(pattern)]) => Some(pattern),
        _ => None,
    }
}

/// Evaluates the constants of an expression, and compiles its constant patterns.
fn prepare(expr: &Expr, constants: &mut HashMap<usize, Value>, patterns: &mut Patterns) {
    if let Expr::Call { target, function, args } = expr
        && let Some(pattern) = constant_pattern(target.as_deref(), function, args)
        && patterns.len() < MAX_PATTERNS
    {
        patterns.entry(pattern.to_owned()).or_insert_with(|| go::pattern(pattern).map(Arc::new));
    }
    let mut each = |part: &Expr| prepare(part, constants, patterns);
    match expr {
        Expr::Select { operand, .. } => each(operand),
        Expr::Call { target, args, .. } => target.iter().map(|target| &**target).chain(args).for_each(each),
        Expr::List(items) => items.iter().for_each(|(item, _)| each(item)),
        Expr::Map(entries) => entries.iter().for_each(|(key, value, _)| {
            each(key);
            each(value);
        }),
        Expr::Struct { fields, .. } => fields.iter().for_each(|(_, value, _)| each(value)),
        _ => {}
    }
    // Its children have been evaluated before.
    if let Some(value) = constant(expr, constants) {
        constants.insert(place(expr), value);
    }
}

/// Returns the value of a literal, or of a list or map of constants.
fn constant(expr: &Expr, known: &HashMap<usize, Value>) -> Option<Value> {
    let known = |part: &Expr| known.get(&place(part)).cloned();
    Some(match expr {
        Expr::Text(text) => Value::text(text.as_str()),
        Expr::Bytes(bytes) => Value::Bytes(bytes.as_slice().into()),
        Expr::Null => Value::Null,
        Expr::Bool(value) => Value::Bool(*value),
        Expr::Int(value) => Value::Int(*value),
        Expr::Uint(value) => Value::Uint(*value),
        Expr::Double(value) => Value::Double(*value),
        Expr::List(items) => {
            let items: Option<Vec<Value>> =
                items.iter().map(|(item, optional)| known(item).filter(|_| !optional)).collect();
            Value::list(items?)
        }
        Expr::Map(entries) => {
            let entries: Option<BTreeMap<_, _>> = entries
                .iter()
                .map(|(key, value, optional)| {
                    Some((known(key)?.as_key()?, known(value)?)).filter(|_| !optional)
                })
                .collect();
            Value::Map(Arc::new(entries?))
        }
        _ => return None,
    })
}

impl Program {
    /// Whether the functions that take the literals of a part can parse them.
    fn readable(&self, expr: &Expr) -> Result<(), EvalError> {
        match expr {
            Expr::Select { operand, .. } => self.readable(operand),
            Expr::Call { target, function, args } => {
                target.iter().try_for_each(|target| self.readable(target))?;
                args.iter().try_for_each(|arg| self.readable(arg))?;
                if let Some(pattern) = constant_pattern(target.as_deref(), function, args) {
                    return match self.patterns.get(pattern) {
                        Some(compiled) => compiled.as_ref().map(drop).map_err(EvalError::failed),
                        None => go::pattern(pattern).map(drop).map_err(EvalError::failed),
                    };
                }
                if target.is_some()
                    || !functions::is_conversion(function)
                    || !matches!(&args[..], [arg] if is_constant(arg))
                {
                    return Ok(());
                }
                let meter = Meter::new(Arc::clone(&self.patterns));
                let constants = Arc::clone(&self.constants);
                match (Evaluation { scope: Vec::new(), meter, constants }).value(expr) {
                    Err(error @ EvalError::Failed(_)) => Err(error),
                    _ => Ok(()),
                }
            }
            Expr::List(items) => items.iter().try_for_each(|(item, _)| self.readable(item)),
            Expr::Map(entries) => entries
                .iter()
                .try_for_each(|(key, value, _)| self.readable(key).and_then(|()| self.readable(value))),
            Expr::Struct { fields, .. } => fields.iter().try_for_each(|(_, value, _)| self.readable(value)),
            _ => Ok(()),
        }
    }
}

/// The result of an evaluation, and its cost in the real server's units.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluated {
    /// The value, or the error.
    pub outcome: Result<Value, EvalError>,
    /// The cost, at most slightly above the limit.
    pub cost: u64,
}

struct Evaluation {
    /// The innermost scope comes last.
    scope: Vec<(String, Value)>,
    meter: Meter,
    constants: Arc<HashMap<usize, Value>>,
}

impl Evaluation {
    /// Recurses as deep as the expression, which the parser bounds.
    fn value(&mut self, expr: &Expr) -> Outcome {
        match expr {
            Expr::Null => Ok(Value::Null),
            Expr::Bool(value) => Ok(Value::Bool(*value)),
            Expr::Int(value) => Ok(Value::Int(*value)),
            Expr::Uint(value) => Ok(Value::Uint(*value)),
            Expr::Double(value) => Ok(Value::Double(*value)),
            Expr::Text(text) => match self.constant(expr) {
                Some(value) => Ok(value),
                None => Ok(Value::text(text.as_str())),
            },
            Expr::Bytes(bytes) => match self.constant(expr) {
                Some(value) => Ok(value),
                None => Ok(Value::Bytes(bytes.as_slice().into())),
            },
            Expr::Ident(name) => {
                self.meter.spend(1)?;
                self.variable(name)
            }
            Expr::Select { operand, field, optional } => {
                if let Some(of) = self.type_named(expr) {
                    return Ok(Value::Type(of));
                }
                let value = self.value(operand)?;
                self.meter.spend(step(operand))?;
                if *optional || matches!(value, Value::Optional(_)) {
                    return optional_field(value, field);
                }
                select(&value, field)
            }
            Expr::Call { target, function, args } => self.call(target.as_deref(), function, args),
            Expr::List(items) => match self.constant(expr) {
                Some(value) => Ok(value),
                None => self.list(items, is_constant(expr)),
            },
            Expr::Map(entries) => match self.constant(expr) {
                Some(value) => Ok(value),
                None => self.map(entries, is_constant(expr)),
            },
            Expr::Struct { name, fields } => self.structure(name, fields),
        }
    }

    /// Returns the value of a node that was evaluated when the program was compiled.
    fn constant(&self, expr: &Expr) -> Option<Value> {
        self.constants.get(&place(expr)).cloned()
    }

    fn is_variable(&self, name: &str) -> bool {
        self.scope.iter().any(|(known, _)| known == name)
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

    /// Looks up a type by a name with dots.
    fn type_named(&self, expr: &Expr) -> Option<&'static str> {
        let Expr::Select { field, .. } = expr else { return None };
        if !TYPES.iter().any(|known| known.ends_with(field.as_str())) {
            return None;
        }
        let name = dotted(expr)?;
        let of = TYPES.iter().find(|known| **known == name.trim_start_matches('.'))?;
        let first = name.split('.').find(|part| !part.is_empty())?;
        (!self.is_variable(first)).then_some(of)
    }

    fn list(&mut self, items: &[(Expr, bool)], constant: bool) -> Outcome {
        self.meter.items(items.len())?;
        let mut list = Vec::with_capacity(items.len());
        for (item, optional) in items {
            match (self.value(item)?, optional) {
                (Value::Optional(None), true) => {}
                (Value::Optional(Some(value)), true) => list.push(*value),
                (value, _) => list.push(value),
            }
        }
        if !constant {
            self.meter.spend(functions::LIST)?;
        }
        Ok(Value::list(list))
    }

    fn map(&mut self, entries: &[(Expr, Expr, bool)], constant: bool) -> Outcome {
        self.meter.entries(entries.len())?;
        let mut map = BTreeMap::new();
        for (key, value, optional) in entries {
            let key = self.value(key)?.as_key().ok_or_else(EvalError::overload)?;
            let value = match (self.value(value)?, optional) {
                (Value::Optional(None), true) => continue,
                (Value::Optional(Some(value)), true) => *value,
                (value, _) => value,
            };
            map.insert(key, value);
        }
        if !constant {
            self.meter.spend(functions::MAP)?;
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
            (None, "@in", [item, list @ Expr::List(_)]) if is_constant(list) => {
                // The real server has turned it into a set beforehand.
                let item = self.value(item)?;
                let Value::List(list) = self.value(list)? else { return Err(EvalError::overload()) };
                self.meter.position(&list, &item).map(|found| Value::Bool(found.is_some()))
            }
            (Some(range), _, [Expr::Ident(variable), rest @ ..])
                if is_macro(function, args.len()) && !variable.starts_with('.') =>
            {
                self.comprehension(range, function, variable, rest)
            }
            (Some(content), "or" | "orValue", [other]) => {
                let content = self.value(content)?;
                self.meter.spend(1)?;
                match (content, function) {
                    (Value::Optional(Some(value)), "orValue") => Ok(*value),
                    (content @ Value::Optional(Some(_)), _) => Ok(content),
                    (Value::Optional(None), _) => self.value(other),
                    _ => Err(EvalError::failed(format!("no such overload: {function}"))),
                }
            }
            (Some(target), _, _) => {
                // `sets.contains(a, b)`: the name of a library, not a variable.
                if let Some(library) = dotted(target).filter(|of| !self.is_variable(of)) {
                    let name = format!("{library}.{function}");
                    if functions::is_qualified(&name) {
                        let args = self.values(args)?;
                        return self
                            .called(&name, &args, |meter, args| functions::global(meter, &name, args));
                    }
                }
                let mut values = vec![self.value(target)?];
                values.extend(self.values(args)?);
                self.called(function, &values, |meter, values| {
                    functions::method(meter, &values[0], function, &values[1..])
                })
            }
            (None, _, _) => {
                let values = self.values(args)?;
                let place = matches!(function, "_[_]" | "_[?_]");
                if place {
                    self.meter.spend(args.first().map_or(1, step))?;
                    return operators::operator(&mut self.meter, function, &values);
                }
                let constant = matches!(args, [arg] if is_constant(arg));
                if constant && functions::is_conversion(function) {
                    return operators::operator(&mut self.meter, function, &values);
                }
                self.called(function, &values, |meter, values| operators::operator(meter, function, values))
            }
        }
    }

    /// Charges for a function, and then calls it with values.
    fn called(
        &mut self,
        function: &str,
        args: &[Value],
        call: impl FnOnce(&mut Meter, &[Value]) -> Outcome,
    ) -> Outcome {
        functions::charge(&mut self.meter, function, args)?;
        call(&mut self.meter, args)
    }

    fn values(&mut self, args: &[Expr]) -> Result<Vec<Value>, EvalError> {
        args.iter().map(|arg| self.value(arg)).collect()
    }

    /// `&&` and `||`: if one side decides, an error of the other side does not matter.
    fn logic(&mut self, a: &Expr, b: &Expr, decides: bool) -> Outcome {
        let first = self.value(a);
        self.meter.spend(0)?;
        if first == Ok(Value::Bool(decides)) {
            return first;
        }
        let second = self.value(b);
        self.meter.spend(0)?;
        if second == Ok(Value::Bool(decides)) {
            return second;
        }
        match (first?, second?) {
            (Value::Bool(_), Value::Bool(_)) => Ok(Value::Bool(!decides)),
            _ => Err(EvalError::overload()),
        }
    }

    fn with(&mut self, bound: &[(&str, Value)], body: &Expr) -> Outcome {
        let before = self.scope.len();
        self.scope.extend(bound.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        let value = self.value(body);
        self.scope.truncate(before);
        value
    }
}

/// Returns the cost of the step from a value to a part of it.
fn step(operand: &Expr) -> u64 {
    match operand {
        Expr::Ident(_) | Expr::Select { .. } => 1,
        Expr::Call { target: None, function, .. } if function == "_[_]" => 1,
        _ => 2,
    }
}

/// Whether an expression is constant: the real server evaluates it beforehand, at no cost.
fn is_constant(expr: &Expr) -> bool {
    match expr {
        Expr::Null
        | Expr::Bool(_)
        | Expr::Int(_)
        | Expr::Uint(_)
        | Expr::Double(_)
        | Expr::Text(_)
        | Expr::Bytes(_) => true,
        Expr::List(items) => items.iter().all(|(item, optional)| !optional && is_constant(item)),
        Expr::Map(entries) => {
            entries.iter().all(|(key, value, optional)| !optional && is_constant(key) && is_constant(value))
        }
        Expr::Call { target: None, function, args } => {
            functions::is_conversion(function) && matches!(&args[..], [arg] if is_constant(arg))
        }
        _ => false,
    }
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
    fn true_expressions_evaluate_to_true() {
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
    fn a_failure_has_the_message_of_cel_go() {
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
            ("math.greatest(1, 2) == 2", "no such attribute(s): math"),
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
        let chain = vec!["1"; 251].join(" + ");
        assert!(evaluate(&chain).is_err_and(|error| error.contains("recursion limit")));
        assert!(Program::compile("oldSelf.x == self.x").unwrap().uses("oldSelf"));
    }
}

//! Evaluation of a template.

use std::cmp::Ordering;

use super::JsonPathError;
use super::node::{Node, Operator, Param};
use crate::Json;

/// The maximum number of values that one template may pick at a time.
const MOST: usize = 1_000_000;

/// Something picked, or made.
#[derive(Clone, Copy, Debug)]
pub(super) enum Value<'a> {
    Json(&'a Json),
    Text(&'a str),
    Int(i64),
    Float(f64),
    Bool(bool),
    /// A byte of a text: what everything in a text is.
    Byte(u8),
    /// The value that a range without elements yields.
    Nothing,
}

/// The error, and the values picked before it. The `exists` operator holds as soon as a value was picked, even if a
/// later step failed.
struct Failure<'a>(JsonPathError, Vec<Value<'a>>);

type Values<'a> = Vec<Value<'a>>;
type Outcome<'a> = Result<Values<'a>, Failure<'a>>;

pub(super) struct Evaluation<'a> {
    nodes: &'a [Node],
    allow_missing_keys: bool,
    begin_range: usize,
    in_range: usize,
    end_range: usize,
    /// The node that ended the last range.
    last_end: Option<usize>,
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(nodes: &'a [Node], allow_missing_keys: bool) -> Self {
        Self { nodes, allow_missing_keys, begin_range: 0, in_range: 0, end_range: 0, last_end: None }
    }

    pub(super) fn run(mut self, data: Value<'a>) -> Result<Vec<Values<'a>>, JsonPathError> {
        let mut all = Vec::new();
        self.from(0, data, &mut all)?;
        Ok(all)
    }

    /// The nodes from `first` on, to the end of the range that they are in.
    fn from(
        &mut self,
        first: usize,
        data: Value<'a>,
        all: &mut Vec<Values<'a>>,
    ) -> Result<(), JsonPathError> {
        let mut at = first;
        while at < self.nodes.len() {
            let picked = self.walk(vec![data], &self.nodes[at]).map_err(|failure| failure.0)?;
            if self.end_range > 0 && self.end_range <= self.in_range {
                self.end_range -= 1;
                self.last_end = Some(at);
                break;
            }
            if self.begin_range == 0 {
                if all.len() >= MOST {
                    return Err(JsonPathError::TooMany(MOST));
                }
                all.push(picked);
                at += 1;
                continue;
            }
            self.begin_range -= 1;
            self.in_range += 1;
            if picked.is_empty() {
                // For its end to be found.
                self.from(at + 1, Value::Nothing, &mut Vec::new())?;
            }
            for value in picked {
                let value = if matches!(value, Value::Json(Json::Null)) { Value::Nothing } else { value };
                self.from(at + 1, value, all)?;
            }
            self.in_range -= 1;
            // On behind the range's end; a range without one is followed by itself.
            at = self.last_end.filter(|end| *end > at).unwrap_or(at) + 1;
        }
        Ok(())
    }

    fn walk(&mut self, input: Values<'a>, node: &'a Node) -> Outcome<'a> {
        let result = match node {
            Node::List(nodes) => self.list(input, nodes),
            Node::Text(text) => Ok(vec![Value::Text(text)]),
            Node::Field(name) => self.field(&input, name),
            Node::Array(params) => array(input, params),
            Node::Filter { left, right, operator } => self.filter(input, left, right, operator),
            Node::Int(value) => Ok(input.iter().map(|_| Value::Int(*value)).collect()),
            Node::Float(value) => Ok(input.iter().map(|_| Value::Float(*value)).collect()),
            Node::Bool(value) => Ok(input.iter().map(|_| Value::Bool(*value)).collect()),
            Node::Wildcard => Ok(input.iter().flat_map(Value::children).collect()),
            Node::Recursive => {
                let mut all = Vec::new();
                recursive(&input, &mut all);
                Ok(all)
            }
            Node::Union(members) => self.union(input, members),
            Node::Identifier(name) => self.identifier(input, name),
        }?;
        if result.len() > MOST {
            return Err(Failure(JsonPathError::TooMany(MOST), Vec::new()));
        }
        Ok(result)
    }

    fn list(&mut self, input: Values<'a>, nodes: &'a [Node]) -> Outcome<'a> {
        nodes.iter().try_fold(input, |values, node| self.walk(values, node))
    }

    fn identifier(&mut self, input: Values<'a>, name: &str) -> Outcome<'a> {
        match name {
            "range" => {
                self.begin_range += 1;
                Ok(input)
            }
            "end" if self.in_range > 0 => {
                self.end_range += 1;
                Ok(Vec::new())
            }
            "end" => Err(Failure(JsonPathError::NotInRange, Vec::new())),
            other => Err(Failure(JsonPathError::Identifier(other.to_owned()), input)),
        }
    }

    fn field(&mut self, input: &[Value<'a>], name: &str) -> Outcome<'a> {
        let found = |value: &Value<'a>| match value {
            Value::Json(json) => json.get(name).map(Value::Json),
            _ => None,
        };
        let results: Values<'a> = input.iter().filter_map(found).collect();
        if results.is_empty() && !input.is_empty() && !self.allow_missing_keys {
            return Err(Failure(JsonPathError::NotFound(name.to_owned()), results));
        }
        Ok(results)
    }

    fn union(&mut self, input: Values<'a>, members: &'a [Vec<Node>]) -> Outcome<'a> {
        let mut all = Vec::new();
        for member in members {
            match self.list(input.clone(), member) {
                Ok(picked) => all.extend(picked),
                Err(Failure(error, _)) => return Err(Failure(error, input)),
            }
        }
        Ok(all)
    }

    fn filter(
        &mut self,
        input: Values<'a>,
        left: &'a [Node],
        right: &'a [Node],
        operator: &Operator,
    ) -> Outcome<'a> {
        let mut results = Vec::new();
        for value in &input {
            let Value::Json(Json::List(elements)) = value else {
                return Err(Failure(JsonPathError::NotFilterable(value.type_name()), input));
            };
            for element in elements {
                let element = Value::Json(element);
                match self.holds(element, left, right, operator) {
                    Ok(true) => results.push(element),
                    Ok(false) => {}
                    Err((error, true)) => return Err(Failure(error, results)),
                    Err((error, false)) => return Err(Failure(error, input)),
                }
            }
        }
        Ok(results)
    }

    /// Returns whether the filter holds for an element. An error comes with a flag: whether the comparison itself
    /// failed.
    fn holds(
        &mut self,
        element: Value<'a>,
        left: &'a [Node],
        right: &'a [Node],
        operator: &Operator,
    ) -> Result<bool, (JsonPathError, bool)> {
        let picked = self.list(vec![element], left);
        if *operator == Operator::Exists {
            return Ok(match picked {
                Ok(values) | Err(Failure(_, values)) => !values.is_empty(),
            });
        }
        let Some(left) = one(picked)? else { return Ok(false) };
        let Some(right) = one(self.list(vec![element], right))? else { return Ok(false) };
        let is = |wanted: fn(Ordering) -> bool| order(left, right).map(wanted).map_err(|error| (error, true));
        match operator {
            Operator::Less => is(Ordering::is_lt),
            Operator::LessOrEqual => is(Ordering::is_le),
            Operator::Greater => is(Ordering::is_gt),
            Operator::GreaterOrEqual => is(Ordering::is_ge),
            Operator::Equal => equal(left, right).map_err(|error| (error, true)),
            Operator::NotEqual => equal(left, right).map(|equal| !equal).map_err(|error| (error, true)),
            Operator::Exists => Ok(true),
            Operator::Other(other) => Err((JsonPathError::Operator(other.clone()), true)),
        }
    }
}

/// One side of a comparison; none where nothing was picked.
fn one(picked: Outcome<'_>) -> Result<Option<Value<'_>>, (JsonPathError, bool)> {
    match picked {
        Ok(values) => match values[..] {
            [] => Ok(None),
            [value] => Ok(Some(value)),
            _ => Err((JsonPathError::Several, false)),
        },
        Err(Failure(error, _)) => Err((error, false)),
    }
}

fn array<'a>(input: Values<'a>, params: &[Param; 3]) -> Outcome<'a> {
    let mut results = Vec::new();
    for value in &input {
        let list = match value {
            Value::Json(Json::Null) => continue,
            Value::Json(Json::List(list)) => list,
            other => return Err(Failure(JsonPathError::NotAnArray(other.type_name()), input)),
        };
        let length = i64::try_from(list.len()).unwrap_or(i64::MAX);
        let [mut begin, mut end, step] = params.map(|param| param.value);
        if !params[0].known {
            begin = 0;
        }
        if begin < 0 {
            begin = begin.saturating_add(length);
        }
        if !params[1].known {
            end = length;
        }
        if end < 0 || (end == 0 && params[1].derived) {
            end = end.saturating_add(length);
        }
        if begin == end {
            return Ok(results);
        }
        let fails = |error| Err(Failure(error, input.clone()));
        let out = |index| JsonPathError::OutOfBounds { index, length: list.len() };
        if begin >= length || begin < 0 {
            return fails(out(begin));
        }
        if end > length || end < 0 {
            return fails(out(end.saturating_sub(1)));
        }
        if begin > end {
            return fails(JsonPathError::Backwards(begin, end));
        }
        if params[2].known && step <= 0 {
            return fails(JsonPathError::Step);
        }
        let step = if params[2].known { usize::try_from(step).unwrap_or(usize::MAX) } else { 1 };
        let index = |at: i64| usize::try_from(at).unwrap_or(0);
        results.extend(list[index(begin)..index(end)].iter().step_by(step).map(Value::Json));
    }
    Ok(results)
}

/// Everything that has something in it: objects, arrays and texts, each before what is in it.
fn recursive<'a>(input: &[Value<'a>], all: &mut Values<'a>) {
    for value in input {
        let children = value.children();
        if !children.is_empty() && all.len() <= MOST {
            all.push(*value);
            recursive(&children, all);
        }
    }
}

impl<'a> Value<'a> {
    pub(super) fn to_json(self) -> Json {
        match self {
            Self::Json(json) => json.clone(),
            Self::Text(text) => text.into(),
            Self::Int(value) => value.into(),
            Self::Float(value) => value.into(),
            Self::Bool(value) => value.into(),
            Self::Byte(value) => value.into(),
            Self::Nothing => Json::Null,
        }
    }

    /// Returns the values in it; for a string, its bytes.
    fn children(&self) -> Values<'a> {
        match *self {
            Self::Json(Json::Map(map)) => map.iter().map(|(_, value)| Value::Json(value)).collect(),
            Self::Json(Json::List(list)) => list.iter().map(Value::Json).collect(),
            Self::Json(Json::Str(text)) => text.bytes().map(Value::Byte).collect(),
            Self::Text(text) => text.bytes().map(Value::Byte).collect(),
            _ => Vec::new(),
        }
    }

    fn type_name(&self) -> &'static str {
        match self {
            Self::Json(Json::Null) | Self::Nothing => "null",
            Self::Json(Json::Bool(_)) | Self::Bool(_) => "a boolean",
            Self::Json(Json::Int(_)) | Self::Int(_) | Self::Byte(_) => "an integer",
            Self::Json(Json::Float(_)) | Self::Float(_) => "a number",
            Self::Json(Json::Str(_)) | Self::Text(_) => "a string",
            Self::Json(Json::List(_)) => "an array",
            Self::Json(Json::Map(_)) => "an object",
        }
    }

    fn basic(&self) -> Option<Basic<'a>> {
        Some(match *self {
            Self::Json(Json::Bool(value)) => Basic::Bool(*value),
            Self::Bool(value) => Basic::Bool(value),
            Self::Json(Json::Int(value)) => Basic::Int(*value),
            Self::Int(value) => Basic::Int(value),
            Self::Byte(value) => Basic::Int(value.into()),
            Self::Json(Json::Float(value)) => Basic::Float(*value),
            Self::Float(value) => Basic::Float(value),
            Self::Json(Json::Str(value)) => Basic::Text(value),
            Self::Text(value) => Basic::Text(value),
            _ => return None,
        })
    }
}

/// Values that can be compared, each with its own type only: an integer is not compared with another number.
enum Basic<'a> {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(&'a str),
}

#[allow(clippy::float_cmp, reason = "equal means equal")]
fn equal(left: Value<'_>, right: Value<'_>) -> Result<bool, JsonPathError> {
    match (left.basic(), right.basic()) {
        (Some(Basic::Bool(left)), Some(Basic::Bool(right))) => Ok(left == right),
        (Some(Basic::Int(left)), Some(Basic::Int(right))) => Ok(left == right),
        (Some(Basic::Float(left)), Some(Basic::Float(right))) => Ok(left == right),
        (Some(Basic::Text(left)), Some(Basic::Text(right))) => Ok(left == right),
        _ => Err(JsonPathError::Comparison),
    }
}

fn order(left: Value<'_>, right: Value<'_>) -> Result<Ordering, JsonPathError> {
    match (left.basic(), right.basic()) {
        (Some(Basic::Int(left)), Some(Basic::Int(right))) => Ok(left.cmp(&right)),
        (Some(Basic::Float(left)), Some(Basic::Float(right))) => {
            left.partial_cmp(&right).ok_or(JsonPathError::Comparison)
        }
        (Some(Basic::Text(left)), Some(Basic::Text(right))) => Ok(left.cmp(right)),
        _ => Err(JsonPathError::Comparison),
    }
}

//! The limits of an evaluation, and its use so far.

use std::collections::BTreeMap;
use std::sync::Arc;

use regex::Regex;

use crate::list::Identity;
use crate::value::{Kind, Library};
use crate::{EvalError, List, Value, go};

/// The maximum cost of one evaluation, in the real server's units: its limit per call.
pub const CALL_COST_LIMIT: u64 = 1_000_000;
/// The maximum number of bytes of all values that one evaluation creates, also of those that are no longer in use.
pub const CALL_MEMORY_LIMIT: u64 = 128 << 20;
/// The maximum number of steps of one evaluation that the real server's units do not count: values that are compared,
/// copied or scanned, with 16 bytes of text per step.
const STEP_LIMIT: u64 = 25_000_000;

const TOO_MUCH: &str = "operation cancelled: actual cost limit exceeded";
/// The number of patterns other than constants that an evaluation keeps.
const PATTERNS_KEPT: usize = 16;
/// The bytes of a value in a list, with some overhead of the list.
const ITEM: u64 = 48;
/// Bytes of an entry of a map.
const ENTRY: u64 = 128;

/// A compiled pattern, or its error. Shared and not cloned: a clone of a `Regex` begins with an empty cache.
pub(crate) type Pattern = Result<Arc<Regex>, String>;
pub(crate) type Patterns = BTreeMap<String, Pattern>;

/// Counts the resources of an evaluation. Each use is counted beforehand, so that work beyond a limit is never begun.
pub(crate) struct Meter {
    cost: u64,
    steps: u64,
    bytes: u64,
    step_limit: u64,
    /// Patterns that were compiled with the program.
    constant: Arc<Patterns>,
    /// Others, the last used last.
    dynamic: Vec<(Arc<str>, Pattern)>,
}

fn too_much() -> EvalError {
    EvalError::failed(TOO_MUCH)
}

impl Meter {
    pub(crate) fn new(constant: Arc<Patterns>) -> Self {
        Self { cost: 0, steps: 0, bytes: 0, step_limit: STEP_LIMIT, constant, dynamic: Vec::new() }
    }

    /// A meter without limits, for comparisons outside of an evaluation.
    pub(crate) fn unlimited() -> Self {
        Self { step_limit: u64::MAX, ..Self::new(Arc::default()) }
    }

    /// Returns the cost so far, in the real server's units.
    pub(crate) fn cost(&self) -> u64 {
        self.cost
    }

    /// Adds to the cost. Fails if any limit is exceeded, and then fails forever.
    pub(crate) fn spend(&mut self, cost: u64) -> Result<(), EvalError> {
        self.cost = self.cost.saturating_add(cost);
        if self.cost > CALL_COST_LIMIT || self.steps > self.step_limit || self.bytes > CALL_MEMORY_LIMIT {
            return Err(too_much());
        }
        Ok(())
    }

    /// Counts steps that are not part of the cost.
    pub(crate) fn step(&mut self, steps: u64) -> Result<(), EvalError> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > self.step_limit { Err(too_much()) } else { Ok(()) }
    }

    /// Counts a scan of this many bytes of text.
    pub(crate) fn scan(&mut self, bytes: usize) -> Result<(), EvalError> {
        self.step(bytes as u64 / 16)
    }

    /// Counts a new text, or other value, of this many bytes.
    pub(crate) fn allocate(&mut self, bytes: usize) -> Result<(), EvalError> {
        self.grow(bytes as u64)
    }

    /// Counts a new list of this many items.
    pub(crate) fn items(&mut self, count: usize) -> Result<(), EvalError> {
        self.step(count as u64)?;
        self.grow((count as u64).saturating_mul(ITEM))
    }

    /// Counts a new map of this many entries.
    pub(crate) fn entries(&mut self, count: usize) -> Result<(), EvalError> {
        self.step(count as u64)?;
        self.grow((count as u64).saturating_mul(ENTRY))
    }

    fn grow(&mut self, bytes: u64) -> Result<(), EvalError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > CALL_MEMORY_LIMIT { Err(too_much()) } else { Ok(()) }
    }

    /// Returns a compiled pattern: one of the program's, or one of the last few that the evaluation has used.
    pub(crate) fn pattern(&mut self, text: &Arc<str>) -> Result<Pattern, EvalError> {
        if let Some(compiled) = self.constant.get(&**text) {
            return Ok(compiled.clone());
        }
        if let Some(at) = self.dynamic.iter().position(|(known, _)| known == text) {
            self.dynamic[at..].rotate_left(1);
        } else {
            self.step(go::pattern_steps(text))?;
            if self.dynamic.len() == PATTERNS_KEPT {
                drop(self.dynamic.remove(0));
            }
            self.dynamic.push((Arc::clone(text), go::pattern(text).map(Arc::new)));
        }
        Ok(self.dynamic.last().map_or_else(|| Err(String::new()), |(_, compiled)| compiled.clone()))
    }

    /// Compares two values; counts each step.
    pub(crate) fn equal(&mut self, a: &Value, b: &Value) -> Result<bool, EvalError> {
        self.step(1)?;
        match (a, b) {
            (Value::Text(a), Value::Text(b)) => {
                Ok(a.len() == b.len() && self.same(a.as_bytes(), b.as_bytes())?)
            }
            (Value::Bytes(a), Value::Bytes(b)) => Ok(a.len() == b.len() && self.same(a, b)?),
            (Value::List(a), Value::List(b)) => self.equal_lists(a, b),
            (Value::Map(a), Value::Map(b)) => {
                if a.len() != b.len() {
                    return Ok(false);
                }
                for ((key, value), (other_key, other)) in a.iter().zip(b.iter()) {
                    if key != other_key || !self.equal(value, other)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (Value::Optional(Some(a)), Value::Optional(Some(b))) => self.equal(a, b),
            (Value::Library(Library(Kind::Url(url))), _) => {
                self.scan(url.len())?;
                Ok(a == b)
            }
            _ => Ok(a == b),
        }
    }

    fn same(&mut self, a: &[u8], b: &[u8]) -> Result<bool, EvalError> {
        self.scan(a.len())?;
        Ok(a == b)
    }

    pub(crate) fn equal_lists(&mut self, a: &List, b: &List) -> Result<bool, EvalError> {
        if a.len() != b.len() {
            return Ok(false);
        }
        if *a.identity() == Identity::Place {
            for (a, b) in a.iter().zip(b.iter()) {
                if !self.equal(a, b)? {
                    return Ok(false);
                }
            }
            return Ok(true);
        }
        let mut seen = vec![false; a.len()];
        for (at, item) in b.iter().enumerate() {
            let Some(found) = self.among(a, item, at)? else { return Ok(false) };
            if !self.equal(&a[found], item)? {
                return Ok(false);
            }
            seen[found] = true;
        }
        for at in 0..seen.len() {
            if !seen[at] && self.first_among(a, &a[at])?.is_none_or(|first| first >= at) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the index of an item of another list in a set or a map: most likely the same index.
    fn among(&mut self, list: &List, item: &Value, likely: usize) -> Result<Option<usize>, EvalError> {
        if self.same_item(list, &list[likely], item)? {
            return Ok(Some(likely));
        }
        self.first_among(list, item)
    }

    fn first_among(&mut self, list: &List, item: &Value) -> Result<Option<usize>, EvalError> {
        for (at, known) in list.iter().enumerate() {
            if self.same_item(list, known, item)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Whether two items of a set or a map are identical.
    fn same_item(&mut self, list: &List, a: &Value, b: &Value) -> Result<bool, EvalError> {
        let (Identity::Fields(keys), Value::Map(fields), Value::Map(others)) = (list.identity(), a, b) else {
            return self.equal(a, b);
        };
        for key in keys.iter() {
            let key = crate::Key::Text(Arc::clone(key));
            let same = match (fields.get(&key), others.get(&key)) {
                (Some(a), Some(b)) => self.equal(a, b)?,
                (None, None) => true,
                _ => false,
            };
            if !same {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Where a list has an item.
    pub(crate) fn position(&mut self, list: &[Value], item: &Value) -> Result<Option<usize>, EvalError> {
        for (at, known) in list.iter().enumerate() {
            if self.equal(known, item)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// Returns the items of both. In a set or a map, an item of both lists occurs once, with the value of the second.
    pub(crate) fn plus(&mut self, a: &List, b: &List) -> Result<List, EvalError> {
        self.items(a.len() + b.len())?;
        let mut items = Vec::with_capacity(a.len() + b.len());
        items.extend(a.iter().cloned());
        for item in b.iter() {
            if *a.identity() == Identity::Place {
                items.push(item.clone());
                continue;
            }
            let mut known = None;
            for (at, other) in items.iter().enumerate() {
                if self.same_item(a, other, item)? {
                    known = Some(at);
                    break;
                }
            }
            match known {
                Some(at) => items[at] = item.clone(),
                None => items.push(item.clone()),
            }
        }
        Ok(List::new(items, a.identity().clone()))
    }
}

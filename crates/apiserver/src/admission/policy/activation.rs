//! The evaluation of a policy's expressions: variables, and budgets.
//!
//! A variable has no value before an expression uses it, and its error matters only there. All the same no evaluation
//! is inside of another, which would need a stack as deep as all of them: the variables that an expression may use are
//! evaluated before it, in their order. They are charged when they are used.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use client_rs_cel::{EvalError, Evaluated, Host, Program, Value};
use client_rs_machinery::Json;
use client_rs_schema::cel_value;

use super::Variable;
use crate::kinds::admissionregistration::ExpressionError;

/// The maximum cost of a policy's expressions of one kind.
pub(super) const BUDGET: u64 = 10_000_000;
/// The maximum cost of match conditions.
pub(in crate::admission) const MATCH_BUDGET: u64 = BUDGET / 4;
/// The error of expressions that cost more than the budget.
pub(super) const OUT_OF_BUDGET: &str =
    "validation failed due to running out of cost budget, no further validation rules will be run";

/// A compiled expression.
#[derive(Debug)]
pub(in crate::admission) struct Compiled {
    pub(super) expression: String,
    program: Result<Program, String>,
    /// The variables that it may use, and those that they may use, in their order.
    needs: Vec<usize>,
}

/// The budget of expressions is spent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::admission) struct OutOfBudget;

/// The values that a request provides.
#[derive(Clone, Debug)]
pub(in crate::admission) struct Inputs {
    pub(in crate::admission) object: Value,
    pub(in crate::admission) old: Value,
    pub(in crate::admission) request: Value,
    pub(in crate::admission) namespace: Value,
    pub(in crate::admission) params: Value,
    /// `None` where expressions can't ask it.
    pub(in crate::admission) authorizer: Option<Value>,
}

/// The evaluation of several expressions with the same values and one budget.
#[derive(Debug)]
pub(in crate::admission) struct Activation<'p> {
    variables: &'p [Variable],
    scope: Vec<(&'static str, Value)>,
    known: Arc<Known>,
    /// The cost of each variable, and the variables that it used; `None` before it is evaluated.
    costs: Vec<Option<(u64, Vec<usize>)>>,
    charged: Vec<bool>,
    /// The cost of all variables that have been evaluated, used or not.
    prepared: u64,
    pub(super) budget: u64,
}

impl Compiled {
    /// An expression that may use the variables before it.
    pub(in crate::admission) fn new(
        expression: String,
        program: Result<Program, ExpressionError>,
        variables: &[Variable],
    ) -> Self {
        let mut needs = Vec::new();
        if let Ok(program) = &program {
            for name in program.selected("variables") {
                // Of two variables of the same name, the later one counts.
                if let Some(at) = variables.iter().rposition(|variable| variable.name == name) {
                    needs.extend_from_slice(&variables[at].value.needs);
                    needs.push(at);
                }
            }
        }
        needs.sort_unstable();
        needs.dedup();
        let program = program.map_err(|error| error.detail().to_owned());
        Self { expression, program, needs }
    }
}

impl Inputs {
    /// The values of a request without parameters and namespace.
    pub(in crate::admission) fn new(
        object: Option<&Json>,
        old: Option<&Json>,
        request: &Json,
        authorizer: Value,
    ) -> Self {
        let value = |json: Option<&Json>| json.map_or(Value::Null, cel_value);
        Self {
            object: value(object),
            old: value(old),
            request: cel_value(request),
            namespace: Value::Null,
            params: Value::Null,
            authorizer: Some(authorizer),
        }
    }
}

impl<'p> Activation<'p> {
    pub(in crate::admission) fn new(variables: &'p [Variable], inputs: &Inputs, budget: u64) -> Self {
        let names: Vec<String> = variables.iter().map(|variable| variable.name.clone()).collect();
        let values = Mutex::new(vec![None; names.len()]);
        let known = Arc::new(Known { names, values, used: Mutex::default() });
        let mut scope = vec![
            ("object", inputs.object.clone()),
            ("oldObject", inputs.old.clone()),
            ("request", inputs.request.clone()),
            ("namespaceObject", inputs.namespace.clone()),
            ("params", inputs.params.clone()),
        ];
        scope.extend(inputs.authorizer.clone().map(|authorizer| ("authorizer", authorizer)));
        let host: Arc<dyn Host> = known.clone();
        scope.push(("variables", Value::host(host)));
        Self {
            variables,
            scope,
            known,
            costs: vec![None; variables.len()],
            charged: vec![false; variables.len()],
            prepared: 0,
            budget,
        }
    }

    /// Evaluates an expression. The error is the reason why it has no value.
    pub(in crate::admission) fn evaluate(
        &mut self,
        compiled: &Compiled,
    ) -> Result<Result<Value, String>, OutOfBudget> {
        let program = match &compiled.program {
            Ok(program) => program,
            Err(why) => return Ok(Err(format!("compilation error: {why}"))),
        };
        for at in &compiled.needs {
            self.prepare(*at);
        }
        let Evaluated { outcome, cost } = program.run(&self.scope);
        let used = self.known.take_used();
        let composed = self.charge(used);
        self.spend(composed)?;
        self.spend(cost)?;
        let expression = &compiled.expression;
        Ok(outcome.map_err(|why| format!("expression '{expression}' resulted in error: {why}")))
    }

    /// Whether all conditions hold. If one does not hold, errors of the others do not matter.
    pub(in crate::admission) fn met<'c>(
        &mut self,
        conditions: impl IntoIterator<Item = &'c Compiled>,
    ) -> Result<bool, String> {
        let mut results = Vec::new();
        for condition in conditions {
            results.push(self.evaluate(condition).map_err(|OutOfBudget| OUT_OF_BUDGET.to_owned())?);
        }
        let mut wrong: Vec<String> = Vec::new();
        for result in results {
            match result {
                Ok(Value::Bool(false)) => return Ok(false),
                Ok(_) => {}
                Err(why) if wrong.contains(&why) => {}
                Err(why) => wrong.push(why),
            }
        }
        match wrong.as_slice() {
            [] => Ok(true),
            [one] => Err(one.clone()),
            _ => Err(format!("[{}]", wrong.join(", "))),
        }
    }

    /// Evaluates a variable, unless that was done. Those that it uses have been evaluated before.
    fn prepare(&mut self, at: usize) {
        if self.costs[at].is_some() {
            return;
        }
        let Variable { name, value } = &self.variables[at];
        let (outcome, cost) = match &value.program {
            Err(why) => (Err(format!("composited variable {name:?} fails to compile: {why}")), 0),
            // An expression that uses it has no budget left.
            Ok(_) if self.prepared > BUDGET => (Err(OUT_OF_BUDGET.to_owned()), BUDGET + 1),
            Ok(program) => {
                let Evaluated { outcome, cost } = program.run(&self.scope);
                let failed =
                    |why: EvalError| format!("composited variable {name:?} fails to evaluate: {why}");
                (outcome.map_err(failed), cost)
            }
        };
        self.prepared = self.prepared.saturating_add(cost);
        self.costs[at] = Some((cost, self.known.take_used()));
        self.known.set(at, outcome.map_err(EvalError::Failed));
    }

    /// Returns the cost of variables that were used for the first time, and of those that they used.
    fn charge(&mut self, used: Vec<usize>) -> u64 {
        let (mut sum, mut open) = (0_u64, used);
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut self.charged[at], true) {
                continue;
            }
            if let Some((cost, used)) = &self.costs[at] {
                sum = sum.saturating_add(*cost);
                open.extend_from_slice(used);
            }
        }
        sum
    }

    fn spend(&mut self, cost: u64) -> Result<(), OutOfBudget> {
        self.budget = self.budget.checked_sub(cost).ok_or(OutOfBudget)?;
        Ok(())
    }
}

/// The variables as an expression sees them.
#[derive(Debug)]
struct Known {
    names: Vec<String>,
    values: Mutex<Vec<Option<Result<Value, EvalError>>>>,
    /// The variables that expressions used since the last look.
    used: Mutex<Vec<usize>>,
}

impl Known {
    fn set(&self, at: usize, value: Result<Value, EvalError>) {
        locked(&self.values)[at] = Some(value);
    }

    fn take_used(&self) -> Vec<usize> {
        let mut used = std::mem::take(&mut *locked(&self.used));
        used.sort_unstable();
        used.dedup();
        used
    }
}

impl Host for Known {
    fn type_name(&self) -> &'static str {
        "kubernetes.variables"
    }

    fn field(&self, name: &str) -> Option<Result<Value, EvalError>> {
        let at = self.names.iter().rposition(|known| known == name)?;
        let value = locked(&self.values)[at].clone()?;
        let mut used = locked(&self.used);
        // A loop uses the same variable many times.
        if used.last() != Some(&at) && !used.contains(&at) {
            used.push(at);
        }
        Some(value)
    }
}

fn locked<T>(value: &Mutex<T>) -> MutexGuard<'_, T> {
    value.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use client_rs_machinery::json;

    use super::*;
    use crate::kinds::admissionregistration::{Expressions, Use};

    fn variables(given: &[(&str, &str)]) -> (Expressions, Vec<Variable>) {
        let mut expressions = Expressions::with_variables(false);
        let mut variables: Vec<Variable> = Vec::new();
        for (name, expression) in given {
            let program = expressions.declare(name, expression);
            let value = Compiled::new((*expression).to_owned(), program, &variables);
            variables.push(Variable { name: (*name).to_owned(), value });
        }
        (expressions, variables)
    }

    fn inputs() -> Inputs {
        let object = json!({"spec": {"replicas": 3, "items": [1, 2, 3]}});
        Inputs::new(Some(&object), None, &json!({"operation": "CREATE"}), Value::Null)
    }

    #[test]
    fn a_variable_is_evaluated_if_it_is_used() {
        let (expressions, variables) = variables(&[
            ("count", "object.spec.items.size()"),
            ("bad", "object.nothing == 1"),
            ("more", "variables.count + 1"),
        ]);
        let compiled = |text: &str| {
            Compiled::new(text.to_owned(), expressions.compile(text, Use::Condition), &variables)
        };
        let mut activation = Activation::new(&variables, &inputs(), BUDGET);
        let mut of = |text: &str| activation.evaluate(&compiled(text)).unwrap();
        assert_eq!(of("variables.more == 4"), Ok(Value::Bool(true)));
        assert_eq!(of("object.spec.replicas == 3 || variables.bad"), Ok(Value::Bool(true)));
        let why = "expression 'variables.bad' resulted in error: composited variable \"bad\" fails to evaluate: no such \
                   key: nothing";
        assert_eq!(of("variables.bad"), Err(why.to_owned()));
    }

    #[test]
    fn a_variable_is_charged_once_and_only_if_it_is_used() {
        let (expressions, variables) = variables(&[
            ("dear", "[1, 2, 3].map(i, i * 2).map(i, i * 2).size()"),
            ("twice", "variables.dear * 2"),
        ]);
        let compiled = |text: &str| {
            Compiled::new(text.to_owned(), expressions.compile(text, Use::Condition), &variables)
        };
        let cost = |texts: &[&str]| {
            let mut activation = Activation::new(&variables, &inputs(), BUDGET);
            for text in texts {
                activation.evaluate(&compiled(text)).unwrap().unwrap();
            }
            BUDGET - activation.budget
        };
        let unused = cost(&["true || variables.twice == 12"]);
        let once = cost(&["variables.twice == 12"]);
        assert!(unused < 10 && once > 100, "{unused} {once}");
        assert!(cost(&["variables.twice == 12", "variables.dear == 6"]) < once + 10);
    }

    #[test]
    fn a_long_chain_of_variables_needs_no_deep_stack() {
        let mut given = vec![("v0".to_owned(), "1".to_owned())];
        for at in 1..500 {
            given.push((format!("v{at}"), format!("variables.v{} + 1", at - 1)));
        }
        let given: Vec<(&str, &str)> =
            given.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let (expressions, variables) = variables(&given);
        let text = "variables.v499 == 500";
        let last = Compiled::new(text.to_owned(), expressions.compile(text, Use::Condition), &variables);
        let mut activation = Activation::new(&variables, &inputs(), BUDGET);
        assert_eq!(activation.evaluate(&last), Ok(Ok(Value::Bool(true))));
    }

    #[test]
    fn expressions_share_a_budget() {
        let (expressions, variables) = variables(&[]);
        let text = "[1, 2, 3].all(i, i > 0)";
        let compiled = Compiled::new(text.to_owned(), expressions.compile(text, Use::Condition), &variables);
        let mut activation = Activation::new(&variables, &inputs(), 50);
        assert_eq!(activation.evaluate(&compiled), Ok(Ok(Value::Bool(true))));
        assert_eq!((0..9).find_map(|_| activation.evaluate(&compiled).err()), Some(OutOfBudget));
    }

    #[test]
    fn a_condition_that_is_false_overrides_errors() {
        let plain = Expressions::new(false);
        let of = |texts: &[&str]| {
            let all: Vec<Compiled> = texts
                .iter()
                .map(|text| Compiled::new((*text).to_owned(), plain.compile(text, Use::Condition), &[]))
                .collect();
            Activation::new(&[], &inputs(), BUDGET).met(&all)
        };
        assert_eq!(of(&[]), Ok(true));
        assert_eq!(of(&["object.spec.replicas == 3", "oldObject == null"]), Ok(true));
        assert_eq!(of(&["object.data.x == 'a'", "request.operation == 'DELETE'"]), Ok(false));
        let wrong = "expression 'object.data.x == 'a'' resulted in error: no such key: data";
        assert_eq!(of(&["object.data.x == 'a'", "true"]), Err(wrong.to_owned()));
    }
}

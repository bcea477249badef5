//! The CEL expressions of policies and match conditions: their variables, their types, and their errors.

use client_rs_cel::{Checker, Program, Type};
use client_rs_machinery::{FieldError, collections::VecMap};

use crate::kinds::rules::Errors;

/// The environment of a policy's expressions.
///
/// Variables of the policy are added one after another: an expression can use those before it.
#[derive(Clone, Debug)]
pub(crate) struct Expressions {
    /// Whether the policy has parameters.
    params: bool,
    /// The variables of the policy; `None` if the policy cannot have any.
    variables: Option<VecMap<String, Type>>,
}

/// The use of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    /// A validation or a match condition.
    Condition,
    /// A message. It can't ask the authorizer.
    Message,
    /// The value of an audit annotation.
    Annotation,
    /// A variable.
    Variable,
    /// The configuration that a mutation applies.
    ApplyConfiguration,
    /// The operations of a JSON patch.
    JsonPatch,
}

/// The reason why an expression can't be used, in the real server's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ExpressionError {
    Invalid(String),
    Internal(String),
}

impl ExpressionError {
    pub(crate) fn detail(&self) -> &str {
        match self {
            Self::Invalid(detail) | Self::Internal(detail) => detail,
        }
    }

    /// Reports the error of an expression at a path.
    pub(super) fn report(self, path: String, expression: &str, errors: &mut Errors) {
        errors.push(match self {
            Self::Invalid(detail) => FieldError::invalid(path, expression, detail),
            Self::Internal(detail) => FieldError::internal(path, detail),
        });
    }
}

impl Expressions {
    /// Expressions without variables of a policy.
    pub(crate) fn new(params: bool) -> Self {
        Self { params, variables: None }
    }

    /// Expressions with variables of a policy.
    pub(crate) fn with_variables(params: bool) -> Self {
        Self { params, variables: Some(VecMap::new()) }
    }

    /// Compiles a variable. The expressions after it can use it, also if it has an error.
    pub(crate) fn declare(&mut self, name: &str, expression: &str) -> Result<Program, ExpressionError> {
        let compiled = self.typed(expression, Use::Variable);
        let of = compiled.as_ref().map_or(Type::Dyn, |(of, _)| declared(of));
        if let Some(variables) = &mut self.variables {
            variables.insert(name.to_owned(), of);
        }
        compiled.map(|(_, program)| program)
    }

    /// Compiles an expression.
    pub(crate) fn compile(&self, expression: &str, to: Use) -> Result<Program, ExpressionError> {
        self.typed(expression, to).map(|(_, program)| program)
    }

    fn typed(&self, expression: &str, to: Use) -> Result<(Type, Program), ExpressionError> {
        let of = self
            .checker(to, &Types::default())
            .check(expression)
            .map_err(|error| ExpressionError::Invalid(format!("compilation failed: {error}")))?;
        let wanted: &[Type] = match to {
            Use::Condition => &[Type::Bool],
            Use::Message => &[Type::Text],
            Use::Annotation => &[Type::Text, Type::Null],
            Use::Variable => &[],
            Use::ApplyConfiguration => &[Type::object("Object", [])],
            Use::JsonPatch => &[Type::list(Type::object("JSONPatch", []))],
        };
        if !wanted.is_empty() && !wanted.contains(&of) {
            let names: Vec<String> = wanted.iter().map(Type::go_name).collect();
            let names = match names.as_slice() {
                [one] => one.clone(),
                many => format!("one of [{}]", many.join(" ")),
            };
            let why = format!("must evaluate to {names} but got {}", of.go_name());
            return Err(ExpressionError::Invalid(why));
        }
        let program = Program::compile(expression)
            .map_err(|error| ExpressionError::Invalid(format!("compilation failed: {error}")))?;
        program
            .constants()
            .map_err(|error| ExpressionError::Internal(format!("program instantiation failed: {error}")))?;
        Ok((of, program))
    }

    /// Checks an expression against known types of the object and the parameters. Returns the mistakes.
    pub(crate) fn mistakes(&self, expression: &str, types: &Types) -> Option<String> {
        self.checker(Use::Condition, types).check(expression).err().map(|error| error.to_string())
    }

    /// Adds a variable whose type follows from known types.
    pub(crate) fn declare_typed(&mut self, name: &str, expression: &str, types: &Types) {
        let of = self.checker(Use::Variable, types).check(expression);
        let of = of.map_or(Type::Dyn, |of| declared(&of));
        if let Some(variables) = &mut self.variables {
            variables.insert(name.to_owned(), of);
        }
    }

    fn checker(&self, to: Use, types: &Types) -> Checker {
        let object = types.object.clone().unwrap_or(Type::Dyn);
        let mut checker = Checker::new([
            ("object", object.clone()),
            ("oldObject", object),
            ("namespaceObject", namespace_type()),
            ("request", request_type()),
        ]);
        if self.params {
            checker.declare("params", types.params.clone().unwrap_or(Type::Dyn));
        }
        if to != Use::Message {
            checker.declare("authorizer", Type::authorizer());
        }
        if let Some(variables) = &self.variables {
            let fields = variables.iter().map(|(name, of)| (name.as_str(), of.clone()));
            checker.declare("variables", Type::object("kubernetes.variables", fields));
        }
        match to {
            Use::ApplyConfiguration | Use::JsonPatch => checker.with_patch_types(),
            _ => checker,
        }
    }
}

/// The types of the object and of the parameters, if they are known.
#[derive(Clone, Debug, Default)]
pub(crate) struct Types {
    pub(crate) object: Option<Type>,
    pub(crate) params: Option<Type>,
}

/// The type that a variable has in the expressions after it. The real server keeps only plain types, lists and maps.
fn declared(of: &Type) -> Type {
    match of {
        Type::Object(_) | Type::Optional(_) | Type::Type | Type::Library(_) => Type::Dyn,
        Type::List(of) => Type::list(declared(of)),
        Type::Map(of) => Type::Map(std::sync::Arc::new((declared(&of.0), declared(&of.1)))),
        of => of.clone(),
    }
}

fn texts() -> Type {
    Type::list(Type::Text)
}

/// The type of `request`.
fn request_type() -> Type {
    let named = |name: &str, last: &'static str| {
        Type::object(name, [("group", Type::Text), ("version", Type::Text), (last, Type::Text)])
    };
    let kind = named("kubernetes.GroupVersionKind", "kind");
    let resource = named("kubernetes.GroupVersionResource", "resource");
    let user = Type::object(
        "kubernetes.UserInfo",
        [("username", Type::Text), ("uid", Type::Text), ("groups", texts()), ("extra", Type::map(texts()))],
    );
    Type::object(
        "kubernetes.AdmissionRequest",
        [
            ("kind", kind.clone()),
            ("resource", resource.clone()),
            ("subResource", Type::Text),
            ("requestKind", kind),
            ("requestResource", resource),
            ("requestSubResource", Type::Text),
            ("name", Type::Text),
            ("namespace", Type::Text),
            ("operation", Type::Text),
            ("userInfo", user),
            ("dryRun", Type::Bool),
            ("options", Type::Dyn),
        ],
    )
}

/// The type of `namespaceObject`.
fn namespace_type() -> Type {
    let condition = Type::object(
        "kubernetes.NamespaceCondition",
        [
            ("status", Type::Text),
            ("type", Type::Text),
            ("lastTransitionTime", Type::Timestamp),
            ("message", Type::Text),
            ("reason", Type::Text),
        ],
    );
    let metadata = Type::object(
        "kubernetes.NamespaceMetadata",
        [
            ("name", Type::Text),
            ("generateName", Type::Text),
            ("namespace", Type::Text),
            ("labels", Type::map(Type::Text)),
            ("annotations", Type::map(Type::Text)),
            ("UID", Type::Text),
            ("creationTimestamp", Type::Timestamp),
            ("deletionGracePeriodSeconds", Type::Int),
            ("deletionTimestamp", Type::Timestamp),
            ("generation", Type::Int),
            ("resourceVersion", Type::Text),
            ("finalizers", texts()),
        ],
    );
    let status = [("conditions", Type::list(condition)), ("phase", Type::Text)];
    Type::object(
        "kubernetes.Namespace",
        [
            ("metadata", metadata),
            ("spec", Type::object("kubernetes.NamespaceSpec", [("finalizers", texts())])),
            ("status", Type::object("kubernetes.NamespaceStatus", status)),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(expressions: &Expressions, text: &str, to: Use) -> String {
        expressions.compile(text, to).map(drop).unwrap_err().detail().to_owned()
    }

    #[test]
    fn an_expression_must_have_the_type_of_its_use() {
        let plain = Expressions::new(false);
        assert!(plain.compile("object.spec.replicas > 1", Use::Condition).is_ok());
        assert_eq!(refused(&plain, "object.spec.ok", Use::Condition), "must evaluate to bool but got dyn");
        assert_eq!(refused(&plain, "1", Use::Message), "must evaluate to string but got int");
        assert_eq!(
            refused(&plain, "duration('1s')", Use::Annotation),
            "must evaluate to one of [string null_type] but got google.protobuf.Duration"
        );
        assert!(plain.compile("null", Use::Annotation).is_ok());
        assert!(plain.compile("[JSONPatch{op: 'remove', path: '/a'}]", Use::JsonPatch).is_ok());
        assert_eq!(refused(&plain, "'a'", Use::ApplyConfiguration), "must evaluate to Object but got string");
    }

    #[test]
    fn an_expression_uses_only_the_variables_of_its_place() {
        let plain = Expressions::new(false);
        for (text, name) in [("params.x == 1", "params"), ("variables.x == 1", "variables")] {
            let why = format!(
                "compilation failed: ERROR: <input>:1:1: undeclared reference to '{name}' (in container '')"
            );
            assert!(refused(&plain, text, Use::Condition).starts_with(&why), "{text}");
        }
        assert!(
            refused(&plain, "authorizer.path('/a').check('get').reason()", Use::Message)
                .contains("undeclared")
        );
        assert!(Expressions::new(true).compile("params.x == 1", Use::Condition).is_ok());

        let mut composed = Expressions::with_variables(false);
        assert!(composed.declare("count", "object.items.size()").is_ok());
        assert!(composed.declare("many", "variables.count > 10").is_ok());
        assert!(composed.declare("early", "variables.late").is_err());
        assert!(composed.compile("variables.many && variables.early == 1", Use::Condition).is_ok());
        assert!(refused(&composed, "variables.count", Use::Condition).ends_with("but got int"));
    }
}

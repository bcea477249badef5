//! Expressions of admission policies: values of the program, and objects of mutations.

use std::sync::Arc;

use client_rs_cel::{Checker, EvalError, Host, Program, Type, Value};

#[derive(Debug)]
struct Lazy;

impl Host for Lazy {
    fn type_name(&self) -> &'static str {
        "example.Lazy"
    }

    fn field(&self, name: &str) -> Option<Result<Value, EvalError>> {
        match name {
            "one" => Some(Ok(Value::Int(1))),
            "bad" => Some(Err(EvalError::Failed("it failed".to_owned()))),
            _ => None,
        }
    }

    fn method(&self, function: &str, args: &[Value]) -> Option<Result<Value, EvalError>> {
        (function == "check" && args.len() == 1).then_some(Ok(Value::Bool(true)))
    }
}

fn evaluate(text: &str) -> Result<Value, String> {
    let program = Program::compile(text).map_err(|error| error.to_string())?;
    let variables = [("lazy", Value::host(Arc::new(Lazy)))];
    program.evaluate(&variables).map_err(|error| error.to_string())
}

#[test]
fn an_expression_reads_fields_and_calls_methods_of_the_program() {
    for text in [
        "lazy.one == 1",
        "has(lazy.one) && !has(lazy.two) && lazy.?one.orValue(2) == 1 && lazy.?two.orValue(2) == 2",
        "lazy.one == 1 || lazy.bad == 1",
        "lazy.check('x') && lazy.check('y')",
    ] {
        assert_eq!(evaluate(text), Ok(Value::Bool(true)), "{text}");
    }
    assert_eq!(evaluate("lazy.bad == 1"), Err("it failed".to_owned()));
    assert_eq!(evaluate("lazy.two == 1"), Err("no such key: two".to_owned()));
    // The third question exceeds the cost of an expression.
    let three = "lazy.check('x') && lazy.check('y') && lazy.check('z')";
    assert!(evaluate(three).is_err_and(|error| error.contains("cost limit exceeded")));
}

#[test]
fn an_expression_creates_objects_of_mutations() {
    let Ok(Value::Library(made)) =
        evaluate("Object{spec: Object.spec{replicas: 1, ?paused: optional.none()}}")
    else {
        panic!("an object")
    };
    let object = made.as_struct().unwrap();
    assert_eq!(object.name, "Object");
    let Value::Library(spec) = &object.fields["spec"] else { panic!("a part") };
    let spec = spec.as_struct().unwrap();
    assert_eq!((spec.name.as_str(), spec.fields.len()), ("Object.spec", 1));
    assert_eq!(evaluate("Object{a: 1}.a == 1 && !has(Object{}.a)"), Ok(Value::Bool(true)));
    assert_eq!(evaluate("jsonpatch.escapeKey('a/b~c') == 'a~1b~0c'"), Ok(Value::Bool(true)));
    assert!(evaluate("Other{a: 1}").is_err());
    let wrong = "unexpected type int for JSONPatchType 'op' field";
    assert_eq!(evaluate("JSONPatch{op: 1}"), Err(wrong.to_owned()));
}

#[test]
fn the_types_of_policies_are_checked() {
    let plain = Checker::new([("authorizer", Type::authorizer()), ("object", Type::Dyn)]);
    let of = |checker: &Checker, text: &str| {
        checker.check(text).map(|of| of.go_name()).map_err(|error| error.faults().next().unwrap().to_owned())
    };
    let allowed = "authorizer.group('apps').resource('deployments').namespace('a').check('create').allowed()";
    assert_eq!(of(&plain, allowed), Ok("bool".to_owned()));
    assert_eq!(of(&plain, "authorizer.requestResource.check('get').reason()"), Ok("string".to_owned()));
    assert_eq!(
        of(&plain, "authorizer.serviceAccount('a', 'b').path('/x').check('get').errored()"),
        Ok("bool".to_owned())
    );
    assert_eq!(
        of(&plain, "authorizer.group(1)"),
        Err("found no matching overload for 'group' applied to 'kubernetes.authorization.Authorizer.(int)'"
            .to_owned())
    );
    assert_eq!(of(&plain, "Object{}"), Err("undeclared reference to 'Object' (in container '')".to_owned()));
    assert!(of(&plain, "jsonpatch.escapeKey('a')").is_err());

    let patches = plain.with_patch_types();
    for (text, wanted) in [
        ("Object{spec: Object.spec{a: [Object.spec.a{b: 1}]}}", "Object"),
        (
            "[JSONPatch{op: 'add', path: '/a/' + jsonpatch.escapeKey('b'), value: {'x': 1}}]",
            "list(JSONPatch)",
        ),
        ("object.a ? [JSONPatch{op: 'test', path: '/a'}] : []", "list(JSONPatch)"),
    ] {
        assert_eq!(of(&patches, text), Ok(wanted.to_owned()), "{text}");
    }
    assert_eq!(
        of(&patches, "JSONPatch{op: 1}"),
        Err("expected type of field 'op' is 'string' but provided type is 'int'".to_owned())
    );
    let error = patches.check("Object{spec: Object.spec{a: nobody}}").unwrap_err();
    assert!(
        error.to_string().starts_with("ERROR: <input>:1:29: undeclared reference to 'nobody'"),
        "{error}"
    );
}

//! Limits of an evaluation: time, memory and stack are bounded for every expression and object.
#![cfg(feature = "evaluate")]

use std::sync::Arc;

use client_rs_cel::{Checker, Program, Type, Value, go, parse};

const TOO_MUCH: &str = "operation cancelled: actual cost limit exceeded";

fn evaluate(rule: &str, own: Value) -> Result<Value, String> {
    let program = Program::compile(rule).unwrap_or_else(|error| panic!("{rule}: {error}"));
    program.evaluate(&[("self", own)]).map_err(|error| error.to_string())
}

fn stopped(rule: &str, own: Value) {
    assert_eq!(evaluate(rule, own), Err(TOO_MUCH.to_owned()), "{rule}");
}

/// Runs on a stack as small as that of a runtime's worker.
fn on_a_small_stack(run: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(run).expect("a thread");
    thread.join().expect("no panic");
}

#[test]
fn a_replacement_that_squares_a_text_is_stopped_before_it_is_made() {
    let text = Value::text("x".repeat(1_000));
    stopped("[self.replace('', self)].map(y, y.replace('', y)).size() == 1", text.clone());
    assert_eq!(evaluate("self.replace('x', 'yy').size() == 2000", text), Ok(Value::Bool(true)));
}

#[test]
fn a_list_that_doubles_is_stopped_before_it_is_made() {
    let mut rule = "self".to_owned();
    for _ in 0..45 {
        rule = format!("[{rule}].map(y, y + y)[0]");
    }
    stopped(&rule, Value::list((0..10).map(Value::Int)));
}

#[test]
fn lists_of_the_same_list_are_not_flattened_without_limit() {
    stopped(
        "lists.range(2000).map(i, self).flatten().size() == 0",
        Value::list((0..300_000).map(Value::Int)),
    );
}

#[test]
fn a_format_that_repeats_an_object_is_stopped_before_it_is_written() {
    let rule =
        "[lists.range(1000).map(i, self)].map(y, '%s'.format([lists.range(1000).map(i, y)])).size() == 1";
    stopped(rule, Value::text("x".repeat(1_000)));
}

#[test]
fn a_range_is_paid_for_before_it_is_made() {
    stopped("lists.range(10000000).size() == 0", Value::Null);
    stopped("lists.range(9223372036854775807).size() == 0", Value::Null);
    assert_eq!(evaluate("lists.range(1000).size() == 1000", Value::Null), Ok(Value::Bool(true)));
}

#[test]
fn comparing_all_items_with_all_others_is_paid_for_before_it_is_done() {
    let many = Value::list((0..300_000).map(Value::Int));
    for rule in [
        "self.distinct().size() > 0",
        "self.sort().size() > 0",
        "sets.contains(self, self)",
        "sets.equivalent(self, self)",
    ] {
        stopped(rule, many.clone());
    }
}

#[test]
fn a_million_comparisons_of_a_shared_value_are_stopped() {
    let rule =
        "[lists.range(1000).map(i, self)].map(y, lists.range(1000).map(i, y)).all(z, z == dyn(z.map(a, a)))";
    stopped(rule, Value::list((0..300_000).map(Value::Int)));
}

#[test]
fn a_loop_that_ends_early_does_not_copy_its_range() {
    // Each inner loop ends with its first item: 50,000 × 50,000 copies would take minutes.
    let rule = "self.all(a, self.exists(b, true))";
    assert_eq!(evaluate(rule, Value::list((0..50_000).map(Value::Int))), Ok(Value::Bool(true)));
}

#[test]
fn a_place_of_a_part_is_found_in_linear_time() {
    let text = Value::text(format!("{}b", "a".repeat(600_000)));
    let rule = "self.indexOf(self.substring(300000), 1) == 300000 && self.lastIndexOf('ä', 5) == -1";
    assert_eq!(evaluate(rule, text), Ok(Value::Bool(true)));
}

#[test]
fn a_constant_pattern_is_compiled_once() {
    // A class of all letters a thousand times is expensive to compile, but cheap in cel-go's units.
    let many = Value::list((0..20_000).map(|_| Value::text("ab")));
    let rule = r"self.all(x, x.matches('^\\pL{2,9}[a-z]{0,60}$'))";
    assert_eq!(evaluate(rule, many), Ok(Value::Bool(true)));
}

#[test]
fn patterns_that_objects_hold_are_bounded() {
    // Each is a different pattern, and takes a while to compile.
    let hostile = Value::list((0..20_000).map(|at| Value::text(format!(r"\pL{{1,200}}{at}"))));
    stopped("self.all(x, !'ab'.matches(x))", hostile);
    let ordinary = Value::list((0..300).map(|at| Value::text(format!("^[a-z0-9]{{1,63}}-{at}$"))));
    assert_eq!(evaluate("self.all(x, !'ab'.matches(x))", ordinary), Ok(Value::Bool(true)));
}

#[test]
fn a_pattern_is_neither_long_nor_large() {
    for pattern in ["a".repeat(1 << 20), r"(\pL{1000}){1000}".to_owned(), r"\Q\E".repeat(200_000)] {
        let error = go::pattern(&pattern).unwrap_err();
        assert!(error.starts_with("error parsing regexp: expression too large"), "{error}");
    }
    assert!(go::pattern(r"^.{0,1000}$").is_ok());
}

#[test]
fn quoted_parts_of_a_pattern_do_not_use_the_stack() {
    on_a_small_stack(|| {
        assert!(go::pattern(&r"\Q\E".repeat(8_000)).unwrap().is_match(""));
        let pattern = go::pattern(&format!("^{}$", r"\Qa.\E".repeat(20))).unwrap();
        assert!(pattern.is_match(&"a.".repeat(20)) && !pattern.is_match(&"ab".repeat(20)));
        assert!(go::pattern(r"^\Qa\Eb\Qc.\E[\Q]$").is_err());
    });
}

#[test]
fn all_matches_are_found_in_bounded_time() {
    stopped("self.findAll('.*[^A-Z]|[A-Z]').size() > 0", Value::text("A".repeat(400_000)));
    assert_eq!(
        evaluate("self.findAll('[a-z]').size() == 2000", Value::text("a1".repeat(2_000))),
        Ok(Value::Bool(true))
    );
}

#[test]
fn chains_of_operators_fit_a_small_stack() {
    on_a_small_stack(|| {
        let term = |operator: &str, term: &str| vec![term; 990].join(operator);
        let nested = {
            let product = term(" * ", "1");
            let sum = format!("{} + {product}", term(" + ", "1"));
            format!("{sum} == 1 && true || {sum} == 1")
        };
        let mut members = "self".to_owned();
        let mut negated = "self".to_owned();
        let mut lists = "self".to_owned();
        for _ in 0..90 {
            members = format!("({members}.a.b.c.d.e.f.g.h)");
            negated = format!("-({negated} - 1 * self + 1 * self)");
            lists = format!("[{lists}][0]");
        }
        let macros = (0..60).fold("self".to_owned(), |inner, at| format!("[{inner}].map(x{at}, x{at})"));
        for text in [&nested, &term(" + ", "1"), &term(" && ", "true"), &members, &negated, &lists, &macros] {
            let _ = parse(text);
            let _ = Checker::new([("self", Type::Dyn)]).cost(text);
            if let Ok(program) = Program::compile(text) {
                let _ = program.constants();
                let _ = program.uses("nobody");
                let _ = program.evaluate(&[("self", Value::Int(1))]);
                drop(program.clone());
            }
        }
    });
}

#[test]
fn as_deep_as_an_expression_may_be_it_can_be_checked_and_evaluated_on_a_small_stack() {
    on_a_small_stack(|| {
        let sum = vec!["self"; 249].join(" + ");
        assert_eq!(Checker::new([("self", Type::Int)]).check(&sum), Ok(Type::Int));
        assert_eq!(evaluate(&sum, Value::Int(1)), Ok(Value::Int(249)));
        let longer = vec!["self"; 400].join(" + ");
        assert!(parse(&longer).unwrap_err().message.contains("recursion limit"));
        let macros = (0..95).fold("self".to_owned(), |inner, at| format!("[1].map(x{at}, {inner})[0]"));
        assert!(Checker::new([("self", Type::Int)]).check(&macros).is_ok());
        assert_eq!(evaluate(&macros, Value::Int(1)), Ok(Value::Int(1)));
    });
}

#[test]
fn long_chains_of_and_and_or_are_evaluated() {
    on_a_small_stack(|| {
        let all = vec!["self == 1"; 900].join(" && ");
        assert_eq!(evaluate(&all, Value::Int(1)), Ok(Value::Bool(true)));
        let any = vec!["self == 2"; 900].join(" || ");
        assert_eq!(evaluate(&any, Value::Int(1)), Ok(Value::Bool(false)));
        assert_eq!(Checker::new([("self", Type::Int)]).check(&all), Ok(Type::Bool));
        // Mistakes have their correct place, anywhere in the tree.
        let wrong = "self == 1 && self == 1 && self == 'a' && self == 1 && self == 1";
        let error = Checker::new([("self", Type::Int)]).check(wrong).unwrap_err().to_string();
        assert!(error.starts_with("ERROR: <input>:1:32: found no matching overload for '_==_'"), "{error}");
    });
}

#[test]
fn formats_inside_formats_are_checked_once() {
    let mut rule = "self".to_owned();
    for _ in 0..45 {
        rule = format!("'%s'.format([{rule}])");
    }
    assert_eq!(Checker::new([("self", Type::Text)]).check(&rule), Ok(Type::Text));
    let bad = "'%s'.format(['%d'.format(['a'])])";
    assert!(Checker::new([("self", Type::Text)]).check(bad).is_err());
}

#[test]
fn types_that_double_are_checked() {
    let mut rule = "[1]".to_owned();
    for at in 0..60 {
        rule = format!("{rule}.map(a{at}, {{a{at}: a{at}}})");
    }
    assert!(Checker::new([("self", Type::Int)]).check(&format!("({rule}) + 1")).is_err());
    assert!(Checker::new([("self", Type::Int)]).check(&format!("({rule}) == ({rule})")).is_ok());
}

#[test]
fn a_text_of_many_words_is_refused_in_linear_time() {
    let text = "+ ".repeat(1_000_000);
    assert!(parse(&text).is_err());
    let value: Arc<str> = "-".repeat(2_000_000).into();
    assert!(parse(&value).is_err());
}

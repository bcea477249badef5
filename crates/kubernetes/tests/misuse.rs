//! Requests that a server would refuse do not compile, and the compiler's errors name the reason.

#[test]
fn misuse_does_not_compile_and_the_errors_can_be_read() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/misuse/*.rs");
}

//! What a server would refuse does not compile, and the compiler says why in words of the domain.

#[test]
fn misuse_does_not_compile_and_the_errors_can_be_read() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/misuse/*.rs");
}

//! The public types of the crates can grow.

use client_rs_tests_papers::{Repository, growth};

#[test]
fn options_and_errors_can_grow_without_breaking_programs() {
    let sources = Repository::here().files("crates", ".rs");
    let sources =
        sources.iter().filter(|file| file.path.contains("/src/") && !file.path.contains("/generated/"));
    let problems: Vec<String> = sources.flat_map(growth::closed).collect();
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

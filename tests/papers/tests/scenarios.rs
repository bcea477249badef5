//! The catalogue of scenarios (`docs/semantics`), held against the tests.

use client_rs_tests_papers::{Repository, TextFile, catalogue, citations};

/// Sources that may cite scenarios: not generated ones, and not this package's, whose tests make up ids.
fn sources(repository: &Repository) -> Vec<TextFile> {
    let folders = ["crates", "tests", "xtask", "examples", "bench", "fuzz"];
    let files = folders.into_iter().flat_map(|folder| repository.files(folder, ".rs"));
    files
        .filter(|file| !file.path.starts_with("tests/papers/") && !file.path.contains("/generated/"))
        .collect()
}

fn none(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn every_scenario_has_a_test_or_a_reason_and_every_cited_id_exists() {
    let repository = Repository::here();
    let (sources, mut problems) = (sources(&repository), Vec::new());
    let scenarios = catalogue::scenarios(&repository.files("docs/semantics", ".md"), &mut problems);
    let cited = citations::citations(&sources);
    problems.extend(citations::disagreements(&scenarios, &cited, &sources));
    none(&problems);
    assert!(
        scenarios.len() > 400 && cited.len() > 400,
        "{} scenarios, {} cited",
        scenarios.len(),
        cited.len()
    );
    let covered =
        scenarios.iter().filter(|(id, it)| !cited.contains_key(*id) && !it.covered_by.is_empty()).count();
    let reasons = scenarios.len() - cited.len() - covered;
    println!(
        "{} scenarios: {} cited, {covered} covered, {reasons} with a reason",
        scenarios.len(),
        cited.len()
    );
}

#[test]
fn documents_cite_ids_that_exist() {
    let repository = Repository::here();
    let scenarios = catalogue::scenarios(&repository.files("docs/semantics", ".md"), &mut Vec::new());
    let cited = citations::citations(&repository.documents());
    let unknown = cited.into_iter().filter(|(id, _)| !scenarios.contains_key(id));
    none(
        &unknown
            .map(|(id, places)| format!("{}: {id} is not in docs/semantics", places[0]))
            .collect::<Vec<_>>(),
    );
}

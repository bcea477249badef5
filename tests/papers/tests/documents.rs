//! The documents of this repository, held against its files and each other.

use client_rs_tests_papers::{
    Repository, TextFile, book, errors, excerpts, features, links, manifests, proofs, quotes,
};

fn none(problems: &[String]) {
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn links_and_paths_lead_somewhere() {
    let repository = Repository::here();
    let has = |path: &str| repository.has(path);
    let is_document = |path: &str| path.rsplit_once('.').is_some_and(|(_, ending)| ending == "md");
    let read = |path: &str| is_document(path).then(|| repository.read(path));
    none(&repository.documents().iter().flat_map(|file| links::broken(file, has, read)).collect::<Vec<_>>());
}

#[test]
fn the_guide_is_a_book_whose_programs_run() {
    let repository = Repository::here();
    none(&book::problems(&repository.files("docs/guide", ".md"), &repository.files("crates", ".rs")));
}

#[test]
fn excerpts_are_parts_of_their_files() {
    let repository = Repository::here();
    let read = |path: &str| repository.has(path).then(|| repository.read(path));
    let documents = repository.documents();
    assert!(documents.iter().any(|file| file.text.contains("<!-- from operators/")));
    none(&documents.iter().flat_map(|file| excerpts::stale(file, read)).collect::<Vec<_>>());
}

#[test]
fn the_architecture_is_short() {
    let size = Repository::here().read("ARCHITECTURE.md").len();
    assert!(
        size <= 12 * 1024,
        "ARCHITECTURE.md has {size} bytes; 12 KB are enough: details go to docs/design"
    );
}

#[test]
fn figures_are_quoted_as_they_were_measured() {
    let repository = Repository::here();
    let figures = repository.read("docs/benchmarks.md");
    let documents = repository.documents();
    let problems = documents.iter().flat_map(|file| quotes::disagreements(&figures, &file.path, &file.text));
    none(&problems.collect::<Vec<_>>());
}

#[test]
fn published_crates_have_the_fields_of_a_registry_and_others_are_private() {
    none(&manifests::problems(&Repository::here()));
}

#[test]
fn the_readme_is_short() {
    let lines = Repository::here().read("README.md").lines().count();
    assert!(lines <= 150, "README.md has {lines} lines; 150 are enough: long tables go to docs");
}

#[test]
fn the_readme_names_the_oldest_rust() {
    let repository = Repository::here();
    let manifest = repository.read("Cargo.toml");
    let version = manifest.lines().find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'));
    let row = format!("| Rust | {} or newer |", version.expect("a version"));
    assert!(repository.read("README.md").contains(&row), "README.md has no row {row}");
}

#[test]
fn every_dependency_has_a_reason() {
    let repository = Repository::here();
    let (manifest, reasons) = (repository.read("Cargo.toml"), repository.read("docs/design/dependencies.md"));
    let section = manifest.split("[workspace.dependencies]\n").nth(1).expect("a section");
    let section = section.split("\n[").next().unwrap_or_default();
    let names = section.lines().filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
    let is_named = |name: &str| {
        let of_names = |character: char| !character.is_ascii_alphanumeric() && !"-_".contains(character);
        reasons.split(of_names).any(|word| word == name)
    };
    let missing = names.filter(|name| !name.starts_with("client-rs") && !is_named(name));
    none(
        &missing
            .map(|name| format!("docs/design/dependencies.md does not mention {name}"))
            .collect::<Vec<_>>(),
    );
}

#[test]
fn the_table_of_crates_is_that_of_the_layers() {
    let repository = Repository::here();
    let layers = repository.read("layers.txt");
    let section =
        layers.split("[crates]\n").nth(1).expect("a section").split("\n[").next().unwrap_or_default();
    let lines = section.lines().filter(|line| !line.is_empty() && !line.starts_with(['#', '!']));
    let mut expected: Vec<(String, String)> = lines
        .enumerate()
        .flat_map(|(layer, line)| line.split(' ').map(move |name| (layer.to_string(), name.to_owned())))
        .collect();
    let architecture = repository.read("ARCHITECTURE.md");
    let rows = architecture.lines().filter_map(|line| {
        let mut cells = line.split('|').map(str::trim).skip(1);
        let (layer, name) = (cells.next()?, cells.next()?.strip_prefix('`')?.strip_suffix('`')?);
        Some((layer.to_owned(), name.to_owned()))
    });
    let mut listed: Vec<_> = rows.collect();
    expected.sort();
    listed.sort();
    assert_eq!(listed, expected, "ARCHITECTURE.md lists crates and layers as layers.txt has them");
}

#[test]
fn every_design_note_is_in_the_index() {
    let repository = Repository::here();
    let index = repository.read("docs/design/README.md");
    let notes =
        repository.files("docs/design", ".md").into_iter().map(|file| file.path.replace("docs/design/", ""));
    let missing = notes.filter(|note| note != "README.md" && !index.contains(&format!("]({note})")));
    none(&missing.map(|note| format!("docs/design/README.md does not link {note}")).collect::<Vec<_>>());
}

#[test]
fn errors_contain_their_cause_once() {
    let sources = Repository::here().files("crates", ".rs");
    let own = sources.iter().filter(|file| file.path.contains("/src/") && !file.path.contains("/tests"));
    none(&own.flat_map(errors::said_twice).collect::<Vec<_>>());
}

#[test]
fn every_promise_of_the_threat_model_is_held_by_a_test() {
    let repository = Repository::here();
    let (path, text) = ("docs/design/threat-model.md", repository.read("docs/design/threat-model.md"));
    let document = TextFile { path: path.to_owned(), text };
    let mut sources = repository.files("crates", ".rs");
    sources.extend(repository.files("tests", ".rs"));
    none(&proofs::missing(&document, &sources));
}

#[test]
fn every_feature_is_proved_open_or_argued() {
    let repository = Repository::here();
    let (path, text) = ("docs/features.md", repository.read("docs/features.md"));
    let page = TextFile { path: path.to_owned(), text };
    let sources: Vec<_> =
        ["crates", "examples", "tests"].iter().flat_map(|folder| repository.files(folder, ".rs")).collect();
    none(&features::problems(&page, &sources));
}

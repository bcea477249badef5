//! `cargo xtask site`: the guide, the reference pages, rustdoc and the charts in one folder.

mod html;
mod pages;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use client_rs_tests_tools::workspace::{self, cargo, command};

use crate::published;

/// Build the documentation as a site: guide, reference pages, rustdoc and charts.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The folder of the site; it is replaced
    #[arg(long, value_name = "FOLDER", default_value = "target/site")]
    output: PathBuf,
    /// Leave rustdoc out, which takes minutes
    #[arg(long)]
    without_api: bool,
    /// Fail if a link of a page leads nowhere
    #[arg(long)]
    check: bool,
}

pub(crate) fn run(args: &Args) -> Result<ExitCode> {
    let root = workspace::root();
    let site = root.join(&args.output);
    if site.exists() {
        std::fs::remove_dir_all(&site).with_context(|| format!("can't replace {}", site.display()))?;
    }
    std::fs::create_dir_all(&site)?;
    mdbook(&root.join("docs/guide"), &site.join("guide"))?;
    reference(&root, &site.join("reference"))?;
    std::fs::write(site.join("index.html"), include_str!("index.html"))?;
    std::fs::copy(root.join("docs/demo.svg"), site.join("demo.svg"))?;
    if !args.without_api {
        api(&site.join("api"))?;
    }
    println!("the site is in {}", site.display());
    if !args.check {
        return Ok(ExitCode::SUCCESS);
    }
    let (pages, problems) = html::problems(&site, !args.without_api)?;
    for problem in &problems {
        println!("{problem}");
    }
    println!("site: {pages} pages, {} broken links", problems.len());
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Builds a book. `MDBOOK` names another program than the one on the PATH.
fn mdbook(book: &Path, output: &Path) -> Result<()> {
    let program = std::env::var_os("MDBOOK").unwrap_or_else(|| "mdbook".into());
    let outcome = workspace::run(command(&program).arg("build").arg(book).arg("--dest-dir").arg(output));
    outcome.context("the book is not built; `cargo install --locked mdbook` installs mdBook")
}

/// Builds the book of the reference pages. Their links lead to the guide and to each other on the site, and otherwise to the forge.
fn reference(root: &Path, output: &Path) -> Result<()> {
    let book = tempfile::tempdir()?;
    let write = |name: &str, text: &str| std::fs::write(book.path().join(name), text);
    write("book.toml", pages::BOOK)?;
    let mut summary = vec!["# Summary\n".to_owned()];
    for page in pages::PAGES {
        let text = std::fs::read_to_string(root.join(page)).with_context(|| format!("can't read {page}"))?;
        let title = text.lines().next().unwrap_or_default().trim_start_matches("# ");
        let name = pages::name(page);
        summary.push(format!("- [{title}]({name})"));
        write(name, &pages::rewritten(&text, page))?;
    }
    write("SUMMARY.md", &summary.join("\n"))?;
    for folder in pages::PICTURES {
        copy(&root.join("docs").join(folder), &book.path().join(folder))?;
    }
    mdbook(book.path(), output)
}

/// The documentation of the published libraries.
fn api(output: &Path) -> Result<()> {
    let mut doc = cargo();
    doc.args(["doc", "--no-deps", "--locked"]);
    for library in published::libraries()? {
        doc.args(["--package", &library]);
    }
    workspace::run(&mut doc)?;
    let built = workspace::target().join("doc");
    ensure!(built.join("client_rs/index.html").exists(), "rustdoc has not written {}", built.display());
    copy(&built, output)
}

/// Copies a folder.
fn copy(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from).with_context(|| format!("can't read {}", from.display()))? {
        let entry = entry?;
        let to = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &to)?;
        } else {
            std::fs::copy(entry.path(), to)?;
        }
    }
    Ok(())
}

//! Writes the Rust types of custom resource definitions in YAML or JSON files to stdout. Other objects in the files are
//! skipped: `cargo run -p client-rs-custom --features generate --example generate -- FILE…`

use client_rs::client::manifest;
use client_rs::machinery::Json;
use client_rs_custom::generate::{GenerateOptions, generate};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut definitions = Vec::new();
    for path in std::env::args().skip(1) {
        for manifest in manifest::read_path(path.as_ref())? {
            if manifest.object.kind() == "CustomResourceDefinition" {
                definitions.push(Json::Map(manifest.object.object));
            }
        }
    }
    if definitions.is_empty() {
        return Err("usage: generate FILE…, with at least one CustomResourceDefinition in them".into());
    }
    let options = GenerateOptions::default().with_accessors(true).with_apply(true);
    print!("{}", generate(&definitions, &options)?);
    Ok(())
}

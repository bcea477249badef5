// A type that says nothing of itself.
use client_rs_custom::{Apply, Schema};

struct Foreign;

#[derive(Schema, Apply)]
#[schema(crate = client_rs_custom)]
struct Holds {
    foreign: Foreign,
}

fn main() {}

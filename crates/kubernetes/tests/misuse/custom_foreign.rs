// A type without a schema.
use client_rs_custom::Schema;

struct Foreign;

#[derive(Schema)]
#[schema(crate = client_rs_custom)]
struct Holds {
    foreign: Foreign,
}

fn main() {}

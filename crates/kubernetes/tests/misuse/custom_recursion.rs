// A structural schema has no references, so a type that holds itself has none.
use client_rs_custom::Schema;

#[derive(Schema)]
#[schema(crate = client_rs_custom)]
struct Node {
    children: Vec<Branch>,
}

#[derive(Schema)]
#[schema(crate = client_rs_custom)]
struct Branch {
    node: Option<Box<Node>>,
}

fn main() {}

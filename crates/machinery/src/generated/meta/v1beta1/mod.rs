// Made by `cargo xtask codegen` from schema: change those, not this.
//! `k8s.io/apimachinery/pkg/apis/meta/v1beta1`.

mod partial_object_metadata_list;

pub use partial_object_metadata_list::PartialObjectMetadataList;

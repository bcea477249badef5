//! The suite over each layout, and what one of them alone has.

mod decoded;
mod packed;

use super::*;

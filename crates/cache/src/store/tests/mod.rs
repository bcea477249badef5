//! The suite for each layout, and the tests of one layout alone.

mod decoded;
mod packed;

use super::*;

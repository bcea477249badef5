//! A client of every group and version.

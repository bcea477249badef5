//! Informers over clients.

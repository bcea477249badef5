//! The config of a program that runs in a pod.

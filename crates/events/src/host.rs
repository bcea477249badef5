//! The name of this machine.

/// The host's name; empty where it can't be told. In a pod it is the pod's name.
pub fn hostname() -> String {
    #[cfg(unix)]
    {
        rustix::system::uname().nodename().to_string_lossy().into_owned()
    }
    #[cfg(not(unix))]
    {
        std::env::var("COMPUTERNAME").unwrap_or_default()
    }
}

//! The name of the host.

/// The name of the host; empty if it is unknown. In a pod it is the name of the pod.
pub fn hostname() -> String {
    #[cfg(target_os = "linux")]
    {
        let name = std::fs::read_to_string("/proc/sys/kernel/hostname");
        name.map(|name| name.trim_end().to_owned()).or_else(|_| std::env::var("HOSTNAME")).unwrap_or_default()
    }
    #[cfg(all(unix, not(target_os = "linux")))]
    {
        rustix::system::uname().nodename().to_string_lossy().into_owned()
    }
    #[cfg(not(unix))]
    {
        std::env::var("COMPUTERNAME").unwrap_or_default()
    }
}

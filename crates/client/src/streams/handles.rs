//! Processes and ports, as methods of handles.

use client_rs_machinery::Resource;
use client_rs_machinery::subresource::{self as sub, HasSubresource, Subresource};

use super::{
    AttachOptions, ExecOptions, MuxOptions, PortForward, RemoteProcess, options, port_forward, process,
};
use crate::api::{ApiRequest, ByName};
use crate::{Api, Verb};

impl<K: Resource, S: ByName> Api<K, S> {
    /// Runs a command in a container of a pod. No shell comes between: words are the program and its arguments.
    ///
    /// ```
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::Api;
    /// # async fn example(pods: Api<Pod>) -> Result<(), Box<dyn std::error::Error>> {
    /// let output = pods.exec("web", ["cat", "/etc/hostname"]).container("app").await?.output().await?;
    /// assert!(output.status.is_success());
    /// # Ok(())
    /// # }
    /// ```
    pub fn exec<W: Into<String>>(
        &self,
        name: &str,
        command: impl IntoIterator<Item = W>,
    ) -> ApiRequest<RemoteProcess, ExecOptions>
    where
        K: HasSubresource<sub::Exec>,
    {
        let request = self.request(Verb::Post).name(name).subresource([sub::Exec::NAME]);
        let request = command.into_iter().fold(request, |request, word| request.param("command", word));
        self.ask(request, options::exec, process::start)
    }

    /// Attaches to the first process of a container of a pod.
    pub fn attach(&self, name: &str) -> ApiRequest<RemoteProcess, AttachOptions>
    where
        K: HasSubresource<sub::Attach>,
    {
        let request = self.request(Verb::Post).name(name).subresource([sub::Attach::NAME]);
        self.ask(request, options::attach, process::start)
    }

    /// A connection to a pod, on which connections to its ports are opened. For local ports, and for pods that come and
    /// go, see [`Forwarder`](crate::streams::Forwarder).
    pub fn port_forward(&self, name: &str) -> ApiRequest<PortForward, MuxOptions>
    where
        K: HasSubresource<sub::PortForward>,
    {
        let request = self.request(Verb::Post).name(name).subresource([sub::PortForward::NAME]);
        self.ask(request, port_forward::forward, port_forward::connect)
    }
}

//! Exec, attach and port forwarding as methods of [`Api`].

use client_rs_machinery::Resource;
use client_rs_machinery::subresource::{self as sub, HasSubresource, Subresource};

use super::{
    AttachOptions, ExecOptions, MuxOptions, PortForward, RemoteProcess, options, port_forward, process,
};
use crate::api::{ApiRequest, ByName};
use crate::{Api, Verb};

impl<K: Resource, S: ByName> Api<K, S> {
    /// Runs a command in a container of a pod. No shell is involved: the words are the program and its arguments.
    ///
    /// ```
    /// use client_rs_api::core::v1::Pod;
    /// use client_rs_client::Api;
    /// # use client_rs_client::testing::Canned;
    ///
    /// # async fn hostname(pods: &Api<Pod>) -> Result<(), Box<dyn std::error::Error>> {
    /// let output = pods.exec("web", ["cat", "/etc/hostname"]).container("app").await?.output().await?;
    /// assert!(output.status.is_success());
    /// println!("{}", String::from_utf8_lossy(&output.stdout));
    /// # Ok(())
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// # let pods = Api::<Pod>::namespaced(&Canned::new().client(), "default");
    /// # let error = hostname(&pods).await.unwrap_err();
    /// # assert!(error.downcast_ref::<client_rs_client::Error>().is_some_and(|error| error.is_not_found()), "{error}");
    /// # }
    /// ```
    ///
    /// The future fails if the pod does not exist or the user may not run commands. A program that can't be started is an error of
    /// [`wait`](RemoteProcess::wait) and [`output`](RemoteProcess::output). See [`RemoteProcess`] for input, and for what happens
    /// when it is dropped.
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

    /// Attaches to the main process of a container of a pod: its output from now on and, if the container allows it, its input.
    ///
    /// To read earlier output, use the log. To start another process, use [`exec`](Self::exec).
    ///
    /// ```no_run
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::Api;
    /// # async fn example(pods: Api<Pod>) -> Result<(), Box<dyn std::error::Error>> {
    /// let mut process = pods.attach("web").container("app").await?;
    /// let mut output = process.stdout.take().expect("it is requested by default");
    /// tokio::io::copy(&mut output, &mut tokio::io::sink()).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn attach(&self, name: &str) -> ApiRequest<RemoteProcess, AttachOptions>
    where
        K: HasSubresource<sub::Attach>,
    {
        let request = self.request(Verb::Post).name(name).subresource([sub::Attach::NAME]);
        self.ask(request, options::attach, process::start)
    }

    /// Opens a connection to a pod, over which you can connect to its ports.
    ///
    /// For local ports, and for pods that come and go, use a [`Forwarder`](crate::streams::Forwarder) instead.
    ///
    /// ```no_run
    /// use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    /// # use client_rs_api::core::v1::Pod;
    /// # use client_rs_client::Api;
    ///
    /// # async fn example(pods: Api<Pod>) -> Result<(), Box<dyn std::error::Error>> {
    /// let pod = pods.port_forward("web").await?;
    /// let mut http = pod.connect(8080).await?;
    /// http.write_all(b"GET / HTTP/1.0\r\n\r\n").await?;
    /// let mut response = Vec::new();
    /// http.read_to_end(&mut response).await?;
    /// # Ok(())
    /// # }
    /// ```
    pub fn port_forward(&self, name: &str) -> ApiRequest<PortForward, MuxOptions>
    where
        K: HasSubresource<sub::PortForward>,
    {
        let request = self.request(Verb::Post).name(name).subresource([sub::PortForward::NAME]);
        self.ask(request, port_forward::forward, port_forward::connect)
    }
}

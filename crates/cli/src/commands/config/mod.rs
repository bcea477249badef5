//! `krs config`

mod contexts;
mod entries;
mod fields;
mod unset;
mod view;

use anyhow::Result;
use clap::Subcommand;
use client_rs_transport::kubeconfig::{self, ConfigAccess, Kubeconfig, PathOptions};

use crate::{GlobalArgs, Streams};

/// kubectl's commands for kubeconfig files. They leave unknown fields of a file unchanged.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show the merged kubeconfig, without secrets
    View(view::Args),
    /// List contexts with their cluster, user and namespace
    GetContexts(contexts::GetArgs),
    /// Show the current context
    CurrentContext,
    /// Set the current context
    #[command(alias = "use")]
    UseContext(contexts::NameArgs),
    /// Create or modify a context, with --cluster, --user and --namespace
    SetContext(contexts::SetArgs),
    /// Rename a context
    RenameContext(contexts::RenameArgs),
    /// Delete a context
    DeleteContext(contexts::NameArgs),
    /// List clusters
    GetClusters,
    /// Create or modify a cluster, with --server, --certificate-authority, …
    SetCluster(entries::ClusterArgs),
    /// Delete a cluster
    DeleteCluster(contexts::NameArgs),
    /// List users
    GetUsers,
    /// Create or modify a user, with --token, --client-certificate, …
    SetCredentials(entries::CredentialsArgs),
    /// Delete a user
    DeleteUser(contexts::NameArgs),
    /// Unset a value: users.NAME.token, contexts.NAME, current-context
    Unset(unset::Args),
}

pub(crate) fn run(global: &GlobalArgs, args: &Args, streams: &mut Streams<'_>) -> Result<()> {
    let files = Files::of(global);
    match &args.command {
        Command::View(args) => view::run(&files, global, args, streams),
        Command::GetContexts(args) => contexts::get(&files, args, streams),
        Command::CurrentContext => contexts::current(&files, streams),
        Command::UseContext(args) => contexts::use_one(&files, args, streams),
        Command::SetContext(args) => contexts::set(&files, global, args, streams),
        Command::RenameContext(args) => contexts::rename(&files, args, streams),
        Command::DeleteContext(args) => contexts::delete(&files, args, streams),
        Command::GetClusters => {
            entries::names(&files, |config| config.clusters.keys().cloned().collect(), streams)
        }
        Command::SetCluster(args) => entries::set_cluster(&files, global, args, streams),
        Command::DeleteCluster(args) => entries::delete_cluster(&files, args, streams),
        Command::GetUsers => entries::names(&files, |config| config.users.keys().cloned().collect(), streams),
        Command::SetCredentials(args) => entries::set_credentials(&files, global, args, streams),
        Command::DeleteUser(args) => entries::delete_user(&files, args, streams),
        Command::Unset(args) => unset::run(&files, args, streams),
    }
}

/// The kubeconfig files in use.
struct Files(PathOptions);

impl Files {
    fn of(global: &GlobalArgs) -> Self {
        let mut options = PathOptions::from_env();
        options.loading_rules.explicit_path.clone_from(&global.kube.kubeconfig);
        Self(options)
    }

    fn read(&self) -> Result<Kubeconfig> {
        Ok(self.0.starting_config()?)
    }

    fn write(&self, config: &Kubeconfig) -> Result<()> {
        Ok(kubeconfig::modify(&self.0, config, true)?)
    }

    /// The file that is named when something is not in it.
    fn name(&self) -> String {
        self.0.explicit_file().unwrap_or_else(|| self.0.default_filename()).display().to_string()
    }
}

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

/// kubectl's commands on kubeconfig files. What they don't know in a file stays as it is.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show the files as one, without secrets
    View(view::Args),
    /// Show contexts: which cluster, as whom, and in which namespace
    GetContexts(contexts::GetArgs),
    /// Show the name of the context in use
    CurrentContext,
    /// Use another context from now on
    #[command(alias = "use")]
    UseContext(contexts::NameArgs),
    /// Make a context, or change one: --cluster, --user and --namespace say what it has
    SetContext(contexts::SetArgs),
    /// Give a context another name
    RenameContext(contexts::RenameArgs),
    /// Remove a context
    DeleteContext(contexts::NameArgs),
    /// Show the names of the clusters
    GetClusters,
    /// Make a cluster, or change one: --server, --certificate-authority, … say what it has
    SetCluster(entries::ClusterArgs),
    /// Remove a cluster
    DeleteCluster(contexts::NameArgs),
    /// Show the names of the users
    GetUsers,
    /// Make a user, or change one: --token, --client-certificate, … say what they have
    SetCredentials(entries::CredentialsArgs),
    /// Remove a user
    DeleteUser(contexts::NameArgs),
    /// Remove a value: users.NAME.token, contexts.NAME, current-context
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

//! The tools of the services, as their calls reach them.

use std::sync::Arc;

use pavise_kernel::{Call, Result};
use pavise_pdf::{AllowedHosts, PdfPrinter};

use crate::config::Config;

/// The tools of this domain besides the database.
#[derive(Debug)]
pub(crate) struct DocumentTools {
    /// The address of the platform, without a slash at the end.
    pub(crate) public_url: String,
    /// The scanner of files, if there is one.
    pub(crate) clamd: Option<String>,
    /// The printer of pages.
    pub(crate) printer: PdfPrinter,
    /// The hosts of the platform's own pages.
    pub(crate) own_hosts: AllowedHosts,
    /// These, and those that staff print.
    pub(crate) print_hosts: AllowedHosts,
}

impl From<&Config> for DocumentTools {
    fn from(config: &Config) -> Self {
        let own_hosts = AllowedHosts::default().with_site(&config.public_url);
        let print_hosts = config.print_hosts.iter().fold(own_hosts.clone(), |hosts, host| hosts.with_host(host));
        Self {
            public_url: config.public_url.trim_end_matches('/').to_owned(),
            clamd: config.clamd.clone(),
            printer: config.chromium.clone().map_or_else(PdfPrinter::not_configured, PdfPrinter::new),
            own_hosts,
            print_hosts,
        }
    }
}

/// The tools that a call of this domain can reach.
///
/// # Errors
/// When the domain did not provide them, which its start rules out.
pub(crate) trait Tools {
    fn tools(&self) -> Result<Arc<DocumentTools>>;
}

impl Tools for Call {
    fn tools(&self) -> Result<Arc<DocumentTools>> {
        self.find_provided()
    }
}

//! The settings of documents.

use std::path::PathBuf;

/// The settings of documents.
#[derive(Debug, Clone, Default)]
pub struct Config {
    /// The address of the platform: of links, and of the pages that members print.
    pub public_url: String,
    /// The browser that prints. Without one, nothing is printed.
    pub chromium: Option<PathBuf>,
    /// Further hosts whose pages staff print.
    pub print_hosts: Vec<String>,
    /// The address of clamd, `host:port`. With it, nobody gets a file before it is scanned.
    pub clamd: Option<String>,
}

//! The settings of the facade.

use std::sync::Arc;
use std::time::Duration;

use pavise_kernel::security::SecurityEvents;
use tokio_util::sync::CancellationToken;

/// The settings of the facade.
#[derive(Debug, Clone)]
pub struct Options {
    /// The domain below which each service has a host of its own.
    pub base_domain: String,
    /// The largest JSON body, in bytes.
    pub max_body: usize,
    /// The address under which other systems reach the server; empty for the one that a request names.
    pub public_url: String,
    /// The largest message that is passed on from a service, in bytes.
    pub max_answer: usize,
    /// The origins (`https://app.example.com`) of pages, besides the server's own, that may call.
    pub allowed_origins: Vec<String>,
    /// The services in the order in which they claim a path on shared hosts. Others follow.
    pub precedence: Vec<String>,
    /// The silence after which a stream sends a heartbeat.
    pub heartbeat: Duration,
    /// Browsers send the session's cookies over TLS only, under names that begin with `__Host-`.
    pub secure_cookies: bool,
    /// The server's own pages are at https.
    pub https: bool,
    /// The security events of the process.
    pub security: Arc<SecurityEvents>,
    /// Cancelling this token ends the streams that would not end by themselves.
    pub draining: CancellationToken,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            base_domain: "localhost".to_owned(),
            max_body: 4 << 20,
            public_url: String::new(),
            max_answer: 64 << 20,
            allowed_origins: Vec::new(),
            precedence: Vec::new(),
            heartbeat: Duration::from_secs(15),
            secure_cookies: true,
            https: true,
            security: Arc::default(),
            draining: CancellationToken::new(),
        }
    }
}

//! The place of a domain in another process.

use std::time::Duration;

use pavise_kernel::time::Ids;

use crate::tls::ClientTls;

/// The place of a domain that is not in this process.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// `http://host:port` or `https://host:port`.
    pub url: String,
    /// Certificates, for `https`.
    pub tls: Option<ClientTls>,
    /// The deadline of a call whose caller sets none.
    pub timeout: Duration,
    /// The longest time to make a connection.
    pub connect_timeout: Duration,
    /// The most attempts of a call that may be repeated, the first included.
    pub attempts: u32,
    /// The source of chance for the back-off between two attempts.
    pub dice: Ids,
}

impl Endpoint {
    /// A domain at `url`, with time limits that suit one data centre.
    #[must_use]
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), ..Self::default() }
    }
}

impl Default for Endpoint {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            url: String::new(),
            tls: None,
            timeout: seconds(30),
            connect_timeout: seconds(1),
            attempts: 4,
            dice: Ids::random(),
        }
    }
}

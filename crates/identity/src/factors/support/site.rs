//! The site that passkeys belong to.

use std::fmt;
use std::sync::Arc;

use pavise_kernel::{Common, Error, Result};
use webauthn_rs::prelude::{Url, Webauthn, WebauthnBuilder};

use crate::config::Config;

/// The platform's name, as devices show it.
const NAME: &str = "Pavise";

/// The site; `None` where no site is configured that passkeys could belong to.
#[derive(Clone)]
pub(crate) struct Site(Option<Arc<Webauthn>>);

impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Site")
    }
}

impl Site {
    pub(crate) fn new(config: &Config) -> Self {
        let site = Self::build(config);
        if site.is_none() {
            tracing::warn!("there are no passkeys: the public URL names no domain, or not the passkeys' own");
        }
        Self(site.map(Arc::new))
    }

    fn build(config: &Config) -> Option<Webauthn> {
        let origin = Url::parse(&config.public_url).ok()?;
        let domain = if config.passkey_domain.is_empty() { origin.domain()? } else { &config.passkey_domain };
        let mut builder =
            WebauthnBuilder::new(domain, &origin).ok()?.rp_name(NAME).allow_any_port(domain == "localhost");
        for further in &config.passkey_origins {
            builder = builder.append_allowed_origin(&Url::parse(further).ok()?);
        }
        builder.build().ok()
    }

    /// The site.
    ///
    /// # Errors
    /// `NOT_CONFIGURED`.
    pub(crate) fn load_webauthn(&self) -> Result<&Webauthn> {
        self.0.as_deref().ok_or_else(|| {
            let message = "there are no passkeys before public-url names the site that they belong to";
            Error::new(Common::NotConfigured, message).with("setting", "public-url")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(public_url: &str, domain: &str) -> bool {
        let config = Config { public_url: public_url.into(), passkey_domain: domain.into(), ..Config::for_tests() };
        Site::build(&config).is_some()
    }

    #[test]
    fn a_site_has_a_domain_that_is_its_own() {
        assert!(site("https://pavise.example", "") && site("http://localhost:8080", ""));
        assert!(site("https://app.pavise.example", "pavise.example"));
        assert!(!site("https://pavise.example", "evil.example"));
        assert!(!site("http://127.0.0.1:8080", "") && !site("nonsense", "") && !site("", ""));
    }
}

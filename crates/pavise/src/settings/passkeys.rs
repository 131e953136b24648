//! The site of passkeys. Browsers refuse contradictions here in their own words, and only when a member makes a
//! passkey; so they are refused at the start.

use anyhow::{Context as _, bail};
use reqwest::Url;

/// The domain that passkeys belong to and the further sites of that domain, as given. No domain stands for the host of
/// the public URL.
///
/// # Errors
/// When a browser would refuse it; the text says what to do.
pub(super) fn site(
    public_url: &str,
    domain: Option<String>,
    origins: Vec<String>,
) -> anyhow::Result<(String, Vec<String>)> {
    let domain = domain.filter(|domain| !domain.is_empty()).map(|domain| domain.to_ascii_lowercase());
    if domain.is_none() && origins.is_empty() {
        // A public URL alone that names no domain is no error: there are no passkeys then.
        return Ok((String::new(), Vec::new()));
    }
    let public = Url::parse(public_url).with_context(|| format!("--public-url {public_url}"))?;
    let Some(host) = public.domain() else {
        bail!("passkeys belong to a domain, and --public-url {public_url} names none");
    };
    let owner = domain.as_deref().unwrap_or(host);
    if owner != "localhost" && !owner.contains('.') {
        bail!("--passkey-domain {owner}: passkeys do not belong to a whole top-level domain");
    }
    if !is_within(host, owner) {
        bail!("--passkey-domain {owner}: write the host of --public-url, {host}, or a domain above it");
    }
    for origin in &origins {
        let of = of(origin).with_context(|| format!("--passkey-origin {origin}: write it as https://app.{owner}"))?;
        if !is_within(&of, owner) {
            bail!(
                "--passkey-origin {origin}: {of} is not in the domain that passkeys belong to, {owner}; see --passkey-domain"
            );
        }
    }
    Ok((domain.unwrap_or_default(), origins))
}

/// Whether a host is that domain or lies below it.
fn is_within(host: &str, domain: &str) -> bool {
    host == domain || host.strip_suffix(domain).is_some_and(|below| below.ends_with('.'))
}

/// The host of a site where browsers allow passkeys; `None` for any other text.
fn of(origin: &str) -> Option<String> {
    let url = Url::parse(origin).ok()?;
    let host = url.domain()?.to_owned();
    let plain = url.origin().ascii_serialization() == origin.trim_end_matches('/').to_ascii_lowercase();
    (plain && (url.scheme() == "https" || (url.scheme() == "http" && is_within(&host, "localhost")))).then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(public_url: &str, domain: Option<&str>, origins: &[&str]) -> Result<(String, Vec<String>), String> {
        let origins = origins.iter().map(|origin| (*origin).to_owned()).collect();
        site(public_url, domain.map(str::to_owned), origins).map_err(|error| format!("{error:#}"))
    }

    #[test]
    fn a_domain_is_that_of_the_public_url_or_above_it() {
        let ours = "https://app.pavise.example";
        assert_eq!(given(ours, Some("Pavise.example"), &[]).unwrap().0, "pavise.example");
        assert_eq!(given(ours, Some("app.pavise.example"), &[]).unwrap().0, "app.pavise.example");
        assert_eq!(given("http://localhost:8080", Some("localhost"), &[]).unwrap().0, "localhost");
        assert_eq!(
            given("http://127.0.0.1:8080", None, &[]).unwrap(),
            (String::new(), Vec::new()),
            "there are none then"
        );
        for (url, domain, expected) in [
            (ours, "evil.example", "or a domain above it"),
            (ours, "vise.example", "or a domain above it"),
            (ours, "x.app.pavise.example", "or a domain above it"),
            (ours, "example", "whole top-level domain"),
            ("https://203.0.113.9", "pavise.example", "names none"),
        ] {
            let error = given(url, Some(domain), &[]).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn every_further_site_is_in_the_domain() {
        let ours = "https://pavise.example";
        let sites = ["https://app.pavise.example", "https://pavise.example:8443", "https://a.b.pavise.example/"];
        assert_eq!(given(ours, None, &sites).unwrap(), (String::new(), sites.map(str::to_owned).to_vec()));
        given("http://localhost:8080", None, &["http://localhost:5173", "http://app.localhost"]).unwrap();
        for (origin, expected) in [
            ("https://pavise.example.evil.example", "not in the domain"),
            ("https://evilpavise.example", "not in the domain"),
            ("http://app.pavise.example", "write it as https://"),
            ("https://app.pavise.example/app", "write it as https://"),
            ("https://ada@app.pavise.example", "write it as https://"),
            ("https://203.0.113.9", "write it as https://"),
            ("app.pavise.example", "write it as https://"),
        ] {
            let error = given(ours, None, &[origin]).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
        let above = given("https://app.pavise.example", None, &["https://console.pavise.example"]).unwrap_err();
        assert!(above.contains("--passkey-domain"), "{above}");
        given("https://app.pavise.example", Some("pavise.example"), &["https://console.pavise.example"]).unwrap();
    }
}

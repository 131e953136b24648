//! The account at Stripe. Its key and its secrets come from files, so that no list of processes shows them.

use std::path::Path;

use anyhow::{Context as _, ensure};
use pavise_billing::StripeConfig;
use reqwest::Url;

use super::given::Given;

/// The most bytes of a file.
const LONGEST: u64 = 4096;

/// Reads the account; none without a key.
pub(super) fn read_account(given: &Given) -> anyhow::Result<Option<StripeConfig>> {
    let Some(file) = &given.stripe_key_file else {
        ensure!(given.stripe_events_secret_file.is_none(), "--stripe-events-secret-file needs --stripe-key-file, too");
        ensure!(given.stripe_url.is_none(), "--stripe-url needs --stripe-key-file, too");
        return Ok(None);
    };
    let keys = read_lines(file).with_context(|| format!("--stripe-key-file {}", file.display()))?;
    let [api_key] = keys.as_slice() else {
        anyhow::bail!("--stripe-key-file {}: the file holds one key", file.display());
    };
    let is_key = api_key.starts_with("sk_") || api_key.starts_with("rk_");
    ensure!(is_key, "--stripe-key-file {}: a secret key begins with sk_ or rk_", file.display());
    let event_secrets = match &given.stripe_events_secret_file {
        None => Vec::new(),
        Some(file) => {
            let secrets =
                read_lines(file).with_context(|| format!("--stripe-events-secret-file {}", file.display()))?;
            ensure!(!secrets.is_empty(), "--stripe-events-secret-file {}: the file is empty", file.display());
            secrets
        }
    };
    let api_url = given.stripe_url.clone().unwrap_or_else(|| StripeConfig::API_URL.to_owned());
    check_url(&api_url)?;
    Ok(Some(StripeConfig { api_key: api_key.clone(), event_secrets, api_url, patience: StripeConfig::PATIENCE }))
}

/// Refuses an address to which the key would go in clear, or to somebody else.
fn check_url(text: &str) -> anyhow::Result<()> {
    let url =
        Url::parse(text).with_context(|| format!("--stripe-url {text}: write it as {}", StripeConfig::API_URL))?;
    let is_near = matches!(url.host_str(), Some("127.0.0.1" | "localhost" | "[::1]"));
    let is_stripe = url.scheme() == "https" && url.host_str() == Some("api.stripe.com");
    ensure!(is_near || is_stripe, "--stripe-url {text}: the key goes to {} alone", StripeConfig::API_URL);
    Ok(())
}

/// The lines of a small file, without the empty ones.
fn read_lines(file: &Path) -> anyhow::Result<Vec<String>> {
    ensure!(std::fs::metadata(file)?.len() <= LONGEST, "the file is too long");
    let text = std::fs::read_to_string(file)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    Ok(lines.map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_come_from_files_and_go_to_stripe_alone() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let file = folder.path().join(name);
            std::fs::write(&file, text).unwrap();
            Some(file)
        };
        let given = |key: &str, secrets: &str, url: Option<&str>| Given {
            stripe_key_file: write("key", key),
            stripe_events_secret_file: write("secrets", secrets),
            stripe_url: url.map(str::to_owned),
            ..Given::default()
        };
        let read = |given: Given| read_account(&given).map(Option::unwrap);
        let account = read(given("sk_test_1\n", "whsec_1\n\nwhsec_2\n", None)).unwrap();
        assert_eq!((account.api_key.as_str(), account.api_url.as_str()), ("sk_test_1", "https://api.stripe.com"));
        assert_eq!(account.event_secrets, ["whsec_1", "whsec_2"]);
        assert!(!format!("{account:?}").contains("sk_test_1"));
        read(given("rk_1", "s", Some("http://127.0.0.1:7"))).unwrap();
        for (key, secrets, url, expected) in [
            ("pk_1", "s", None, "begins with sk_"),
            ("sk_1\nsk_2", "s", None, "holds one key"),
            ("", "s", None, "holds one key"),
            ("sk_1", "", None, "is empty"),
            ("sk_1", "s", Some("https://stripe.example"), "alone"),
            ("sk_1", "s", Some("http://api.stripe.com"), "alone"),
            ("sk_1", "s", Some("nonsense"), "write it as"),
        ] {
            let error = format!("{:#}", read(given(key, secrets, url)).unwrap_err());
            assert!(error.contains(expected), "{error}");
            assert!(!error.contains("sk_1"), "no key is printed: {error}");
        }
        let lone = Given { stripe_url: Some("http://127.0.0.1:7".to_owned()), ..Given::default() };
        assert!(read_account(&lone).is_err());
        assert!(read_account(&Given::default()).unwrap().is_none());
        let absent = Given { stripe_key_file: Some("/nowhere".into()), ..Given::default() };
        assert!(read_account(&absent).is_err());
    }
}

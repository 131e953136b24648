//! The key secret is changed without a stop: two at a time, and everything is sealed anew.

use std::time::Duration;

use pavise_identity::Config;

use crate::factors::{STEP, member};
use crate::scene::{PASSWORD, on, refusal_reason, request_by, scenes};

const NEW: &str = "the key-encryption secret that comes";

/// With that secret, and perhaps a second one.
fn config(first: &str, also: Option<&str>) -> Config {
    let also = also.map(str::to_owned);
    Config { key_encryption_secret: first.to_owned(), key_encryption_secret_also: also, ..Config::for_tests() }
}

/// The first part of a token, which names the key that signed it.
fn header(token: &str) -> &str {
    token.split('.').next().unwrap_or_default()
}

#[tokio::test]
async fn a_new_secret_takes_over_without_a_loss() {
    for old in scenes().await {
        let first = Config::for_tests().key_encryption_secret;
        let ada = member(&old, "ada@example.com").await;
        let (factor, app) = ada.app(&old).await;
        old.member("bob@example.com").await;
        let before = old.sign_in("bob@example.com", PASSWORD).await.unwrap();
        // The processes change one by one: each opens what the other seals.
        let ready = on(old.database(), config(&first, Some(NEW))).await;
        let changed = on(old.database(), config(NEW, Some(&first))).await;
        let (later, newer) = ada.app(&changed).await;
        changed.clock.move_forward(STEP);
        ready.clock.move_forward(STEP);
        assert_eq!(ada.validate(&changed, &factor, &app.code(&changed)).await, "", "sealed with the old secret");
        assert_eq!(ada.validate(&ready, &later, &newer.code(&ready)).await, "", "sealed with the new one");
        changed.run_timer("identity.reseal_secrets", "change").await.unwrap();
        changed.run_timer("identity.reseal_secrets", "again").await.unwrap();
        // The old secret is gone.
        let new = on(old.database(), config(NEW, None)).await;
        new.clock.move_forward(6 * STEP);
        assert_eq!(ada.validate(&new, &factor, &app.code(&new)).await, "", "it was sealed anew");
        new.clock.move_forward(Duration::from_secs(61));
        let after = new.sign_in("bob@example.com", PASSWORD).await.unwrap();
        assert_ne!(header(&after.access_token), header(&before.access_token), "a new key signs");
        // Without the round with two secrets, the factor would have been lost.
        let hasty = on(old.database(), config("a secret that nobody configured", None)).await;
        let request = request_by(&ada.token, ada.validation(&factor, "123456"));
        assert_eq!(refusal_reason(hasty.factors().validate_factor(request).await), "FACTOR_UNREADABLE");
    }
}

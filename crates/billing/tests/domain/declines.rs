//! Tests of the limit of declined payments of one payer.

use std::time::Duration;

use pavise_billing::contract::v1::TransactionStatus::{Approved, Declined};

use crate::scene::{APPROVES, card, refusal_reason, scenes};

const DECLINES: &str = "test_4000000000000002";

#[tokio::test]
async fn repeated_declines_wait_on_both_engines() {
    for scene in scenes().await {
        let good = scene.method(card(APPROVES)).await;
        for number in 0..20 {
            let paid = scene.sell(&good, &format!("good {number}")).await.unwrap();
            assert_eq!(paid.status(), Approved, "approved payments do not count");
        }
        let (mut declined, mut refused) = (0, 0);
        for number in 0..60 {
            let method = scene.method(card(DECLINES)).await;
            match scene.sell(&method, &format!("try {number}")).await {
                Ok(transaction) => {
                    assert_eq!(transaction.status(), Declined);
                    declined += 1;
                }
                Err(error) => {
                    assert_eq!(error.reason(), "TOO_MANY_DECLINES");
                    refused += 1;
                }
            }
        }
        assert_eq!((declined, refused), (10, 50));
        assert_eq!(scene.ledger().await.len(), 30, "the vendor is not asked any more");
        let also_good = scene.sell(&good, "meanwhile").await;
        assert_eq!(refusal_reason(also_good), "TOO_MANY_DECLINES", "it might be the next card");
        scene.clock.move_forward(Duration::from_secs(361));
        assert_eq!(scene.sell(&good, "later").await.unwrap().status(), Approved);
        assert_eq!(scene.sell(&good, "and again").await.unwrap().status(), Approved);
    }
}

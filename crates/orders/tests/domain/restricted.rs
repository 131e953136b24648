//! Tests of what only staff and programs say of an order, and of what an order does not charge.

use pavise_kernel::Error;
use pavise_kernel::common::v1::{BillingProvider, ClassicId, CoBrandPartner, Date, RegionCode};
use pavise_orders::contract::v1::*;
use pavise_testkit::scene::Engine;

use crate::scene::{ALICE, STAFF, configured, draft, request_by, scenes};

/// A draft with one of the fields that staff and programs set, and the path of the field.
fn credits() -> [(&'static str, OrderDraft); 6] {
    let usual = || draft(RegionCode::Tx, &["legal"]);
    let source = OrderSource { name: "site".into(), associate_id: "mallory".into(), ..OrderSource::default() };
    [
        ("order.source.associate_id", OrderDraft { source: Some(source), ..usual() }),
        ("order.classic_ids", OrderDraft { classic_ids: vec![ClassicId { r#type: 1, value: "1".into() }], ..usual() }),
        ("order.billing_provider", OrderDraft { billing_provider: BillingProvider::SystemI.into(), ..usual() }),
        ("order.vendor", OrderDraft { vendor: "mallory".into(), ..usual() }),
        ("order.co_brand_partner", OrderDraft { co_brand_partner: CoBrandPartner::Sofi.into(), ..usual() }),
        ("order.marketing_channel", OrderDraft { marketing_channel: MarketingChannel::LsaPlus.into(), ..usual() }),
    ]
}

#[tokio::test]
async fn members_and_visitors_do_not_say_who_is_credited() {
    for scene in scenes().await {
        for (field, order) in credits() {
            let refused = scene.create(ALICE, order.clone()).await.unwrap_err();
            assert_eq!((refused.reason(), refused.violations()[0].field.as_str()), ("INVALID_FIELD", field));
            let request = CreateAnonymousOrderRequest { order: Some(order.clone()) };
            let refused =
                scene.orders().create_anonymous_order(request_by("", request)).await.map_err(Error::from).unwrap_err();
            assert_eq!(refused.violations()[0].field, field);
            let through_group = CreateGroupOrderRequest {
                group_id: "acme".into(),
                identity_id: "alice".into(),
                order: Some(OrderDraft { offers: draft(RegionCode::Tx, &["employer"]).offers, ..order.clone() }),
            };
            let refused = scene.orders().create_group_order(request_by("GroupAdmin/boss/acme", through_group)).await;
            assert_eq!(refused.map_err(Error::from).unwrap_err().violations()[0].field, field);
            scene.create(STAFF, order).await.unwrap();
        }
    }
}

#[tokio::test]
async fn externally_billed_offers_are_neither_charged_nor_subscribed() {
    for scene in scenes().await {
        let billed = OrderDraft {
            billing_provider: BillingProvider::SystemI.into(),
            ..draft(RegionCode::Tx, &["legal", "identity"])
        };
        let order = scene.create(STAFF, billed).await.unwrap();
        scene.purchase(&order).await.unwrap();
        assert_eq!(scene.run_workers().await, 0);
        let sold = scene.get(ALICE, &order).await.unwrap();
        assert_eq!((sold.status(), sold.invoice_id.as_str()), (OrderStatus::Provisioned, ""));
        let state = scene.peers.state();
        assert!(state.charges.is_empty() && state.invoices.is_empty() && state.transactions.is_empty());
        assert_eq!(state.provisions.len(), 2);
        let renewals = || state.provisions.values().flat_map(|provision| &provision.lines);
        assert!(renewals().all(|line| line.renewal_price.is_none()), "a line that does not renew has no subscription");
    }
}

#[tokio::test]
async fn a_vendor_that_is_off_ends_the_attempt() {
    for scene in scenes().await {
        scene.peers.state().vendor_is_off = true;
        let order = scene.order(&["legal"]).await;
        scene.purchase(&order).await.unwrap();
        assert_eq!(scene.run_workers().await, 0, "nothing is tried again");
        let failed = scene.get(ALICE, &order).await.unwrap();
        assert_eq!(failed.status(), OrderStatus::PaymentFailed);
        assert_eq!(failed.offers[0].failure_reason, "VENDOR_NOT_CONFIGURED");
        scene.peers.state().vendor_is_off = false;
        scene.purchase(&failed).await.unwrap();
        assert_eq!(scene.run_workers().await, 0);
        assert_eq!(scene.get(ALICE, &order).await.unwrap().status(), OrderStatus::Provisioned);
    }
}

#[tokio::test]
async fn sample_tax_rates_are_charged_in_trials_alone() {
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let scene = configured(engine, pavise_orders::Config::default()).await;
        let order = scene.order(&["legal"]).await;
        let refused = scene.purchase(&order).await.unwrap_err();
        assert_eq!(refused.reason(), "SAMPLE_TAX_RATE");
        assert!(refused.message().contains("TX") && refused.message().contains("LEGAL"), "{refused}");
        let confirmed = SetTaxRateRequest {
            locality: RegionCode::Tx.into(),
            component: TaxComponent::State.into(),
            category: TaxCategory::Legal.into(),
            rate_ppm: 0,
            effective_from: Some(Date { year: 2026, month: 1, day: 1 }),
            effective_until: None,
        };
        scene.taxes().set_tax_rate(request_by(STAFF, confirmed)).await.unwrap();
        scene.purchase(&order).await.unwrap();
        assert_eq!(scene.run_workers().await, 0);
        assert_eq!(scene.get(ALICE, &order).await.unwrap().status(), OrderStatus::Provisioned);
    }
}

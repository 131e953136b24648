//! Prices and taxes are the server's own.

use pavise_kernel::Error;
use pavise_kernel::common::v1::{BillingProvider, Currency, Locale, RegionCode};
use pavise_orders::contract::v1::*;

use crate::scene::{ALICE, cents, choice, draft, payment, refusal_reason, request_by, scene, usd};

#[tokio::test]
async fn an_order_is_priced_by_the_catalog_and_taxed_where_the_buyer_lives() {
    let scene = scene().await;
    let order = scene.order(&["legal", "identity"]).await;
    let totals = order.totals.unwrap();
    // Texas taxes identity protection (6.25 % of 14.95 is 0.934), not legal plans.
    assert_eq!(
        [totals.subtotal, totals.tax, totals.total, totals.renewal, totals.due].map(cents),
        [3990, 93, 4083, 3990, 4083]
    );
    assert!(order.offers[0].taxes.is_empty());
    assert_eq!(order.offers[1].taxes[0].component(), TaxComponent::State);
    assert_eq!(
        (order.currency(), order.marketing_channel(), order.billing_provider()),
        (Currency::Usd, MarketingChannel::BuyNow, BillingProvider::Psx)
    );
}

#[tokio::test]
async fn a_canadian_locale_means_canadian_dollars_and_taxes() {
    let scene = scene().await;
    let order = OrderDraft { locale: Locale::FrCa.into(), ..draft(RegionCode::Qc, &["legal"]) };
    let order = scene.create(ALICE, order).await.unwrap();
    assert_eq!(order.currency(), Currency::Cad);
    assert_eq!(order.offers[0].taxes.iter().map(|tax| cents(tax.amount)).collect::<Vec<_>>(), [125, 249]);
}

#[tokio::test]
async fn unsold_choices_are_refused_with_their_field() {
    let scene = scene().await;
    scene.peers.state().offers.get_mut("identity").unwrap().for_sale = false;
    let refused = scene.create(ALICE, draft(RegionCode::Tx, &["legal", "identity", "nothing"])).await.unwrap_err();
    assert_eq!(refused.reason(), "SELECTION_REFUSED");
    let fields: Vec<_> = refused.violations().iter().map(|one| one.field.as_str()).collect();
    assert_eq!(fields, ["order.offers[1].offer_id", "order.offers[2].offer_id"]);
    assert_eq!(refusal_reason(scene.create(ALICE, draft(RegionCode::Unspecified, &["legal"])).await), "INVALID_FIELD");
}

#[tokio::test]
async fn moving_prices_the_order_anew() {
    let scene = scene().await;
    let order = scene.order(&["legal"]).await;
    let request = PutOffersRequest {
        order_id: order.id.clone(),
        offers: vec![choice("legal")],
        locality: RegionCode::Hi.into(),
        ..PutOffersRequest::default()
    };
    let moved = scene.orders().put_offers(request_by(ALICE, request)).await.unwrap().into_inner();
    assert_eq!(cents(moved.totals.unwrap().tax), 100); // 4 % of 24.95
    assert_ne!(moved.offers[0].id, order.offers[0].id);
}

#[tokio::test]
async fn changed_price_is_refused_at_the_purchase() {
    let scene = scene().await;
    let order = scene.order(&["legal"]).await;
    scene.peers.state().offers.get_mut("legal").unwrap().initial = 2995;
    let refused = scene.purchase(&order).await.unwrap_err();
    assert_eq!((refused.reason(), refused.code()), ("PRICE_CHANGED", tonic::Code::FailedPrecondition));
    assert_eq!(scene.get(ALICE, &order).await.unwrap(), order);
    let wrong = PurchaseOrderRequest { expected_total: usd(2994), ..payment(&order) };
    assert_eq!(
        refusal_reason(scene.orders().purchase_order(request_by(ALICE, wrong)).await.map_err(Error::from)),
        "PRICE_CHANGED"
    );
    let agreed = PurchaseOrderRequest { expected_total: usd(2995), ..payment(&order) };
    let begun = scene.orders().purchase_order(request_by(ALICE, agreed)).await.unwrap().into_inner();
    assert_eq!((begun.status(), cents(begun.totals.unwrap().due)), (OrderStatus::Processing, 2995));
    assert_eq!(scene.run_workers().await, 0);
    assert_eq!(scene.peers.state().charges.iter().map(|(_, amount)| *amount).collect::<Vec<_>>(), [2995]);
}

#[tokio::test]
async fn an_offer_that_left_the_shop_cannot_be_purchased() {
    let scene = scene().await;
    let order = scene.order(&["legal"]).await;
    scene.peers.state().offers.get_mut("legal").unwrap().for_sale = false;
    assert_eq!(refusal_reason(scene.purchase(&order).await), "OFFER_NOT_BUYABLE");
}

//! Tests of the uses of a payment method that are admitted: by its payer, for what is owed.

use pavise_billing::contract::v1::*;
use pavise_kernel::Result;
use pavise_kernel::common::v1::{BillingPeriod, Money};

use crate::scene::{
    ALICE, APPROVES, PLATFORM, STAFF, Scene, card, into_answer, item, refusal_reason, request_by, request_with_key,
    scenes, usd,
};

/// A card of the group acme for "alice".
pub(crate) async fn employers_card(scene: &Scene) -> PaymentMethod {
    employers_card_with(scene, APPROVES).await
}

/// The same with another token.
pub(crate) async fn employers_card_with(scene: &Scene, token: &str) -> PaymentMethod {
    let request = CreateGroupPaymentMethodRequest {
        group_id: "acme".into(),
        identity_id: "alice".into(),
        payment_method: Some(card(token)),
    };
    into_answer(scene.payments().create_group_payment_method(request_by(STAFF, request)).await).unwrap()
}

fn charge(method: &PaymentMethod, amount: i64) -> CreateChargeRequest {
    CreateChargeRequest {
        identity_id: "alice".into(),
        payment_method_id: method.id.clone(),
        amount: usd(amount),
        ..CreateChargeRequest::default()
    }
}

async fn sell(scene: &Scene, method: &PaymentMethod, order: &str, amount: Option<Money>) -> Result<Transaction> {
    let request = CreateSaleRequest {
        identity_id: "alice".into(),
        payment_method_id: method.id.clone(),
        amount,
        order_id: order.to_owned(),
        ..CreateSaleRequest::default()
    };
    into_answer(scene.payments().create_sale(request_by(STAFF, request)).await)
}

#[tokio::test]
async fn no_member_charges_a_method_by_themselves() {
    for scene in scenes().await {
        let (own, employers) = (scene.method(card(APPROVES)).await, employers_card(&scene).await);
        for method in [&own, &employers] {
            let charged = scene.payments().create_charge(request_by(ALICE, charge(method, 99_900))).await;
            assert_eq!(refusal_reason(into_answer(charged)), "REALM_NOT_ALLOWED");
            let sale = crate::scene::sale(method, "r");
            assert_eq!(
                refusal_reason(into_answer(scene.payments().create_sale(request_by(ALICE, sale)).await)),
                "REALM_NOT_ALLOWED"
            );
            let authorize = CreateAuthorizationRequest {
                identity_id: "alice".into(),
                payment_method_id: method.id.clone(),
                amount: usd(99_900),
                ..CreateAuthorizationRequest::default()
            };
            let authorized = scene.payments().create_authorization(request_by(ALICE, authorize)).await;
            assert_eq!(refusal_reason(into_answer(authorized)), "REALM_NOT_ALLOWED");
        }
        let verify = |method: &PaymentMethod| CreateVerificationRequest {
            identity_id: "alice".into(),
            payment_method_id: method.id.clone(),
            ..CreateVerificationRequest::default()
        };
        let verified =
            into_answer(scene.payments().create_verification(request_by(ALICE, verify(&own))).await).unwrap();
        assert_eq!(verified.status(), TransactionStatus::Approved);
        let refused = scene.payments().create_verification(request_by(ALICE, verify(&employers))).await;
        assert_eq!(refusal_reason(into_answer(refused)), "PAYMENT_METHOD_NOT_CHARGEABLE");
        assert_eq!(scene.moved().await, 0);
    }
}

#[tokio::test]
async fn amounts_that_are_not_owed_are_refused() {
    for scene in scenes().await {
        let method = scene.method(card(APPROVES)).await;
        let refused =
            into_answer(scene.payments().create_charge(request_by(STAFF, charge(&method, 99_900))).await).unwrap_err();
        assert_eq!((refused.reason(), refused.violations()[0].field.as_str()), ("INVALID_FIELD", "order_id"));
        let order = format!("{}:2995", method.id);
        let cad = Some(Money { currency: 2, amount: 2995 });
        assert_eq!(refusal_reason(sell(&scene, &method, &order, cad).await), "CURRENCY_MISMATCH");
        assert_eq!(refusal_reason(sell(&scene, &method, &order, usd(2996)).await), "PAYMENT_EXCEEDS_OPEN_AMOUNT");
        assert_eq!(refusal_reason(sell(&scene, &method, "unknown", usd(1)).await), "NOT_FOUND");
        assert_eq!(refusal_reason(sell(&scene, &method, "another-card:2995", usd(1)).await), "NOT_OWED");
        let invoice = scene.invoice(&[500], &method.id).await;
        let direct = CreateChargeRequest { invoice_id: invoice.id.clone(), ..charge(&method, 500) };
        assert_eq!(
            refusal_reason(into_answer(scene.payments().create_charge(request_by(STAFF, direct)).await)),
            "NOT_OWED"
        );
        assert_eq!(scene.moved().await, 0);
        sell(&scene, &method, &order, usd(2000)).await.unwrap();
        assert_eq!(refusal_reason(sell(&scene, &method, &order, usd(996)).await), "PAYMENT_EXCEEDS_OPEN_AMOUNT");
        sell(&scene, &method, &order, usd(995)).await.unwrap();
        assert_eq!(scene.moved().await, 2995);
    }
}

#[tokio::test]
async fn many_sales_at_once_charge_what_an_order_owes() {
    for scene in &scenes().await {
        let method = &scene.method(card(APPROVES)).await;
        let order = &format!("{}:1000", method.id);
        let sales = (0..8).map(|_| sell(scene, method, order, usd(300)));
        let sold = futures::future::join_all(sales).await.into_iter().filter(Result::is_ok).count();
        assert!(sold <= 3, "{sold}");
        assert_eq!(scene.moved().await, 300 * i64::try_from(sold).unwrap());
    }
}

#[tokio::test]
async fn an_employers_card_pays_for_the_employers_plans_only() {
    for scene in scenes().await {
        let (own, employers) = (scene.method(card(APPROVES)).await, employers_card(&scene).await);
        let private = scene.invoice(&[700], "").await;
        let pay = |invoice: &Invoice, method: &PaymentMethod| PayInvoiceRequest {
            invoice_id: invoice.id.clone(),
            payment_method_id: method.id.clone(),
            ..PayInvoiceRequest::default()
        };
        for who in [ALICE, STAFF] {
            assert_eq!(
                refusal_reason(scene.pay(who, who, pay(&private, &employers)).await),
                "PAYMENT_METHOD_NOT_CHARGEABLE"
            );
            let name = UpdateInvoicePaymentMethodRequest {
                identity_id: "alice".into(),
                invoice_id: private.id.clone(),
                payment_method_id: employers.id.clone(),
            };
            let named = scene.invoices().update_invoice_payment_method(request_by(who, name)).await;
            assert_eq!(refusal_reason(into_answer(named)), "PAYMENT_METHOD_NOT_CHARGEABLE");
        }
        let raise = |subscription: &str, order: &str| CreateInvoiceRequest {
            identity_id: "alice".into(),
            currency: 1,
            items: vec![item(ItemType::Order, 300)],
            payment_method_id: employers.id.clone(),
            subscription_id: subscription.to_owned(),
            order_id: order.to_owned(),
            ..CreateInvoiceRequest::default()
        };
        let raised = scene.invoices().create_invoice(request_by(STAFF, raise("", ""))).await;
        assert_eq!(refusal_reason(into_answer(raised)), "PAYMENT_METHOD_NOT_CHARGEABLE");
        let order = format!("{}:2995", employers.id);
        assert_eq!(refusal_reason(sell(&scene, &employers, &order, usd(2995)).await), "PAYMENT_METHOD_NOT_CHARGEABLE");
        assert!(scene.get_invoice(&private.id).await.payments.is_empty());
        assert_eq!(scene.moved().await, 0);

        sell(&scene, &employers, &format!("{order}:acme"), usd(2995)).await.unwrap();
        let of_order = raise("", &format!("{order}:acme"));
        into_answer(scene.invoices().create_invoice(request_by(STAFF, of_order)).await).unwrap();
        let subscribe = CreateSubscriptionRequest {
            identity_id: "alice".into(),
            offer_id: "employer".into(),
            items: vec![SubscriptionItem {
                r#type: OfferItemType::Product.into(),
                product_id: "legal".into(),
                name: "Legal".into(),
                price: usd(300),
                ..SubscriptionItem::default()
            }],
            billing_period: BillingPeriod::Monthly.into(),
            payment_method_id: employers.id.clone(),
            group_id: "acme".into(),
            ..CreateSubscriptionRequest::default()
        };
        let plan =
            into_answer(scene.subscriptions().create_subscription(request_by(PLATFORM, subscribe)).await).unwrap();
        let bill = scene.invoices().create_invoice(request_with_key(STAFF, "bill", raise(&plan.id, ""))).await;
        let bill = into_answer(bill).unwrap();
        let paid = scene.pay(ALICE, "bill", pay(&bill, &employers)).await.unwrap();
        assert_eq!(paid.status(), InvoiceStatus::Paid);
        let paid = scene.pay(ALICE, "own", pay(&private, &own)).await.unwrap();
        assert_eq!(paid.status(), InvoiceStatus::Paid);
        assert_eq!(scene.moved().await, 2995 + 300 + 700);
    }
}

//! Tests of the outcome of each documented token of the test vendor.

use std::time::Duration;

use pavise_billing::contract::v1::DeclineReason as Why;
use pavise_billing::contract::v1::TransactionStatus::{self, Approved, Declined, HardDeclined, Timedout};
use pavise_billing::contract::v1::*;

use crate::scene::{
    ALICE, APPROVES, PLATFORM, STAFF, Scene, account, at, at_with, card, configured, into_answer, refusal_reason,
    request_by, request_with_key, sale, scene, scenes, usd,
};

/// The token of a card and of an account, its first and final status, the cause, and the money that moved.
const TABLE: &[(&str, &str, TransactionStatus, TransactionStatus, Why, i64)] = &[
    ("test_4111111111111111", "test_bank_0001", Approved, Approved, Why::Unspecified, 2995),
    ("test_4000000000000002", "test_bank_0002", Declined, Declined, Why::InsufficientFunds, 0),
    ("test_4000000000000003", "", Declined, Declined, Why::ExpiredCard, 0),
    ("test_4000000000000004", "", HardDeclined, HardDeclined, Why::StolenCard, 0),
    ("", "test_bank_0004", HardDeclined, HardDeclined, Why::ClosedAccount, 0),
    ("test_4000000000000005", "test_bank_0005", Timedout, Approved, Why::Unspecified, 2995),
    ("test_4000000000000006", "test_bank_0006", Timedout, Declined, Why::InsufficientFunds, 0),
    ("test_4000000000000007", "test_bank_0007", Timedout, Approved, Why::Unspecified, 2995),
    ("test_4000000000000008", "test_bank_0008", Approved, Approved, Why::Unspecified, 2995),
    ("tok_nobody_knows", "tok_no_account", Declined, Declined, Why::UnknownToken, 0),
];

#[tokio::test]
async fn every_token_does_what_its_documentation_says_on_both_engines() {
    for scene in scenes().await {
        let mut expected = 0;
        for (on_card, on_account, first, last, why, moved) in TABLE {
            for new in [card(on_card), account(on_account)].into_iter().filter(|new| !new.vendor_token.is_empty()) {
                let method = scene.method(new).await;
                let sold = scene.sell(&method, &method.id).await.unwrap();
                assert_eq!(sold.status(), *first, "{on_card} {on_account}");
                scene.clock.move_forward(Duration::from_secs(31));
                let sold = scene.sell(&method, &method.id).await.unwrap();
                assert_eq!((sold.status(), sold.decline_reason()), (*last, *why), "{on_card} {on_account}");
                assert_eq!(sold.vendor_reference.is_empty(), sold.settled_at.is_none());
                expected += moved;
                assert_eq!(scene.moved().await, expected, "{on_card} {on_account}");
            }
        }
        assert!(scene.ledger().await.iter().all(|entry| entry.submissions == 1), "nothing is ever sent blindly again");
    }
}

#[tokio::test]
async fn a_late_answer_is_waited_for() {
    let scene = scene().await;
    let method = scene.method(card("test_4000000000000007")).await;
    assert_eq!(scene.sell(&method, "late").await.unwrap().status(), Timedout);
    scene.clock.move_forward(Duration::from_secs(29));
    let again = scene.sell(&method, "late").await.unwrap();
    assert_eq!((again.status(), again.version), (Timedout, 2), "asking again writes nothing");
    scene.clock.move_forward(Duration::from_secs(2));
    assert_eq!(scene.sell(&method, "late").await.unwrap().status(), Approved);
}

#[tokio::test]
async fn the_platform_asks_by_itself_when_nobody_does() {
    let scene = scene().await;
    for (token, status) in
        [("test_4000000000000005", Approved), ("test_4000000000000006", Declined), ("test_4000000000000007", Approved)]
    {
        let method = scene.method(card(token)).await;
        let request = CreateSaleRequest { reference: String::new(), ..sale(&method, "") };
        let sold = into_answer(scene.payments().create_sale(request_by(PLATFORM, request)).await).unwrap();
        assert_eq!(sold.status(), Timedout, "{token}");
        scene.clock.move_forward(Duration::from_secs(31));
        assert_eq!(scene.run_workers(token).await, 0);
        assert_eq!(scene.transaction(&sold.id).await.status(), status, "{token}");
    }
    assert_eq!(scene.moved().await, 2 * 2995);
}

#[tokio::test]
async fn authorizations_are_charged_in_parts_and_verifications_move_nothing() {
    let scene = scene().await;
    let method = scene.method(card(APPROVES)).await;
    let (identity_id, payment_method_id) = ("alice".to_owned(), method.id.clone());
    let verify = CreateVerificationRequest {
        identity_id: identity_id.clone(),
        payment_method_id: payment_method_id.clone(),
        ..Default::default()
    };
    let verified = into_answer(scene.payments().create_verification(request_by(ALICE, verify)).await).unwrap();
    assert_eq!((verified.status(), verified.amount), (Approved, None));
    let authorize = CreateAuthorizationRequest {
        identity_id: identity_id.clone(),
        payment_method_id: payment_method_id.clone(),
        amount: usd(100),
        order_id: format!("{}:100", method.id),
        ..Default::default()
    };
    let authorized = into_answer(scene.payments().create_authorization(request_by(PLATFORM, authorize)).await).unwrap();
    assert_eq!(authorized.status(), Approved);
    assert_eq!(scene.moved().await, 0);
    let charge = |amount: i64| CreateChargeRequest {
        identity_id: identity_id.clone(),
        payment_method_id: payment_method_id.clone(),
        amount: usd(amount),
        authorization_id: authorized.id.clone(),
        ..CreateChargeRequest::default()
    };
    assert_eq!(
        into_answer(scene.payments().create_charge(request_by(PLATFORM, charge(60))).await).unwrap().status(),
        Approved
    );
    assert_eq!(
        refusal_reason(into_answer(scene.payments().create_charge(request_by(PLATFORM, charge(41))).await)),
        "NOT_CAPTURABLE"
    );
    assert_eq!(
        into_answer(scene.payments().create_charge(request_by(PLATFORM, charge(40))).await).unwrap().status(),
        Approved
    );
    assert_eq!(scene.transaction(&authorized.id).await.captured_amount, usd(100));
    assert_eq!(scene.moved().await, 100);
}

#[tokio::test]
async fn a_hard_decline_lets_the_method_rest_for_a_day() {
    let scene = scene().await;
    let method = scene.method(card("test_4000000000000004")).await;
    assert_eq!(scene.sell(&method, "first").await.unwrap().status(), HardDeclined);
    let refused = scene.sell(&method, "second").await.unwrap_err();
    assert_eq!(refused.reason(), "PAYMENT_METHOD_COOLING_DOWN");
    assert_eq!(scene.sell(&method, "first").await.unwrap().status(), HardDeclined, "a repeat is answered, not refused");
    let check = || CheckCooldownRequest { identity_id: "alice".into() };
    let cooling = into_answer(scene.payments().check_cooldown(request_by(ALICE, check())).await).unwrap();
    assert!(cooling.in_cooldown);
    assert_eq!(cooling.payment_methods[0].payment_method_id, method.id);
    assert_eq!(cooling.cooldown_until, scene.get_method(&method.id).await.cooldown_until);
    assert_eq!(
        scene.method(card("test_4000000000000004")).await.cooldown_until,
        cooling.cooldown_until,
        "adding it again does not help"
    );

    let other = scene.method(card(APPROVES)).await;
    assert_eq!(scene.sell(&other, "third").await.unwrap().status(), Approved, "another card is another matter");
    scene.clock.move_forward(Duration::from_secs(24 * 3600));
    assert!(!into_answer(scene.payments().check_cooldown(request_by(ALICE, check())).await).unwrap().in_cooldown);
    assert_eq!(scene.ledger().await.len(), 2);
}

#[tokio::test]
async fn no_other_token_ends_a_rest_and_a_token_that_rests_rests_everywhere() {
    for scene in scenes().await {
        let replace = async |method: &PaymentMethod, token: &str| {
            let request = UpdateCardPaymentDetailsRequest {
                identity_id: "alice".into(),
                payment_method_id: method.id.clone(),
                card: card("").card,
                vendor_token: token.into(),
                billing_address: None,
            };
            into_answer(scene.payments().update_card_payment_details(request_by(ALICE, request)).await)
        };
        const STOLEN: &str = "test_4000000000000004";
        let method = scene.method(card(STOLEN)).await;
        assert_eq!(scene.sell(&method, "first").await.unwrap().status(), HardDeclined);
        let until = scene.get_method(&method.id).await.cooldown_until;
        let refused = replace(&method, "another").await.unwrap_err();
        assert!(refused.is(ErrorReason::PaymentMethodCoolingDown), "{refused}");
        for same in [STOLEN, ""] {
            assert_eq!(replace(&method, same).await.unwrap().cooldown_until, until, "what is printed may change");
        }
        let other = scene.method(card(APPROVES)).await;
        assert_eq!(replace(&other, STOLEN).await.unwrap().cooldown_until, until, "the token rests wherever it is");
        assert_eq!(refusal_reason(scene.sell(&other, "second").await), "PAYMENT_METHOD_COOLING_DOWN");

        let bank = scene.method(account("test_bank_0004")).await;
        assert_eq!(scene.sell(&bank, "bank").await.unwrap().status(), HardDeclined);
        let request = UpdateBankAccountDetailsRequest {
            identity_id: "alice".into(),
            payment_method_id: bank.id.clone(),
            bank_account: account("").bank_account,
            vendor_token: "test_bank_0001".into(),
            billing_address: None,
        };
        let refused = into_answer(scene.payments().update_bank_account_details(request_by(ALICE, request)).await);
        assert_eq!(refusal_reason(refused), "PAYMENT_METHOD_COOLING_DOWN");

        scene.clock.move_forward(Duration::from_secs(24 * 3600));
        assert_eq!(replace(&method, APPROVES).await.unwrap().cooldown_until, None);
        assert_eq!(scene.sell(&method, "third").await.unwrap().status(), Approved);
    }
}

#[tokio::test]
async fn a_reference_means_one_thing() {
    let scene = scene().await;
    let method = scene.method(card(APPROVES)).await;
    let sold = scene.sell(&method, "r").await.unwrap();
    assert_eq!(scene.sell(&method, "r").await.unwrap(), sold);
    let other = CreateSaleRequest { amount: usd(1), ..sale(&method, "r") };
    assert_eq!(
        refusal_reason(into_answer(scene.payments().create_sale(request_by(PLATFORM, other)).await)),
        "REFERENCE_REUSED"
    );
    let keyed_sale =
        || request_with_key(PLATFORM, "key", CreateSaleRequest { reference: String::new(), ..sale(&method, "") });
    let first = into_answer(scene.payments().create_sale(keyed_sale()).await).unwrap();
    assert_eq!(into_answer(scene.payments().create_sale(keyed_sale()).await).unwrap(), first);
    assert_ne!(first.id, sold.id);
    assert_eq!(scene.moved().await, 2 * 2995);
    assert!(sold.request_key.is_empty(), "what makes it repeatable is nobody's business");
}

#[tokio::test]
async fn a_method_of_a_vendor_that_is_off_is_not_added() {
    let add = async |scene: &Scene, new: NewPaymentMethod| {
        let request = CreatePaymentMethodRequest { identity_id: "alice".into(), payment_method: Some(new) };
        into_answer(scene.payments().create_payment_method(request_by(ALICE, request)).await)
    };
    let vendors = async |scene: &Scene| {
        let list = ListPaymentVendorsRequest {};
        into_answer(scene.payments().list_payment_vendors(request_by("", list)).await).unwrap().vendors
    };
    let on = scene().await;
    for vendor in [Vendor::Iseries, Vendor::TokenexVantiv, Vendor::Vantiv] {
        let refused = add(&on, NewPaymentMethod { vendor: vendor.into(), ..card("vault-token") }).await.unwrap_err();
        assert_eq!(refused.reason(), "VENDOR_NOT_CONFIGURED");
        assert!(refused.message().contains(vendor.spelling()), "{refused}");
    }
    assert_eq!(vendors(&on).await, [i32::from(Vendor::Test)]);
    let off = configured(pavise_billing::Config::default()).await;
    let refused = add(&off, card(APPROVES)).await.unwrap_err();
    assert_eq!(refused.reason(), "VENDOR_NOT_CONFIGURED");
    assert!(refused.message().contains("--test-vendor"), "{refused}");
    let visitor = CreateAnonymousPaymentMethodRequest { payment_method: Some(card(APPROVES)) };
    assert_eq!(
        refusal_reason(into_answer(off.payments().create_anonymous_payment_method(request_by("", visitor)).await)),
        "VENDOR_NOT_CONFIGURED"
    );
    let cheque = NewPaymentMethod { r#type: PaymentMethodType::Check.into(), ..NewPaymentMethod::default() };
    add(&off, cheque).await.unwrap();
    assert!(vendors(&off).await.is_empty());
}

#[tokio::test]
async fn a_vendor_that_was_turned_off_leaves_nothing_in_progress() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("billing.db");
    let on = at(&file).await;
    let method = on.method(card(APPROVES)).await;
    let invoice = on.invoice(&[100], &method.id).await;
    on.kernel.committer().shut_down().await;
    drop(on);
    let off = at_with(&file, pavise_billing::Config::default()).await;
    assert_eq!(refusal_reason(off.sell(&method, "r").await), "VENDOR_NOT_CONFIGURED");
    let pay = PayInvoiceRequest { invoice_id: invoice.id.clone(), ..PayInvoiceRequest::default() };
    assert_eq!(refusal_reason(off.pay(ALICE, "1", pay).await), "VENDOR_NOT_CONFIGURED");
    assert!(off.transactions().await.is_empty() && off.get_invoice(&invoice.id).await.payments.is_empty());
    assert_eq!(off.run_workers("nothing waits").await, 0);
}

#[tokio::test]
async fn staff_end_what_a_vendor_left_that_was_turned_off() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("billing.db");
    let on = at(&file).await;
    let method = on.method(card("test_4000000000000005")).await;
    let sold = on.sell(&method, "r").await.unwrap();
    assert_eq!(sold.status(), Timedout);
    let resolve = async |scene: &Scene, who: &str, status: TransactionStatus| {
        let reference = if status == Approved { "in their books" } else { "" };
        let request = ResolveTransactionRequest {
            transaction_id: sold.id.clone(),
            status: status.into(),
            vendor_reference: reference.into(),
            ..ResolveTransactionRequest::default()
        };
        into_answer(scene.payments().resolve_transaction(request_by(who, request)).await)
    };
    assert_eq!(refusal_reason(resolve(&on, STAFF, Approved).await), "INVALID_FIELD", "the vendor is there to say it");
    on.kernel.committer().shut_down().await;
    drop(on);
    let off = at_with(&file, pavise_billing::Config::default()).await;
    assert_eq!(refusal_reason(resolve(&off, ALICE, Approved).await), "REALM_NOT_ALLOWED");
    assert_eq!(off.sell(&method, "r").await.unwrap().status(), Timedout, "nobody knows");
    assert_eq!(resolve(&off, STAFF, TransactionStatus::Unspecified).await.unwrap().status(), Timedout);
    let ended = resolve(&off, STAFF, Approved).await.unwrap();
    assert_eq!((ended.status(), ended.vendor_reference.as_str()), (Approved, "in their books"));
    assert_eq!(resolve(&off, STAFF, Declined).await.unwrap().status(), Approved, "an outcome stays");
    assert_eq!(off.sell(&method, "r").await.unwrap(), ended, "the order goes on with it");
}

#[tokio::test]
async fn asking_only_whether_it_would_go_charges_nothing() {
    let scene = scene().await;
    let method = scene.method(card(APPROVES)).await;
    let mut request = request_by(PLATFORM, sale(&method, "r"));
    request.metadata_mut().insert("pavise-validate-only", "true".parse().unwrap());
    into_answer(scene.payments().create_sale(request).await).unwrap();
    assert!(scene.ledger().await.is_empty() && scene.transactions().await.is_empty());
}

//! Tests of the adapter of Stripe against the stand-in.

use std::time::Duration;

use pavise_billing::contract::v1::TransactionStatus::{Approved, Declined, HardDeclined, Timedout};
use pavise_billing::contract::v1::{DeclineReason as Why, *};
use pavise_kernel::common::v1::{Currency, Money};
use pavise_testkit::stripe::{BANK_ACCOUNT, CANADIAN_ACCOUNT, StripeServer, Trouble, VendorPayment};

use crate::scene::{
    ALICE, PLATFORM, STAFF, Scene, account, card, into_answer, item, refusal_reason, request_by, request_with_key,
    sale, usd,
};
use crate::stripe_scene::{NOON, impatient_scene, scene_at, stripe_scenes};

#[tokio::test]
async fn a_sale_ends_as_the_bank_decides_on_both_engines() {
    for (scene, server) in stripe_scenes().await {
        for (kind, status, why) in [
            ("pm_card_visa", Approved, Why::Unspecified),
            ("pm_card_chargeDeclined", Declined, Why::Other),
            ("pm_card_chargeDeclinedInsufficientFunds", Declined, Why::InsufficientFunds),
            ("pm_card_chargeDeclinedExpiredCard", Declined, Why::ExpiredCard),
            ("pm_card_chargeDeclinedStolenCard", HardDeclined, Why::StolenCard),
            ("pm_card_chargeDeclinedLostCard", HardDeclined, Why::StolenCard),
        ] {
            let method = scene.stripe_card(&server, kind).await;
            let sold = scene.sell(&method, kind).await.unwrap();
            assert_eq!((sold.status(), sold.decline_reason()), (status, why), "{kind}");
            assert!(sold.vendor_reference.starts_with("pi_"), "{sold:?}");
            let rests = scene.get_method(&method.id).await.cooldown_until.is_some();
            assert_eq!(rests, status == HardDeclined, "{kind}");
            assert_eq!(scene.sell(&method, kind).await.unwrap(), sold, "a repeat is answered the same");
        }
        let [paid]: [VendorPayment; 1] = server.payments().try_into().unwrap();
        assert_eq!((paid.received, server.balance()), (2995, 2995));
    }
}

#[tokio::test]
async fn a_card_that_wants_its_owner_leads_the_member_to_the_bank() {
    for (scene, server) in stripe_scenes().await {
        let method = scene.stripe_card(&server, "pm_card_authenticationRequired").await;
        let sold = scene.sell(&method, "first").await.unwrap();
        assert_eq!((sold.status(), sold.decline_reason()), (Declined, Why::AuthenticationRequired));
        assert!(sold.redirect_to_url.starts_with(server.url()), "{}", sold.redirect_to_url);
        assert!(server.payments().is_empty());
        let again = scene.sell(&method, "second").await.unwrap();
        assert_eq!(again.decline_reason(), Why::AuthenticationRequired, "until the member was there");

        // The member may ask for another link.
        let verify = CreateVerificationRequest {
            identity_id: "alice".into(),
            payment_method_id: method.id.clone(),
            ..CreateVerificationRequest::default()
        };
        let asked = into_answer(scene.payments().create_verification(request_by(ALICE, verify)).await).unwrap();
        assert_eq!((asked.status(), asked.decline_reason()), (Declined, Why::AuthenticationRequired));
        server.authenticate(&asked.redirect_to_url);
        assert_eq!(scene.sell(&method, "third").await.unwrap().status(), Approved);
        assert_eq!(server.payments().len(), 1, "the declined payments stay declined");
    }
}

#[tokio::test]
async fn members_enter_cards_on_the_page_of_the_vendor() {
    for (scene, server) in stripe_scenes().await {
        let token = server.add_method("pm_card_visa");
        let brought = NewPaymentMethod { vendor: Vendor::Stripe.into(), ..card(&token) };
        let request = CreatePaymentMethodRequest { identity_id: "alice".into(), payment_method: Some(brought) };
        let refused = into_answer(scene.payments().create_payment_method(request_by(ALICE, request)).await);
        assert_eq!(refusal_reason(refused), "INVALID_FIELD", "a token that a member brings is anybody's");

        let begin = |vendor: Vendor, return_path: &str| BeginHostedEntryRequest {
            identity_id: "alice".into(),
            vendor: vendor.into(),
            r#type: PaymentMethodType::CreditCard.into(),
            return_path: return_path.into(),
            is_default: false,
            ..BeginHostedEntryRequest::default()
        };
        for bad in ["//evil.example", "https://evil.example", "/a?b=c", "x"] {
            let refused = scene.entries().begin_hosted_entry(request_by(ALICE, begin(Vendor::Stripe, bad))).await;
            assert_eq!(refusal_reason(into_answer(refused)), "INVALID_FIELD", "{bad}");
        }
        let refused = scene.entries().begin_hosted_entry(request_by(ALICE, begin(Vendor::Test, "/a"))).await;
        assert_eq!(refusal_reason(into_answer(refused)), "NO_HOSTED_PAGE");

        let opened = scene.entries().begin_hosted_entry(request_by(ALICE, begin(Vendor::Stripe, "/a"))).await;
        let opened = into_answer(opened).unwrap();
        assert!(opened.redirect_to_url.contains("/pay/") && opened.vendor_session_id.is_empty());
        let finish = || FinishHostedEntryRequest { identity_id: "alice".into(), hosted_entry_id: opened.id.clone() };
        let early = into_answer(scene.entries().finish_hosted_entry(request_by(ALICE, finish())).await);
        assert_eq!(refusal_reason(early), "ENTRY_NOT_FINISHED");
        let foreign = FinishHostedEntryRequest { identity_id: "mallory".into(), ..finish() };
        let foreign = scene.entries().finish_hosted_entry(request_by("User/mallory", foreign)).await;
        assert_eq!(refusal_reason(into_answer(foreign)), "NOT_FOUND");
        let other = FinishHostedEntryRequest { identity_id: "mallory".into(), ..finish() };
        for _ in 0..89 {
            assert!(scene.entries().finish_hosted_entry(request_by("User/mallory", other.clone())).await.is_err());
        }
        let throttled = scene.entries().finish_hosted_entry(request_by("User/mallory", other)).await;
        assert_eq!(refusal_reason(into_answer(throttled)), "TOO_MANY_CALLS", "each call would ask the vendor");

        server.fill_in(&opened.redirect_to_url, "pm_card_mastercard", "Ada Lovelace");
        let done = into_answer(scene.entries().finish_hosted_entry(request_by(ALICE, finish())).await).unwrap();
        assert_eq!(done.status(), HostedEntryStatus::Completed);
        let method = scene.get_method(&done.payment_method_id).await;
        let printed = method.card.clone().unwrap();
        assert_eq!((printed.brand(), printed.last4.as_str()), (CardType::Mastercard, "4444"));
        assert!(method.is_default && printed.holder_name == "Ada Lovelace" && method.vendor_token.is_empty());
        let again = into_answer(scene.entries().finish_hosted_entry(request_by(ALICE, finish())).await).unwrap();
        assert_eq!(again.payment_method_id, done.payment_method_id, "one page, one method");
        assert_eq!(scene.sell(&method, "with it").await.unwrap().status(), Approved);

        // A member who closes the browser is finished by the event, and a page that the vendor closes is over.
        let other = scene.entries().begin_hosted_entry(request_by(ALICE, begin(Vendor::Stripe, "/"))).await;
        let other = into_answer(other).unwrap();
        let closed = scene.entries().begin_hosted_entry(request_by(ALICE, begin(Vendor::Stripe, "/b"))).await;
        let closed = into_answer(closed).unwrap();
        server.fill_in(&other.redirect_to_url, "pm_card_visa", "");
        server.expire(&closed.redirect_to_url);
        for event in server.events() {
            scene.deliver(&event).await.unwrap();
        }
        assert_eq!(scene.run_workers("events").await, 0);
        for (entry, status) in [(other, HostedEntryStatus::Completed), (closed, HostedEntryStatus::Expired)] {
            let get = GetHostedEntryRequest { identity_id: "alice".into(), hosted_entry_id: entry.id };
            let now = into_answer(scene.entries().get_hosted_entry(request_by(ALICE, get)).await).unwrap();
            assert_eq!(now.status(), status);
        }
    }
}

#[tokio::test]
async fn silence_at_any_step_ends_charged_once() {
    for (path, trouble) in [
        ("/payment_intents", Trouble::SilentBefore),
        ("/payment_intents", Trouble::SilentAfter),
        ("/confirm", Trouble::SilentBefore),
        ("/confirm", Trouble::SilentAfter),
    ] {
        let (scene, server) = impatient_scene().await;
        let method = scene.stripe_card(&server, "pm_card_visa").await;
        server.meet(path, trouble);
        let sold = scene.sell(&method, "order/offer/1").await.unwrap();
        assert_eq!(sold.status(), Timedout, "{path} {trouble:?}");
        // The vendor forgets keys after a day; the intent is asked for by its id all the same.
        scene.clock.move_forward(Duration::from_secs(90_000));
        assert_eq!(scene.run_workers("resolves").await, 0);
        let ended = scene.transaction(&sold.id).await;
        assert_eq!(ended.status(), Approved, "{path} {trouble:?}");
        let [paid]: [VendorPayment; 1] = server.payments().try_into().unwrap();
        assert_eq!((paid.reference, paid.id, paid.received), (sold.id, ended.vendor_reference, 2995));
    }
}

#[tokio::test]
async fn a_busy_vendor_is_asked_again_within_the_patience() {
    for (scene, server) in stripe_scenes().await {
        let method = scene.stripe_card(&server, "pm_card_visa").await;
        for trouble in [Trouble::Busy, Trouble::Failing, Trouble::Busy] {
            server.meet("/confirm", trouble);
        }
        assert_eq!(scene.sell(&method, "busy").await.unwrap().status(), Approved);
        assert_eq!(server.payments().len(), 1);
    }
    let (scene, server) = impatient_scene().await;
    let method = scene.stripe_card(&server, "pm_card_visa").await;
    server.disturb(1, 0, 100);
    let sold = scene.sell(&method, "too busy").await.unwrap();
    assert_eq!(sold.status(), Timedout, "a caller does not wait for ever");
    server.calm();
    assert_eq!(scene.sell(&method, "too busy").await.unwrap().status(), Approved);
    assert_eq!(server.payments().len(), 1);
}

#[tokio::test]
async fn a_process_that_is_killed_between_two_steps_leaves_one_charge() {
    // The calls over the wire of a sale are to the order; what is asked of the vendor goes over its own connection. So the
    // process is killed by dropping its call while the vendor is silent.
    for path in ["/payment_intents", "/confirm"] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("billing.db");
        let server = StripeServer::start(NOON).await.unwrap();
        let first = scene_at(&file, &server).await;
        let method = first.stripe_card(&server, "pm_card_visa").await;
        server.meet(path, Trouble::SilentAfter);
        let before = server.requests();
        let dropped = async {
            let selling = first.sell(&method, "order/offer/1");
            tokio::pin!(selling);
            loop {
                tokio::select! {
                    biased;
                    _ = &mut selling => break,
                    () = tokio::task::yield_now() => {
                        if server.requests() > before + usize::from(path == "/confirm") { break }
                    }
                }
            }
        };
        dropped.await;
        first.kernel.committer().shut_down().await;
        drop(first);
        let second = scene_at(&file, &server).await;
        let mut sold = second.sell(&method, "order/offer/1").await.unwrap();
        if sold.status() == Timedout {
            sold = second.sell(&method, "order/offer/1").await.unwrap();
        }
        assert_eq!(sold.status(), Approved, "{path}");
        assert_eq!(server.payments().len(), 1, "{path}");
    }
}

#[tokio::test]
async fn what_is_given_up_never_moves_money_later() {
    let (scene, server) = impatient_scene().await;
    let method = scene.stripe_card(&server, "pm_card_visa").await;
    server.meet("/confirm", Trouble::SilentBefore);
    let nobodys = CreateSaleRequest { reference: String::new(), ..sale(&method, "") };
    let sold = into_answer(scene.payments().create_sale(request_by(PLATFORM, nobodys)).await).unwrap();
    assert_eq!(sold.status(), Timedout);
    scene.clock.move_forward(Duration::from_secs(901));
    let ended = scene.resolve(&sold.id).await;
    assert_eq!((ended.status(), ended.decline_reason()), (Declined, Why::NotSubmitted));
    let late = format!("{}/v1/payment_intents/{}/confirm", server.url(), ended.vendor_reference);
    assert_eq!(confirm_late(&late).await, 400, "the intent is cancelled: a confirmation that comes now is refused");
    assert!(server.payments().is_empty());
}

/// Confirms a payment as a request that was long under way.
async fn confirm_late(url: &str) -> u16 {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let rest = url.strip_prefix("http://").unwrap();
    let (host, path) = rest.split_once('/').unwrap();
    let mut stream = tokio::net::TcpStream::connect(host).await.unwrap();
    let key = pavise_testkit::stripe::API_KEY;
    let head = format!(
        "POST /{path} HTTP/1.1\r\nhost: {host}\r\nauthorization: Bearer {key}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer.split(' ').nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn refunds_are_partial_and_a_silent_one_is_found_by_our_reference() {
    for (scene, server) in stripe_scenes().await {
        let method = scene.stripe_card(&server, "pm_card_visa").await;
        let sold = scene.sell(&method, "sale").await.unwrap();
        let back = scene.refund_part(&sold, 995, "part").await.unwrap();
        assert_eq!(back.status(), Approved);
        assert!(back.vendor_reference.starts_with("re_"));
        assert_eq!(refusal_reason(scene.refund_part(&sold, 2001, "more").await), "REFUND_EXCEEDS_PAYMENT");
        assert_eq!(scene.refund_part(&sold, 2000, "rest").await.unwrap().status(), Approved);
        assert_eq!(server.balance(), 0);
    }
    let (scene, server) = impatient_scene().await;
    let method = scene.stripe_card(&server, "pm_card_visa").await;
    let sold = scene.sell(&method, "sale").await.unwrap();
    server.meet("/refunds", Trouble::SilentAfter);
    assert_eq!(scene.refund_part(&sold, 100, "part").await.unwrap().status(), Timedout);
    scene.clock.move_forward(Duration::from_secs(90_000));
    assert_eq!(scene.refund_part(&sold, 100, "part").await.unwrap().status(), Approved);
    assert_eq!(server.balance(), 2895, "given back once");
    scene.clock.move_forward(Duration::from_secs(181 * 86_400));
    assert_eq!(refusal_reason(scene.refund_part(&sold, 100, "late").await), "NOT_REFUNDABLE");
}

#[tokio::test]
async fn an_authorization_is_charged_once_and_verifying_moves_nothing() {
    for (scene, server) in stripe_scenes().await {
        let method = scene.stripe_card(&server, "pm_card_visa").await;
        let sold = sale(&method, "a");
        let authorize = CreateAuthorizationRequest {
            identity_id: "alice".into(),
            payment_method_id: method.id.clone(),
            amount: usd(2995),
            order_id: sold.order_id.clone(),
            offer_id: sold.offer_id.clone(),
            reference: "a".into(),
            ..CreateAuthorizationRequest::default()
        };
        let set_aside = scene.payments().create_authorization(request_by(PLATFORM, authorize)).await;
        let set_aside = into_answer(set_aside).unwrap();
        assert_eq!((set_aside.status(), server.balance()), (Approved, 0));
        let charge = |amount: i64, key: &str| {
            let request = CreateChargeRequest {
                identity_id: "alice".into(),
                payment_method_id: method.id.clone(),
                amount: usd(amount),
                authorization_id: set_aside.id.clone(),
                ..CreateChargeRequest::default()
            };
            request_with_key(PLATFORM, key, request)
        };
        let charged = into_answer(scene.payments().create_charge(charge(1000, "1")).await).unwrap();
        assert_eq!((charged.status(), server.balance()), (Approved, 1000));
        let second = into_answer(scene.payments().create_charge(charge(1000, "2")).await);
        assert_eq!(refusal_reason(second), "NOT_CAPTURABLE", "the rest was let go");
        assert_eq!(scene.refund_part(&charged, 1000, "back").await.unwrap().status(), Approved);
        let verify = CreateVerificationRequest {
            identity_id: "alice".into(),
            payment_method_id: method.id.clone(),
            ..CreateVerificationRequest::default()
        };
        let verified = into_answer(scene.payments().create_verification(request_by(ALICE, verify)).await).unwrap();
        assert_eq!((verified.status(), server.balance()), (Approved, 0));
    }
}

#[tokio::test]
async fn a_draft_counts_as_paid_until_the_bank_returns_it() {
    for (scene, server) in stripe_scenes().await {
        let token = server.add_method(BANK_ACCOUNT);
        let draft = NewPaymentMethod { vendor: Vendor::Stripe.into(), ..account(&token) };
        let method = scene.stripe_method(draft).await;
        let sold = scene.sell(&method, "draft").await.unwrap();
        assert_eq!((sold.status(), server.balance()), (Approved, 0), "the money is on its way");
        server.end_draft(&sold.vendor_reference, Some("no_account"));
        for event in server.events() {
            scene.deliver(&event).await.unwrap();
        }
        assert_eq!(scene.run_workers("events").await, 0);
        let back = scene.transaction(&sold.id).await;
        assert_eq!((back.status(), back.reversal_reason()), (Approved, Why::Returned));
        assert!(back.reversed_at.is_some());
        assert_eq!(refusal_reason(scene.refund_part(&back, 1, "r").await), "NOT_REFUNDABLE");
    }
}

/// An invoice of "alice" over 29.95.
async fn owe(scene: &Scene, currency: Currency) -> Invoice {
    let amount = Some(Money { currency: currency.into(), amount: 2995 });
    let request = CreateInvoiceRequest {
        identity_id: "alice".into(),
        currency: currency.into(),
        items: vec![InvoiceItem { amount, ..item(ItemType::Order, 0) }],
        ..CreateInvoiceRequest::default()
    };
    into_answer(scene.invoices().create_invoice(request_by(PLATFORM, request)).await).unwrap()
}

#[tokio::test]
async fn a_canadian_account_is_entered_with_an_agreement_and_pays_canadian_bills() {
    for (scene, server) in stripe_scenes().await {
        let begin = BeginHostedEntryRequest {
            identity_id: "alice".into(),
            vendor: Vendor::Stripe.into(),
            r#type: PaymentMethodType::BankDraft.into(),
            return_path: "/a".into(),
            currency: Currency::Cad.into(),
            ..BeginHostedEntryRequest::default()
        };
        let opened = scene.entries().begin_hosted_entry(request_by(ALICE, begin)).await;
        let opened = into_answer(opened).unwrap();
        server.fill_in(&opened.redirect_to_url, CANADIAN_ACCOUNT, "Zoë Bélanger");
        let finish = FinishHostedEntryRequest { identity_id: "alice".into(), hosted_entry_id: opened.id };
        let done = into_answer(scene.entries().finish_hosted_entry(request_by(ALICE, finish)).await).unwrap();
        let method = scene.get_method(&done.payment_method_id).await;
        let account = method.bank_account.clone().unwrap();
        assert_eq!((account.currency(), account.routing_last4.as_str()), (Currency::Cad, "1000"));
        let pay = async |invoice: &Invoice| {
            let pay = PayInvoiceRequest {
                invoice_id: invoice.id.clone(),
                payment_method_id: method.id.clone(),
                ..PayInvoiceRequest::default()
            };
            scene.pay(ALICE, &invoice.id, pay).await
        };
        let american = owe(&scene, Currency::Usd).await;
        assert_eq!(refusal_reason(pay(&american).await), "PAYMENT_METHOD_NOT_CHARGEABLE");
        let (good, bad) = (owe(&scene, Currency::Cad).await, owe(&scene, Currency::Cad).await);
        let mut drafts = Vec::new();
        for invoice in [&good, &bad] {
            let paid = pay(invoice).await.unwrap();
            assert_eq!((paid.status(), server.balance()), (InvoiceStatus::Paid, 0), "the money is on its way");
            drafts.push(scene.transaction(&paid.payments[0].transaction_id).await);
        }
        // Days later one arrives, and the other one comes back.
        scene.clock.move_forward(Duration::from_secs(5 * 86_400));
        server.set_time(NOON + 5 * 86_400);
        server.end_draft(&drafts[0].vendor_reference, None);
        server.end_draft(&drafts[1].vendor_reference, Some("insufficient_funds"));
        for event in server.events() {
            scene.deliver(&event).await.unwrap();
        }
        assert_eq!(scene.run_workers("drafts").await, 0);
        assert_eq!((server.balance(), scene.get_invoice(&good.id).await.status()), (2995, InvoiceStatus::Paid));
        let owed = scene.get_invoice(&bad.id).await;
        assert_eq!((owed.status(), owed.payments[0].decline_reason()), (InvoiceStatus::Failed, Why::Returned));
    }
}

#[tokio::test]
async fn a_canadian_account_is_verified_by_its_agreement() {
    for (scene, server) in stripe_scenes().await {
        let token = server.add_method(CANADIAN_ACCOUNT);
        let draft = NewPaymentMethod { vendor: Vendor::Stripe.into(), ..account(&token) };
        let method = scene.stripe_method(draft).await;
        let verify = || CreateVerificationRequest {
            identity_id: "alice".into(),
            payment_method_id: method.id.clone(),
            ..CreateVerificationRequest::default()
        };
        let holds = scene.payments().create_verification(request_by(ALICE, verify())).await;
        assert_eq!(into_answer(holds).unwrap().status(), Approved);
        server.revoke_mandate(token.rsplit('/').next().unwrap());
        let ended = scene.payments().create_verification(request_by(ALICE, verify())).await;
        let ended = into_answer(ended).unwrap();
        assert_eq!((ended.status(), ended.decline_reason()), (HardDeclined, Why::ClosedAccount));
    }
}

#[tokio::test]
async fn staff_do_not_say_what_the_vendor_can() {
    let (scene, server) = impatient_scene().await;
    let method = scene.stripe_card(&server, "pm_card_visa").await;
    server.meet("/confirm", Trouble::SilentBefore);
    let sold = scene.sell(&method, "r").await.unwrap();
    let request = ResolveTransactionRequest {
        transaction_id: sold.id.clone(),
        status: Approved.into(),
        ..ResolveTransactionRequest::default()
    };
    let said = into_answer(scene.payments().resolve_transaction(request_by(STAFF, request)).await);
    assert_eq!(refusal_reason(said), "INVALID_FIELD");
    assert_eq!(scene.sell(&method, "r").await.unwrap().status(), Approved);
}

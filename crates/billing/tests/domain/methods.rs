//! Payment methods of a member.

use pavise_billing::contract::v1::*;
use pavise_kernel::Common;
use pavise_kernel::common::v1::{Address, CountryCode, RegionCode};

use crate::scene::{
    ADMIN, ALICE, APPROVES, MALLORY, PLATFORM, STAFF, Scene, account, card, into_answer, refusal_reason, request_by,
    request_with_key, scene, scenes,
};

/// The gRPC path of the journal of payment methods.
const JOURNAL: &str = "/pavise.billing.v1.PaymentMethodService/ReadJournal";

async fn listed(scene: &Scene, who: &str) -> Vec<PaymentMethod> {
    let request = ListPaymentMethodsRequest { identity_id: "alice".into(), ..ListPaymentMethodsRequest::default() };
    into_answer(scene.payments().list_payment_methods(request_by(who, request)).await).unwrap().payment_methods
}

/// The default, of which there is one.
async fn default(scene: &Scene) -> String {
    let mut defaults = listed(scene, ALICE).await.into_iter().filter(|method| method.is_default);
    let default = defaults.next().unwrap();
    assert_eq!(defaults.next(), None);
    default.id
}

fn naming(method: &PaymentMethod) -> UpdatePaymentMethodRequest {
    UpdatePaymentMethodRequest {
        identity_id: "alice".into(),
        payment_method_id: method.id.clone(),
        is_default: true,
        ..Default::default()
    }
}

#[tokio::test]
async fn one_of_the_active_methods_is_the_default_on_both_engines() {
    for scene in scenes().await {
        let first = scene.method(card(APPROVES)).await;
        let second = scene.method(account("test_bank_0001")).await;
        let third = scene.method(NewPaymentMethod { is_default: true, ..card(APPROVES) }).await;
        assert_eq!(default(&scene).await, third.id);
        into_answer(scene.payments().update_payment_method(request_by(ALICE, naming(&first))).await).unwrap();
        assert_eq!(default(&scene).await, first.id);
        for (delete, heir) in [(&first, &third), (&third, &second)] {
            let request = DeletePaymentMethodRequest {
                identity_id: "alice".into(),
                payment_method_id: delete.id.clone(),
                ..Default::default()
            };
            let deleted =
                into_answer(scene.payments().delete_payment_method(request_by(ALICE, request.clone())).await).unwrap();
            assert_eq!(deleted.status(), PaymentMethodStatus::Inactive);
            let again = into_answer(scene.payments().delete_payment_method(request_by(ALICE, request)).await).unwrap();
            assert_eq!(again, deleted, "a repeat writes nothing");
            assert_eq!(default(&scene).await, heir.id);
        }
        assert_eq!(listed(&scene, ALICE).await.len(), 1, "what was deleted is not listed");
        assert_eq!(
            refusal_reason(into_answer(
                scene.payments().update_payment_method(request_by(ALICE, naming(&first))).await
            )),
            "STATUS_NOT_ALLOWED"
        );
    }
}

#[tokio::test]
async fn methods_that_are_added_at_once_have_one_default_on_both_engines() {
    for scene in &scenes().await {
        let adds = (0..12).map(|number| async move {
            let new = NewPaymentMethod { is_default: number % 3 == 0, ..card(APPROVES) };
            let request = CreatePaymentMethodRequest { identity_id: "alice".into(), payment_method: Some(new) };
            into_answer(scene.payments().create_payment_method(request_by(ALICE, request)).await)
        });
        let mut added = 0;
        for method in futures::future::join_all(adds).await {
            match method {
                Ok(_) => added += 1,
                // A caller who lost too often is told to try again.
                Err(error) => assert!(error.is(Common::Contention), "{error:?}"),
            }
        }
        assert_eq!(listed(scene, ALICE).await.len(), added);
        default(scene).await;
    }
}

#[tokio::test]
async fn a_write_that_changes_nothing_is_replayed_by_its_key() {
    for scene in &scenes().await {
        let (first, second) = (scene.method(card(APPROVES)).await, scene.method(card(APPROVES)).await);
        let update = |key, request| async move {
            into_answer(scene.payments().update_payment_method(request_with_key(ALICE, key, request)).await)
        };
        let before = scene.read_journal(JOURNAL).await.len();
        let unchanged = update("same default", naming(&first)).await.unwrap();
        assert_eq!(unchanged, first, "it is the default already");
        assert_eq!(refusal_reason(update("same default", naming(&second)).await), "IDEMPOTENCY_KEY_REUSED");
        assert_eq!(scene.read_journal(JOURNAL).await.len(), before, "a write without a change adds no entry");
        update("another default", naming(&second)).await.unwrap();
        assert_eq!(update("same default", naming(&first)).await.unwrap(), first, "the stored answer");
        assert_eq!(default(scene).await, second.id, "a repeat has no effect of its own");

        let delete = |key, method: &PaymentMethod| {
            let request = DeletePaymentMethodRequest {
                identity_id: "alice".into(),
                payment_method_id: method.id.clone(),
                ..Default::default()
            };
            async move { into_answer(scene.payments().delete_payment_method(request_with_key(ALICE, key, request)).await) }
        };
        let deleted = delete("first", &first).await.unwrap();
        assert_eq!(delete("once more", &first).await.unwrap(), deleted, "it is deleted already");
        assert_eq!(refusal_reason(delete("once more", &second).await), "IDEMPOTENCY_KEY_REUSED");
    }
}

#[tokio::test]
async fn a_vendors_token_never_comes_back() {
    let scene = scene().await;
    let method = scene.method(card(APPROVES)).await;
    assert!(method.vendor_token.is_empty());
    assert!(listed(&scene, PLATFORM).await[0].vendor_token.is_empty());
    for entry in scene.read_journal("/pavise.billing.v1.PaymentMethodService/ReadJournal").await {
        let entity: PaymentMethod = pavise_kernel::worker::decode_entity(&entry).unwrap().unwrap();
        assert!(entity.vendor_token.is_empty());
    }
}

#[tokio::test]
async fn malformed_vendor_tokens_are_refused() {
    let scene = scene().await;
    let refused = async |new: NewPaymentMethod| {
        let request = CreatePaymentMethodRequest { identity_id: "alice".into(), payment_method: Some(new) };
        let error = into_answer(scene.payments().create_payment_method(request_by(ALICE, request)).await).unwrap_err();
        assert_eq!(error.reason(), "INVALID_FIELD");
        error.violations()[0].field.clone()
    };
    assert_eq!(refused(card("4111 1111 1111 1111")).await, "payment_method.vendor_token");
    assert_eq!(refused(card("")).await, "payment_method.vendor_token");
    assert_eq!(refused(NewPaymentMethod { card: None, ..card(APPROVES) }).await, "payment_method.card");
    let mut expired = card(APPROVES);
    expired.card.as_mut().unwrap().expiry_year = 2025;
    assert_eq!(refused(expired).await, "payment_method.card.expiry_year");
    let mut digits = card(APPROVES);
    digits.card.as_mut().unwrap().last4 = "11111".into();
    assert_eq!(refused(digits).await, "payment_method.card.last4");
    assert_eq!(refused(NewPaymentMethod { r#type: 99, ..card(APPROVES) }).await, "payment_method.type");
}

#[tokio::test]
async fn others_do_not_see_it() {
    let scene = scene().await;
    let method = scene.method(card(APPROVES)).await;
    let get =
        |identity: &str| GetPaymentMethodRequest { identity_id: identity.into(), payment_method_id: method.id.clone() };
    assert_eq!(
        refusal_reason(into_answer(scene.payments().get_payment_method(request_by(MALLORY, get("alice"))).await)),
        "NOT_THE_OWNER"
    );
    assert_eq!(
        refusal_reason(into_answer(scene.payments().get_payment_method(request_by(MALLORY, get("mallory"))).await)),
        "NOT_FOUND"
    );
    assert_eq!(
        refusal_reason(into_answer(scene.payments().get_payment_method(request_by(STAFF, get("mallory"))).await)),
        "NOT_FOUND"
    );
    assert_eq!(
        into_answer(scene.payments().get_payment_method(request_by(STAFF, get("alice"))).await).unwrap().id,
        method.id
    );
    let steal = CreateSaleRequest { identity_id: "mallory".into(), ..crate::scene::sale(&method, "") };
    assert_eq!(
        refusal_reason(into_answer(scene.payments().create_sale(request_by(PLATFORM, steal)).await)),
        "NOT_FOUND"
    );
    let refund = CreateRefundRequest {
        identity_id: "alice".into(),
        payment_method_id: method.id.clone(),
        transaction_id: "t".into(),
        ..Default::default()
    };
    assert_eq!(
        refusal_reason(into_answer(scene.payments().create_refund(request_by(ALICE, refund)).await)),
        "REALM_NOT_ALLOWED"
    );
}

#[tokio::test]
async fn administrator_sees_methods_of_the_own_group_only() {
    let scene = scene().await;
    scene.method(card(APPROVES)).await;
    let add = |group: &str| CreateGroupPaymentMethodRequest {
        group_id: group.into(),
        identity_id: "alice".into(),
        payment_method: Some(account("test_bank_0001")),
    };
    let added =
        into_answer(scene.payments().create_group_payment_method(request_by(ADMIN, add("acme"))).await).unwrap();
    assert_eq!((added.owner_id.as_str(), added.group_id.as_str(), added.is_default), ("alice", "acme", false));
    assert_eq!(
        refusal_reason(into_answer(
            scene.payments().create_group_payment_method(request_by(ADMIN, add("other"))).await
        )),
        "NOT_THE_OWNER"
    );
    assert_eq!(
        refusal_reason(into_answer(scene.payments().create_group_payment_method(request_by(ALICE, add("acme"))).await)),
        "REALM_NOT_ALLOWED"
    );
    let list =
        ListGroupPaymentMethodsRequest { group_id: "acme".into(), identity_id: "alice".into(), ..Default::default() };
    let seen = into_answer(scene.payments().list_group_payment_methods(request_by(ADMIN, list)).await)
        .unwrap()
        .payment_methods;
    assert_eq!(seen.iter().map(|method| method.id.as_str()).collect::<Vec<_>>(), [added.id.as_str()]);
    assert_eq!(listed(&scene, ALICE).await.len(), 2);
}

#[tokio::test]
async fn an_administrator_adds_nothing_for_others_than_members_of_the_group() {
    for scene in scenes().await {
        let add = async |who: &str, member: &str| {
            let request = CreateGroupPaymentMethodRequest {
                group_id: "acme".into(),
                identity_id: member.into(),
                payment_method: Some(account("test_bank_0001")),
            };
            into_answer(scene.payments().create_group_payment_method(request_by(who, request)).await)
        };
        let stranger = add(ADMIN, "mallory").await.unwrap_err();
        let nobody = add(ADMIN, "nobody").await.unwrap_err();
        assert_eq!((stranger.reason(), stranger.violations()[0].field.as_str()), ("NOT_TIED", "identity_id"));
        assert_eq!((stranger.code(), stranger.message()), (nobody.code(), nobody.message()), "it tells who exists");
        assert_eq!(refusal_reason(add(STAFF, "nobody").await), "NOT_TIED");
        assert_eq!(refusal_reason(add(PLATFORM, "nobody").await), "NOT_TIED");
        assert_eq!(add(STAFF, "mallory").await.unwrap().owner_id, "mallory");
        assert_eq!(add(ADMIN, "alice").await.unwrap().owner_id, "alice");
        assert_eq!(add("GroupAdmin/alice/acme", "alice").await.unwrap().owner_id, "alice");
    }
}

#[tokio::test]
async fn that_another_is_billed_is_not_for_a_member_to_say() {
    let scene = scene().await;
    let premium =
        || NewPaymentMethod { r#type: PaymentMethodType::PremiumBilling.into(), ..NewPaymentMethod::default() };
    let own = || CreatePaymentMethodRequest { identity_id: "alice".into(), payment_method: Some(premium()) };
    let refused = into_answer(scene.payments().create_payment_method(request_by(ALICE, own())).await).unwrap_err();
    assert_eq!((refused.reason(), refused.violations()[0].field.as_str()), ("INVALID_FIELD", "payment_method.type"));
    into_answer(scene.payments().create_payment_method(request_by(STAFF, own())).await).unwrap();
    let by_group = CreateGroupPaymentMethodRequest {
        group_id: "acme".into(),
        identity_id: "alice".into(),
        payment_method: Some(premium()),
    };
    let added = into_answer(scene.payments().create_group_payment_method(request_by(ADMIN, by_group)).await).unwrap();
    assert_eq!((added.r#type(), added.group_id.as_str()), (PaymentMethodType::PremiumBilling, "acme"));
}

#[tokio::test]
async fn only_an_impersonator_deletes_as_one() {
    let scene = scene().await;
    let method = scene.method(card(APPROVES)).await;
    let request = || DeletePaymentMethodByImpersonatorRequest {
        identity_id: "alice".into(),
        payment_method_id: method.id.clone(),
        ..Default::default()
    };
    assert_eq!(
        refusal_reason(into_answer(
            scene.payments().delete_payment_method_by_impersonator(request_by(ALICE, request())).await
        )),
        "NOT_IMPERSONATING"
    );
    let own = DeletePaymentMethodRequest {
        identity_id: "alice".into(),
        payment_method_id: method.id.clone(),
        ..Default::default()
    };
    assert_eq!(
        refusal_reason(into_answer(scene.payments().delete_payment_method(request_by("User/alice@staff", own)).await)),
        "IMPERSONATION_DENIED"
    );
    let deleted =
        scene.payments().delete_payment_method_by_impersonator(request_by("User/alice@staff", request())).await;
    assert_eq!(into_answer(deleted).unwrap().status(), PaymentMethodStatus::Inactive);
    let entry = scene.read_journal("/pavise.billing.v1.PaymentMethodService/ReadJournal").await.pop().unwrap();
    assert_eq!((entry.actor.as_str(), entry.subject.as_str()), ("staff", "alice"));
    assert_eq!(scene.handle_all("billing.payment_methods_told").await, 0);
}

#[tokio::test]
async fn impersonated_writes_need_the_right_and_notify_the_member() {
    let scene = scene().await;
    let delete = async |who: &str, owner: &str, method: &str| {
        let (identity_id, payment_method_id) = (owner.to_owned(), method.to_owned());
        let request = DeletePaymentMethodByImpersonatorRequest { identity_id, payment_method_id, ..Default::default() };
        into_answer(scene.payments().delete_payment_method_by_impersonator(request_by(who, request)).await)
    };
    let method = scene.method(card(APPROVES)).await;
    assert_eq!(refusal_reason(delete("User/alice@staff:reads", "alice", &method.id).await), "IMPERSONATION_DENIED");
    assert_eq!(scene.get_method(&method.id).await.status(), method.status(), "nothing was written");
    delete("User/alice@staff", "alice", &method.id).await.unwrap();
    // The letter to bob cannot be written now, so the worker of the journal tries again.
    let request = CreatePaymentMethodRequest { identity_id: "bob".into(), payment_method: Some(card(APPROVES)) };
    let bobs = into_answer(scene.payments().create_payment_method(request_by("User/bob", request)).await).unwrap();
    assert_eq!(scene.handle_all("billing.payment_methods_told").await, 0, "bob did it alone");
    delete("User/bob@staff", "bob", &bobs.id).await.unwrap();
    assert_eq!(scene.handle_all("billing.payment_methods_told").await, 1);
}

#[tokio::test]
async fn details_are_replaced_by_those_of_the_same_kind() {
    let scene = scene().await;
    let method = scene.method(card(APPROVES)).await;
    let mut printed = card("").card.unwrap();
    printed.last4 = "4444".into();
    let address = Address {
        address1: "1 Main St".into(),
        locality: RegionCode::Tx.into(),
        postal_code: "75001".into(),
        country: CountryCode::Usa.into(),
        ..Address::default()
    };
    let update = UpdateCardPaymentDetailsRequest {
        identity_id: "alice".into(),
        payment_method_id: method.id.clone(),
        card: Some(printed.clone()),
        vendor_token: String::new(),
        billing_address: Some(Address { country: 0, ..address.clone() }),
    };
    let updated = into_answer(scene.payments().update_card_payment_details(request_by(ALICE, update)).await).unwrap();
    assert_eq!((updated.card, updated.billing_address), (Some(printed), Some(address)));
    let update = UpdateBankAccountDetailsRequest {
        identity_id: "alice".into(),
        payment_method_id: method.id.clone(),
        bank_account: account("").bank_account,
        ..UpdateBankAccountDetailsRequest::default()
    };
    assert_eq!(
        refusal_reason(into_answer(scene.payments().update_bank_account_details(request_by(ALICE, update)).await)),
        "PAYMENT_METHOD_TYPE_MISMATCH"
    );
    assert_eq!(scene.sell(&method, "r").await.unwrap().status(), TransactionStatus::Approved, "the token stayed");
}

#[tokio::test]
async fn a_cheque_is_recorded_and_never_charged() {
    let scene = scene().await;
    let cheque = NewPaymentMethod { r#type: PaymentMethodType::Check.into(), ..NewPaymentMethod::default() };
    let method = scene.method(cheque).await;
    assert_eq!(refusal_reason(scene.sell(&method, "r").await), "PAYMENT_METHOD_NOT_CHARGEABLE");
    let record = |amount: i64| RecordTransactionRequest {
        identity_id: "alice".into(),
        payment_method_id: method.id.clone(),
        r#type: TransactionType::Charge.into(),
        status: TransactionStatus::Approved.into(),
        amount: crate::scene::usd(amount),
        reference: "cheque 1017".into(),
        ..RecordTransactionRequest::default()
    };
    // A VERIFY alone needs no amount: the rule belongs to the type, not to the field, and its message says so.
    let nothing = RecordTransactionRequest { amount: None, ..record(500) };
    let refused = into_answer(scene.payments().record_transaction(request_by(STAFF, nothing)).await).unwrap_err();
    assert!(refused.message().contains("VERIFY"), "{refused}");
    let recorded = into_answer(scene.payments().record_transaction(request_by(STAFF, record(500))).await).unwrap();
    assert!(recorded.recorded && recorded.status() == TransactionStatus::Approved);
    assert_eq!(
        into_answer(scene.payments().record_transaction(request_by(STAFF, record(500))).await).unwrap(),
        recorded
    );
    assert_eq!(
        refusal_reason(into_answer(
            scene.payments().record_transaction(request_with_key(STAFF, "k", record(501))).await
        )),
        "REFERENCE_REUSED"
    );
    let refund = RecordTransactionRequest {
        r#type: TransactionType::Refund.into(),
        reference: "returned".into(),
        parent_transaction_id: recorded.id.clone(),
        ..record(300)
    };
    let back = into_answer(scene.payments().record_transaction(request_by(STAFF, refund.clone())).await).unwrap();
    assert_eq!(back.parent_transaction_id, recorded.id);
    let more = RecordTransactionRequest { reference: "returned again".into(), ..refund };
    assert_eq!(
        refusal_reason(into_answer(scene.payments().record_transaction(request_by(STAFF, more)).await)),
        "REFUND_EXCEEDS_PAYMENT"
    );
    let vendor = CreateRefundRequest {
        identity_id: "alice".into(),
        payment_method_id: method.id.clone(),
        transaction_id: recorded.id,
        ..Default::default()
    };
    assert_eq!(
        refusal_reason(into_answer(scene.payments().create_refund(request_by(STAFF, vendor)).await)),
        "PAYMENT_METHOD_NOT_CHARGEABLE"
    );
    assert!(scene.ledger().await.is_empty());
}

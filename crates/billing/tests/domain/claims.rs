//! Payment methods that are made before a sign-in, and that move from one identity to another.

use futures::future::join_all;
use pavise_billing::contract::v1::*;

use crate::scene::{
    ALICE, APPROVES, MALLORY, PLATFORM, STAFF, Scene, card, into_answer, refusal_reason, request_by, request_with_key,
    scene, scenes,
};

async fn anonymous(scene: &Scene) -> PaymentMethod {
    let request = CreateAnonymousPaymentMethodRequest { payment_method: Some(card(APPROVES)) };
    into_answer(
        scene.payments().create_anonymous_payment_method(request_with_key("", "a visitor's long key", request)).await,
    )
    .unwrap()
}

async fn claim(
    scene: &Scene,
    who: &str,
    identity: &str,
    method: &PaymentMethod,
) -> pavise_kernel::Result<PaymentMethod> {
    let request =
        AssignPaymentMethodOwnerRequest { payment_method_id: method.id.clone(), identity_id: identity.into() };
    into_answer(scene.payments().assign_payment_method_owner(request_by(who, request)).await)
}

#[tokio::test]
async fn method_without_an_owner_is_claimed_once_on_both_engines() {
    for scene in scenes().await {
        let method = anonymous(&scene).await;
        assert_eq!((method.owner_id.as_str(), method.is_default), ("", false));
        let sale = crate::scene::sale(&method, "");
        assert_eq!(
            refusal_reason(into_answer(scene.payments().create_sale(request_by(PLATFORM, sale)).await)),
            "NOT_FOUND",
            "not hers yet"
        );
        assert_eq!(refusal_reason(claim(&scene, ALICE, "mallory", &method).await), "NOT_THE_OWNER");
        let claimed = claim(&scene, ALICE, "alice", &method).await.unwrap();
        assert_eq!((claimed.owner_id.as_str(), claimed.is_default), ("alice", true));
        assert_eq!(claim(&scene, ALICE, "alice", &method).await.unwrap(), claimed, "a repeat writes nothing");
        assert_eq!(refusal_reason(claim(&scene, MALLORY, "mallory", &method).await), "NOT_FOUND");
        assert_eq!(refusal_reason(claim(&scene, STAFF, "mallory", &method).await), "PAYMENT_METHOD_ALREADY_OWNED");
        assert_eq!(scene.sell(&method, "r").await.unwrap().status(), TransactionStatus::Approved);
    }
}

#[tokio::test]
async fn of_many_claims_at_once_one_wins() {
    let scene = scene().await;
    let method = anonymous(&scene).await;
    let names: Vec<String> = (0..12).map(|at| format!("member-{at}")).collect();
    let claims = names.iter().map(|name| claim(&scene, STAFF, name, &method));
    let won = join_all(claims).await.into_iter().filter(Result::is_ok).count();
    assert_eq!(won, 1);
}

#[tokio::test]
async fn a_method_changes_hands_and_the_default_stays_behind() {
    let scene = scene().await;
    let first = scene.method(card(APPROVES)).await;
    let second = scene.method(card(APPROVES)).await;
    let request = ChangePaymentMethodOwnerRequest {
        identity_id: "alice".into(),
        payment_method_id: first.id.clone(),
        new_owner_id: "alicia".into(),
    };
    assert_eq!(
        refusal_reason(into_answer(
            scene.payments().change_payment_method_owner(request_by(ALICE, request.clone())).await
        )),
        "REALM_NOT_ALLOWED"
    );
    let moved = into_answer(scene.payments().change_payment_method_owner(request_by(STAFF, request)).await).unwrap();
    assert_eq!((moved.owner_id.as_str(), moved.is_default), ("alicia", false));
    assert!(scene.get_method(&second.id).await.is_default);
    let get = GetPaymentMethodRequest { identity_id: "alice".into(), payment_method_id: first.id };
    assert_eq!(
        refusal_reason(into_answer(scene.payments().get_payment_method(request_by(ALICE, get)).await)),
        "NOT_FOUND"
    );
}

#[tokio::test]
async fn guessed_ids_of_methods_without_an_owner_are_not_found() {
    for scene in scenes().await {
        let method = anonymous(&scene).await;
        assert_eq!(method.id.get(19..).unwrap().len(), 32, "128 random bits: {}", method.id);
        let last = if method.id.ends_with('0') { '1' } else { '0' };
        let neighbour = PaymentMethod { id: format!("{}{last}", &method.id[..method.id.len() - 1]), ..method.clone() };
        assert_eq!(refusal_reason(claim(&scene, MALLORY, "mallory", &neighbour).await), "NOT_FOUND");
        let get = |identity: &str| GetPaymentMethodRequest {
            identity_id: identity.into(),
            payment_method_id: method.id.clone(),
        };
        for (who, identity) in [(MALLORY, "mallory"), (ALICE, "alice")] {
            let read = scene.payments().get_payment_method(request_by(who, get(identity))).await;
            assert_eq!(refusal_reason(into_answer(read)), "NOT_FOUND", "it is claimed, and not read");
            let list = ListPaymentMethodsRequest { identity_id: identity.into(), ..Default::default() };
            let listed = into_answer(scene.payments().list_payment_methods(request_by(who, list)).await).unwrap();
            assert!(listed.payment_methods.is_empty());
        }
    }
}

#[tokio::test]
async fn a_method_that_nobody_claims_ends_after_seven_days() {
    for scene in scenes().await {
        let (left, claimed) = (anonymous(&scene).await, scene.method(card(APPROVES)).await);
        let week = std::time::Duration::from_secs(7 * 24 * 3600);
        scene.clock.move_forward(week - std::time::Duration::from_secs(1));
        scene.run_timer("billing.payment_methods_unowned", "early").await.unwrap();
        scene.clock.move_forward(std::time::Duration::from_secs(1));
        let request = EndUnownedPaymentMethodRequest { payment_method_id: claimed.id.clone() };
        let ended = scene.payments().end_unowned_payment_method(request_by(crate::scene::PLATFORM, request)).await;
        assert_eq!(refusal_reason(into_answer(ended)), "NOT_FOUND", "it has an owner");
        scene.run_timer("billing.payment_methods_unowned", "in time").await.unwrap();
        assert_eq!(refusal_reason(claim(&scene, ALICE, "alice", &left).await), "NOT_FOUND");
        assert_eq!(scene.get_method(&claimed.id).await.status(), PaymentMethodStatus::Active);
    }
}

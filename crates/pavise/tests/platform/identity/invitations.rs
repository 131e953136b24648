//! Invitations: sent, sent again, changed, accepted, taken back.

use serde_json::{Value, json};

use crate::identity::stage::{Stage, text};

pub(crate) async fn story(stage: &mut Stage<'_>) {
    let (ada, member) = stage.member().await;
    let (bob, invited) = stage.member().await;
    let (staff, visitor) = (stage.staff.clone(), stage.visitor.clone());
    let resource = stage.fresh("relation");
    let to = |email: &str| json!({"identityId": ada.id, "invitee": {"name": "Bob Example", "email": email}, "resourceType": "RELATION", "resourceId": resource});
    let first = format!("{}@example.com", stage.fresh("invitee"));
    let made = stage.good(&member, "invitations.CreateInvitation", to(&first)).await;
    stage.bad(&member, "invitations.CreateInvitation", to("no address"), "INVALID_FIELD").await;
    let id = text(&made["id"]);
    let of = |more: Value| {
        let mut request = json!({"invitationId": id});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    stage.good(&member, "invitations.GetInvitation", of(json!({}))).await;
    stage.bad(&invited, "invitations.GetInvitation", of(json!({})), "NOT_FOUND").await;
    let mine = stage.good(&member, "invitations.ListInvitations", json!({"identityId": ada.id})).await;
    assert_eq!(mine["invitations"].as_array().map(Vec::len), Some(1), "{mine}");
    stage.bad(&member, "invitations.ListInvitations", json!({"identityId": bob.id}), "NOT_THE_OWNER").await;
    let found = stage.good(&staff, "invitations.ListInvitationsByInvitee", json!({"email": first})).await;
    assert_eq!(found["invitations"][0]["id"], json!(id));
    stage.bad(&staff, "invitations.ListInvitationsByInvitee", json!({}), "INVALID_FIELD").await;
    stage.bad(&member, "invitations.ResendInvitation", of(json!({})), "INVITATION_SENT_TOO_SOON").await;
    let all = json!({"identityId": ada.id, "resourceType": "RELATION", "resourceId": resource});
    stage.good(&member, "invitations.ResendAllInvitations", all).await;
    stage.bad(&member, "invitations.ResendAllInvitations", json!({"identityId": bob.id}), "NOT_THE_OWNER").await;

    let invitee = json!({"invitee": {"name": "Robert Example", "email": first}});
    stage
        .bad(
            &member,
            "invitations.UpdateInvitee",
            of(json!({"invitee": {"name": "Bob", "email": "x"}})),
            "INVALID_FIELD",
        )
        .await;
    stage.good(&member, "invitations.UpdateInvitee", of(invitee)).await;
    let code = code_for(stage, &first).await;
    let seen = stage.good(&visitor, "invitations.GetInvitationByVerificationCode", json!({"code": code})).await;
    assert!(!seen.to_string().contains(&first), "an address is not shown in full: {seen}");
    let guess = "A".repeat(code.len());
    stage
        .bad(&visitor, "invitations.GetInvitationByVerificationCode", json!({"code": guess}), "INVITATION_CODE_WRONG")
        .await;
    stage.bad(&invited, "invitations.AcceptInvitation", of(json!({"code": guess})), "INVITATION_CODE_WRONG").await;
    let accepted = stage.good(&invited, "invitations.AcceptInvitation", of(json!({"code": code}))).await;
    assert_eq!(accepted["status"], json!("ACCEPTED"), "{accepted}");

    let made = stage.good(&member, "invitations.CreateInvitation", to(&first)).await;
    let resent = json!({"invitationId": made["id"]});
    stage.good(&member, "invitations.DeleteInvitation", resent.clone()).await;
    stage.bad(&member, "invitations.DeleteInvitation", resent, "NOT_FOUND").await;
    stage.journal("invitations").await;
}

/// The code in the invitation to an address, once it is there.
async fn code_for(stage: &Stage<'_>, address: &str) -> String {
    let app = stage.platform.app();
    let code = || {
        let message = app.mailbox.of(address).pop();
        let code = message.and_then(|message| {
            let words = message.text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            words.into_iter().find(|word| {
                word.len() >= 16
                    && !word.contains('/')
                    && word.chars().all(|one| one.is_ascii_alphanumeric() || one == '-' || one == '_')
            })
        });
        async move { code }
    };
    app.eventually("an invitation with a code", code).await
}

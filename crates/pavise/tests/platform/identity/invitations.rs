//! Invitations: sent, sent again, changed, accepted, taken back.

use pavise_testapp::TestApp;
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
    let code = code_for(stage.platform.app(), &first).await;
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
    into_a_group(stage).await;
    stage.journal("invitations").await;
}

/// An administrator invites into their group; who accepts belongs to it.
async fn into_a_group(stage: &mut Stage<'_>) {
    let (bob, invited) = stage.member().await;
    let (eve, _) = stage.member().await;
    let (machine, group) = (stage.machine.clone(), stage.fresh("group"));
    let (boss, other) = (stage.fresh("boss"), stage.fresh("group"));
    let admin = stage.caller(&TestApp::group_admin(&boss, &[group.as_str()]));
    let make =
        json!({"realm": "GroupAdmin", "usernames": [boss], "password": "correct horse battery", "groupIds": [group]});
    let staff = stage.staff.clone();
    stage.bad(&staff, "identities.CreateIdentity", make.clone(), "KEPT_BY_GROUP").await;
    let boss = text(&stage.good(&machine, "identities.CreateIdentity", make).await["id"]);
    stage.bad(&admin, "invitations.ListGroupInvitations", json!({"groupId": other}), "NOT_THE_OWNER").await;
    let admin = stage.caller(&TestApp::group_admin(&boss, &[group.as_str()]));
    let address = format!("{}@example.com", stage.fresh("employee"));
    let invite = |group: &str, inviter: &str| json!({"groupId": group, "identityId": inviter, "invitee": {"name": "Bob", "email": address}});
    stage.bad(&admin, "invitations.CreateGroupInvitation", invite(&other, &boss), "NOT_THE_OWNER").await;
    stage.bad(&admin, "invitations.CreateGroupInvitation", invite(&group, &eve.id), "NOT_THE_OWNER").await;
    stage.bad(&invited, "invitations.CreateGroupInvitation", invite(&group, &bob.id), "REALM_NOT_ALLOWED").await;
    let made = stage.good(&admin, "invitations.CreateGroupInvitation", invite(&group, &boss)).await;
    assert_eq!((&made["groupId"], &made["resourceType"]), (&json!(group), &json!("GROUP")), "{made}");
    let listed = stage.good(&admin, "invitations.ListGroupInvitations", json!({"groupId": group})).await;
    assert_eq!(listed["invitations"][0]["id"], made["id"]);

    let tie = |who: &str| json!({"kind": "GROUP", "scopeId": group, "identityId": who});
    let check = "identity_ties.CheckTie";
    let before = stage.good(&machine, check, tie(&bob.id)).await;
    assert_eq!((&before["exists"], &before["tied"]), (&json!(true), &json!(false)), "{before}");
    stage.bad(&admin, check, tie(&bob.id), "REALM_NOT_ALLOWED").await;
    let code = code_for(stage.platform.app(), &address).await;
    let accept = json!({"invitationId": made["id"], "code": code});
    stage.good(&invited, "invitations.AcceptInvitation", accept).await;
    assert_eq!(stage.good(&machine, check, tie(&bob.id)).await["tied"], json!(true));
    assert_eq!(stage.good(&machine, check, tie(&eve.id)).await["tied"], json!(false));
    assert_eq!(stage.good(&machine, check, tie("nobody")).await["exists"], json!(false));
}

/// The code in the invitation to an address, once it is there.
pub(crate) async fn code_for(app: &TestApp, address: &str) -> String {
    let code = || {
        let message = app.mailbox.of(address).pop();
        let code = message.and_then(|message| {
            let words = message.text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
            // The inviter's name comes before the code.
            words.into_iter().rfind(|word| {
                word.len() >= 16
                    && !word.contains('/')
                    && word.chars().all(|one| one.is_ascii_alphanumeric() || one == '-' || one == '_')
            })
        });
        async move { code }
    };
    app.eventually("an invitation with a code", code).await
}

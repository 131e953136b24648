//! Identities: names, numbers, passwords, permissions, and acting for somebody.

use std::time::{Duration, Instant};

use pavise::wire::Failure;
use pavise_testapp::TestApp;
use serde_json::{Value, json};

use crate::identity::resets::newest;
use crate::identity::stage::{Actor, Member, Stage, text};

pub(crate) async fn story(stage: &mut Stage<'_>) {
    let (ada, member) = stage.member().await;
    let (bob, _) = stage.member().await;
    let (staff, machine, visitor) = (stage.staff.clone(), stage.machine.clone(), stage.visitor.clone());
    let taken = json!({"realm": "User", "emails": [ada.email.to_uppercase()], "password": "correct horse battery"});
    stage.bad(&staff, "identities.CreateIdentity", taken, "ALREADY_EXISTS").await;
    let read = stage.good(&member, "identities.GetIdentity", json!({"identityId": ada.id})).await;
    assert_eq!(read["emails"][0]["primary"], json!(true));
    stage.bad(&member, "identities.GetIdentity", json!({"identityId": bob.id}), "NOT_THE_OWNER").await;
    let found = stage.good(&staff, "identities.ListIdentities", json!({"email": ada.email})).await;
    assert_eq!(found["identities"][0]["id"], json!(ada.id));
    stage.bad(&staff, "identities.ListIdentities", json!({"pageSize": -1}), "INVALID_FIELD").await;
    let (begin, _) = ada.email.split_once('@').unwrap();
    let found =
        stage.good(&staff, "identities.SearchIdentities", json!({"text": begin.to_uppercase(), "realm": "User"})).await;
    assert_eq!(found["identities"][0]["id"], json!(ada.id), "{found}");
    stage
        .bad(
            &staff,
            "identities.SearchIdentities",
            json!({"text": begin, "pageToken": "bm90IG91cnM"}),
            "INVALID_PAGE_TOKEN",
        )
        .await;
    stage.bad(&member, "identities.SearchIdentities", json!({"text": begin}), "REALM_NOT_ALLOWED").await;
    for (email, exists) in [(ada.email.as_str(), true), ("nobody@example.com", false)] {
        let answer = stage.good(&visitor, "identities.CheckIdentityExists", json!({"email": email})).await;
        assert_eq!(answer["exists"], json!(exists), "{answer}");
    }
    stage.bad(&visitor, "identities.CheckIdentityExists", json!({}), "INVALID_FIELD").await;

    names(stage, (&member, &ada), &bob.email).await;
    let of = |more: Value| {
        let mut request = json!({"userId": ada.id});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    stage.good(&machine, "identities.SetPassword", of(json!({"password": "another horse battery"}))).await;
    stage.bad(&machine, "identities.SetPassword", of(json!({"password": "password123"})), "PASSWORD_NOT_ALLOWED").await;
    // Staff who set a password would know it: the owner chooses one with the code of a letter.
    stage
        .bad(&staff, "identities.SetPassword", of(json!({"password": "a third horse battery"})), "REALM_NOT_ALLOWED")
        .await;
    let change = json!({"oldPassword": "another horse battery", "newPassword": "a third horse battery"});
    // A new password ends the tokens without a session from before.
    let member = stage.caller(&TestApp::member(&ada.id));
    stage.good(&member, "identities.UpdatePassword", of(change.clone())).await;
    let member = stage.caller(&TestApp::member(&ada.id));
    stage.bad(&member, "identities.UpdatePassword", of(change), "WRONG_CREDENTIALS").await;
    let wrong = json!({"email": ada.email, "password": "not the password"});
    stage.bad(&visitor, "identities.CreateToken", wrong, "WRONG_CREDENTIALS").await;
    let opened = stage
        .good(&visitor, "identities.CreateToken", json!({"email": ada.email, "password": "a third horse battery"}))
        .await;
    assert_eq!(opened["identityId"], json!(ada.id));

    let name = stage.fresh("agent");
    let make = json!({"realm": "Internal", "usernames": [name], "password": "correct horse battery"});
    let agent = text(&stage.good(&staff, "identities.CreateIdentity", make).await["id"]);
    let grant = json!([{"application": "pavise", "permissions": ["orders.orders.read"]}]);
    stage.good(&staff, "identities.UpdatePermissions", json!({"identityId": agent, "permissions": grant})).await;
    stage
        .bad(
            &staff,
            "identities.UpdatePermissions",
            json!({"identityId": ada.id, "permissions": grant}),
            "NOT_IN_THIS_REALM",
        )
        .await;
    let name = stage.fresh("admin");
    let make = json!({"realm": "GroupAdmin", "usernames": [name], "password": "correct horse battery"});
    let admin = text(&stage.good(&staff, "identities.CreateIdentity", make).await["id"]);
    let groups = json!({"identityId": admin, "groupIds": ["group-1"]});
    stage.bad(&staff, "identities.UpdateGroups", groups.clone(), "KEPT_BY_GROUP").await;
    stage.good(&machine, "identities.UpdateGroups", groups).await;
    let role = json!({"kind": "GROUP", "id": "group-2", "roles": ["FILE_ADMINISTRATOR"]});
    let grant = json!({"identityId": admin, "groupId": "group-2", "grants": [role]});
    stage.bad(&staff, "identities.SetGroupRoles", grant.clone(), "REALM_NOT_ALLOWED").await;
    let set = stage.good(&machine, "identities.SetGroupRoles", grant).await;
    assert_eq!((&set["groupIds"], &set["scopes"][0]["id"]), (&json!(["group-1"]), &json!("group-2")));
    stage
        .bad(
            &staff,
            "identities.UpdateGroups",
            json!({"identityId": ada.id, "groupIds": ["group-1"]}),
            "NOT_IN_THIS_REALM",
        )
        .await;

    roles(stage).await;
    watching(stage).await;

    let acted = json!({"identityId": ada.id, "reason": "the member called about an order"});
    let token = stage.good(&staff, "identities.Impersonate", acted).await;
    let acting = visitor.with_token(&text(&token["accessToken"]));
    stage.good(&acting, "identities.GetIdentity", json!({"identityId": ada.id})).await;
    stage.bad(&staff, "identities.Impersonate", json!({"identityId": ada.id}), "INVALID_FIELD").await;

    stage.bad(&staff, "identities.DeliverNotice", json!({"noticeId": "none"}), "REALM_NOT_ALLOWED").await;
    let notices = stage.good(&staff, "identities.ReadJournal", json!({"limit": 500})).await;
    let notice = notices["entries"]
        .as_array()
        .unwrap()
        .iter()
        .find(|entry| entry["entity"]["@type"].as_str().is_some_and(|of| of.ends_with("Notice")));
    let notice = text(&notice.unwrap()["entityId"]);
    stage.good(&machine, "identities.DeliverNotice", json!({"noticeId": notice})).await;
    let named = json!({"identityId": bob.id, "displayName": "Bob Example"});
    stage.good(&machine, "identities.SetDisplayName", named.clone()).await;
    stage.bad(&staff, "identities.SetDisplayName", named, "REALM_NOT_ALLOWED").await;
    let titles = json!({"references": [{"type": "Identity", "id": bob.id}]});
    let answer = stage.good(&staff, "identity_titles.GetTitles", titles.clone()).await;
    assert_eq!(answer["titles"][0]["entity"]["displayName"], "Bob Example", "{answer}");
    let visitor = stage.visitor.clone();
    stage.bad(&visitor, "identity_titles.GetTitles", titles, "TOKEN_MISSING").await;
    stage.good(&staff, "identities.DeleteIdentity", json!({"identityId": bob.id})).await;
    stage.bad(&staff, "identities.DeleteIdentity", json!({"identityId": bob.id}), "NOT_FOUND").await;
    stage.journal("identities").await;
}

/// E-mail addresses, usernames and classic numbers come and go; what belongs to another does not come.
async fn names(stage: &mut Stage<'_>, (member, ada): (&Actor, &Member), others: &str) {
    let staff = stage.staff.clone();
    let (email, username, number) =
        (format!("{}@example.com", stage.fresh("second")), stage.fresh("user"), stage.fresh("n"));
    let of = |more: Value| {
        let mut request = json!({"identityId": ada.id});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    let newer = format!("new-{email}");
    let both = json!([{"address": ada.email}, {"address": newer, "primary": true}]);
    for (call, good, bad, reason) in [
        ("AddUsername", json!({"username": username}), json!({"username": "!"}), "INVALID_FIELD"),
        ("RemoveUsername", json!({"username": username}), json!({"username": ""}), "INVALID_FIELD"),
        ("AddClassicId", json!({"type": "Member", "value": number}), json!({}), "INVALID_FIELD"),
        ("RemoveClassicId", json!({"classicId": format!("Member/{number}")}), json!({}), "INVALID_FIELD"),
        ("UpdateReferrer", json!({"referrer": "a friend"}), json!({"referrer": "x".repeat(300)}), "INVALID_FIELD"),
        ("UpdateOktaId", json!({"oktaId": format!("00u{number}")}), json!({"oktaId": ""}), "INVALID_FIELD"),
        ("DeleteOktaId", json!({}), json!({"identityId": "none"}), "NOT_FOUND"),
        ("AddEmail", json!({"email": email}), json!({"email": others}), "ALREADY_EXISTS"),
        (
            "UpdateEmail",
            json!({"email": email, "update": {"email": newer}}),
            json!({"update": {"email": others}}),
            "ALREADY_EXISTS",
        ),
        ("ReplaceAllEmails", json!({"emails": both}), json!({"emails": []}), "INVALID_FIELD"),
        ("RemoveEmail", json!({"email": newer}), json!({"email": "x".repeat(300)}), "INVALID_FIELD"),
    ] {
        let name = format!("identities.{call}");
        stage.bad(&staff, &name, of(bad), reason).await;
        let before = stage.good(&staff, "identities.GetIdentity", of(json!({}))).await;
        let primary = if call == "RemoveEmail" { &newer } else { &ada.email };
        let letters = held_codes(stage, primary).len();
        stage.good(&staff, &name, of(good)).await;
        match call {
            "AddUsername" | "RemoveUsername" | "ReplaceAllEmails" | "RemoveEmail" => {
                confirm(stage, (member, ada), primary, letters).await;
            }
            "AddEmail" => prove(stage, member, ada, &email).await,
            "UpdateEmail" => prove(stage, member, ada, &newer).await,
            _ => {}
        }
        let after = stage.good(&staff, "identities.GetIdentity", of(json!({}))).await;
        assert_ne!(before["version"], after["version"], "{name} changes something");
    }
    let late = format!("{}@example.com", stage.fresh("late"));
    stage.good(&staff, "identities.AddEmail", of(json!({"email": late}))).await;
    let claim = json!({"emailAddressId": newest(stage, "EmailAddress").await});
    stage.bad(&staff, "identities.ForgetEmailAddress", claim.clone(), "REALM_NOT_ALLOWED").await;
    let machine = stage.machine.clone();
    stage.good(&machine, "identities.ForgetEmailAddress", claim).await;
}

/// The codes of the letters to an address that ask its owner to confirm what somebody else changed of the names.
fn held_codes(stage: &Stage<'_>, email: &str) -> Vec<String> {
    let letters = stage.platform.app().mailbox.of(email).into_iter();
    let held = letters.filter(|letter| letter.subject.contains("confirm a change of the names"));
    let code = |text: &str| {
        text.split_whitespace().find(|word| word.len() == 11 && word.find('-') == Some(5)).map(str::to_owned)
    };
    held.filter_map(|letter| code(&letter.text)).collect()
}

/// Names that staff change stay as they are until their owner has confirmed it.
async fn confirm(stage: &mut Stage<'_>, (member, ada): (&Actor, &Member), email: &str, letters: usize) {
    let names = |identity: &Value| (identity["usernames"].clone(), identity["emails"].clone());
    let ask = json!({"identityId": ada.id});
    let before = stage.good(member, "identities.GetIdentity", ask.clone()).await;
    let waiting = stage.good(member, "identities.ListUnprovedEmails", ask).await;
    assert_eq!(waiting["emails"][0]["address"], json!(email), "{waiting}");
    let app = stage.platform.app();
    let newest = || {
        let codes = held_codes(stage, email);
        let code = Some(codes).filter(|codes| codes.len() > letters).and_then(|mut codes| codes.pop());
        async move { code }
    };
    let code = app.eventually("a letter that asks to confirm a change", newest).await;
    let code = json!({"identityId": ada.id, "email": email, "code": code});
    let after = stage.good(member, "identities.ProveEmail", code).await;
    assert_ne!(names(&before), names(&after), "it takes effect with the code");
}

/// A new address is proved with the code of its letter.
async fn prove(stage: &mut Stage<'_>, member: &Actor, ada: &Member, email: &str) {
    let visitor = stage.visitor.clone();
    let of = |email: &str| json!({"identityId": ada.id, "email": email});
    let waiting = stage.good(member, "identities.ListUnprovedEmails", json!({"identityId": ada.id})).await;
    assert_eq!(waiting["emails"][0]["address"], json!(email), "{waiting}");
    stage.bad(&visitor, "identities.ListUnprovedEmails", json!({"identityId": ada.id}), "TOKEN_MISSING").await;
    stage.good(member, "identities.SendEmailCode", of(email)).await;
    stage.bad(member, "identities.SendEmailCode", of("nobody@example.com"), "EMAIL_CODE_NOT_GOOD").await;
    let coded = |code: &str| json!({"identityId": ada.id, "email": email, "code": code});
    stage.bad(member, "identities.ProveEmail", coded("00000-00000"), "EMAIL_CODE_NOT_GOOD").await;
    let app = stage.platform.app();
    let second = || {
        let texts: Vec<String> = app.mailbox.of(email).into_iter().map(|message| message.text).collect();
        let codes = texts.iter().filter_map(|text| {
            text.split_whitespace().find(|word| word.len() == 11 && word.contains('-')).map(str::to_owned)
        });
        // The second letter: its code has replaced that of the first.
        let code = codes.collect::<Vec<_>>().get(1).cloned();
        async move { code }
    };
    let code = app.eventually("a second letter with a code", second).await;
    let proved = stage.good(member, "identities.ProveEmail", coded(&code)).await;
    let addresses = proved["emails"].as_array().unwrap();
    assert!(addresses.iter().any(|known| known["address"] == json!(email)), "{proved}");
}

/// A session learns of another role: its token is refused, and renewed it has the role.
async fn roles(stage: &mut Stage<'_>) {
    let (staff, visitor) = (stage.staff.clone(), stage.visitor.clone());
    let name = stage.fresh("lawyer");
    let make = json!({"realm": "Partner", "usernames": [name], "password": "correct horse battery"});
    let id = text(&stage.good(&staff, "identities.CreateIdentity", make).await["id"]);
    let scope = |roles: &[&str]| json!({"kind": "BRANCH", "id": "branch-1", "roles": roles});
    let grant = |scope: Value| json!({"identityId": id, "scopes": {"grants": [scope]}});
    stage.bad(&staff, "identities.UpdateGroups", grant(scope(&["KING"])), "INVALID_FIELD").await;
    stage.good(&staff, "identities.UpdateGroups", grant(scope(&["CSR"]))).await;
    let sign_in = json!({"username": name, "password": "correct horse battery"});
    let opened = stage.good(&visitor, "identities.CreateToken", sign_in).await;
    let before = visitor.with_token(&text(&opened["accessToken"]));
    let current = stage.good(&before, "sessions.GetCurrentSession", json!({})).await;
    assert_eq!((&current["scopes"][0]["kind"], &current["scopes"][0]["roles"]), (&json!("BRANCH"), &json!(["CSR"])));

    stage.good(&staff, "identities.UpdateGroups", grant(scope(&["CSR", "LAWYER"]))).await;
    let began = Instant::now();
    while stage.call(&before, "sessions.GetCurrentSession", json!({})).await.is_ok() {
        assert!(began.elapsed() < Duration::from_secs(20), "the token from before is good for ever");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    println!("the change of a role was known after {:?}", began.elapsed());
    stage.bad(&before, "sessions.GetCurrentSession", json!({}), "TOKEN_EXPIRED").await;
    let renewed = json!({"refreshToken": opened["refreshToken"]});
    let renewed = stage.good(&visitor, "sessions.RefreshToken", renewed).await;
    assert_eq!(renewed["sessionId"], opened["sessionId"], "the session goes on");
    let after = visitor.with_token(&text(&renewed["accessToken"]));
    let current = stage.good(&after, "sessions.GetCurrentSession", json!({})).await;
    assert_eq!(current["scopes"][0]["roles"], json!(["CSR", "LAWYER"]), "{current}");
}

/// A role that is taken away ends the stream of the scope within seconds.
async fn watching(stage: &mut Stage<'_>) {
    let (staff, visitor) = (stage.staff.clone(), stage.visitor.clone());
    let program = stage.machine.clone();
    let (name, group) = (stage.fresh("service"), stage.fresh("group"));
    let make = json!({"realm": "GroupAdmin", "usernames": [name], "password": "correct horse battery"});
    let id = text(&stage.good(&staff, "identities.CreateIdentity", make).await["id"]);
    let scope = json!({"kind": "GROUP", "id": group, "roles": ["CUSTOMER_SERVICE_REPRESENTATIVE"]});
    let grant = |grants: Value| json!({"identityId": id, "scopes": {"grants": grants}});
    stage.good(&program, "identities.UpdateGroups", grant(json!([scope]))).await;
    let sign_in = json!({"username": name, "password": "correct horse battery"});
    let opened = stage.good(&visitor, "identities.CreateToken", sign_in).await;
    let holder = visitor.with_token(&text(&opened["accessToken"]));
    let mut messages = stage.open(&holder, "orders.WatchGroupOrders", json!({"groupId": group})).await;
    stage.good(&program, "identities.UpdateGroups", grant(json!([]))).await;
    let end = tokio::time::timeout(Duration::from_secs(30), messages.next()).await.unwrap();
    match end {
        Err(Failure::Refused(refusal)) => assert_eq!(refusal.reason, "TOKEN_EXPIRED", "{refusal}"),
        other => panic!("{:?}: {other:?}", stage.surface),
    }
}

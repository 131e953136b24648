//! Second factors, and the sign-in that asks for one.

use serde_json::{Value, json};

use crate::identity::resets::newest;
use crate::identity::stage::{Actor, Stage, text};

pub(crate) async fn story(stage: &mut Stage<'_>) {
    let (ada, _) = stage.member().await;
    let visitor = stage.visitor.clone();
    let sign_in = json!({"email": ada.email, "password": ada.password});
    let token = stage.good(&visitor, "identities.CreateToken", sign_in.clone()).await;
    let member = visitor.with_token(&text(&token["accessToken"]));
    let of = |more: Value| {
        let mut request = json!({"identityId": ada.id});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };

    let offered = stage.good(&visitor, "factors.ListFactorTypes", json!({})).await;
    assert!(offered["types"].as_array().unwrap().contains(&json!("EMAIL")), "{offered}");
    let asked = of(
        json!({"type": "QUESTION", "question": {"type": "TEXT", "question": "First school?", "answer": "Hill House"}}),
    );
    let made = stage.good(&member, "factors.CreateFactor", asked).await;
    stage.bad(&member, "factors.CreateFactor", of(json!({"type": "QUESTION"})), "INVALID_FIELD").await;
    let question = text(&made["factor"]["id"]);
    let wrong = of(json!({"factorId": question, "answer": "Valley View"}));
    stage.bad(&member, "factors.VerifyFactor", wrong.clone(), "WRONG_CODE").await;
    let right = of(json!({"factorId": question, "answer": " hill  HOUSE "}));
    stage.good(&member, "factors.VerifyFactor", right.clone()).await;
    stage.bad(&member, "factors.ValidateFactor", wrong, "WRONG_CODE").await;
    stage.good(&member, "factors.ValidateFactor", right).await;

    let made = stage.good(&member, "factors.CreateFactor", of(json!({"type": "EMAIL"}))).await;
    let mail = text(&made["factor"]["id"]);
    let code = latest_code(stage, &ada.email, 1).await;
    stage.good(&member, "factors.VerifyFactor", of(json!({"factorId": mail, "code": code}))).await;
    stage.bad(&member, "factors.VerifyFactor", of(json!({"factorId": mail, "code": code})), "STATUS_NOT_ALLOWED").await;
    stage.good(&member, "factors.SendFactorCode", of(json!({"factorId": mail}))).await;
    stage.bad(&member, "factors.SendFactorCode", of(json!({"factorId": mail})), "CODE_SENT_RECENTLY").await;
    let code = latest_code(stage, &ada.email, 2).await;
    stage.good(&member, "factors.ValidateFactor", of(json!({"factorId": mail, "code": code}))).await;

    stage.good(&member, "factors.SetPrimaryFactor", of(json!({"factorId": mail}))).await;
    stage.bad(&member, "factors.SetPrimaryFactor", of(json!({"factorId": "none"})), "NOT_FOUND").await;
    let named = stage.good(&member, "factors.UpdateFactorName", of(json!({"factorId": mail, "name": "My mail"}))).await;
    assert_eq!(named["name"], json!("My mail"));
    stage.bad(&member, "factors.UpdateFactorName", of(json!({"factorId": mail, "name": ""})), "INVALID_FIELD").await;
    let list = stage.good(&member, "factors.ListFactors", of(json!({}))).await;
    assert_eq!(list["factors"].as_array().map(Vec::len), Some(2), "{list}");
    assert!(!list.to_string().to_lowercase().contains("hill"), "an answer is never shown: {list}");
    stage.bad(&member, "factors.ListFactors", json!({"identityId": "another"}), "NOT_THE_OWNER").await;
    let codes = stage.good(&member, "factors.CreateRecoveryCodes", of(json!({}))).await;
    stage.bad(&visitor, "factors.CreateRecoveryCodes", of(json!({})), "TOKEN_MISSING").await;
    stage.good(&member, "factors.GetRecoveryCodes", of(json!({}))).await;
    stage.bad(&member, "factors.GetRecoveryCodes", json!({"identityId": "another"}), "NOT_THE_OWNER").await;

    let (staff, machine) = (stage.staff.clone(), stage.machine.clone());
    let masked = stage.good(&staff, "factors.ListFactors", of(json!({}))).await;
    assert!(!masked.to_string().contains(&ada.email), "staff see a masked address: {masked}");
    let why = of(json!({"factorId": mail, "reason": "they ask which address it is"}));
    let shown = stage.good(&staff, "factors.RevealFactor", why.clone()).await;
    assert!(shown.to_string().contains(&ada.email), "{shown}");
    stage.bad(&staff, "factors.RevealFactor", of(json!({"factorId": mail})), "INVALID_FIELD").await;
    stage.bad(&member, "factors.RevealFactor", why, "REALM_NOT_ALLOWED").await;
    stage.good(&machine, "factors.ResealFactor", json!({"factorId": mail})).await;
    stage.bad(&staff, "factors.ResealFactor", json!({"factorId": mail}), "REALM_NOT_ALLOWED").await;

    passkeys(stage, &member, &ada.id).await;

    // From here on a password alone does not sign in.
    let asked = stage.good(&visitor, "identities.CreateToken", sign_in.clone()).await;
    assert!(asked["accessToken"].as_str().is_none_or(str::is_empty), "{asked}");
    let challenge = text(&asked["challenge"]["id"]);
    stage.good(&visitor, "identities.SendChallengeCode", json!({"challengeId": challenge, "factorId": mail})).await;
    stage
        .bad(
            &visitor,
            "identities.SendChallengeCode",
            json!({"challengeId": "none", "factorId": mail}),
            "CHALLENGE_OVER",
        )
        .await;
    let code = latest_code(stage, &ada.email, 3).await;
    let guess = json!({"challengeId": challenge, "factorId": mail, "code": "000000"});
    stage.bad(&visitor, "identities.AnswerChallenge", guess, "WRONG_CODE").await;
    let answer = json!({"challengeId": challenge, "factorId": mail, "code": code});
    let opened = stage.good(&visitor, "identities.AnswerChallenge", answer.clone()).await;
    assert!(!text(&opened["accessToken"]).is_empty());
    stage.bad(&visitor, "identities.AnswerChallenge", answer, "CHALLENGE_OVER").await;
    let asked = stage.good(&visitor, "identities.CreateToken", sign_in).await;
    let challenge = text(&asked["challenge"]["id"]);
    let rescue = json!({"challengeId": challenge, "recoveryCode": codes["codes"][0]});
    let rescued = stage.good(&visitor, "identities.AnswerChallenge", rescue).await;

    // Another session proved itself with the factor since, and a security question proves nothing.
    stage.bad(&member, "factors.DeleteFactor", of(json!({"factorId": question})), "PROOF_NEEDED").await;
    let member = visitor.with_token(&text(&rescued["accessToken"]));
    stage.good(&member, "factors.DeleteFactor", of(json!({"factorId": question}))).await;
    stage.bad(&member, "factors.DeleteFactor", of(json!({"factorId": question})), "NOT_FOUND").await;
}

/// The answers of passkey calls without a device; the domain's tests cover the ceremonies themselves.
async fn passkeys(stage: &mut Stage<'_>, member: &Actor, id: &str) {
    let visitor = stage.visitor.clone();
    let begun = stage.good(member, "factors.BeginPasskeyRegistration", json!({"identityId": id})).await;
    stage.bad(member, "factors.BeginPasskeyRegistration", json!({"identityId": "another"}), "NOT_THE_OWNER").await;
    let forged = json!({"identityId": id, "challengeId": begun["challengeId"], "credentialJson": "{}", "name": "key"});
    stage.bad(member, "factors.CreatePasskey", forged, "INVALID_FIELD").await;
    stage.good(member, "factors.ListPasskeys", json!({"identityId": id})).await;
    stage.bad(member, "factors.ListPasskeys", json!({"identityId": "another"}), "NOT_THE_OWNER").await;
    let none = json!({"identityId": id, "passkeyId": "none"});
    stage.bad(member, "factors.DeletePasskey", none.clone(), "NOT_FOUND").await;
    let named = json!({"identityId": id, "passkeyId": "none", "name": "key"});
    stage.bad(member, "factors.UpdatePasskeyName", named, "NOT_FOUND").await;
    stage.bad(&visitor, "identities.BeginChallengePasskey", json!({"challengeId": "none"}), "CHALLENGE_OVER").await;
    let begun = stage.good(&visitor, "identities.BeginPasskeySignIn", json!({})).await;
    let forged = json!({"challengeId": begun["challengeId"], "credentialJson": "{}"});
    stage.bad(&visitor, "identities.FinishPasskeySignIn", forged, "INVALID_FIELD").await;
    let (staff, machine) = (stage.staff.clone(), stage.machine.clone());
    let over = json!({"challengeId": newest(stage, "Challenge").await});
    stage.bad(&staff, "factors.ForgetChallenge", over.clone(), "REALM_NOT_ALLOWED").await;
    stage.good(&machine, "factors.ForgetChallenge", over).await;
}

/// The code in the message with that number to an address, once it is there.
async fn latest_code(stage: &Stage<'_>, address: &str, number: usize) -> String {
    let app = stage.platform.app();
    let coded = || {
        let texts: Vec<String> = app.mailbox.of(address).into_iter().map(|message| message.text).collect();
        let codes =
            texts.iter().filter_map(|text| text.split_whitespace().find(|word| is_code(word)).map(str::to_owned));
        let codes: Vec<String> = codes.collect();
        async move { codes.get(number - 1).cloned() }
    };
    app.eventually("a message with a code", coded).await
}

fn is_code(word: &str) -> bool {
    word.len() == 6 && word.bytes().all(|byte| byte.is_ascii_digit())
}

//! Unsubscribing from messages to an address, with the token of a message, on both engines.

use std::time::Duration;

use pavise_members::contract::v1::*;

use crate::scene::{ADA, PLATFORM, STAFF, Scene, email, into_answer, refusal_reason, request_by, scenes};

async fn sign(scene: &Scene, address: &str, reader: &str) -> SignUnsubscriptionResponse {
    let request =
        SignUnsubscriptionRequest { email: address.into(), key: "newsletter".into(), reader_id: reader.into() };
    into_answer(scene.profiles().sign_unsubscription(request_by(PLATFORM, request)).await).unwrap()
}

async fn token(scene: &Scene, address: &str) -> String {
    sign(scene, address, "").await.token
}

fn ask(address: &str, token: &str) -> SetAddressPreferenceRequest {
    SetAddressPreferenceRequest {
        email: address.into(),
        key: "newsletter".into(),
        token: token.into(),
        body: b"List-Unsubscribe=One-Click".to_vec(),
        content_type: "application/x-www-form-urlencoded".into(),
        ..SetAddressPreferenceRequest::default()
    }
}

/// The choice of a profile about the newsletter by e-mail.
async fn wants(scene: &Scene, person: &str) -> Option<bool> {
    let profile = scene.profile(STAFF, person).await.unwrap();
    profile.communication_preferences.first().map(|one| one.allowed)
}

#[tokio::test]
async fn an_address_that_unsubscribed_stays_so_whoever_gets_it() {
    for scene in scenes().await {
        let of =
            |address: &str| CreateProfileRequest { emails: vec![email(address)], ..CreateProfileRequest::default() };
        scene.person("ada", of("Shared@example.com")).await;
        let link = token(&scene, "shared@example.com").await;
        let mut profiles = scene.profiles();
        let known =
            into_answer(profiles.set_address_preference(request_by("", ask("shared@example.com", &link))).await);
        assert_eq!(wants(&scene, "ada").await, Some(false));
        // An unknown address has the same answer.
        let link = token(&scene, "new@example.com").await;
        let unknown = into_answer(profiles.set_address_preference(request_by("", ask("new@example.com", &link))).await);
        assert_eq!(known.unwrap(), unknown.unwrap());
        // Profiles that get an address later have what was said of it.
        scene.person("ben", of("NEW@example.com")).await;
        assert_eq!(wants(&scene, "ben").await, Some(false));
        scene.person("cleo", CreateProfileRequest::default()).await;
        let add = AddEmailRequest { identity_id: "cleo".into(), email: Some(email("shared@example.com")) };
        let _ = into_answer(profiles.add_email(request_by("User/cleo", add)).await).unwrap();
        assert_eq!(wants(&scene, "cleo").await, Some(false));
        let fill = FillProfileRequest {
            identity_id: "dan".into(),
            emails: vec![email("new@example.com")],
            ..FillProfileRequest::default()
        };
        let _ = into_answer(profiles.fill_profile(request_by(PLATFORM, fill)).await).unwrap();
        assert_eq!(wants(&scene, "dan").await, Some(false));
        // The sender of a message learns it: of the address, and of the reader's profile.
        for (address, reader, allowed) in [
            ("Shared@example.com", "", false),
            ("other@example.com", "", true),
            ("other@example.com", "nobody", true),
            ("other@example.com", "dan", false),
        ] {
            assert_eq!(sign(&scene, address, reader).await.allowed, allowed, "{address} {reader}");
        }
    }
}

#[tokio::test]
async fn a_link_is_good_for_its_address_its_kind_and_sixty_days() {
    for scene in scenes().await {
        let mut profiles = scene.profiles();
        let link = token(&scene, "ada@example.com").await;
        let good = ask("ADA@example.com", &link);
        let refused = [
            ask("ben@example.com", &link),
            SetAddressPreferenceRequest { key: "offers".into(), ..good.clone() },
            SetAddressPreferenceRequest { token: String::new(), ..good.clone() },
            SetAddressPreferenceRequest { token: format!("{link}x"), ..good.clone() },
        ];
        for request in refused {
            let answer = profiles.set_address_preference(request_by("", request.clone())).await;
            assert_eq!(refusal_reason(answer), "UNSUBSCRIBE_TOKEN_INVALID", "{request:?}");
        }
        let member = SetAddressPreferenceRequest { token: String::new(), ..good.clone() };
        assert_eq!(
            refusal_reason(profiles.set_address_preference(request_by(ADA, member.clone())).await),
            "UNSUBSCRIBE_TOKEN_INVALID"
        );
        let _ = into_answer(profiles.set_address_preference(request_by(STAFF, member)).await).unwrap();
        scene.clock.move_forward(Duration::from_secs(59 * 86_400));
        let _ = into_answer(profiles.set_address_preference(request_by("", good.clone())).await).unwrap();
        scene.clock.move_forward(Duration::from_secs(2 * 86_400));
        let answer = profiles.set_address_preference(request_by("", good)).await;
        assert_eq!(refusal_reason(answer), "UNSUBSCRIBE_TOKEN_INVALID");
    }
}

#[tokio::test]
async fn a_body_of_json_says_more_and_a_wrong_one_names_its_field() {
    for scene in scenes().await {
        let mut profiles = scene.profiles();
        let with = |body: &str| SetAddressPreferenceRequest {
            body: body.as_bytes().to_vec(),
            content_type: "application/json; charset=utf-8".into(),
            ..ask("ada@example.com", "")
        };
        let said = with(r#"{"allowed": true, "channel": "SMS"}"#);
        let answer = into_answer(profiles.set_address_preference(request_by(STAFF, said)).await).unwrap();
        assert!(answer.allowed && answer.channel() == CommunicationChannel::Sms);
        for (body, field) in
            [("{", "body"), ("[]", "body"), (r#"{"alowed": true}"#, "alowed"), (r#"{"channel": "X"}"#, "channel")]
        {
            let error = into_answer(profiles.set_address_preference(request_by(STAFF, with(body))).await).unwrap_err();
            assert_eq!(error.violations()[0].field, field, "{body}");
        }
    }
}

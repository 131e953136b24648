//! Rate limits that several processes of the domain share.

use std::time::Duration;

use pavise_identity::Config;
use pavise_identity::contract::v1::ResendAllInvitationsRequest;
use pavise_identity::contract::v1::invitation_service_client::InvitationServiceClient;
use pavise_kernel::{Common, Error};
use tonic::Request;

use crate::scene::{PASSWORD, Scene, on, request_by, scenes};

const WRONG: &str = "guess guess guess";

async fn exchange(processes: &[&Scene]) {
    for process in processes {
        process.kernel.share_counts().await.unwrap();
    }
}

async fn refusal(process: &Scene, password: &str) -> String {
    process.sign_in("ada@example.com", password).await.unwrap_err().reason().to_owned()
}

#[tokio::test]
async fn guesses_count_in_every_process_and_a_sign_in_forgives_them_in_every_process() {
    for one in scenes().await {
        one.member("ada@example.com").await;
        let two = on(one.database(), Config::for_tests()).await;
        let three = on(one.database(), Config::for_tests()).await;
        let all = [&one, &two, &three];
        // Each process allows what is free until it learns of the others' guesses, with its next one.
        for process in all {
            for _ in 0..5 {
                assert_eq!(refusal(process, WRONG).await, "WRONG_CREDENTIALS");
            }
        }
        exchange(&all).await;
        assert_eq!(refusal(&one, WRONG).await, "WRONG_CREDENTIALS", "it was the first to exchange");
        for process in [&two, &three] {
            assert_eq!(refusal(process, WRONG).await, "SIGN_IN_THROTTLED");
        }
        exchange(&all).await;
        for process in all {
            assert_eq!(refusal(process, PASSWORD).await, "SIGN_IN_THROTTLED", "sixteen guesses were made");
            process.clock.move_forward(Duration::from_secs(300));
        }
        one.sign_in("ada@example.com", PASSWORD).await.unwrap();
        exchange(&all).await;
        for process in [&two, &three] {
            for _ in 0..2 {
                assert_eq!(refusal(process, WRONG).await, "WRONG_CREDENTIALS", "the guesses are forgiven");
            }
        }
    }
}

#[tokio::test]
async fn a_rate_limit_counts_in_every_process() {
    for one in scenes().await {
        let ada = one.member("ada@example.com").await;
        let other = on(one.database(), Config::for_tests()).await;
        let token = one.sign_in("ada@example.com", PASSWORD).await.unwrap().access_token;
        let resend = |process: &Scene| {
            let mut client = InvitationServiceClient::new(process.transport());
            let request = ResendAllInvitationsRequest { identity_id: ada.id.clone(), ..Default::default() };
            let request: Request<_> = request_by(&token, request);
            async move { client.resend_all_invitations(request).await.map_err(Error::from) }
        };
        for _ in 0..5 {
            resend(&one).await.unwrap();
            resend(&other).await.unwrap();
        }
        exchange(&[&one, &other]).await;
        resend(&other).await.unwrap_err();
        resend(&one).await.unwrap();
        exchange(&[&one]).await;
        for process in [&one, &other] {
            let error = resend(process).await.unwrap_err();
            assert!(error.is(Common::TooManyCalls), "{error}");
            let message = "this call can be made 10 times in 600 s for one owner; try again in ";
            assert!(error.message().starts_with(message), "{error}");
        }
        // The calls of the other process fall with its own.
        one.clock.move_forward(Duration::from_secs(120));
        resend(&one).await.unwrap();
        resend(&one).await.unwrap_err();
    }
}

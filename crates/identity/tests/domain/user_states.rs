//! The state that applications keep of their users.

use std::time::Duration;

use pavise_identity::contract::v1::user_state_service_client::UserStateServiceClient;
use pavise_identity::contract::v1::{
    ActivateUserStateRequest, AddAlertRequest, AddDeviceTokenRequest, AddImpressionRequest, CancelUserStateRequest,
    ChangeUserStateOwnerRequest, ClientMetadata, CreateUserStateRequest, DeleteDeviceTokenRequest,
    DeleteUserStateRequest, DevicePlatform, GetUserStateRequest, IdShieldNotificationSetting,
    IdShieldNotificationSettings, ImpressionValue, ListUserStatesRequest, ProductProfile, UpdateChatVersionRequest,
    UpdateClientMetadataRequest, UpdateIdShieldNotificationSettingsRequest,
    UpdateIdShieldPushNotificationSettingsRequest, UpdateIdShieldSmsNotificationSettingsRequest,
    UpdateMobileAppVersionRequest, UpdateProductProfilesRequest, UserState, UserStateApplication, UserStateStatus,
};
use pavise_kernel::Error;
use pavise_kernel::common::v1::{GetMaxClockRequest, ReadJournalRequest};
use pavise_kernel::peers::Transport;
use pavise_kernel::time::to_timestamp;

use crate::scene::{NOW, PASSWORD, Scene, refusal_reason, request_by, scene, scenes};

/// A member of one application.
struct Visitor<'s> {
    scene: &'s Scene,
    id: String,
    token: String,
}

impl<'s> Visitor<'s> {
    async fn new(scene: &'s Scene, email: &str) -> Self {
        let id = scene.member(email).await.id;
        let token = scene.sign_in(email, PASSWORD).await.unwrap().access_token;
        Self { scene, id, token }
    }

    fn calls(&self) -> UserStateServiceClient<Transport> {
        UserStateServiceClient::new(self.scene.transport())
    }

    fn says<M>(&self, message: M) -> tonic::Request<M> {
        request_by(&self.token, message)
    }

    async fn state(&self, application: UserStateApplication) -> UserState {
        let request = CreateUserStateRequest {
            identity_id: self.id.clone(),
            application: application.into(),
            mobile_app_version: "4.12.0".into(),
            ..CreateUserStateRequest::default()
        };
        self.calls().create_user_state(self.says(request)).await.unwrap().into_inner()
    }

    async fn add_device(&self, state: &UserState, token: &str, platform: DevicePlatform) -> UserState {
        let request = AddDeviceTokenRequest {
            identity_id: self.id.clone(),
            user_state_id: state.id.clone(),
            token: token.into(),
            platform: platform.into(),
        };
        self.calls().add_device_token(self.says(request)).await.unwrap().into_inner()
    }
}

fn devices(state: &UserState) -> Vec<(&str, DevicePlatform)> {
    state.device_tokens.iter().map(|device| (device.token.as_str(), device.platform())).collect()
}

#[tokio::test]
async fn devices_are_added_once_and_removed_by_their_token() {
    for scene in scenes().await {
        let ada = Visitor::new(&scene, "ada@example.com").await;
        let state = ada.state(UserStateApplication::IdShield).await;
        assert_eq!((state.status(), state.mobile_app_version.as_str()), (UserStateStatus::Active, "4.12.0"));
        ada.add_device(&state, "phone", DevicePlatform::Ios).await;
        scene.clock.move_forward(Duration::from_secs(60));
        let state = ada.add_device(&state, "tablet", DevicePlatform::Android).await;
        assert_eq!(devices(&state), [("phone", DevicePlatform::Ios), ("tablet", DevicePlatform::Android)]);
        let times: Vec<_> = state.device_tokens.iter().map(|device| device.added_at).collect();
        assert_eq!(times, [Some(to_timestamp(NOW)), Some(to_timestamp(NOW + 60_000_000))]);

        let again = ada.add_device(&state, "phone", DevicePlatform::Ios).await;
        assert_eq!(again, state, "what is there already is not written again");
        let other = ada.add_device(&state, "phone", DevicePlatform::Web).await;
        assert_eq!(devices(&other), [("phone", DevicePlatform::Web), ("tablet", DevicePlatform::Android)]);

        let remove = DeleteDeviceTokenRequest {
            identity_id: ada.id.clone(),
            user_state_id: state.id.clone(),
            device_token: "phone".into(),
        };
        let left = ada.calls().delete_device_token(ada.says(remove.clone())).await.unwrap().into_inner();
        assert_eq!(devices(&left), [("tablet", DevicePlatform::Android)]);
        let twice = ada.calls().delete_device_token(ada.says(remove)).await.unwrap().into_inner();
        assert_eq!(twice.version, left.version);

        for n in 0..30 {
            ada.add_device(&state, &format!("device {n}"), DevicePlatform::Android).await;
        }
        let get = GetUserStateRequest { identity_id: ada.id.clone(), user_state_id: state.id.clone() };
        let state = ada.calls().get_user_state(ada.says(get)).await.unwrap().into_inner();
        assert_eq!((state.device_tokens.len(), state.device_tokens[0].token.as_str()), (20, "device 10"));

        let actions = journal(&scene).await;
        let count = |action: &str| actions.iter().filter(|one| *one == action).count();
        assert_eq!((count("CREATED"), count("DEVICE_TOKEN_ADDED"), count("DEVICE_TOKEN_DELETED")), (1, 33, 1));
    }
}

async fn journal(scene: &Scene) -> Vec<String> {
    let mut calls = UserStateServiceClient::new(scene.transport());
    let ask = ReadJournalRequest { limit: 1000, ..ReadJournalRequest::default() };
    let page = calls.read_journal(scene.platform(ask)).await.unwrap().into_inner();
    let clock = calls.get_max_clock(scene.platform(GetMaxClockRequest {})).await.unwrap().into_inner().max_clock;
    assert_eq!(usize::try_from(clock).unwrap(), page.entries.len());
    page.entries.into_iter().map(|entry| entry.action).collect()
}

#[tokio::test]
async fn state_that_an_application_stores_is_replaced() {
    let scene = scene().await;
    let ada = Visitor::new(&scene, "ada@example.com").await;
    let state = ada.state(UserStateApplication::Legalshield).await;
    let (identity_id, user_state_id) = (ada.id.clone(), state.id.clone());
    let runs_on = |locale: &str, time_zone: &str| {
        let (locale, time_zone) = (locale.to_owned(), time_zone.to_owned());
        Some(ClientMetadata { os_name: "iOS".into(), locale, time_zone, ..ClientMetadata::default() })
    };
    let metadata = |client_metadata| UpdateClientMetadataRequest {
        identity_id: identity_id.clone(),
        user_state_id: user_state_id.clone(),
        client_metadata,
    };
    let client_metadata = runs_on("en-US", "America/Chicago");
    ada.calls().update_client_metadata(ada.says(metadata(runs_on("en_us", "america/chicago")))).await.unwrap();
    let nowhere = metadata(runs_on("english", "America/Atlantis"));
    let refused = Error::from(ada.calls().update_client_metadata(ada.says(nowhere)).await.unwrap_err());
    let fields: Vec<&str> = refused.violations().iter().map(|one| one.field.as_str()).collect();
    assert_eq!(fields, ["client_metadata.locale", "client_metadata.time_zone"]);
    let version = |version: &str| UpdateMobileAppVersionRequest {
        identity_id: identity_id.clone(),
        user_state_id: user_state_id.clone(),
        mobile_app_version: version.into(),
    };
    ada.calls().update_mobile_app_version(ada.says(version("5.0.0-beta.1"))).await.unwrap();
    assert_eq!(refusal_reason(ada.calls().update_mobile_app_version(ada.says(version(""))).await), "INVALID_FIELD");
    assert_eq!(refusal_reason(ada.calls().update_mobile_app_version(ada.says(version("<b>"))).await), "INVALID_FIELD");
    let chat = UpdateChatVersionRequest {
        identity_id: identity_id.clone(),
        user_state_id: user_state_id.clone(),
        chat_version: "2".into(),
    };
    ada.calls().update_chat_version(ada.says(chat)).await.unwrap();
    let product_profiles = vec![ProductProfile { product_id: "product".into(), profile_id: "profile".into() }];
    let profiles =
        UpdateProductProfilesRequest { identity_id, user_state_id, product_profiles: product_profiles.clone() };
    let state = ada.calls().update_product_profiles(ada.says(profiles)).await.unwrap().into_inner();
    assert_eq!((state.client_metadata, state.product_profiles), (client_metadata, product_profiles));
    assert_eq!(
        (state.mobile_app_version.as_str(), state.chat_version.as_str(), state.version),
        ("5.0.0-beta.1", "2", 5)
    );
}

#[tokio::test]
async fn each_way_of_notification_has_settings_of_its_own() {
    let scene = scene().await;
    let ada = Visitor::new(&scene, "ada@example.com").await;
    let state = ada.state(UserStateApplication::IdShield).await;
    let (identity_id, user_state_id) = (ada.id.clone(), state.id.clone());
    let settings = Some(IdShieldNotificationSettings {
        // Which way they are for is the call's to say.
        setting: IdShieldNotificationSetting::Sms.into(),
        credit_alerts: true,
        ..IdShieldNotificationSettings::default()
    });
    let request = UpdateIdShieldNotificationSettingsRequest {
        identity_id: identity_id.clone(),
        user_state_id: user_state_id.clone(),
        settings,
    };
    let state = ada.calls().update_id_shield_notification_settings(ada.says(request)).await.unwrap().into_inner();
    let general = state.id_shield_notification_settings.unwrap();
    assert_eq!((general.setting(), general.credit_alerts), (IdShieldNotificationSetting::General, true));
    assert_eq!((state.id_shield_sms_notification_settings, state.id_shield_push_notification_settings), (None, None));

    let request = UpdateIdShieldSmsNotificationSettingsRequest {
        identity_id: identity_id.clone(),
        user_state_id: user_state_id.clone(),
        settings: Some(IdShieldNotificationSettings::default()),
    };
    ada.calls().update_id_shield_sms_notification_settings(ada.says(request)).await.unwrap();
    let request = UpdateIdShieldPushNotificationSettingsRequest { identity_id, user_state_id, settings };
    let state =
        ada.calls().update_id_shield_push_notification_settings(ada.says(request.clone())).await.unwrap().into_inner();
    let (sms, push) =
        (state.id_shield_sms_notification_settings.unwrap(), state.id_shield_push_notification_settings.unwrap());
    assert_eq!((sms.setting(), sms.credit_alerts), (IdShieldNotificationSetting::Sms, false));
    assert_eq!((push.setting(), push.credit_alerts), (IdShieldNotificationSetting::Push, true));
    let empty = UpdateIdShieldPushNotificationSettingsRequest { settings: None, ..request };
    assert_eq!(
        refusal_reason(ada.calls().update_id_shield_push_notification_settings(ada.says(empty)).await),
        "INVALID_FIELD"
    );
}

#[tokio::test]
async fn alerts_are_kept_once_and_of_impressions_the_last() {
    let scene = scene().await;
    let ada = Visitor::new(&scene, "ada@example.com").await;
    let state = ada.state(UserStateApplication::IdShield).await;
    let alert = |n: usize| AddAlertRequest {
        identity_id: ada.id.clone(),
        user_state_id: state.id.clone(),
        alert_id: format!("alert {n}"),
        kind: "data_breach".into(),
    };
    for n in [0, 1, 0] {
        ada.calls().add_alert(ada.says(alert(n))).await.unwrap();
    }
    let impression = |subject: &str, value: ImpressionValue| AddImpressionRequest {
        identity_id: ada.id.clone(),
        user_state_id: state.id.clone(),
        subject: subject.into(),
        value: value.into(),
    };
    for (subject, value) in [
        ("tour/home", ImpressionValue::MaybeLater),
        ("offer/1", ImpressionValue::Seen),
        ("tour/home", ImpressionValue::Skipped),
    ] {
        scene.clock.move_forward(Duration::from_secs(1));
        ada.calls().add_impression(ada.says(impression(subject, value))).await.unwrap();
    }
    let unsaid = impression("tour/home", ImpressionValue::Unspecified);
    assert_eq!(refusal_reason(ada.calls().add_impression(ada.says(unsaid)).await), "INVALID_FIELD");
    let ask = ListUserStatesRequest { identity_id: ada.id.clone(), ..ListUserStatesRequest::default() };
    let page = ada.calls().list_user_states(ada.says(ask)).await.unwrap().into_inner();
    let [kept] = page.user_states.as_slice() else { panic!("{page:?}") };
    assert_eq!(kept.alerts.iter().map(|alert| alert.alert_id.as_str()).collect::<Vec<_>>(), ["alert 0", "alert 1"]);
    let impressions: Vec<_> =
        kept.impressions.iter().map(|one| (one.subject.as_str(), one.value(), one.added_at)).collect();
    let at = |seconds: i64| Some(to_timestamp(NOW + seconds * 1_000_000));
    assert_eq!(
        impressions,
        [("offer/1", ImpressionValue::Seen, at(2)), ("tour/home", ImpressionValue::Skipped, at(3))]
    );

    for n in 0..250 {
        ada.calls().add_alert(ada.says(alert(n))).await.unwrap();
    }
    let get = GetUserStateRequest { identity_id: ada.id.clone(), user_state_id: state.id.clone() };
    let state = ada.calls().get_user_state(ada.says(get)).await.unwrap().into_inner();
    assert_eq!((state.alerts.len(), state.alerts[199].alert_id.as_str()), (200, "alert 249"));
}

#[tokio::test]
async fn there_is_one_state_of_an_application_until_it_is_deleted() {
    for scene in scenes().await {
        let ada = Visitor::new(&scene, "ada@example.com").await;
        let state = ada.state(UserStateApplication::IdShield).await;
        ada.state(UserStateApplication::All).await;
        let again = |application: i32| CreateUserStateRequest {
            identity_id: ada.id.clone(),
            application,
            ..CreateUserStateRequest::default()
        };
        let second = again(UserStateApplication::IdShield.into());
        assert_eq!(refusal_reason(ada.calls().create_user_state(ada.says(second)).await), "ALREADY_EXISTS");
        assert_eq!(refusal_reason(ada.calls().create_user_state(ada.says(again(0))).await), "INVALID_FIELD");
        assert_eq!(refusal_reason(ada.calls().create_user_state(ada.says(again(77))).await), "INVALID_FIELD");

        let state = ada.add_device(&state, "phone", DevicePlatform::Ios).await;
        let (identity_id, user_state_id) = (ada.id.clone(), state.id.clone());
        let cancel = CancelUserStateRequest { identity_id: identity_id.clone(), user_state_id: user_state_id.clone() };
        let left = ada.calls().cancel_user_state(ada.says(cancel)).await.unwrap().into_inner();
        assert_eq!((left.status(), left.device_tokens.len()), (UserStateStatus::Canceled, 0));
        let device = AddDeviceTokenRequest {
            identity_id: identity_id.clone(),
            user_state_id: user_state_id.clone(),
            token: "phone".into(),
            platform: DevicePlatform::Ios.into(),
        };
        assert_eq!(refusal_reason(ada.calls().add_device_token(ada.says(device.clone())).await), "STATUS_NOT_ALLOWED");
        let activate =
            ActivateUserStateRequest { identity_id: identity_id.clone(), user_state_id: user_state_id.clone() };
        ada.calls().activate_user_state(ada.says(activate.clone())).await.unwrap();
        ada.calls().add_device_token(ada.says(device)).await.unwrap();

        let delete = DeleteUserStateRequest { identity_id, user_state_id };
        let gone = ada.calls().delete_user_state(ada.says(delete)).await.unwrap().into_inner();
        assert_eq!((gone.status(), gone.device_tokens.len()), (UserStateStatus::Deleted, 0));
        assert_eq!(refusal_reason(ada.calls().activate_user_state(ada.says(activate)).await), "STATUS_NOT_ALLOWED");
        let fresh = ada.state(UserStateApplication::IdShield).await;
        assert_ne!(fresh.id, gone.id);
        let ask = ListUserStatesRequest {
            identity_id: ada.id.clone(),
            status: UserStateStatus::Deleted.into(),
            ..ListUserStatesRequest::default()
        };
        let page = ada.calls().list_user_states(ada.says(ask)).await.unwrap().into_inner();
        assert_eq!(page.user_states, [gone]);
    }
}

#[tokio::test]
async fn a_state_is_its_owners_and_goes_to_another_by_staff_only() {
    let scene = scene().await;
    let ada = Visitor::new(&scene, "ada@example.com").await;
    let eve = Visitor::new(&scene, "eve@example.com").await;
    let state = ada.state(UserStateApplication::IdShield).await;
    let get = |owner: &str| GetUserStateRequest { identity_id: owner.into(), user_state_id: state.id.clone() };
    assert_eq!(refusal_reason(eve.calls().get_user_state(eve.says(get(&ada.id))).await), "NOT_THE_OWNER");
    assert_eq!(refusal_reason(eve.calls().get_user_state(eve.says(get(&eve.id))).await), "NOT_FOUND");
    let give = |from: &str, to: &str| ChangeUserStateOwnerRequest {
        identity_id: from.into(),
        user_state_id: state.id.clone(),
        new_owner_id: to.into(),
    };
    assert_eq!(
        refusal_reason(ada.calls().change_user_state_owner(ada.says(give(&ada.id, &eve.id))).await),
        "REALM_NOT_ALLOWED"
    );
    let weak = scene.program(give(&ada.id, &eve.id), &["identity.user_state.write"]);
    assert_eq!(refusal_reason(ada.calls().change_user_state_owner(weak).await), "PERMISSION_MISSING");
    let given = ada.calls().change_user_state_owner(scene.platform(give(&ada.id, &eve.id))).await.unwrap().into_inner();
    assert_eq!(given.owner_id, eve.id);
    assert_eq!(eve.calls().get_user_state(eve.says(get(&eve.id))).await.unwrap().into_inner(), given);
    assert_eq!(refusal_reason(ada.calls().get_user_state(ada.says(get(&ada.id))).await), "NOT_FOUND");
    ada.state(UserStateApplication::IdShield).await;
    let back = ada.calls().change_user_state_owner(scene.platform(give(&eve.id, &ada.id))).await;
    assert_eq!(refusal_reason(back), "ALREADY_EXISTS", "she has a state of the application herself");
}

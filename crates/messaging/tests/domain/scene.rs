//! The domain alone with a letterbox, and short names for its calls.

use std::ops::Deref;
use std::sync::{Arc, Mutex, PoisonError};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, Mac as _};
use pavise_identity_client::v1 as identity;
use pavise_kernel::common::v1::{Locale, LocalizedText};
use pavise_kernel::domain::Settings;
use pavise_kernel::peers::Transport;
use pavise_kernel::{Error, Result, async_trait};
use pavise_members_client::v1 as members;
use pavise_messaging::contract::v1::alert_service_client::AlertServiceClient;
use pavise_messaging::contract::v1::notification_service_client::NotificationServiceClient;
use pavise_messaging::contract::v1::scheduled_communication_service_client::ScheduledCommunicationServiceClient;
use pavise_messaging::contract::v1::*;
use pavise_messaging::contract::{DESCRIPTORS, METHODS, MIGRATIONS, TABLES};
use pavise_messaging::{Channels, Config, HandOverError, OutgoingMessage};
use pavise_testkit::logs::{self, LogWatch};
use pavise_testkit::scene::{Contract, Engine, PeerDouble};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use sha1::Sha1;
use tonic::{Response, Status};

pub(crate) use pavise_testkit::scene::{refusal_reason, request_by};

pub(crate) const ALICE: &str = "User/alice";
pub(crate) const MALLORY: &str = "User/mallory";
pub(crate) const STAFF: &str = "Internal/staff";
pub(crate) const PLATFORM: &str = "Machine/platform";

/// An address whose owner unsubscribed from everything.
pub(crate) const UNSUBSCRIBED: &str = "unsubscribed@example.com";
/// Personal data in the tests' messages: no log has them.
const PERSONAL: [&str; 8] = [
    "ada@example.com",
    "gone@example.com",
    UNSUBSCRIBED,
    "5125550100",
    "(512) 555-0100",
    "QWERT-12345",
    "QWER-5678",
    TOKEN,
];
/// The address of the text service's requests.
pub(crate) const URL: &str = "https://pavise.example/v1/twilio/sms";
/// The token that signs them.
const TOKEN: &str = "a token that only tests know";
/// The beginning of a public key on the curve P-256.
const KEY_PREFIX: &str = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE";

/// A letterbox in the place of the providers.
#[derive(Debug, Clone, Default)]
pub(crate) struct Letterbox {
    taken: Arc<Mutex<Vec<OutgoingMessage>>>,
    fault: Arc<Mutex<Option<HandOverError>>>,
    /// Held while hand-overs take their time.
    slow: Arc<tokio::sync::Mutex<()>>,
}

impl Letterbox {
    /// All messages, in the order in which they came.
    pub(crate) fn taken(&self) -> Vec<OutgoingMessage> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Takes nothing until the answer is dropped, and refuses nothing either.
    pub(crate) async fn hold(&self) -> tokio::sync::OwnedMutexGuard<()> {
        self.slow.clone().lock_owned().await
    }

    /// Refuses from now on, or takes again.
    pub(crate) fn set_fault(&self, fault: Option<HandOverError>) {
        *self.fault.lock().unwrap_or_else(PoisonError::into_inner) = fault;
    }
}

#[async_trait]
impl Channels for Letterbox {
    fn find_provider(&self, channel: NotificationType) -> std::result::Result<NotificationProvider, &'static str> {
        if channel == NotificationType::Push { Err("firebase") } else { Ok(NotificationProvider::Outbox) }
    }

    async fn hand_over(&self, message: &OutgoingMessage) -> std::result::Result<(), HandOverError> {
        if let Some(fault) = *self.fault.lock().unwrap_or_else(PoisonError::into_inner) {
            return Err(fault);
        }
        drop(self.slow.lock().await);
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).push(message.clone());
        Ok(())
    }
}

pub(crate) struct Scene {
    scene: pavise_testkit::scene::Scene,
    pub(crate) letterbox: Letterbox,
    key: Arc<EcdsaKeyPair>,
    _logs: LogWatch,
}

impl Deref for Scene {
    type Target = pavise_testkit::scene::Scene;

    fn deref(&self) -> &Self::Target {
        &self.scene
    }
}

/// The domain on an empty database of each engine.
pub(crate) async fn scenes() -> [Scene; 2] {
    [scene_on(Engine::Sqlite).await, scene_on(Engine::Postgres).await]
}

/// The domain on an empty database.
pub(crate) async fn scene_on(engine: Engine) -> Scene {
    let logs = LogWatch::begin();
    PERSONAL.into_iter().for_each(logs::known);
    let contract = Contract {
        domain: "messaging",
        descriptors: DESCRIPTORS,
        methods: METHODS,
        tables: TABLES,
        migrations: &MIGRATIONS,
    };
    let random = SystemRandom::new();
    let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
    let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, document.as_ref(), &random).unwrap();
    let prefix = STANDARD.decode(KEY_PREFIX).unwrap();
    let point = key.public_key().as_ref();
    let public = STANDARD.encode([prefix.as_slice(), point.get(1..).unwrap()].concat());
    let letterbox = Letterbox::default();
    let settings = Settings::default().with(Config {
        channels: Arc::new(letterbox.clone()),
        public_url: "https://pavise.example/".to_owned(),
        sendgrid_verification_key: Some(public),
        twilio_auth_token: Some(TOKEN.to_owned()),
    });
    let setup = contract.start_on(engine).await.peers(["identity", "members"], &peer_double().transport());
    let scene = setup.begin_scene(|kernel| pavise_messaging::DOMAIN.build(kernel, &settings).unwrap());
    pavise_messaging::DOMAIN.bootstrap(&scene.kernel, &settings).await.unwrap();
    Scene { scene, letterbox, key: Arc::new(key), _logs: logs }
}

/// An identity domain in which "alice" has a factor of type SMS and a primary one of type EMAIL, and a members domain in
/// which the profile of "zoe" says fr-CA.
fn peer_double() -> PeerDouble {
    let factor = |id: &str, kind: identity::FactorType, primary: bool| identity::Factor {
        id: id.into(),
        r#type: kind.into(),
        status: identity::FactorStatus::Active.into(),
        primary,
        ..identity::Factor::default()
    };
    PeerDouble::default()
        .with_call("/pavise.identity.v1.FactorService/ListFactors", move |asked| {
            let request: identity::ListFactorsRequest = asked.message;
            let factors = if request.identity_id == "alice" {
                vec![
                    factor("text", identity::FactorType::Sms, false),
                    factor("mail", identity::FactorType::Email, true),
                ]
            } else {
                Vec::new()
            };
            Ok(identity::ListFactorsResponse { factors, ..identity::ListFactorsResponse::default() })
        })
        .with_call("/pavise.identity.v1.FactorService/SendFactorCode", |asked| {
            let request: identity::SendFactorCodeRequest = asked.message;
            assert!(["text", "mail"].contains(&request.factor_id.as_str()));
            Ok(identity::SendFactorCodeResponse::default())
        })
        .with_call("/pavise.members.v1.ProfileService/GetProfile", |asked| {
            let request: members::GetProfileRequest = asked.message;
            match request.identity_id.as_str() {
                "zoe" => Ok(members::Profile { locale: Locale::FrCa.into(), ..members::Profile::default() }),
                other => Err(Error::not_found("profile", other)),
            }
        })
        .with_call("/pavise.members.v1.ProfileService/SignUnsubscription", |asked| {
            let request: members::SignUnsubscriptionRequest = asked.message;
            let (token, allowed) = (format!("to {}", request.key), request.email != UNSUBSCRIBED);
            Ok(members::SignUnsubscriptionResponse { token, allowed, ..members::SignUnsubscriptionResponse::default() })
        })
}

/// The answer of a call, or its refusal.
pub(crate) fn into_answer<T>(answer: std::result::Result<Response<T>, Status>) -> Result<T> {
    answer.map(Response::into_inner).map_err(Error::from)
}

pub(crate) fn text(locale: Locale, text: &str) -> LocalizedText {
    LocalizedText { locale: locale.into(), text: text.into() }
}

pub(crate) fn value(name: &str, text: &str) -> TextValue {
    TextValue { name: name.into(), text: text.into() }
}

pub(crate) fn content(channel: NotificationType, locale: Locale, subject: &str, text: &str) -> TemplateContent {
    TemplateContent {
        r#type: channel.into(),
        locale: locale.into(),
        subject: subject.into(),
        text: text.into(),
        html: String::new(),
    }
}

/// A signature of the text service over a form.
pub(crate) fn sign_form(url: &str, form: &[(&str, &str)]) -> (Vec<u8>, String) {
    let mut sorted = form.to_vec();
    sorted.sort_unstable();
    let mut mac = Hmac::<Sha1>::new_from_slice(TOKEN.as_bytes()).unwrap();
    mac.update(url.as_bytes());
    for (name, value) in &sorted {
        mac.update(name.as_bytes());
        mac.update(value.as_bytes());
    }
    let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    (body.into_bytes(), STANDARD.encode(mac.finalize().into_bytes()))
}

impl Scene {
    pub(crate) fn alerts(&self) -> AlertServiceClient<Transport> {
        AlertServiceClient::new(self.transport())
    }

    pub(crate) fn notifications(&self) -> NotificationServiceClient<Transport> {
        NotificationServiceClient::new(self.transport())
    }

    pub(crate) fn communications(&self) -> ScheduledCommunicationServiceClient<Transport> {
        ScheduledCommunicationServiceClient::new(self.transport())
    }

    /// A published template.
    pub(crate) async fn publish(&self, template: CreateNotificationTemplateRequest) -> NotificationTemplate {
        let key = template.key.clone();
        into_answer(self.notifications().create_notification_template(request_by(STAFF, template)).await).unwrap();
        let publish = PublishNotificationTemplateRequest { template_key: key };
        into_answer(self.notifications().publish_notification_template(request_by(STAFF, publish)).await).unwrap()
    }

    /// Sends a notification.
    pub(crate) async fn send(&self, draft: NotificationDraft) -> Result<Notification> {
        let request = SendNotificationRequest { notification: Some(draft), ..SendNotificationRequest::default() };
        into_answer(self.notifications().send_notification(request_by(PLATFORM, request)).await)
    }

    pub(crate) async fn notification(&self, id: &str) -> Notification {
        let request = GetNotificationRequest { notification_id: id.into(), ..GetNotificationRequest::default() };
        into_answer(self.notifications().get_notification(request_by(STAFF, request)).await).unwrap()
    }

    /// A text from somebody; answers the body of the answer.
    pub(crate) async fn receive(&self, sid: &str, from: &str, body: &str) -> Result<String> {
        let form = [("MessageSid", sid), ("From", from), ("To", "+15125550000"), ("Body", body)];
        let (body, signature) = sign_form(URL, &form);
        let request = ReceiveTwilioSmsRequest { body, url: URL.into(), signature };
        let answer = into_answer(self.notifications().receive_twilio_sms(request_by("", request)).await)?;
        assert!(answer.content_type.starts_with("text/xml"));
        Ok(String::from_utf8(answer.body).unwrap())
    }

    /// Events of the mail service, signed so many seconds ago.
    pub(crate) fn sign_events(&self, body: &[u8], seconds_ago: i64) -> ReceiveSendgridEventsRequest {
        let timestamp = (self.now().seconds - seconds_ago).to_string();
        let signed = [timestamp.as_bytes(), body].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        let signature = STANDARD.encode(signature.as_ref());
        ReceiveSendgridEventsRequest { body: body.to_vec(), signature, timestamp }
    }
}

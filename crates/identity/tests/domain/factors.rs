//! Factors: made, shown to work, used, made primary, and removed.

mod challenge;
mod codes;
mod life;
mod recovery;
mod settings;

use std::time::Duration;

use hmac::{Hmac, Mac as _};
use pavise_identity::contract::v1::{
    AddClassicIdRequest, CreateFactorRequest, CreateFactorResponse, Factor, FactorType, Identity, ListFactorsRequest,
    ProveSessionRequest, SecurityQuestionInput, SecurityQuestionType, ValidateFactorRequest, VerifyFactorRequest,
};
use pavise_kernel::Error;
use pavise_kernel::time::Clock as _;
use sha1::Sha1;

use crate::scene::{PASSWORD, Scene, request_by};

pub(crate) const STEP: Duration = Duration::from_secs(30);

/// A member who is signed in.
#[derive(Clone)]
pub(crate) struct Member {
    pub(crate) identity: Identity,
    pub(crate) token: String,
}

pub(crate) async fn member(scene: &Scene, email: &str) -> Member {
    let identity = scene.member(email).await;
    let token = scene.sign_in(email, PASSWORD).await.unwrap().access_token;
    Member { identity, token }
}

impl Member {
    pub(crate) fn wish(&self, kind: FactorType) -> CreateFactorRequest {
        CreateFactorRequest {
            identity_id: self.identity.id.clone(),
            r#type: kind.into(),
            ..CreateFactorRequest::default()
        }
    }

    pub(crate) async fn create(
        &self,
        scene: &Scene,
        request: CreateFactorRequest,
    ) -> Result<CreateFactorResponse, Error> {
        let answer = scene.factors().create_factor(request_by(&self.token, request)).await;
        answer.map(tonic::Response::into_inner).map_err(Error::from)
    }

    pub(crate) async fn verify(&self, scene: &Scene, factor: &Factor, code: &str) -> Result<Factor, Error> {
        let request = VerifyFactorRequest {
            identity_id: self.identity.id.clone(),
            factor_id: factor.id.clone(),
            code: code.to_owned(),
            ..VerifyFactorRequest::default()
        };
        let answer = scene.factors().verify_factor(request_by(&self.token, request)).await;
        answer.map(tonic::Response::into_inner).map_err(Error::from)
    }

    pub(crate) fn validation(&self, factor: &Factor, code: &str) -> ValidateFactorRequest {
        ValidateFactorRequest {
            identity_id: self.identity.id.clone(),
            factor_id: factor.id.clone(),
            code: code.to_owned(),
            ..ValidateFactorRequest::default()
        }
    }

    /// The reason why a code proves nothing; empty when it proves.
    pub(crate) async fn validate(&self, scene: &Scene, factor: &Factor, code: &str) -> String {
        let request = self.validation(factor, code);
        match scene.factors().validate_factor(request_by(&self.token, request)).await {
            Ok(_) => String::new(),
            Err(status) => Error::from(status).reason().to_owned(),
        }
    }

    /// The member with a token that a factor proved.
    pub(crate) async fn proven(&self, scene: &Scene, factor: &Factor, code: &str) -> Self {
        let (factor_id, code) = (factor.id.clone(), code.to_owned());
        let request = ProveSessionRequest { factor_id, code, ..ProveSessionRequest::default() };
        let proven = scene.identities().prove_session(request_by(&self.token, request)).await.unwrap().into_inner();
        Self { token: proven.access_token, ..self.clone() }
    }

    pub(crate) async fn list(&self, scene: &Scene) -> Vec<Factor> {
        let request = ListFactorsRequest { identity_id: self.identity.id.clone(), ..ListFactorsRequest::default() };
        scene.factors().list_factors(request_by(&self.token, request)).await.unwrap().into_inner().factors
    }

    /// An authenticator app that was set up and shown to work.
    pub(crate) async fn app(&self, scene: &Scene) -> (Factor, App) {
        let made = self.create(scene, self.wish(FactorType::Google)).await.unwrap();
        let app = App::new(&made.authenticator.unwrap().secret_text);
        let factor = self.verify(scene, &made.factor.unwrap(), &app.code(scene)).await.unwrap();
        scene.clock.move_forward(STEP);
        (factor, app)
    }

    /// A telephone that was shown to work.
    pub(crate) async fn telephone(&self, scene: &Scene, number: &str) -> Factor {
        let request = CreateFactorRequest { phone_number: number.into(), ..self.wish(FactorType::Sms) };
        let factor = self.create(scene, request).await.unwrap().factor.unwrap();
        let code = code_sent(scene, number).await;
        self.verify(scene, &factor, &code).await.unwrap()
    }

    /// A security question that was answered twice.
    pub(crate) async fn question(&self, scene: &Scene, answer: &str) -> Factor {
        let question = SecurityQuestionInput {
            r#type: SecurityQuestionType::Text.into(),
            question: "Who was your first teacher?".into(),
            answer: answer.to_owned(),
        };
        let request = CreateFactorRequest { question: Some(question), ..self.wish(FactorType::Question) };
        let factor = self.create(scene, request).await.unwrap().factor.unwrap();
        let request = VerifyFactorRequest {
            identity_id: self.identity.id.clone(),
            factor_id: factor.id,
            answer: answer.to_owned(),
            ..VerifyFactorRequest::default()
        };
        scene.factors().verify_factor(request_by(&self.token, request)).await.unwrap().into_inner()
    }

    /// Connects a classic number.
    pub(crate) async fn number(&self, scene: &Scene, kind: i32, value: &str) {
        let request =
            AddClassicIdRequest { identity_id: self.identity.id.clone(), r#type: kind, value: value.to_owned() };
        scene.identities().add_classic_id(scene.platform(request)).await.unwrap();
    }
}

/// An authenticator app: RFC 6238, written apart from the service.
pub(crate) struct App(Vec<u8>);

impl App {
    pub(crate) fn new(secret_text: &str) -> Self {
        let (mut bytes, mut buffer, mut bits) = (Vec::new(), 0_u64, 0);
        for letter in secret_text.bytes() {
            let value = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".iter().position(|known| *known == letter).unwrap();
            buffer = (buffer << 5) | u64::try_from(value).unwrap();
            bits += 5;
            if bits >= 8 {
                bits -= 8;
                bytes.push(u8::try_from((buffer >> bits) & 0xff).unwrap());
            }
        }
        Self(bytes)
    }

    pub(crate) fn code(&self, scene: &Scene) -> String {
        let mut mac = Hmac::<Sha1>::new_from_slice(&self.0).unwrap();
        mac.update(&(scene.clock.now() / 30_000_000).to_be_bytes());
        let digest = mac.finalize().into_bytes();
        let offset = usize::from(digest.last().unwrap() & 0xf);
        let part = digest.iter().skip(offset).take(4);
        let number = part.fold(0_u32, |number, byte| (number << 8) | u32::from(*byte)) & 0x7fff_ffff;
        format!("{:06}", number % 1_000_000)
    }
}

/// The code in the last message that was delivered to the address.
pub(crate) async fn code_sent(scene: &Scene, address: &str) -> String {
    let delivered = scene.delivered().await;
    let message =
        delivered.iter().rfind(|message| message.address == address && digits(&message.text).is_some()).unwrap();
    digits(&message.text).unwrap()
}

/// The first six digits in a row.
fn digits(text: &str) -> Option<String> {
    text.split(|letter: char| !letter.is_ascii_digit()).find(|part| part.len() == 6).map(str::to_owned)
}

/// A code of six digits that is another.
pub(crate) fn other_than(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

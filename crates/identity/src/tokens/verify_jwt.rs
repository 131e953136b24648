//! Answers the claims of a token, or its flaw.

use pavise_kernel::time::to_timestamp;
use pavise_kernel::token::{AUDIENCE, Claims, TokenFlaw, UnverifiedToken};
use pavise_kernel::{Call, Result, Scopes};

use crate::contract::v1::{IdentityRealm, TokenClaims, TokenProblem, VerifyJwtRequest, VerifyJwtResponse};
use crate::shared::tools::Tools as _;
use crate::shared::{grants, scopes};

pub(crate) async fn verify_jwt(call: &Call, request: VerifyJwtRequest) -> Result<VerifyJwtResponse> {
    let service = call.tokens()?;
    let audience = if request.audience.is_empty() { AUDIENCE } else { &request.audience };
    let verdict = match UnverifiedToken::read(&request.token) {
        Ok(token) => match service.public.key(token.kid()).await? {
            Some(key) => {
                token.verify(&key, audience, call.machine_now()).map(|claims| (token.kid().to_owned(), claims))
            }
            None => Err(TokenFlaw::UnknownKey),
        },
        Err(flaw) => Err(flaw),
    };
    Ok(match verdict {
        Ok((key_id, claims)) => {
            VerifyJwtResponse { valid: true, claims: Some(shown(key_id, claims)), ..VerifyJwtResponse::default() }
        }
        Err(flaw) => VerifyJwtResponse {
            valid: false,
            problem: problem(flaw).into(),
            description: flaw.to_string(),
            claims: None,
        },
    })
}

fn problem(flaw: TokenFlaw) -> TokenProblem {
    match flaw {
        TokenFlaw::Malformed => TokenProblem::Malformed,
        TokenFlaw::TooLarge => TokenProblem::TooLarge,
        TokenFlaw::Header => TokenProblem::HeaderNotAllowed,
        TokenFlaw::UnknownKey => TokenProblem::UnknownKey,
        TokenFlaw::Signature => TokenProblem::BadSignature,
        TokenFlaw::Issuer => TokenProblem::WrongIssuer,
        TokenFlaw::Audience => TokenProblem::WrongAudience,
        TokenFlaw::NotYet => TokenProblem::NotYetValid,
        TokenFlaw::Expired => TokenProblem::Expired,
    }
}

fn shown(key_id: String, claims: Claims) -> TokenClaims {
    let at = |seconds: i64| Some(to_timestamp(seconds.saturating_mul(1_000_000)));
    let realm = IdentityRealm::from_spelling(&claims.realm).unwrap_or_default();
    let (actor_id, actor_may_write) = claims.act.map(|act| (act.sub, act.write)).unwrap_or_default();
    TokenClaims {
        jwt_id: claims.jti,
        subject: claims.sub,
        realm: realm.into(),
        sub_type: claims.sub_type,
        issuer: claims.iss,
        audience: claims.aud,
        key_id,
        issued_at: at(claims.iat),
        not_before: at(claims.nbf),
        expires_at: at(claims.exp),
        permissions: grants::as_messages(&claims.permissions),
        scopes: scopes::as_messages(&Scopes::of_claims(&claims.groups, &claims.scopes)),
        group_ids: claims.groups,
        session_id: claims.sid,
        actor_id,
        actor_may_write,
    }
}

//! Begins a sign-in with a passkey that the device knows, without a name.

use pavise_kernel::{Call, Error, Result};

use crate::contract::v1::{BeginPasskeySignInRequest, ChallengePurpose, PasskeyCeremony};
use crate::factors::support::challenge;
use crate::shared::throttle::{Kind, Throttle};
use crate::shared::tools::Tools as _;

pub(crate) async fn begin_passkey_sign_in(call: &Call, _request: BeginPasskeySignInRequest) -> Result<PasskeyCeremony> {
    let service = call.identities()?;
    // Each call stores a challenge, so calls are rate-limited per address; completing one gives the attempt back.
    if !call.address().is_empty() {
        let address = Throttle::key(Kind::Address, call.address());
        service.ceremonies.check_wait(&address, call.machine_now())?;
        service.ceremonies.count_failure(&address, call.machine_now());
    }
    let began = service.factors.site.load_webauthn()?.start_discoverable_authentication();
    let (mut options, state) = began.map_err(Error::internal)?;
    // The page decides when the browser asks for the passkey.
    options.mediation = None;
    let options = serde_json::to_value(options).map_err(Error::internal)?;
    let mut made = challenge::NewChallenge::new(call, "", ChallengePurpose::PasskeySignIn);
    made.challenge.sealed_ceremony = service.factors.seal_ceremony(call, &made.challenge.id, &state)?;
    made.store_ceremony(call, &options).await
}

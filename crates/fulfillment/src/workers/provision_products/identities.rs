//! Every authorized user gets an identity.

use pavise_kernel::error::Common;
use pavise_kernel::{Error, Result};

use super::run::Run;
use crate::contract::identity::identity_service_client::IdentityServiceClient;
use crate::contract::identity::{CreateIdentityRequest, IdentityRealm};
use crate::contract::v1::{AddIdentityIdRequest, ErrorReason, ProvisionAuthorizedUser};

/// Makes and records the missing identities one by one.
pub(super) async fn add_identities(run: &mut Run) -> Result<()> {
    let missing: Vec<_> =
        run.provision().authorized_users.iter().filter(|user| user.identity_id.is_empty()).cloned().collect();
    for user in missing {
        let identity_id = create_identity(run, &user).await?;
        let record = AddIdentityIdRequest {
            provision_id: run.provision().id.clone(),
            authorized_user_id: user.id.clone(),
            identity_id,
        };
        let request = run.change_request(record, &format!("identity/{}/recorded", user.id));
        let provision = run.provisions().add_identity_id(request).await?.into_inner();
        run.set_provision(provision);
    }
    Ok(())
}

async fn create_identity(run: &Run, user: &ProvisionAuthorizedUser) -> Result<String> {
    let wanted = CreateIdentityRequest {
        realm: IdentityRealm::User.into(),
        emails: if user.email.is_empty() { Vec::new() } else { vec![user.email.clone()] },
        ..Default::default()
    };
    let mut identities = IdentityServiceClient::new(run.peer_channel("identity"));
    match identities.create_identity(run.new_request(wanted, &format!("identity/{}", user.id))).await {
        Ok(identity) => Ok(identity.into_inner().id),
        Err(status) => {
            let error = Error::from(status);
            if !error.is(Common::AlreadyExists) {
                return Err(error);
            }
            // The address was taken after the checks. Staff correct it or name the identity, and process it again.
            let message = format!("the e-mail address of authorized user {} belongs to another identity", user.id);
            Err(Error::new(ErrorReason::ProfileCollision, message).because(error))
        }
    }
}

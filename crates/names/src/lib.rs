//! The name registry for the domains whose entities have names that are unique across services: the client of
//! `reserved_names`. Such a domain provides it to the kernel: `kernel.provide(pavise_names::names())`.

use pavise_kernel::common::v1::NameSpace;
use pavise_kernel::name_registry::{NameHolder, NameRegistry, NameRegistryBackend, NameRequest};
use pavise_kernel::peers::PeerChannel;
use pavise_kernel::time::to_timestamp;
use pavise_kernel::{Common, Error, Result, async_trait};

use pavise_catalog_client::v1::reserved_name_service_client::ReservedNameServiceClient as Client;
use pavise_catalog_client::v1::{
    CancelNameRequest, CheckNameRequest, HoldNameRequest, NameClaim, ReleaseNamesRequest, ReserveNameRequest,
};

/// The names that the service `reserved_names` keeps.
#[must_use]
pub fn names() -> NameRegistry {
    NameRegistry::new(CatalogNames)
}

/// The id of a name: `SITE_NAME.family-plan`. It is the same for spellings with other letter cases.
#[must_use]
pub fn id(space: &str, name: &str) -> String {
    format!("{space}.{}", name.to_ascii_lowercase())
}

/// The service as a peer.
#[derive(Debug)]
struct CatalogNames;

fn number(space: &str) -> i32 {
    NameSpace::from_spelling(space).unwrap_or_default().into()
}

#[async_trait]
impl NameRegistryBackend for CatalogNames {
    fn domain(&self) -> &'static str {
        "catalog"
    }

    async fn reserve(&self, peer: PeerChannel, wanted: &NameRequest) -> Result<()> {
        let NameRequest { space, name, holder, claim, .. } = wanted;
        let request = ReserveNameRequest {
            id: id(space, name),
            space: number(space),
            name: name.clone(),
            holder_service: holder.service.to_owned(),
            holder_aggregate: holder.aggregate.to_owned(),
            holder_id: holder.id.clone(),
            claims: vec![NameClaim {
                id: claim.clone(),
                created_at: Some(to_timestamp(holder.created_at)),
                version: holder.version,
            }],
        };
        Client::new(peer).reserve_name(request).await?;
        Ok(())
    }

    async fn check(&self, peer: PeerChannel, wanted: &NameRequest) -> Result<()> {
        let NameRequest { space, name, holder, .. } = wanted;
        let request = CheckNameRequest {
            space: number(space),
            name: name.clone(),
            holder_aggregate: holder.aggregate.to_owned(),
            holder_id: holder.id.clone(),
        };
        let answer = Client::new(peer).check_name(request).await?.into_inner();
        match answer {
            _ if !answer.problem.is_empty() => Err(Error::field("name", answer.problem)),
            _ if !answer.free => {
                let message = format!("the name {name} is taken");
                Err(Error::new(Common::NameTaken, message).violation("name", "is taken"))
            }
            _ => Ok(()),
        }
    }

    async fn cancel(&self, peer: PeerChannel, wanted: &NameRequest) -> Result<()> {
        let request = CancelNameRequest { id: id(wanted.space, &wanted.name), claim_id: wanted.claim.clone() };
        Client::new(peer).cancel_name(request).await?;
        Ok(())
    }

    async fn hold(&self, peer: PeerChannel, space: &'static str, holder: &NameHolder, name: &str) -> Result<bool> {
        let request = HoldNameRequest {
            id: id(space, name),
            space: number(space),
            holder_service: holder.service.to_owned(),
            holder_aggregate: holder.aggregate.to_owned(),
            holder_id: holder.id.clone(),
            holder_created_at: Some(to_timestamp(holder.created_at)),
            holder_version: holder.version,
        };
        Ok(Client::new(peer).hold_name(request).await?.into_inner().held)
    }

    async fn release(&self, peer: PeerChannel, space: &'static str, holder: &NameHolder) -> Result<()> {
        let request = ReleaseNamesRequest {
            space: number(space),
            holder_service: holder.service.to_owned(),
            holder_aggregate: holder.aggregate.to_owned(),
            holder_id: holder.id.clone(),
            holder_created_at: Some(to_timestamp(holder.created_at)),
            holder_version: holder.version,
        };
        Client::new(peer).release_names(request).await?;
        Ok(())
    }
}

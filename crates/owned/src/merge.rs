//! The merge of two identities, with its record in `identity_merge`. The merged identity's things go to the surviving
//! one, and back when the merge is undone.

mod report;
mod run;
mod share;

use std::fmt;
use std::sync::Arc;

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::table::OwnedEntity;
use pavise_kernel::worker::{JournalFeed, Work, Worker, decode_entity};
use pavise_kernel::{Error, Kernel, MoveToOwner, Result, async_trait};

use pavise_identity_client::v1::identity_merge_service_client::IdentityMergeServiceClient;
use pavise_identity_client::v1::{GetIdentityMergeRequest, IdentityMerge, IdentityMergeStatus};
use run::Run;
use share::{DOMAIN, NAME, Share};

/// Hands over one domain's things, for each merge in progress.
pub struct MergeWorker {
    name: &'static str,
    shares: Vec<Share>,
}

impl MergeWorker {
    /// The worker of the domain with these owned_entities.
    ///
    /// # Errors
    /// When a owned_entity is moved neither by a call nor by a `MoveToOwner`, or by both, or a `MoveToOwner` has no owned_entity.
    pub fn new(
        name: &'static str,
        owned_entities: &[&'static OwnedEntity],
        moves_to_owner: &[Arc<dyn MoveToOwner>],
    ) -> Result<Self> {
        let named = |processor: &str| moves_to_owner.iter().find(|one| one.processor() == processor).cloned();
        if let Some(stray) =
            moves_to_owner.iter().find(|one| owned_entities.iter().all(|known| known.processor != one.processor()))
        {
            return Err(Error::internal(format!("{name}: the contract knows no processor {}", stray.processor())));
        }
        let mut shares = Vec::new();
        for owned_entity in owned_entities {
            let move_to_owner = named(owned_entity.processor);
            if move_to_owner.is_some() == owned_entity.transfer.is_some() {
                let problem = "is moved by one of a call of the contract and a MoveToOwner of the domain";
                return Err(Error::internal(format!("{name}: {} {problem}", owned_entity.processor)));
            }
            shares.push(Share { owned_entity, move_to_owner });
        }
        shares.sort_by_key(|share| share.owned_entity.place);
        Ok(Self { name, shares })
    }
}

impl fmt::Debug for MergeWorker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.shares.iter().map(|share| share.owned_entity.processor)).finish()
    }
}

#[async_trait]
impl Worker for MergeWorker {
    fn name(&self) -> &'static str {
        self.name
    }

    fn feed(&self) -> JournalFeed {
        let path = "/pavise.identity.v1.IdentityMergeService/ReadJournal";
        JournalFeed::Journal { domain: DOMAIN, service: "identity_merge", path }
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(then) = decode_entity::<IdentityMerge>(entry)? else { return Ok(()) };
        if then.status() != IdentityMergeStatus::InProgress {
            return Ok(());
        }
        let merge = load_merge(work.kernel(), &then.id).await?;
        // Each report adds an entry, so only the last entry matches the merge's version. The work goes on from that
        // entry.
        if merge.version != then.version {
            return Ok(());
        }
        Run::new(work.kernel(), merge, &entry.request_id).process_all(&self.shares).await
    }
}

async fn load_merge(kernel: &Kernel, id: &str) -> Result<IdentityMerge> {
    let work = Work::new(kernel, NAME, String::new(), "");
    let request = GetIdentityMergeRequest { merge_id: id.to_owned() };
    Ok(IdentityMergeServiceClient::new(work.peer_channel(DOMAIN)).get_identity_merge(request).await?.into_inner())
}

#[cfg(test)]
mod tests {
    use pavise_kernel::table::{OwnerList, Transfer};
    use pavise_kernel::{OwnerMove, Result};

    use super::*;

    const LIST: OwnerList = OwnerList {
        path: "/pavise.shelves.v1.BookService/ListBooks",
        owner: 1,
        status: 0,
        statuses: &[],
        page_size: 2,
        page_token: 3,
        items: 1,
        item_id: 1,
        next_page_token: 2,
        held: 0,
    };
    const MOVED: Transfer =
        Transfer { path: "/pavise.shelves.v1.BookService/MoveBook", entity: 1, owner: 2, new_owner: 3, waits: &[] };
    static BOOKS: OwnedEntity = owned_entity("books", Some(MOVED));
    static LOANS: OwnedEntity = owned_entity("loans", None);

    const fn owned_entity(processor: &'static str, transfer: Option<Transfer>) -> OwnedEntity {
        OwnedEntity {
            processor,
            domain: "shelves",
            message: "pavise.shelves.v1.Book",
            place: 1,
            list: LIST,
            transfer,
            in_use: None,
            erasable: false,
        }
    }

    #[derive(Debug)]
    struct By(&'static str);

    #[async_trait]
    impl MoveToOwner for By {
        fn processor(&self) -> &'static str {
            self.0
        }

        async fn move_to_owner(&self, _work: &Work, _thing: &OwnerMove<'_>) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn each_processor_is_moved_in_one_way() {
        let made = |by: &[&'static str]| {
            let moves_to_owner: Vec<Arc<dyn MoveToOwner>> =
                by.iter().map(|name| Arc::new(By(name)) as Arc<dyn MoveToOwner>).collect();
            MergeWorker::new("shelves.handover", &[&BOOKS, &LOANS], &moves_to_owner).is_ok()
        };
        assert!(made(&["loans"]));
        assert!(!made(&[]), "nothing moves the loans");
        assert!(!made(&["loans", "books"]), "two ways move the books");
        assert!(!made(&["loans", "shelves"]), "there are no shelves");
    }
}

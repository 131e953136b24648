//! The merge of two identities, with its record in `identity_merge`. The merged identity's things go to the surviving
//! one, and back when the merge is undone.

mod report;
mod run;
mod share;

use std::fmt;
use std::sync::Arc;

use pavise_kernel::common::v1::JournalEntry;
use pavise_kernel::table::Holding;
use pavise_kernel::worker::{Feed, Work, Worker, entity};
use pavise_kernel::{Error, HandOver, Kernel, Result, async_trait};

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
    /// The worker of the domain with these holdings.
    ///
    /// # Errors
    /// When a holding is moved neither by a call nor by a `HandOver`, or by both, or a `HandOver` has no holding.
    pub fn new(name: &'static str, holdings: &[&'static Holding], hand_overs: &[Arc<dyn HandOver>]) -> Result<Self> {
        let named = |processor: &str| hand_overs.iter().find(|one| one.processor() == processor).cloned();
        if let Some(stray) =
            hand_overs.iter().find(|one| holdings.iter().all(|known| known.processor != one.processor()))
        {
            return Err(Error::internal(format!("{name}: the contract knows no processor {}", stray.processor())));
        }
        let mut shares = Vec::new();
        for holding in holdings {
            let hand_over = named(holding.processor);
            if hand_over.is_some() == holding.transfer.is_some() {
                let problem = "is moved by one of a call of the contract and a HandOver of the domain";
                return Err(Error::internal(format!("{name}: {} {problem}", holding.processor)));
            }
            shares.push(Share { holding, hand_over });
        }
        shares.sort_by_key(|share| share.holding.place);
        Ok(Self { name, shares })
    }
}

impl fmt::Debug for MergeWorker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.shares.iter().map(|share| share.holding.processor)).finish()
    }
}

#[async_trait]
impl Worker for MergeWorker {
    fn name(&self) -> &'static str {
        self.name
    }

    fn feed(&self) -> Feed {
        let path = "/pavise.identity.v1.IdentityMergeService/ReadJournal";
        Feed::Journal { domain: DOMAIN, service: "identity_merge", path }
    }

    async fn handle(&self, work: &Work, entry: &JournalEntry) -> Result<()> {
        let Some(then) = entity::<IdentityMerge>(entry)? else { return Ok(()) };
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
    Ok(IdentityMergeServiceClient::new(work.peer(DOMAIN)).get_identity_merge(request).await?.into_inner())
}

#[cfg(test)]
mod tests {
    use pavise_kernel::table::{OwnerList, Transfer};
    use pavise_kernel::{Handover, Result};

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
    };
    const MOVED: Transfer =
        Transfer { path: "/pavise.shelves.v1.BookService/MoveBook", entity: 1, owner: 2, new_owner: 3, waits: &[] };
    static BOOKS: Holding = holding("books", Some(MOVED));
    static LOANS: Holding = holding("loans", None);

    const fn holding(processor: &'static str, transfer: Option<Transfer>) -> Holding {
        Holding {
            processor,
            domain: "shelves",
            message: "pavise.shelves.v1.Book",
            place: 1,
            list: LIST,
            transfer,
            in_use: None,
        }
    }

    #[derive(Debug)]
    struct By(&'static str);

    #[async_trait]
    impl HandOver for By {
        fn processor(&self) -> &'static str {
            self.0
        }

        async fn hand_over(&self, _work: &Work, _thing: &Handover<'_>) -> Result<()> {
            Ok(())
        }
    }

    #[test]
    fn each_processor_is_moved_in_one_way() {
        let made = |by: &[&'static str]| {
            let hand_overs: Vec<Arc<dyn HandOver>> =
                by.iter().map(|name| Arc::new(By(name)) as Arc<dyn HandOver>).collect();
            MergeWorker::new("shelves.handover", &[&BOOKS, &LOANS], &hand_overs).is_ok()
        };
        assert!(made(&["loans"]));
        assert!(!made(&[]), "nothing moves the loans");
        assert!(!made(&["loans", "books"]), "two ways move the books");
        assert!(!made(&["loans", "shelves"]), "there are no shelves");
    }
}

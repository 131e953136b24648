//! The things that domains keep for an owner. The calls that the contract names list and move them, without their
//! types.

use std::fmt;

use async_trait::async_trait;
use bytes::Bytes;
use http::uri::PathAndQuery;
use pavise_contract::table::{OwnedEntity, OwnerList, Transfer};
use prost::encoding::{DecodeContext, WireType, decode_key, decode_varint, int32, skip_field, string};
use tonic::Request;

use crate::entity::codec::BytesCodec;
use crate::error::{Common, Error, Result};
use crate::work::worker::Work;

/// Things of one owner that one process moves at most.
pub const MOST_THINGS: usize = 2000;
/// Items in each page of the owner's lists.
const PAGE: i32 = 200;

/// Moves things of one kind from one owner to another, where no single call of the contract does it.
#[async_trait]
pub trait MoveToOwner: fmt::Debug + Send + Sync + 'static {
    /// The name of the processor in the contract.
    fn processor(&self) -> &'static str;

    /// Hands one thing over. A repeat with the same work takes effect once, because outgoing calls use
    /// [`Work::request`].
    ///
    /// # Errors
    /// An error that [`may_pass`] is retried later. Any other refusal leaves the thing where it is.
    async fn move_to_owner(&self, work: &Work, thing: &OwnerMove<'_>) -> Result<()>;
}

/// A thing that goes from one owner to another.
#[derive(Debug, Clone, Copy)]
pub struct OwnerMove<'a> {
    /// The id of the merge.
    pub merge: &'a str,
    /// Whether the merge is being undone, so that the thing goes back.
    pub undone: bool,
    /// The thing's id.
    pub id: &'a str,
    /// The old owner.
    pub from: &'a str,
    /// The new owner.
    pub to: &'a str,
}

/// Refuses for now, because `what` is under way.
#[must_use]
pub fn refuse_for_now(what: impl fmt::Display) -> Error {
    Error::new(Common::Unavailable, format!("{what}; it is moved when that is done"))
}

/// Whether a refusal may pass by itself: the service does not answer or does not run yet.
#[must_use]
pub fn may_pass(error: &Error) -> bool {
    error.is_transient() || error.is(Common::Unimplemented)
}

impl Work {
    /// The ids of an owner's things of one kind.
    ///
    /// # Errors
    /// When the service does not answer or refuses; `INVALID_FIELD` for more than [`MOST_THINGS`] things.
    pub async fn list_owned_entities(&self, owned_entity: &OwnedEntity, owner: &str) -> Result<Vec<String>> {
        self.list_owned(owned_entity.domain, &owned_entity.list, owner).await
    }

    /// The ids of an owner's things of one kind that are in use, so that the owner is not deleted.
    ///
    /// # Errors
    /// Those of [`Work::list_owned_entities`].
    pub async fn list_in_use(&self, owned_entity: &OwnedEntity, owner: &str) -> Result<Vec<String>> {
        match &owned_entity.in_use {
            Some(list) => self.list_owned(owned_entity.domain, list, owner).await,
            None => Ok(Vec::new()),
        }
    }

    async fn list_owned(&self, domain: &str, list: &OwnerList, owner: &str) -> Result<Vec<String>> {
        let statuses = if list.statuses.is_empty() { &[0] } else { list.statuses };
        let mut ids = Vec::new();
        for status in statuses {
            let mut token = String::new();
            loop {
                let ask = encode_request(list, owner, *status, &token);
                let answer = self.call_raw(domain, list.path, Request::new(ask)).await?;
                token = read_page(list, &answer, &mut ids)
                    .ok_or_else(|| Error::internal(format!("{}: no page", list.path)))?;
                if ids.len() > MOST_THINGS {
                    let message = format!("there are more than {MOST_THINGS} things; move some of them first");
                    return Err(Error::new(Common::InvalidField, message));
                }
                if token.is_empty() {
                    break;
                }
            }
        }
        Ok(ids)
    }

    /// Changes the owner of one thing by the call that the contract names. A repeat takes effect once.
    ///
    /// # Errors
    /// When the service does not answer or refuses.
    pub async fn transfer_entity(
        &self,
        owned_entity: &OwnedEntity,
        transfer: &Transfer,
        thing: &OwnerMove<'_>,
    ) -> Result<()> {
        let mut message = Vec::new();
        for (number, text) in
            [(transfer.entity, thing.id), (transfer.owner, thing.from), (transfer.new_owner, thing.to)]
        {
            string::encode(number, &text.to_owned(), &mut message);
        }
        let request = self.new_request(Bytes::from(message), &format!("{} {}", owned_entity.processor, thing.id));
        self.call_raw(owned_entity.domain, transfer.path, request).await?;
        Ok(())
    }

    /// Makes a call with messages as wire bytes.
    pub(crate) async fn call_raw(&self, domain: &str, path: &'static str, request: Request<Bytes>) -> Result<Bytes> {
        let mut client = tonic::client::Grpc::new(self.peer_channel(domain));
        client.ready().await.map_err(|error| Error::unavailable(domain, error))?;
        Ok(client.unary(request, PathAndQuery::from_static(path), BytesCodec).await?.into_inner())
    }
}

fn encode_request(list: &OwnerList, owner: &str, status: i32, token: &str) -> Bytes {
    let mut message = Vec::new();
    string::encode(list.owner, &owner.to_owned(), &mut message);
    if status != 0 {
        int32::encode(list.status, &status, &mut message);
    }
    int32::encode(list.page_size, &PAGE, &mut message);
    if !token.is_empty() {
        string::encode(list.page_token, &token.to_owned(), &mut message);
    }
    message.into()
}

/// Adds a page's ids and returns the token of the next page; `None` if the page cannot be read.
fn read_page(list: &OwnerList, page: &[u8], ids: &mut Vec<String>) -> Option<String> {
    let mut token = String::new();
    for (number, content) in read_fields(page)? {
        if number == list.items {
            if list.held != 0 && !has_true(content, list.held)? {
                continue;
            }
            let id = read_fields(content)?.into_iter().rfind(|(number, _)| *number == list.item_id)?.1;
            ids.push(String::from_utf8(id.to_vec()).ok()?);
        } else if number == list.next_page_token {
            token = String::from_utf8(content.to_vec()).ok()?;
        }
    }
    Some(token)
}

/// Whether a field of a message is true; `None` if the message cannot be read.
fn has_true(mut left: &[u8], wanted: u32) -> Option<bool> {
    let mut is_true = false;
    while !left.is_empty() {
        let (number, kind) = decode_key(&mut left).ok()?;
        if number == wanted && kind == WireType::Varint {
            is_true = decode_varint(&mut left).ok()? != 0;
        } else {
            skip_field(kind, number, &mut left, DecodeContext::default()).ok()?;
        }
    }
    Some(is_true)
}

/// The length-delimited fields of a message (texts and messages); `None` if the message cannot be read.
fn read_fields(mut left: &[u8]) -> Option<Vec<(u32, &[u8])>> {
    let mut found = Vec::new();
    while !left.is_empty() {
        let (number, kind) = decode_key(&mut left).ok()?;
        if kind == WireType::LengthDelimited {
            let length = usize::try_from(decode_varint(&mut left).ok()?).ok()?;
            let (content, rest) = left.split_at_checked(length)?;
            found.push((number, content));
            left = rest;
        } else {
            skip_field(kind, number, &mut left, DecodeContext::default()).ok()?;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use prost::Message;

    use super::*;

    const LIST: OwnerList = OwnerList {
        path: "/pavise.shelves.v1.BookService/ListBooks",
        owner: 1,
        status: 2,
        statuses: &[],
        page_size: 3,
        page_token: 4,
        items: 1,
        item_id: 2,
        next_page_token: 2,
        held: 0,
    };

    #[derive(Clone, PartialEq, Message)]
    struct Page {
        #[prost(message, repeated, tag = "1")]
        items: Vec<Item>,
        #[prost(string, tag = "2")]
        next: String,
        #[prost(int64, tag = "3")]
        total: i64,
    }

    #[derive(Clone, PartialEq, Message)]
    struct Item {
        #[prost(int32, tag = "1")]
        size: i32,
        #[prost(string, tag = "2")]
        id: String,
        #[prost(bool, tag = "3")]
        held: bool,
    }

    #[derive(Clone, PartialEq, Message)]
    struct Ask {
        #[prost(string, tag = "1")]
        owner: String,
        #[prost(int32, tag = "2")]
        status: i32,
        #[prost(int32, tag = "3")]
        page_size: i32,
        #[prost(string, tag = "4")]
        page_token: String,
    }

    #[test]
    fn a_page_is_read_by_the_numbers_of_its_fields() {
        let item = |id: &str| Item { size: 7, id: id.to_owned(), held: id == "b" };
        let page = Page { items: vec![item("a"), item("b")], next: "more".into(), total: 9 }.encode_to_vec();
        let mut ids = vec!["before".to_owned()];
        assert_eq!(read_page(&LIST, &page, &mut ids), Some("more".to_owned()));
        assert_eq!(ids, ["before", "a", "b"]);
        assert_eq!(read_page(&LIST, &[], &mut ids), Some(String::new()), "the last page");
        let mut held = Vec::new();
        assert_eq!(read_page(&OwnerList { held: 3, ..LIST }, &page, &mut held), Some("more".to_owned()));
        assert_eq!(held, ["b"], "only those on hold");
    }

    #[test]
    fn what_is_no_page_is_refused_and_never_read_as_an_empty_one() {
        let nameless = Page { items: vec![Item { size: 1, ..Item::default() }], ..Page::default() }.encode_to_vec();
        for broken in [nameless.as_slice(), &[0x0a, 0x7f, 0x00], &[0xff]] {
            assert_eq!(read_page(&LIST, broken, &mut Vec::new()), None, "{broken:?}");
        }
    }

    #[test]
    fn a_list_is_asked_for_an_owner_and_a_page() {
        let ask = |status, token| Ask::decode(encode_request(&LIST, "ada", status, token)).unwrap();
        assert_eq!(ask(0, ""), Ask { owner: "ada".into(), page_size: PAGE, ..Ask::default() });
        let expected = Ask { owner: "ada".into(), status: 2, page_size: PAGE, page_token: "next".into() };
        assert_eq!(ask(2, "next"), expected);
    }
}

//! The code of a right contract.

use super::{SHELVES, build};

#[test]
fn a_right_contract_becomes_calls_constants_and_a_table() {
    // Line breaks, and a comma before them, do not matter.
    let without_space = |text: &str| {
        let text = text.split_whitespace().collect::<String>();
        [",>", ",)", ",}", ",]"].iter().fold(text, |text, end| text.replace(end, end.trim_start_matches(',')))
    };
    let code = build(SHELVES).unwrap();
    for expected in [
        "crate::books::count_books(&call, request).await",
        "pub const LENT: &str = \"LENT\";",
        "pub const COVER_COLOUR: &str = \"cover.colour\";",
        "::pavise_kernel::Edit::edit(entity, &request, &context)?;",
        "fn scope(&self) -> Vec<(&'static str, String)> { vec![(\"borrower\", self.borrower.clone())] }",
        "\"borrower\" => Some(self.borrower.as_str())",
        "roles: &[Role { name: \"BINDER\", realms: &[Realm::Internal], permission: \"shelves.books.write\" }]",
        "pub const BINDER: &str = \"BINDER\";",
        "entity.borrower = request.borrower.clone();",
        "entity.status = 2;",
        "entity.notes.iter_mut().find(|known| known.place == request.place)",
        "Some(known) => { known.place = request.place.clone(); known.text = request.text.clone(); }",
        "v1::Note { place: request.place.clone(), text: request.text.clone(), ..Default::default() }",
        "if !entity.tags.iter().any(|known| known.eq_ignore_ascii_case(&request.tag)) { entity.tags.push(request.tag.clone()); }",
        "remove(&mut entity.notes, ::core::slice::from_ref(&request.spot), ::pavise_kernel::edit::RequestField { name: \"spot\", many: false }, |item: &self::pavise::shelves::v1::Note, key| { item.place == *key }, false)?;",
        "|item: &String, key| item.eq_ignore_ascii_case(key), false)?;",
        "from: &[\"IN\"]",
        "from: &[\"IN\", \"OUT\", \"LOST\"]",
        "from: &[], to: &[], steps: &[], reasons: &[], rate_limit: &[], event: ::pavise_kernel::table::SecurityEvent::Unspecified, sends: false, proves: false, reveals: false };",
        "rate_limit: &[RateLimit { per: RateLimitScope::Address, count: 9, seconds: 60 }], event: ",
        "from: &[\"IN\", \"OUT\"], to: &[\"IN\", \"LOST\"], steps: &[(\"IN\", \"LOST\"), (\"OUT\", \"LOST\"), (\"OUT\", \"IN\")], reasons: &[\"BOOK_BURNT\"], rate_limit: &[], event: ::pavise_kernel::table::SecurityEvent::Unspecified, sends: false, proves: false, reveals: false };",
        "steps: &[], reasons: &[\"BOOK_TORN\", \"BOOK_BURNT\"], rate_limit: &[], event: ::pavise_kernel::table::SecurityEvent::Unspecified, sends: false, proves: false, reveals: false };",
        "self.hash = ::core::default::Default::default();",
        "(\"status\", request.status().spelling().to_owned())",
        "<Self as ::pavise_kernel::Consequences>::follow(call, step).await",
        "call.apply_create(",
        "call.apply_delete::<self::pavise::shelves::v1::Book>(&request.book_id",
        "Clone::clone, |entity| { entity.borrower",
        "Lookup { name: \"lent_on\", json: \"lentOn\", unique: false, fold: false, many: false, prefix: false, sortable: Some(SortKind::Day), within: &[], ..Lookup::PLAIN }",
        "indexes: &[&[\"status\"], &[\"owner_id\", \"status\"], &[\"owner_id\", \"lent_on\"]]",
        "fn sort_value(&self, lookup: &str) -> String { match lookup { \"lent_on\" => ::pavise_kernel::range::SortKey::key(&self.lent_on),",
        "self.lent_on = ::pavise_kernel::due::earliest_day(&[([2].contains(&self.status), self.back_on.as_ref(), 2)]);",
        "call.page_in_order::<self::pavise::shelves::v1::Book>(None.or((request.side == 1).then_some(\"borrower\")), ::pavise_kernel::ListRange { lookup: \"lent_on\", from: ::pavise_kernel::range::SortKey::key(&request.from), until: ::pavise_kernel::range::SortKey::key(&request.until), ascending: request.order == 1, descending: request.order == 2 },",
        "let (size, capped) = if request.show_total { call.count_entities::<self::pavise::shelves::v1::Book>(",
        "total_size: size, total_is_capped: capped,",
        "let (found, missing) = call.batch::<self::pavise::shelves::v1::Book>(&request.hashes, Some(\"hash\"), &[\"IN\"]).await?;",
        "if call.has_role(\"BINDER\") { entity } else { self::pavise::shelves::v1::Book { id: entity.id, title: entity.title, ..Default::default() } }",
        "call.search::<self::pavise::shelves::v1::Book>(::pavise_kernel::Search { text: &request.text, lookups: &[\"tags\", \"cover.colour\", \"id\"], per_minute: 60, words: \"\", criteria: &[], without: &[] },",
        "Lookup { name: \"tags\", json: \"tags\", unique: false, fold: true, many: true, prefix: true, sortable: None, within: &[], ..Lookup::PLAIN }",
        "if let Some(cover) = &self.cover { if !cover.colour.is_empty()",
        "from: (&request.from, \"from\"), to: (request.new.as_ref().map_or(\"\", |new| new.place.as_str()), \"new.place\"), fold: false",
        "rename_item(&mut entity.tags, |item| item, |_| false,",
        "to: (request.new.as_ref().map_or(\"\", |new| new.text.as_str()), \"new.text\"), fold: true",
        "for text in &request.places { if !entity.notes.iter().any(|known| known.place == *text) {",
        "for text in &request.words { if !entity.tags.iter().any(|known| known.eq_ignore_ascii_case(text)) {",
        "entity.favourite = true;",
        "call.get_only::<self::pavise::shelves::v1::Book>(&request.book_id, &[\"IN\"]",
        "entity.cover.clone().unwrap_or_default()",
        "call.get_or_empty::<self::pavise::shelves::v1::Book>(&request.book_id",
        "v1::BookCard::from(entity)",
        "OwnedEntity { processor: \"shelf\", domain: \"shelves\", message: \"pavise.shelves.v1.Book\", place: 7, list: ::pavise_kernel::table::OwnerList { path: \"/pavise.shelves.v1.BookService/ListBooks\", owner: 1, status: 5, statuses: &[1, 2], page_size: 2, page_token: 3, items: 1, item_id: 1, next_page_token: 2, held: 0 }",
        "transfer: Some(::pavise_kernel::table::Transfer { path: \"/pavise.shelves.v1.BookService/GiveBook\", entity: 2, owner: 1, new_owner: 3, waits: &[] })",
        "call.watch_entity::<self::pavise::shelves::v1::Book>(&request.book_id, request.clock, &request.epoch).await",
        "call.watch_owned::<self::pavise::shelves::v1::Book>(request.clock, &request.epoch).await",
        "self.kernel.serve_stream(&book_calls::READ_ALOUD, request, |call, request| async move { crate::books::read_aloud(&call, request).await }).await",
        "::tonic::Response<::pavise_kernel::stream::Messages<self::pavise::shelves::v1::Page>,>",
        "services.add_streaming(&book_calls::READ_ALOUD, &own, |own, request| ::std::boxed::Box::pin(own.read_aloud(request)),);",
        "cards: items.iter().map(self::pavise::shelves::v1::BookCard::from).collect()",
        "(\"status\", \"OUT\".to_owned())",
        "status: \"UP\".to_owned(), max_clock: head.clock,",
    ] {
        assert!(without_space(&code).contains(&without_space(expected)), "{expected} is missing in\n{code}");
    }
}

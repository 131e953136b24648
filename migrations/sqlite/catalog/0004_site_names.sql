-- Names that are unique across services, and the site names of offers and products.

CREATE TABLE reserved_names (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX reserved_names_owner ON reserved_names (owner_id, id);
CREATE INDEX reserved_names_holder_id ON reserved_names ((doc->>'holderId'), id);
CREATE INDEX reserved_names_due_to_release_at ON reserved_names ((rtrim(coalesce(doc->>'dueToReleaseAt', ''), 'Z')), id);
CREATE INDEX reserved_names_status ON reserved_names (status, id);

CREATE TABLE reserved_names_journal (
    clock INTEGER PRIMARY KEY,
    action TEXT NOT NULL,
    entity_table TEXT NOT NULL,
    entity_id TEXT NOT NULL,
    owner_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    subject TEXT NOT NULL,
    request_id TEXT NOT NULL,
    removed BOOLEAN NOT NULL,
    doc TEXT NOT NULL
);
CREATE INDEX reserved_names_journal_entity ON reserved_names_journal (entity_id, clock);

CREATE TABLE reserved_names_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX reserved_names_idempotency_at ON reserved_names_idempotency (at);

CREATE UNIQUE INDEX offers_site_name ON offers (lower(doc->>'siteName'));
CREATE UNIQUE INDEX products_site_name ON products (lower(doc->>'siteName'));

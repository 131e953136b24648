-- Content: its types, its entries, and their journal.

CREATE TABLE content_types (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX content_types_owner ON content_types (owner_id, id);
CREATE UNIQUE INDEX content_types_key ON content_types (lower(doc->>'key'));

CREATE TABLE content_entries (
    id TEXT PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc TEXT NOT NULL CHECK (json_valid(doc))
);
CREATE INDEX content_entries_owner ON content_entries (owner_id, id);
CREATE INDEX content_entries_type_id ON content_entries ((doc->>'typeId'), id);
CREATE INDEX content_entries_site_type ON content_entries ((doc->>'siteType'), id);
CREATE UNIQUE INDEX content_entries_key ON content_entries ((coalesce(doc->>'siteType', '')), (doc->>'key'));
CREATE INDEX content_entries_status ON content_entries (status, id);
CREATE INDEX content_entries_status_type_id ON content_entries (status, (doc->>'typeId'), id);
CREATE INDEX content_entries_status_site_type ON content_entries (status, (doc->>'siteType'), id);

CREATE TABLE content_entries_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT NOT NULL,
    PRIMARY KEY (name, value, id)
) WITHOUT ROWID;
CREATE INDEX content_entries_lookup_id ON content_entries_lookup (id);

CREATE TABLE content_journal (
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
CREATE INDEX content_journal_entity ON content_journal (entity_id, clock);

CREATE TABLE content_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BLOB NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX content_idempotency_at ON content_idempotency (at);

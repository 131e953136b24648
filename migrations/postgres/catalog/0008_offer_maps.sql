-- Offer maps and their journal.

CREATE TABLE offer_maps (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX offer_maps_owner ON offer_maps (owner_id, id);
CREATE INDEX offer_maps_brand ON offer_maps ((doc->>'brand'), id);
CREATE UNIQUE INDEX offer_maps_offer_id ON offer_maps ((coalesce(doc->>'billingProvider', '')), (doc->>'offerId'));

CREATE TABLE offer_maps_journal (
    clock BIGINT PRIMARY KEY,
    action TEXT NOT NULL,
    entity_table TEXT NOT NULL,
    entity_id TEXT COLLATE "C" NOT NULL,
    owner_id TEXT NOT NULL,
    version BIGINT NOT NULL,
    at BIGINT NOT NULL,
    actor TEXT NOT NULL,
    subject TEXT NOT NULL,
    request_id TEXT NOT NULL,
    removed BOOLEAN NOT NULL,
    doc JSONB NOT NULL
);
CREATE INDEX offer_maps_journal_entity ON offer_maps_journal (entity_id, clock);

CREATE TABLE offer_maps_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX offer_maps_idempotency_at ON offer_maps_idempotency (at);

-- Provisions and their journal.

CREATE TABLE provisions (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX provisions_owner ON provisions (owner_id, id);
CREATE INDEX provisions_order_id ON provisions ((doc->>'orderId'), id);
CREATE UNIQUE INDEX provisions_order_offer_id ON provisions ((doc->>'orderOfferId'));
CREATE INDEX provisions_offer_id ON provisions ((doc->>'offerId'), id);
CREATE INDEX provisions_subscription_id ON provisions ((doc->>'subscriptionId'), id);
CREATE INDEX provisions_group_id ON provisions ((doc->>'groupId'), id);

CREATE TABLE provision_journal (
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
CREATE INDEX provision_journal_entity ON provision_journal (entity_id, clock);

CREATE TABLE provision_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX provision_idempotency_at ON provision_idempotency (at);

-- Entitlements and their journal.

CREATE TABLE entitlements (
    id TEXT COLLATE "C" PRIMARY KEY,
    owner_id TEXT NOT NULL,
    status TEXT NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL,
    doc JSONB NOT NULL
) WITH (fillfactor = 80);
CREATE INDEX entitlements_owner ON entitlements (owner_id, id);
CREATE INDEX entitlements_product_id ON entitlements ((doc->>'productId'), id);
CREATE INDEX entitlements_family ON entitlements ((doc->>'family'), id);
CREATE INDEX entitlements_subscription_id ON entitlements ((doc->>'subscriptionId'), id);
CREATE INDEX entitlements_provision_id ON entitlements ((doc->>'provisionId'), id);
CREATE INDEX entitlements_order_id ON entitlements ((doc->>'orderId'), id);
CREATE INDEX entitlements_group_id ON entitlements ((doc->>'groupId'), id);
CREATE UNIQUE INDEX entitlements_friendly_id ON entitlements ((doc->>'friendlyId'));

CREATE TABLE entitlements_lookup (
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (name, value, id)
);
CREATE INDEX entitlements_lookup_id ON entitlements_lookup (id);

CREATE TABLE entitlements_journal (
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
CREATE INDEX entitlements_journal_entity ON entitlements_journal (entity_id, clock);

CREATE TABLE entitlements_idempotency (
    key TEXT PRIMARY KEY,
    request TEXT NOT NULL,
    answer BYTEA NOT NULL,
    version BIGINT NOT NULL,
    clock BIGINT NOT NULL,
    at BIGINT NOT NULL
);
CREATE INDEX entitlements_idempotency_at ON entitlements_idempotency (at);

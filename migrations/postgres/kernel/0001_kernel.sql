-- Where each journal stands: the row that every writer of the journal locks first. It is updated all the time, so its
-- page keeps room for the new versions. The epoch changes when a journal is restored from an older backup.
CREATE TABLE journal_counter (
    journal TEXT PRIMARY KEY,
    clock BIGINT NOT NULL,
    epoch TEXT NOT NULL
) WITH (fillfactor = 50);

-- Which process runs a worker, and until when.
CREATE TABLE worker_lease (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until BIGINT NOT NULL
) WITH (fillfactor = 50);

-- How far a worker has come in its journal.
CREATE TABLE worker_cursor (
    worker TEXT PRIMARY KEY,
    clock BIGINT NOT NULL,
    epoch TEXT NOT NULL
) WITH (fillfactor = 50);

-- Entries that a worker could not handle.
CREATE TABLE worker_aside (
    worker TEXT NOT NULL,
    clock BIGINT NOT NULL,
    entity_id TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    next_at BIGINT NOT NULL,
    cause TEXT NOT NULL,
    parked BOOLEAN NOT NULL,
    entry BYTEA NOT NULL,
    PRIMARY KEY (worker, clock)
);

-- Epochs that ended because the journal was restored from an older backup: the clock that it stood at then. What an
-- earlier epoch has above it is gone.
CREATE TABLE journal_epoch (
    journal TEXT NOT NULL,
    number BIGINT NOT NULL,
    epoch TEXT NOT NULL,
    ended_at_clock BIGINT NOT NULL,
    PRIMARY KEY (journal, number)
) WITHOUT ROWID;

-- The entries of one entity that a worker set aside, and those that are due.
CREATE INDEX worker_aside_entity ON worker_aside (worker, entity_id, clock);
CREATE INDEX worker_aside_due ON worker_aside (worker, next_at) WHERE NOT parked;

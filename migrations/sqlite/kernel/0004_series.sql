-- The last count of each series of numbers. The writer of the journal moves it in the commit that gives the number.
CREATE TABLE journal_series (
    journal TEXT NOT NULL,
    series TEXT NOT NULL,
    last BIGINT NOT NULL,
    PRIMARY KEY (journal, series)
) WITHOUT ROWID;

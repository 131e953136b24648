-- Transactions are listed by the state of their dispute.

CREATE INDEX transactions_dispute_status ON transactions ((doc->>'disputeStatus'), id);

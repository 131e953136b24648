-- Invoices by their numbers.
CREATE UNIQUE INDEX invoices_number ON invoices ((doc->>'number'));

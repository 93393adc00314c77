-- Double entry, a row per movement: what each fact, credit, correction and expiry moved from which book to which. It
-- balances by its shape. Nano-USD; negative: the other way round. Written once with its source and never changed. What
-- costs nothing moves nothing. line: which movement of the entry (domain/transfer/transfers.ts).
-- Books: credits and byok (what a customer has), funding (where credits come from), revenue and byok_usage (what a
-- charge was settled as), suspense (neither the customer's nor spent), claims (what providers ask for beyond a hold),
-- operator (who pays for what no customer pays) and operator_usage (what that was spent as).
CREATE TABLE transfers (
  amount_nano_usd bigint NOT NULL CHECK (amount_nano_usd <> 0),
  line smallint NOT NULL,
  entry_kind text NOT NULL CHECK (entry_kind IN ('usage', 'credit', 'correction', 'expiry')),
  entry_id text NOT NULL,
  account_id text NOT NULL,
  from_book text NOT NULL,
  to_book text NOT NULL,
  PRIMARY KEY (entry_id, entry_kind, line),
  CHECK (from_book IN ('credits', 'byok', 'funding', 'claims', 'operator')),
  CHECK (to_book IN ('credits', 'revenue', 'byok_usage', 'suspense', 'operator_usage'))
);

-- Postings had two lines per movement, and four where the money went through a clearing account within the entry.
LOCK TABLE postings IN SHARE ROW EXCLUSIVE MODE;
INSERT INTO transfers
  SELECT -taken.amount_nano_usd,
    CASE WHEN entry_kind = 'credit' THEN 1 ELSE CASE taken.line
      WHEN 1 THEN 1 WHEN 5 THEN 2 WHEN 7 THEN 3 WHEN 9 THEN 4 WHEN 13 THEN 5 WHEN 17 THEN 6 END END,
    entry_kind, entry_id, taken.account_id, taken.book, given.book
  FROM postings AS taken JOIN postings AS given USING (entry_kind, entry_id)
  WHERE taken.line IN (1, 5, 7, 9, 13, 17)
    AND given.line = taken.line
      + CASE WHEN entry_kind <> 'credit' AND taken.line IN (1, 9, 13) THEN 3 ELSE 1 END;
DO $$
BEGIN
  IF (SELECT count(*) FROM postings WHERE book <> 'clearing') <> 2 * (SELECT count(*) FROM transfers) THEN
    RAISE EXCEPTION 'not every posting is part of a transfer';
  END IF;
END $$;
DROP TABLE postings;
DROP FUNCTION refuse_unbalanced;

-- Both sides of each transfer: the sum of a book is what is in it.
CREATE VIEW postings WITH (security_invoker = true) AS
  SELECT entry_kind, entry_id, line, account_id, posting.book, posting.amount_nano_usd
  FROM transfers CROSS JOIN LATERAL (VALUES
    (from_book, -transfers.amount_nano_usd), (to_book, transfers.amount_nano_usd)
  ) AS posting (book, amount_nano_usd);

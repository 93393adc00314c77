-- Double entry: what each fact and each credit moved, and from where to where. Nano-USD; the lines of an
-- entry sum to 0. Written once with their source and never changed. What costs nothing moves nothing.
-- Books: credits and byok (what a customer has), funding (where credits come from), clearing (what a
-- generation was charged and not yet settled), revenue and byok_usage (what it was settled as).
CREATE TABLE postings (
  entry_kind text NOT NULL CHECK (entry_kind IN ('usage', 'credit')),
  entry_id text NOT NULL,
  line smallint NOT NULL,
  account_id text NOT NULL,
  book text NOT NULL CHECK (book IN ('credits', 'byok', 'funding', 'clearing', 'revenue', 'byok_usage')),
  generation_id text NOT NULL,
  amount_nano_usd bigint NOT NULL CHECK (amount_nano_usd <> 0),
  PRIMARY KEY (entry_kind, entry_id, line)
);

INSERT INTO postings
  SELECT 'usage', usage_id, line, account_id, book, generation_id, sign * cost_nano_usd
  FROM usage_facts CROSS JOIN LATERAL (VALUES
    (1, CASE WHEN is_byok THEN 'byok' ELSE 'credits' END, -1),
    (2, 'clearing', 1),
    (3, 'clearing', -1),
    (4, CASE WHEN is_byok THEN 'byok_usage' ELSE 'revenue' END, 1)
  ) AS posted (line, book, sign)
  WHERE cost_nano_usd > 0;
INSERT INTO postings
  SELECT 'credit', credit_id, line, account_id, book, '', sign * amount_nano_usd
  FROM credits CROSS JOIN (VALUES (1, 'funding', -1), (2, 'credits', 1)) AS posted (line, book, sign)
  WHERE amount_nano_usd <> 0;

-- Whoever writes: an entry that does not balance is not written.
CREATE FUNCTION refuse_unbalanced() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM added GROUP BY entry_kind, entry_id HAVING sum(amount_nano_usd) <> 0
  ) THEN
    RAISE EXCEPTION 'the postings of an entry do not sum to 0';
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER postings_balance AFTER INSERT ON postings
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refuse_unbalanced();

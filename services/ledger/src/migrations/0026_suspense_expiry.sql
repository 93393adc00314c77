-- The suspense of a customer that has expired: it is no longer in suspended_nano_usd, and the operator's suspense has
-- it. A provider or a receipt may still correct the estimate.
ALTER TABLE estimates
  ADD COLUMN expired_nano_usd bigint NOT NULL DEFAULT 0 CHECK (expired_nano_usd >= 0),
  ADD COLUMN expired_at timestamptz,
  ADD COLUMN expiry_published_at timestamptz;
CREATE INDEX estimates_suspended ON estimates (opened_at)
  WHERE corrected_at IS NULL AND suspended_nano_usd > 0;
CREATE INDEX expiries_unpublished ON estimates (expired_at, usage_id)
  WHERE expired_at IS NOT NULL AND expiry_published_at IS NULL;

ALTER TABLE postings DROP CONSTRAINT postings_entry_kind_check;
ALTER TABLE postings ADD CONSTRAINT postings_entry_kind_check
  CHECK (entry_kind IN ('usage', 'credit', 'correction', 'expiry'));

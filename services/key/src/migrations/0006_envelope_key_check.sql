-- A known value, sealed: it opens with the envelope keys of this database and with no others. One row.
CREATE TABLE envelope_key_check (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  key_version text NOT NULL,
  wrapped_key text NOT NULL,
  ciphertext text NOT NULL,
  sealed_at timestamptz NOT NULL DEFAULT now()
);

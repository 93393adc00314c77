-- Phrases that the patterns of prompt injection pass over.
CREATE TABLE allowed_phrases (
  account_id text PRIMARY KEY,
  phrases text[] NOT NULL
);

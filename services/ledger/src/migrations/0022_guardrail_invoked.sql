-- Guardrails found content in the request; null: they found none, or the fact is of before.
ALTER TABLE usage_details
  ADD COLUMN guardrail_invoked boolean;

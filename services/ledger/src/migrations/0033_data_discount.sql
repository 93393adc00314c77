-- The discount for contents that the operator may use, which is off the cost already. NULL: the request had none.
ALTER TABLE usage_facts
  ADD COLUMN data_discount_nano_usd bigint CHECK (data_discount_nano_usd >= 0),
  ADD COLUMN data_discount_basis_points bigint CHECK (data_discount_basis_points BETWEEN 0 AND 10000);

-- The discount after the correction. NULL: the request had none.
ALTER TABLE corrections
  ADD COLUMN data_discount_nano_usd bigint CHECK (data_discount_nano_usd >= 0);

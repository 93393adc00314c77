-- The sum of integers as an integer, which PostgreSQL makes a numeric. Groups of a year are added up in half the time. A sum
-- that is too large is an error.
CREATE AGGREGATE bigint_sum(bigint) (SFUNC = int8pl, STYPE = bigint, COMBINEFUNC = int8pl, PARALLEL = SAFE);

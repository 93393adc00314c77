-- A zero is stored as NULL, which takes no room: most amounts of most rows are zero. An amount that may be unrecorded
-- (web_nano_usd and its like) is stored as it is.
ALTER TABLE facts
  ALTER COLUMN facts DROP NOT NULL,
  ALTER COLUMN requests DROP NOT NULL,
  ALTER COLUMN failed_requests DROP NOT NULL,
  ALTER COLUMN refused_requests DROP NOT NULL,
  ALTER COLUMN blocked_requests DROP NOT NULL,
  ALTER COLUMN guardrail_requests DROP NOT NULL,
  ALTER COLUMN byok_requests DROP NOT NULL,
  ALTER COLUMN repeated_responses DROP NOT NULL,
  ALTER COLUMN tool_calls DROP NOT NULL,
  ALTER COLUMN input_tokens DROP NOT NULL,
  ALTER COLUMN output_tokens DROP NOT NULL,
  ALTER COLUMN cached_tokens DROP NOT NULL,
  ALTER COLUMN reasoning_tokens DROP NOT NULL,
  ALTER COLUMN service_nano_usd DROP NOT NULL,
  ALTER COLUMN fee_nano_usd DROP NOT NULL,
  ALTER COLUMN byok_nano_usd DROP NOT NULL,
  ALTER COLUMN upstream_nano_usd DROP NOT NULL,
  ALTER COLUMN latency_ms DROP NOT NULL,
  ALTER COLUMN latency_count DROP NOT NULL,
  ALTER COLUMN throughput_milli DROP NOT NULL,
  ALTER COLUMN throughput_count DROP NOT NULL;
ALTER TABLE usage_hour
  ALTER COLUMN facts DROP NOT NULL,
  ALTER COLUMN requests DROP NOT NULL,
  ALTER COLUMN failed_requests DROP NOT NULL,
  ALTER COLUMN refused_requests DROP NOT NULL,
  ALTER COLUMN blocked_requests DROP NOT NULL,
  ALTER COLUMN guardrail_requests DROP NOT NULL,
  ALTER COLUMN byok_requests DROP NOT NULL,
  ALTER COLUMN repeated_responses DROP NOT NULL,
  ALTER COLUMN tool_calls DROP NOT NULL,
  ALTER COLUMN input_tokens DROP NOT NULL,
  ALTER COLUMN output_tokens DROP NOT NULL,
  ALTER COLUMN cached_tokens DROP NOT NULL,
  ALTER COLUMN reasoning_tokens DROP NOT NULL,
  ALTER COLUMN service_nano_usd DROP NOT NULL,
  ALTER COLUMN fee_nano_usd DROP NOT NULL,
  ALTER COLUMN byok_nano_usd DROP NOT NULL,
  ALTER COLUMN upstream_nano_usd DROP NOT NULL,
  ALTER COLUMN latency_ms DROP NOT NULL,
  ALTER COLUMN latency_count DROP NOT NULL,
  ALTER COLUMN throughput_milli DROP NOT NULL,
  ALTER COLUMN throughput_count DROP NOT NULL;
ALTER TABLE usage_day
  ALTER COLUMN facts DROP NOT NULL,
  ALTER COLUMN requests DROP NOT NULL,
  ALTER COLUMN failed_requests DROP NOT NULL,
  ALTER COLUMN refused_requests DROP NOT NULL,
  ALTER COLUMN blocked_requests DROP NOT NULL,
  ALTER COLUMN guardrail_requests DROP NOT NULL,
  ALTER COLUMN byok_requests DROP NOT NULL,
  ALTER COLUMN repeated_responses DROP NOT NULL,
  ALTER COLUMN tool_calls DROP NOT NULL,
  ALTER COLUMN input_tokens DROP NOT NULL,
  ALTER COLUMN output_tokens DROP NOT NULL,
  ALTER COLUMN cached_tokens DROP NOT NULL,
  ALTER COLUMN reasoning_tokens DROP NOT NULL,
  ALTER COLUMN service_nano_usd DROP NOT NULL,
  ALTER COLUMN fee_nano_usd DROP NOT NULL,
  ALTER COLUMN byok_nano_usd DROP NOT NULL,
  ALTER COLUMN upstream_nano_usd DROP NOT NULL,
  ALTER COLUMN latency_ms DROP NOT NULL,
  ALTER COLUMN latency_count DROP NOT NULL,
  ALTER COLUMN throughput_milli DROP NOT NULL,
  ALTER COLUMN throughput_count DROP NOT NULL;
ALTER TABLE usage_day_model
  ALTER COLUMN facts DROP NOT NULL,
  ALTER COLUMN requests DROP NOT NULL,
  ALTER COLUMN failed_requests DROP NOT NULL,
  ALTER COLUMN refused_requests DROP NOT NULL,
  ALTER COLUMN blocked_requests DROP NOT NULL,
  ALTER COLUMN guardrail_requests DROP NOT NULL,
  ALTER COLUMN byok_requests DROP NOT NULL,
  ALTER COLUMN repeated_responses DROP NOT NULL,
  ALTER COLUMN tool_calls DROP NOT NULL,
  ALTER COLUMN input_tokens DROP NOT NULL,
  ALTER COLUMN output_tokens DROP NOT NULL,
  ALTER COLUMN cached_tokens DROP NOT NULL,
  ALTER COLUMN reasoning_tokens DROP NOT NULL,
  ALTER COLUMN service_nano_usd DROP NOT NULL,
  ALTER COLUMN fee_nano_usd DROP NOT NULL,
  ALTER COLUMN byok_nano_usd DROP NOT NULL,
  ALTER COLUMN upstream_nano_usd DROP NOT NULL,
  ALTER COLUMN latency_ms DROP NOT NULL,
  ALTER COLUMN latency_count DROP NOT NULL,
  ALTER COLUMN throughput_milli DROP NOT NULL,
  ALTER COLUMN throughput_count DROP NOT NULL;

-- The sketches of a row lie in the row: a list of bins and their counts, bin * 2^32 + count each. To join them from a
-- table of their own took longer than to read the facts.
DROP TABLE usage_hour_bins;
ALTER TABLE usage_hour ADD COLUMN latency_sketch bigint[], ADD COLUMN throughput_sketch bigint[];

CREATE FUNCTION merged_sketch(one bigint[], other bigint[]) RETURNS bigint[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT array_agg(bin * 4294967296 + count ORDER BY bin)
  FROM (
    SELECT bin, sum(item - bin * 4294967296)::bigint AS count
    FROM (SELECT item, (item + 2147483648) >> 32 AS bin FROM unnest(one || other) AS item) AS read
    GROUP BY bin
  ) AS summed
  WHERE count <> 0
$$;

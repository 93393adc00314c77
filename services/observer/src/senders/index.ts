import { clickhouse } from './clickhouse/clickhouse.ts';
import { otelCollector } from './otel-collector/otel-collector.ts';
import { otlpVendors } from './otlp-vendors/vendors.ts';
import { posthog } from './posthog/posthog.ts';
import { ramp } from './ramp/ramp.ts';
import { s3 } from './s3/s3.ts';
import type { Sender } from './sender.ts';
import { snowflake } from './snowflake/snowflake.ts';
import { webhook } from './webhook/webhook.ts';

/** The senders by the type of their destinations. */
export const senders: Readonly<Record<string, Sender>> = {
  ...otlpVendors,
  clickhouse,
  'otel-collector': otelCollector,
  posthog,
  ramp,
  s3,
  snowflake,
  webhook,
};

import { otelCollector } from './otel-collector/otel-collector.ts';
import type { Sender } from './sender.ts';
import { webhook } from './webhook/webhook.ts';

/** The senders by the type of their destinations. */
export const senders: Readonly<Record<string, Sender>> = {
  'otel-collector': otelCollector,
  webhook,
};

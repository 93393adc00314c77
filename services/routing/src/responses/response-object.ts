import type { Outcome } from './outcome.ts';
import { wireItem, type OutputItem, type WireItem } from './output-item.ts';
import type { RequestEcho } from './request.ts';
import type { ServiceMetadata } from './service-metadata.ts';
import { wireUsage, type UsageReport, type WireUsage } from './usage-report.ts';

/** What is known of a response before its first word. */
export interface ResponseHead {
  /** `resp_…` */
  readonly id: string;
  /** The model that serves it. */
  readonly model: string;
  /** Unix seconds. */
  readonly createdAt: number;
  readonly echo: RequestEcho;
  /** The client asked for what only the upstream can read of its thoughts. */
  readonly tellsEncrypted: boolean;
}

/** What the meter adds when a response has ended. */
export interface Settlement {
  /** undefined: nothing was served, nothing is billed. */
  readonly usage: UsageReport | undefined;
  /** Unix seconds. */
  readonly completedAt: number;
  /** That served, as its provider told it; absent: it did not. */
  readonly serviceTier?: string | undefined;
  /** Absent: the client did not ask for it. */
  readonly serviceMetadata?: ServiceMetadata | undefined;
}

/** The body of a response, also the snapshot in its events. */
export interface ResponseObject extends RequestEcho {
  readonly id: string;
  readonly object: 'response';
  readonly created_at: number;
  readonly completed_at: number | null;
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly model: string;
  readonly output: readonly WireItem[];
  readonly output_text?: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly error_type?: string;
  readonly incomplete_details: { readonly reason: string } | null;
  readonly usage: WireUsage | null;
  readonly truncation: 'disabled';
  readonly service_tier: string | null;
  readonly previous_response_id: null;
  readonly store: false;
  readonly background: false;
  readonly service_metadata?: ServiceMetadata;
}

/** A response that goes on. */
export function openResponse(head: ResponseHead, items: readonly OutputItem[]): ResponseObject {
  return {
    id: head.id,
    object: 'response',
    created_at: head.createdAt,
    completed_at: null,
    status: 'in_progress',
    model: head.model,
    output: items.map(wireItem),
    error: null,
    incomplete_details: null,
    usage: null,
    ...head.echo,
    truncation: 'disabled',
    service_tier: null,
    previous_response_id: null,
    store: false,
    background: false,
  };
}

/** A response that has ended. What was cut short is `incomplete` in it. */
export function endedResponse(
  head: ResponseHead,
  items: readonly OutputItem[],
  outcome: Outcome,
  settlement: Settlement,
): ResponseObject {
  const { status, incompleteReason, failure } = outcome;
  const ended = items.map((item): OutputItem =>
    item.status === 'in_progress' ? { ...item, status: 'incomplete' } : item,
  );
  return {
    ...openResponse(head, ended),
    status,
    completed_at: status === 'completed' ? settlement.completedAt : null,
    output_text: textOf(items),
    usage: settlement.usage ? wireUsage(settlement.usage) : null,
    service_tier: settlement.serviceTier ?? null,
    incomplete_details: incompleteReason ? { reason: incompleteReason } : null,
    ...(failure && {
      error: { code: failure.code, message: failure.message },
      error_type: failure.errorType,
    }),
    ...(settlement.serviceMetadata && { service_metadata: settlement.serviceMetadata }),
  };
}

function textOf(items: readonly OutputItem[]): string {
  return items.map((item) => (item.kind === 'text' ? item.text : '')).join('');
}

import type { AnswerHead, Settlement } from '../../dialect.ts';
import type { Failure, Outcome } from './outcome.ts';
import { wireItem, type OutputItem, type WireItem } from './output-item.ts';
import type { RequestEcho } from '../echo/request-echo.ts';
import { isSuspended } from './worker-items.ts';
import type { AlignmentResult } from '../../../request/alignment.ts';
import type { ServiceMetadata } from '../../../request/service-metadata.ts';
import { wireUsage, type WireUsage } from './wire-usage.ts';

/** The facts of a response before its first output. */
export interface ResponseHead
  extends Pick<AnswerHead, 'model' | 'createdAt' | 'isForCodex'>, RepeatedRequest {
  /** `resp_…` */
  readonly id: string;
}

/** The parts of a request that its answer depends on. */
export interface RepeatedRequest {
  readonly echo: RequestEcho;
  /** The client asked for the encrypted form of reasoning. */
  readonly tellsEncrypted: boolean;
  /** The client asked for summaries of reasoning, and reads these alone. */
  readonly tellsSummaries: boolean;
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
  /** Absent while the response is in progress. */
  readonly output_text?: string | undefined;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly error_type?: string | undefined;
  readonly incomplete_details: { readonly reason: string } | null;
  readonly usage: WireUsage | null;
  readonly truncation: 'auto' | 'disabled';
  readonly service_tier: string | null;
  readonly previous_response_id: null;
  readonly store: false;
  readonly background: false;
  readonly service_metadata?: ServiceMetadata | undefined;
  readonly alignment?: AlignmentResult | undefined;
}

/** Returns a response in progress. */
export function openResponse(head: ResponseHead, items: readonly OutputItem[]): ResponseObject {
  return responseObject(head, items, undefined);
}

/** Returns an ended response. Open items of a cut answer are `incomplete`. */
export function endedResponse(
  head: ResponseHead,
  items: readonly OutputItem[],
  outcome: Outcome,
  settlement: Settlement,
): ResponseObject {
  return responseObject(head, items.map(asEnded), { outcome, settlement });
}

function asEnded(item: OutputItem): OutputItem {
  return item.status === 'in_progress' && !isSuspended(item)
    ? { ...item, status: 'incomplete' }
    : item;
}

interface Ended {
  readonly outcome: Outcome;
  readonly settlement: Settlement;
}

/** Copies each field explicitly, because this is the largest object of a request and needs one fixed shape. */
function responseObject(
  { id, model, createdAt, echo, isForCodex }: ResponseHead,
  items: readonly OutputItem[],
  ended: Ended | undefined,
): ResponseObject {
  const { status = 'in_progress', incompleteReason, failure } = ended?.outcome ?? {};
  const { usage, completedAt, serviceTier, serviceMetadata, alignment } = ended?.settlement ?? {};
  return {
    id,
    object: 'response',
    created_at: createdAt,
    completed_at: status === 'completed' ? (completedAt ?? null) : null,
    status,
    model,
    output: items.map(wireItem),
    error: failure ? { code: codeOf(failure, isForCodex), message: failure.message } : null,
    incomplete_details: incompleteReason ? { reason: incompleteReason } : null,
    usage: usage ? wireUsage(usage) : null,
    instructions: echo.instructions,
    max_output_tokens: echo.max_output_tokens,
    max_tool_calls: echo.max_tool_calls,
    metadata: echo.metadata,
    parallel_tool_calls: echo.parallel_tool_calls,
    safety_identifier: echo.safety_identifier,
    temperature: echo.temperature,
    tool_choice: echo.tool_choice,
    tools: echo.tools,
    top_p: echo.top_p,
    user: echo.user,
    frequency_penalty: echo.frequency_penalty,
    presence_penalty: echo.presence_penalty,
    top_logprobs: echo.top_logprobs,
    reasoning: echo.reasoning,
    text: echo.text,
    prompt: echo.prompt,
    prompt_cache_key: echo.prompt_cache_key,
    prompt_cache_options: echo.prompt_cache_options,
    truncation: echo.truncation,
    service_tier: serviceTier ?? null,
    previous_response_id: null,
    store: false,
    background: false,
    output_text: ended && textOf(items),
    error_type: failure?.errorType,
    service_metadata: serviceMetadata,
    alignment,
  };
}

/** Codex compacts its conversation for this code alone, which is none of a response. */
function codeOf({ code, errorType }: Failure, isForCodex = false): string {
  return isForCodex && errorType === 'context_length_exceeded' ? errorType : code;
}

function textOf(items: readonly OutputItem[]): string {
  let text = '';
  for (const item of items) if (item.kind === 'text') text += item.text;
  return text;
}

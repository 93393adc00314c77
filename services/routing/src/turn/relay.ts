import { Fault } from '@sluice/errors';
import { type StreamPart, failurePart } from '@sluice/inference';
import type { ResponseEvent } from '../dialects/responses/event.ts';
import {
  advanceResponse,
  beginResponse,
  servedBy,
  type ResponseState,
} from '../dialects/responses/events.ts';
import type { CallItem, OutputItem } from '../dialects/responses/output-item.ts';
import type { Settlement } from '../dialects/responses/response-object.ts';
import type { Started } from './attempts.ts';
import { isBadCall } from '../health/bad-call.ts';
import type { Pipeline } from './deps.ts';
import { type Generation, metadataOf, untold } from './generation.ts';
import type { Meter } from './meter.ts';
import { meterOf } from './meter-of.ts';
import { settle } from './settle.ts';

/** Told what the client may see, batch by batch. May ask to wait for a slow client. */
export type Tell = (events: readonly ResponseEvent[]) => Promise<void> | undefined;

/** A response whose usage is on disk. */
export interface Relayed {
  readonly state: ResponseState;
  readonly settlement: Settlement;
  /** What was told last and is to be sent together with the end. */
  readonly rest: readonly ResponseEvent[];
}

/** Of one answer; the others are taken to be like them. */
const checkedCallsMax = 16;
const markIntervalMs = 2_000;
const markIntervalTokens = 256;

/** What is said before the first word, when this model is the one that serves or is tried first. */
export function openingOf(
  generation: Generation,
  model: string,
): readonly [ResponseState, readonly ResponseEvent[]] {
  const { head, itemId } = generation;
  return beginResponse({ ...head, model }, itemId, untold(generation));
}

/**
 * Reads an attempt from its first output to its end, whatever the client does meanwhile, tells the
 * events of it and settles its usage. Throws only when the usage could not be made durable.
 */
export async function relay(
  pipeline: Pipeline,
  generation: Generation,
  {
    started,
    opening,
    tell,
  }: {
    readonly started: Started;
    readonly opening: ResponseState;
    readonly tell: Tell;
  },
): Promise<Relayed> {
  const { intent, rest: upstream } = started;
  const meter = meterOf(generation, started);
  let marks: Marks | undefined;
  let state = servedBy(opening, started.planned.model.id);
  let events: ResponseEvent[] = [];
  let parts: readonly StreamPart[] | undefined = started.first;
  while (parts) {
    for (const part of parts) {
      meter.add(part);
      state = advance(state, part, events);
    }
    if (!state.outcome) {
      marks ??= new Marks(pipeline, intent.usageId, meter);
      marks.note();
    } else if (parts !== started.first) break;
    // What comes with the end is sent with it, when usage is on disk; but the first word waits for no disk.
    const slow = tell(events);
    if (slow) await slow;
    events = [];
    if (state.outcome) break;
    try {
      const { done, value } = await upstream.next();
      parts = done ? undefined : value;
    } catch (error) {
      noteBroken(pipeline, generation, error);
      break;
    }
  }
  generation.cancellation.end();
  if (!state.outcome) {
    const isCancelled = generation.cancellation.signal.aborted;
    const failure = failurePart(new Fault(isCancelled ? 'unavailable' : 'internal'));
    // Whoever left has broken it off; nobody else's end is the customer's to pay for.
    if (!generation.cancellation.isClientGone) meter.add(failure);
    state = advance(state, failure, events);
  }
  if (state.outcome?.status === 'failed' && !generation.cancellation.isClientGone)
    pipeline.metrics.gatewayStreamsAborted.add(1);
  const { planned } = started;
  const settlement = await settle(pipeline, generation, { intent, planned, meter });
  return {
    state,
    settlement: remembered(pipeline, generation, { started, state, settlement }),
    rest: events,
  };
}

interface Ended {
  readonly started: Started;
  readonly state: ResponseState;
  readonly settlement: Settlement;
}

/** What was served is on disk: others may profit from what was seen of it. What the client is told then. */
export function remembered(pipeline: Pipeline, generation: Generation, ended: Ended): Settlement {
  remember(pipeline, generation, ended);
  const serviceMetadata = metadataOf(generation);
  return serviceMetadata === undefined
    ? ended.settlement
    : { ...ended.settlement, serviceMetadata };
}

/** Adds what it tells to the events. */
function advance(state: ResponseState, part: StreamPart, events: ResponseEvent[]): ResponseState {
  const [next, told] = advanceResponse(state, part);
  for (const event of told) events.push(event);
  return next;
}

/** How fast it was, whether its calls of tools were any good, and where its conversation goes on. */
function remember(
  { endpoints }: Pipeline,
  { conversation, call, request }: Generation,
  { started: { planned, watch }, state, settlement: { usage } }: Ended,
): void {
  const isServed = state.outcome?.status === 'completed';
  if (!usage || !isServed) return;
  watch.ended(usage.tokens.outputTokens);
  const calls = state.items.filter(isCall);
  const isBad = (item: CallItem) => isBadCall(item, request.tools);
  if (calls.length > 0) watch.calledTools(calls.slice(0, checkedCallsMax).some(isBad));
  const { prices, id } = planned.endpoint;
  const cachePays =
    usage.tokens.cachedTokens > 0 && prices.cachedTokenAttoUsd < prices.inputTokenAttoUsd;
  if (conversation && (conversation.isNamed || cachePays))
    endpoints.sticky.served(call.principal.accountId, planned.model.id, conversation.key, id);
}

function isCall(item: OutputItem): item is CallItem {
  return item.kind === 'tool-call';
}

function noteBroken({ logger }: Pipeline, { cancellation, id }: Generation, error: unknown): void {
  if (!cancellation.signal.aborted)
    logger.error('reading an upstream broke', { generationId: id, error });
}

/** Notes in the spool how far a long generation is, so that a crash does not lose what was served. */
class Marks {
  readonly #journal: Pipeline['journal'];
  readonly #usageId: string;
  readonly #meter: Meter;
  #tokens = 0;
  #markedMs = performance.now();

  constructor({ journal }: Pick<Pipeline, 'journal'>, usageId: string, meter: Meter) {
    this.#journal = journal;
    this.#usageId = usageId;
    this.#meter = meter;
  }

  note(): void {
    const nowMs = performance.now();
    const progress = this.#meter.progress();
    const isDue =
      nowMs - this.#markedMs >= markIntervalMs ||
      progress.outputTokens - this.#tokens >= markIntervalTokens;
    if (!isDue) return;
    this.#markedMs = nowMs;
    this.#tokens = progress.outputTokens;
    this.#journal.progress(this.#usageId, progress);
  }
}

import { Fault } from '@sluice/errors';
import { failurePart, type StreamPart } from '@sluice/inference';
import type { Started } from './attempts.ts';
import type { TurnDeps } from './deps.ts';
import { Marks } from './marks.ts';
import { meterOf } from './meter-of.ts';
import { settle, type TurnEnd } from './settle.ts';
import { ToolCalls } from './tool-calls.ts';
import type { HeldTurn } from './turn.ts';
import type { TurnListener } from './turn-listener.ts';

interface Relaying {
  readonly started: Started;
  readonly listener: Pick<TurnListener, 'parts'>;
}

/**
 * Reads an attempt from its first output to its end, even after the client has left, and settles its usage. Throws
 * only if the usage cannot be made durable.
 */
export async function relay(
  deps: TurnDeps,
  turn: HeldTurn,
  { started, listener }: Relaying,
): Promise<TurnEnd> {
  const { intent, span, planned, rest: upstream } = started;
  const { cancellation } = turn;
  const meter = meterOf(turn, started);
  const calls = new ToolCalls();
  let marks: Marks | undefined;
  let last: LastPart | undefined;
  let parts: readonly StreamPart[] | undefined = started.first;
  while (parts) {
    for (const part of parts) {
      meter.add(part);
      calls.add(part);
      if (isLast(part)) last ??= part;
    }
    if (!last) {
      marks ??= new Marks(deps, intent.usageId, meter);
      marks.note();
    }
    const slow = listener.parts(parts);
    if (slow) await slow;
    if (last) break;
    try {
      const { done, value } = await upstream.next();
      parts = done ? undefined : value;
    } catch (error) {
      noteBroken(deps, turn, error);
      break;
    }
  }
  if (!last) {
    const failure = failurePart(
      new Fault(cancellation.signal.aborted ? 'unavailable' : 'internal'),
    );
    // If the client broke it off, the client pays for it; otherwise it is a failure, which costs the client nothing.
    if (!cancellation.isClientGone) meter.add(failure);
    await listener.parts([failure]);
  }
  const end = await settle(deps, turn, { intent, span, planned, meter });
  if (last && isServed(last)) remember(deps, turn, { started, calls, end });
  return end;
}

type LastPart = Extract<StreamPart, { type: 'finish' | 'error' }>;

function isLast(part: StreamPart): part is LastPart {
  return part.type === 'finish' || part.type === 'error';
}

function isServed(last: LastPart): boolean {
  return last.type === 'finish' && (last.reason === 'stop' || last.reason === 'tool-calls');
}

interface Ended {
  readonly started: Started;
  readonly calls: ToolCalls;
  readonly end: TurnEnd;
}

/** Remembers how fast the endpoint was, whether its tool calls were good, and where the conversation goes on. */
function remember(
  { endpoints }: TurnDeps,
  { conversation, call, request }: HeldTurn,
  { started: { planned, watch }, calls, end: { usage } }: Ended,
): void {
  watch.ended(usage.tokens.outputTokens);
  if (calls.count > 0) watch.calledTools(calls.isAnyBad(request));
  const { prices, id } = planned.endpoint;
  const cachePays =
    usage.tokens.cachedTokens > 0 && prices.cachedTokenAttoUsd < prices.inputTokenAttoUsd;
  if (conversation && (conversation.isNamed || cachePays))
    endpoints.sticky.served(call.principal.accountId, planned.model.id, conversation.key, id);
}

function noteBroken({ logger }: TurnDeps, turn: HeldTurn, error: unknown): void {
  const { cancellation, generationId } = turn;
  if (!cancellation.signal.aborted)
    logger.error('reading an upstream broke', { generationId, error });
}

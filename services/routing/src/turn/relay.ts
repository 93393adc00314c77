import { Fault } from '@sluice/errors';
import { isLast, type LastPart, type StreamPart, type UpstreamPart } from '@sluice/inference';
import { failurePart } from '@sluice/client-errors';
import type { Started } from './attempts.ts';
import type { TurnDeps } from './deps.ts';
import { checkOutput } from './check-output.ts';
import { Marks } from './marks.ts';
import type { Meter } from './meter.ts';
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
 * Reads an attempt from its first output to its end, even after the client has left, and settles its usage. The usage
 * is on disk once `durable` of the end resolves.
 */
export async function relay(
  deps: TurnDeps,
  turn: HeldTurn,
  { started, listener }: Relaying,
): Promise<TurnEnd> {
  const { intent, span, planned, rest } = started;
  const { outputs, firstPart } = turn;
  const meter = meterOf(turn, started);
  const calls = new ToolCalls();
  let marks: Marks | undefined;
  let last: LastPart | undefined;
  for (let read: readonly StreamPart[] | undefined = started.first; read;) {
    for (const part of read) {
      meter.add(part);
      calls.add(part);
    }
    if (!meter.last) {
      marks ??= new Marks(deps, intent.usageId, meter);
      marks.note();
    }
    const parts = firstPart === 0 ? read : read.map((part) => renumbered(part, firstPart));
    const left = outputs.length === 0 ? parts : await checkOutput(outputs, parts);
    const slow = tell(listener, left);
    const final = left.at(-1);
    if (final && isLast(final)) {
      last = final;
      break;
    }
    if (slow) await slow;
    try {
      const { done, value } = await rest.next();
      read = done ? undefined : value;
    } catch (error) {
      noteBroken(deps, turn, error);
      read = undefined;
    }
  }
  last ??= await relayFailure(turn, { listener, meter });
  const end = settle(deps, turn, { last, intent, span, planned, meter });
  if (meter.last && isServed(meter.last)) remember(deps, turn, { started, calls, end });
  // The next step, as a call of a tool, may tell others what the provider said.
  if (started.durable) await started.durable;
  return end;
}

/** Ends an answer whose upstream broke. */
async function relayFailure(
  { cancellation, outputs }: HeldTurn,
  { listener, meter }: Pick<Relaying, 'listener'> & { readonly meter: Meter },
): Promise<LastPart> {
  const failure = failurePart(new Fault(cancellation.signal.aborted ? 'unavailable' : 'internal'));
  // If the client broke it off, the client pays for it; otherwise it is a failure, which costs the client nothing.
  if (!cancellation.isClientGone) meter.add(failure);
  const left = await checkOutput(outputs, [failure]);
  void tell(listener, left);
  return left.findLast(isLast) ?? failure;
}

/** Passes on the parts before the last one of the answer, if there are any. */
function tell(
  listener: Relaying['listener'],
  parts: readonly StreamPart[],
): Promise<void> | undefined {
  const open = isOpen(parts) ? parts : (parts.slice(0, -1) as readonly UpstreamPart[]);
  return open.length === 0 ? undefined : listener.parts(open);
}

function isOpen(parts: readonly StreamPart[]): parts is readonly UpstreamPart[] {
  const last = parts.at(-1);
  return !last || !isLast(last);
}

/** Returns a part of a later turn with its number in the response. */
function renumbered(part: StreamPart, firstPart: number): StreamPart {
  return 'part' in part ? { ...part, part: part.part + firstPart } : part;
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

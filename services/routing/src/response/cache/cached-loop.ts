import { isRejection } from '@sluice/errors';
import type { AnswerPart, LastPart } from '@sluice/inference';
import type { TurnDeps } from '../../turn/deps.ts';
import type { TurnEnd } from '../../turn/settle.ts';
import { settleRepeated } from '../../turn/settle-repeated.ts';
import type { TurnListener } from '../../turn/turn-listener.ts';
import type { ResponseTurns } from '../response-turns.ts';
import type { TurnLoop } from '../turn-loop.ts';
import type { Caching } from './caching.ts';
import { RecordedParts } from './recorded-parts.ts';
import type { KeptResponse, ResponseCache } from './response-cache.ts';

/**
 * Repeats a kept answer in place of the turns of a response, if the client asks for the cache (contract inference.md
 * 23). Whole answers are kept. A repeated one costs nothing, and its usage fact names the generation that it repeats.
 */
export function cachedLoop(inner: TurnLoop, cache: ResponseCache): TurnLoop {
  return (deps, response, listener) => {
    const { caching } = response;
    const key = caching?.key;
    if (!caching || key === undefined) return inner(deps, response, listener);
    if (caching.clears) cache.drop(key);
    const nowMs = deps.clock.now().getTime();
    const kept = caching.found ?? cache.find(key, nowMs);
    deps.metrics.responseCacheLookups.add(1, { outcome: kept ? 'hit' : 'miss' });
    if (!kept) return keepAnswer({ inner, cache, key, caching }, { deps, response, listener });
    caching.hit(kept, nowMs);
    return repeat(kept, { deps, response, listener });
  };
}

interface Running {
  readonly deps: TurnDeps;
  readonly response: ResponseTurns;
  readonly listener: TurnListener;
}

interface Keeping {
  readonly inner: TurnLoop;
  readonly cache: ResponseCache;
  readonly key: string;
  readonly caching: Caching;
}

/** Runs the turns, and keeps their answer if it is whole. */
async function keepAnswer(
  { inner, cache, key, caching }: Keeping,
  { deps, response, listener }: Running,
): ReturnType<TurnLoop> {
  const recorded = new RecordedParts(cache.options.answerBytesMax);
  let isForBudget = false;
  const end = await inner(deps, response, {
    held: (turn) => {
      isForBudget ||= turn.plan?.budgetRefusal !== undefined;
      listener.held(turn);
    },
    began: (attempt) => listener.began(attempt),
    parts: (parts) => {
      recorded.add(parts);
      return listener.parts(parts);
    },
  });
  if (isRejection(end)) return end;
  const { parts, bytes } = recorded;
  const { generationId, call, cancellation } = response.turn;
  const { alignment } = response;
  if (!parts || !isWhole(end.last) || cancellation.isClientGone) return end;
  // The key names the models that the alias has while a budget holds them.
  if (isForBudget) return end;
  // An answer that nobody could judge is judged at the next request.
  if (alignment?.calls.some(({ outcome }) => outcome === 'unavailable')) return end;
  const { model, endpoint } = end.served;
  const keptAtMs = deps.clock.now().getTime();
  cache.keep(key, call.principal.accountId, {
    generationId,
    parts,
    last: { ...end.last, usage: undefined },
    nextPart: end.nextPart,
    alignment,
    serviceTier: end.serviceTier,
    served: { model, endpoint },
    keptAtMs,
    expiresAtMs: keptAtMs + caching.ttlMs,
    bytes: bytes + (alignment ? JSON.stringify(alignment).length : 0),
  });
  return end;
}

/** Returns true for an answer that the model itself ended. */
function isWhole(last: LastPart): boolean {
  return last.type === 'finish' && (last.reason === 'stop' || last.reason === 'tool-calls');
}

/** A stream has about 64 KiB of events for so many deltas. A longer answer waits for a slow client between pieces. */
const pieceParts = 256;

function* piecesOf(parts: readonly AnswerPart[]): Generator<readonly AnswerPart[]> {
  if (parts.length <= pieceParts) yield parts;
  else
    for (let start = 0; start < parts.length; start += pieceParts)
      yield parts.slice(start, start + pieceParts);
}

async function repeat(kept: KeptResponse, { deps, response, listener }: Running): Promise<TurnEnd> {
  const { turn } = response;
  const admittedAt = deps.clock.now();
  listener.held({
    request: turn.request,
    first: kept.served,
    isOpenEnded: turn.request.maxOutputTokens === undefined,
    dropsThinking: false,
    startedMs: performance.now(),
    held: { hold: { at: admittedAt } },
  });
  listener.began(kept.served);
  for (const parts of piecesOf(kept.parts)) await listener.parts(parts);
  return settleRepeated(deps, turn, { repeated: kept, admittedAt });
}

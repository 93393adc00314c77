import { Fault } from '@sluice/errors';
import type { AppendResult } from '@sluice/es';
import { callAppend, type ProposedAppend } from './append-call.ts';
import type { AttemptRoom, Place } from './attempt-room.ts';
import type { Connection } from './connection.ts';
import { isTransient, isUnanswered, Unanswered } from './failure.ts';
import type { Standing } from './standing.ts';
import { steadyUnixMs } from './steady-time.ts';
import type { StoreClient } from './store-client.ts';
import { pause } from './wait.ts';

/** Older attempts are dropped. */
const attemptMsMax = 1_000;
/** A probe is one attempt: its caller is answered within a second. */
const probeMsMax = 800;
/** An append without an answer is sent again after this time. The jitter keeps callers apart. */
const resendMs = { min: 100, max: 250 };
/** The third and later attempts wait twice as long: the store may be slow because it is busy. */
const promptAttempts = 2;
const backoffMs = { min: 25, max: 400 };
/** More than a caller of 20 s has time for. */
const attemptsMax = 100;

export interface AttemptDependencies {
  readonly connection: Connection;
  readonly room: AttemptRoom;
  readonly standing: Standing;
  /** Finds these very events where an earlier attempt has written them. */
  readonly findAppended: () => Promise<AppendResult | undefined>;
}

type Outcome =
  | { readonly kind: 'written'; readonly result: AppendResult }
  | { readonly kind: 'failed'; readonly error: unknown };

/** One attempt, including its wait for a place. */
interface Attempt {
  /** Resolves when it has its place and is sent, or is over. */
  readonly sent: Promise<void>;
  /** Never rejects. */
  readonly outcome: Promise<Outcome>;
  /** Frees its place and goes on waiting for the answer. */
  fallSilent(): void;
  end(): void;
}

/**
 * Sends an append, and sends it again while there is no answer. Earlier attempts are listened to
 * meanwhile; the first answer counts. Throws the last failure when the signal aborts, or when reads and
 * subscriptions find the store to be away.
 */
export async function appendAttempts(
  dependencies: AttemptDependencies,
  append: ProposedAppend,
  stop: AbortSignal,
): Promise<AppendResult> {
  const { standing } = dependencies;
  const isProbe = standing.admitAppend() === 'probe';
  const timeoutMs = isProbe ? probeMsMax : attemptMsMax;
  const listening = new Set<Attempt>();
  let failure: unknown = new Unanswered();
  let failures = 0;
  try {
    for (let sent = 1; sent <= attemptsMax && !stop.aborted; sent++) {
      const attempt = startAttempt(dependencies, append, timeoutMs);
      listening.add(attempt);
      let waiting = attempt.sent.then(() => pause(resendDelayMs(sent), stop));
      if (isProbe) waiting = attempt.outcome.then(() => {});
      for (;;) {
        const outcome = await nextOutcome(listening, waiting, stop);
        if (!outcome) break;
        if (outcome.kind === 'written') return outcome.result;
        if (!isTransient(outcome.error)) return await judged(outcome.error, sent, dependencies);
        failure = outcome.error;
        waiting = pause(backOffMs(failures++), stop);
      }
      if (isProbe || standing.isSilent()) break;
      for (const one of listening) one.fallSilent();
      // A new leader does not know the ids of appends that expect no revision.
      const before = failures > 0 && append.isLoose ? await found(dependencies) : undefined;
      if (before) return before;
    }
    throw failure;
  } finally {
    for (const attempt of listening) attempt.end();
  }
}

/** Resolves a conflict, which may be one with an earlier attempt of the same append. */
async function judged(
  error: unknown,
  sent: number,
  { findAppended }: AttemptDependencies,
): Promise<AppendResult> {
  const mayBeWritten = sent > 1 && error instanceof Fault && error.code === 'revision_conflict';
  const before = mayBeWritten ? await findAppended() : undefined;
  if (before) return before;
  throw error;
}

async function found({ findAppended }: AttemptDependencies): Promise<AppendResult | undefined> {
  try {
    return await findAppended();
  } catch {
    return undefined;
  }
}

function startAttempt(
  { connection, room, standing }: AttemptDependencies,
  append: ProposedAppend,
  timeoutMs: number,
): Attempt {
  const ending = new AbortController();
  const sent = Promise.withResolvers<void>();
  let place: Place | undefined;
  async function run(): Promise<Outcome> {
    let begun: { readonly client: StoreClient; readonly sinceMs: number } | undefined;
    try {
      place = await room.enter(ending.signal);
      begun = { client: connection.client, sinceMs: steadyUnixMs() };
      sent.resolve();
      const result = await callAppend(begun.client, append, { timeoutMs, signal: ending.signal });
      standing.heard('append');
      return { kind: 'written', result };
    } catch (error) {
      if (begun && !ending.signal.aborted) {
        standing.failed('append', error, begun.sinceMs);
        if (isUnanswered(error) && standing.isConnectionLost()) connection.leave(begun.client);
      }
      return { kind: 'failed', error };
    } finally {
      place?.leave();
      sent.resolve();
    }
  }
  return {
    sent: sent.promise,
    outcome: run(),
    fallSilent: () => place?.fallSilent(() => ending.abort()),
    end: () => ending.abort(),
  };
}

/** Takes out the attempt that is over first; undefined when the wait is over before or the signal aborts. */
async function nextOutcome(
  listening: Set<Attempt>,
  waiting: Promise<void>,
  stop: AbortSignal,
): Promise<Outcome | undefined> {
  const stopped = Promise.withResolvers<undefined>();
  const onStop = () => stopped.resolve(undefined);
  stop.addEventListener('abort', onStop, { once: true });
  const outcomes = [...listening].map(async (attempt) => {
    const outcome = await attempt.outcome;
    return { attempt, outcome };
  });
  const first = await Promise.race([...outcomes, waiting, stopped.promise]);
  stop.removeEventListener('abort', onStop);
  if (!first) return undefined;
  listening.delete(first.attempt);
  return first.outcome;
}

function resendDelayMs(sent: number): number {
  return between(resendMs) * (sent <= promptAttempts ? 1 : 2);
}

function backOffMs(failures: number): number {
  const { min, max } = backoffMs;
  return between({ min, max: Math.min(max, min * 2 ** (failures + 1)) });
}

function between({ min, max }: { readonly min: number; readonly max: number }): number {
  return min + Math.random() * (max - min);
}

import { Unanswered } from './failure.ts';

/** Bounds the wait of callers without a signal. */
const defaultDeadlineMs = 5_000;
/** No caller waits for longer; other waits are measured by it (`attemptMsMax` of the key service). */
const deadlineMsMax = 20_000;

export interface CallerDeadline {
  /** Aborts with `Unanswered` when the caller has left, its time is over, or the connection is given up. */
  readonly signal: AbortSignal;
  clear(): void;
}

export function callerDeadline(
  caller: AbortSignal | undefined,
  ended: AbortSignal,
): CallerDeadline {
  const over = new AbortController();
  const end = () => over.abort(new Unanswered());
  const timer = setTimeout(end, caller ? deadlineMsMax : defaultDeadlineMs);
  const sources = caller ? [caller, ended] : [ended];
  for (const source of sources) {
    source.addEventListener('abort', end, { once: true });
    if (source.aborted) end();
  }
  return {
    signal: over.signal,
    clear() {
      clearTimeout(timer);
      for (const source of sources) source.removeEventListener('abort', end);
    },
  };
}

import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from '@sluice/acceptance/instance';

/** A request that is sent again and again, and the statuses that are right for it. */
export interface Probe {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body?: object;
  /** May include 503, but only with `Retry-After`. */
  readonly right: readonly number[];
}

export interface Tally {
  sent: number;
  failed: number;
  slowestMs: number;
  /** The slowest request, and how many seconds after the first one it began. */
  slowest: string;
  /** Number of failures by request and answer. */
  readonly failures: Map<string, number>;
}

export const emptyTally = (): Tally => ({
  sent: 0,
  failed: 0,
  slowestMs: 0,
  slowest: '',
  failures: new Map(),
});

const answerTimeoutMs = 30_000;
const failuresMax = 50;

export interface Answered {
  readonly status: number;
  readonly json: unknown;
  readonly retryAfter: string | null;
  readonly durationMs: number;
}

/** Sends one request. Status 0 means that there was no answer. */
export async function send(
  { bootstrap }: Pick<Instance, 'bootstrap'>,
  { method, path, key, body }: Omit<Probe, 'name' | 'right'>,
): Promise<Answered> {
  const startedMs = performance.now();
  const durationMs = () => Math.round(performance.now() - startedMs);
  try {
    const response = await fetch(`${new URL(bootstrap.base_url).origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerTimeoutMs),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const json: unknown = isJson ? JSON.parse(text) : undefined;
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, json, retryAfter, durationMs: durationMs() };
  } catch {
    return { status: 0, json: undefined, retryAfter: null, durationMs: durationMs() };
  }
}

/** Sends the probes in turn at a rate until the signal aborts. Resolves when all are answered. */
export async function keepSending(
  instance: Pick<Instance, 'bootstrap'>,
  probes: readonly Probe[],
  {
    perSecond,
    openMax,
    tally,
    signal,
  }: {
    readonly perSecond: number;
    readonly openMax: number;
    readonly tally: Tally;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const open = new Set<Promise<void>>();
  const startedMs = performance.now();
  for (let turn = 0; !signal.aborted; turn++) {
    const probe = probes[turn % probes.length];
    if (probe && open.size < openMax) {
      const sending = count(instance, probe, { tally, startedMs }).finally(() =>
        open.delete(sending),
      );
      open.add(sending);
    }
    await delay(1_000 / perSecond, undefined, { signal }).catch(() => undefined);
  }
  await Promise.all(open);
}

async function count(
  instance: Pick<Instance, 'bootstrap'>,
  probe: Probe,
  { tally, startedMs }: { readonly tally: Tally; readonly startedMs: number },
): Promise<void> {
  const beganSeconds = Math.round((performance.now() - startedMs) / 1_000);
  const answered = await send(instance, probe);
  const { status, retryAfter, durationMs } = answered;
  tally.sent += 1;
  if (durationMs > tally.slowestMs) {
    tally.slowestMs = durationMs;
    tally.slowest = `${probe.name}, ${beganSeconds} s later`;
  }
  if (probe.right.includes(status) && (status !== 503 || retryAfter !== null)) return;
  tally.failed += 1;
  const failure = `${probe.name}: ${describe(answered)}`;
  if (tally.failures.size < failuresMax || tally.failures.has(failure))
    tally.failures.set(failure, (tally.failures.get(failure) ?? 0) + 1);
}

/** Returns the status, the type and the message of an error. */
export function describe({ status, json, retryAfter }: Answered): string {
  if (status === 0) return 'no answer';
  const { error } = (json ?? {}) as { readonly error?: Readonly<Record<string, unknown>> };
  const metadata = error?.['metadata'] as Readonly<Record<string, unknown>> | undefined;
  const told = [
    error?.['error_type'] ?? metadata?.['error_type'] ?? error?.['type'],
    error?.['message'],
  ];
  const words = told.filter((one) => typeof one === 'string');
  const hint = status === 503 && retryAfter === null ? ['without Retry-After'] : [];
  return [status, ...words, ...hint].join(' ');
}

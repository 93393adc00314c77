import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from '@sluice/acceptance/instance';

/** A request that is sent again and again, and the statuses that are right for it. */
export interface Probe {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly body?: object;
  readonly right: readonly number[];
}

export interface Tally {
  sent: number;
  failed: number;
  slowestMs: number;
  /** Number of failures by request and answer. */
  readonly failures: Map<string, number>;
}

export const emptyTally = (): Tally => ({ sent: 0, failed: 0, slowestMs: 0, failures: new Map() });

const answerTimeoutMs = 30_000;
const failuresMax = 50;

export interface Answered {
  readonly status: number;
  readonly json: unknown;
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
    return { status: response.status, json, durationMs: durationMs() };
  } catch {
    return { status: 0, json: undefined, durationMs: durationMs() };
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
  for (let turn = 0; !signal.aborted; turn++) {
    const probe = probes[turn % probes.length];
    if (probe && open.size < openMax) {
      const sending = count(instance, probe, tally).finally(() => open.delete(sending));
      open.add(sending);
    }
    await delay(1_000 / perSecond, undefined, { signal }).catch(() => undefined);
  }
  await Promise.all(open);
}

async function count(
  instance: Pick<Instance, 'bootstrap'>,
  probe: Probe,
  tally: Tally,
): Promise<void> {
  const { status, json, durationMs } = await send(instance, probe);
  tally.sent += 1;
  tally.slowestMs = Math.max(tally.slowestMs, durationMs);
  if (probe.right.includes(status)) return;
  tally.failed += 1;
  const { error } = (json ?? {}) as { readonly error?: { readonly message?: unknown } };
  const message = typeof error?.message === 'string' ? error.message : '';
  const failure = `${probe.name}: ${status} ${message}`;
  if (tally.failures.size < failuresMax || tally.failures.has(failure))
    tally.failures.set(failure, (tally.failures.get(failure) ?? 0) + 1);
}

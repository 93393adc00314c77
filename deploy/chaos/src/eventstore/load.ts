import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from '@sluice/acceptance/instance';

export interface LoadCounts {
  inference: number;
  failedInference: number;
  reads: number;
  failedReads: number;
  slowestInferenceMs: number;
  slowestReadMs: number;
}

export interface Load {
  readonly counts: Readonly<LoadCounts>;
  /** Status or error → how often. */
  readonly failures: ReadonlyMap<string, number>;
  /** Resolves when the key is in use: it has leases that last through an outage. Throws if that takes too long. */
  untilInUse(): Promise<void>;
  stop(): Promise<void>;
}

export interface LoadOptions {
  readonly instance: Pick<Instance, 'bootstrap'>;
  readonly requestsPerSecond: number;
  readonly readsPerSecond: number;
}

const requestTimeoutMs = 30_000;
const answeredInUse = 20;
const inUseTimeoutMs = 120_000;
const openMax = 500;
const shed = '503 Too many requests at once';
const shedsMax = 10;
const shedPauseMs = 1_000;
const tickMs = 20;
/** The GETs that a user interface sends to show an account. */
const readPaths = ['/keys', '/workspaces', '/credits', '/models', '/guardrails'] as const;

/**
 * Sends inference requests and GETs at a fixed rate, without waiting for earlier ones. Each must answer 200. One that a
 * busy machine sheds comes again: it is not the load that is tested.
 */
export function startLoad({ instance, requestsPerSecond, readsPerSecond }: LoadOptions): Load {
  const { base_url: baseUrl, api_key: apiKey, management_key: managementKey } = instance.bootstrap;
  const stopping = new AbortController();
  const failures = new Map<string, number>();
  const open = new Set<Promise<void>>();
  const { promise: inUse, resolve: isInUse } = Promise.withResolvers<void>();
  let answered = 0;
  const counts: LoadCounts = {
    inference: 0,
    failedInference: 0,
    reads: 0,
    failedReads: 0,
    slowestInferenceMs: 0,
    slowestReadMs: 0,
  };
  const send = (what: string, url: string, init: RequestInit, on: (outcome: Outcome) => void) => {
    const sending = ask(url, init)
      .then((outcome) => {
        on(outcome);
        if (outcome.isRight) return;
        const failure = `${what}: ${outcome.said}`;
        failures.set(failure, (failures.get(failure) ?? 0) + 1);
      })
      .finally(() => open.delete(sending));
    open.add(sending);
  };
  const infer = (number: number) => {
    counts.inference++;
    const input = `request ${number} [sim:words-5]`;
    const stream = number % 2 === 0;
    const body = JSON.stringify({ models: ['sim/chaos'], input, stream });
    const init = { method: 'POST', body, headers: headersOf(apiKey) };
    send('inference', `${baseUrl}/responses`, init, ({ isRight, tookMs }) => {
      if (!isRight) counts.failedInference++;
      else if (++answered === answeredInUse) isInUse();
      counts.slowestInferenceMs = Math.max(counts.slowestInferenceMs, tookMs);
    });
  };
  const read = (number: number) => {
    counts.reads++;
    const path = readPaths[number % readPaths.length] ?? '';
    send(`GET ${path}`, `${baseUrl}${path}`, { headers: headersOf(managementKey) }, (outcome) => {
      if (!outcome.isRight) counts.failedReads++;
      counts.slowestReadMs = Math.max(counts.slowestReadMs, outcome.tookMs);
    });
  };
  const running = Promise.all([
    atRate(requestsPerSecond, { open, signal: stopping.signal, each: infer }),
    atRate(readsPerSecond, { open, signal: stopping.signal, each: read }),
  ]);
  return {
    counts,
    failures,
    async untilInUse() {
      const isLate = await Promise.race([inUse, delay(inUseTimeoutMs, true, { ref: false })]);
      if (isLate === true) throw new Error('requests are not answered');
    },
    async stop() {
      stopping.abort();
      await running;
      await Promise.all(open);
    },
  };
}

interface Pace {
  readonly open: ReadonlySet<unknown>;
  readonly signal: AbortSignal;
  readonly each: (number: number) => void;
}

async function atRate(perSecond: number, { open, signal, each }: Pace): Promise<void> {
  const startedMs = performance.now();
  for (let sent = 0; !signal.aborted;) {
    const due = Math.floor(((performance.now() - startedMs) / 1_000) * perSecond);
    for (; sent < due; sent++) if (open.size < openMax) each(sent);
    await delay(tickMs);
  }
}

interface Outcome {
  readonly isRight: boolean;
  readonly said: string;
  readonly tookMs: number;
}

async function ask(url: string, init: RequestInit): Promise<Outcome> {
  const startedMs = performance.now();
  const took = () => Math.round(performance.now() - startedMs);
  try {
    for (let sheds = 0; ; sheds++) {
      const outcome = await once(url, init);
      const isShed = outcome.said.startsWith(shed);
      if (!isShed || sheds === shedsMax) return { ...outcome, tookMs: took() };
      await delay(shedPauseMs);
    }
  } catch (error) {
    return { isRight: false, said: (error as Error).name, tookMs: took() };
  }
}

async function once(url: string, init: RequestInit): Promise<Omit<Outcome, 'tookMs'>> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(requestTimeoutMs) });
  const text = await response.text();
  // A stream that has begun reports a failure as an event.
  const isRight = response.status === 200 && !/^event: (error|response\.failed)$/m.test(text);
  return { isRight, said: isRight ? '' : `${response.status} ${reasonIn(text)}` };
}

/** Returns the message of an error response without its ids, so that equal failures count as one kind. */
function reasonIn(text: string): string {
  return /"message":\s*"([^"]{0,120})/.exec(text)?.[1] ?? '';
}

function headersOf(key: string) {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
}

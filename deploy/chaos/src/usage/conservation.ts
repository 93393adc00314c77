import { setTimeout as delay } from 'node:timers/promises';
import type { Instance } from '@sluice/acceptance/instance';
import { whileItChanges } from '../progress.ts';

/** The answer of `GET /proof/conservation` about all attempts. */
export interface Conservation {
  readonly admitted: number;
  readonly settled: number;
  readonly under_way: number;
  readonly released: number;
  readonly open: { readonly attempts: number };
  readonly settled_nano_usd: string;
  readonly is_conserved: boolean;
}

export interface ConservationWatch {
  /** Number of answers. */
  readonly looks: number;
  /** When it did not add up, in sentences. */
  readonly findings: readonly string[];
  stop(): Promise<void>;
}

const intervalMs = 500;
const askTimeoutMs = 30_000;
const restQuietMs = 60_000;

/** Returns undefined if the gateway gives no proof now. */
export async function askConservation({
  bootstrap,
}: Pick<Instance, 'bootstrap'>): Promise<Conservation | undefined> {
  try {
    const response = await fetch(new URL('/proof/conservation', bootstrap.base_url), {
      headers: { authorization: `Bearer ${bootstrap.management_key}` },
      signal: AbortSignal.timeout(askTimeoutMs),
    });
    if (!response.ok) return undefined;
    const { data } = (await response.json()) as { readonly data: Conservation };
    // The instant of the answer is left out: an answer that says the same again is no progress.
    const { admitted, settled, under_way, released, settled_nano_usd, is_conserved } = data;
    const open = { attempts: data.open.attempts };
    return { admitted, settled, under_way, released, open, settled_nano_usd, is_conserved };
  } catch {
    return undefined;
  }
}

/** Asks again and again: admitted = settled + under way + released + open, at every instant. */
export function watchConservation(instance: Pick<Instance, 'bootstrap'>): ConservationWatch {
  const stopping = new AbortController();
  const findings: string[] = [];
  let looks = 0;
  async function watch(): Promise<void> {
    while (!stopping.signal.aborted) {
      const told = await askConservation(instance);
      if (told) looks++;
      if (told && !told.is_conserved) findings.push(`it does not add up: ${JSON.stringify(told)}`);
      await delay(intervalMs, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }
  const watching = watch();
  return {
    findings,
    get looks() {
      return looks;
    },
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

/** Our rows, as they are at one time. */
export interface CountedRows {
  readonly rows: number;
  readonly customersNanoUsd: bigint;
}

/**
 * Returns the violations at rest: no request is open, and the proof equals the rows. The proof is as old as the
 * replicas' last reports, so it polls both until they agree.
 */
export async function conservationAtRest(
  instance: Pick<Instance, 'bootstrap'>,
  count: () => Promise<CountedRows>,
): Promise<readonly string[]> {
  const ask = async () => ({ told: await askConservation(instance), counted: await count() });
  const atRest = await whileItChanges(ask, isAtRest, { quietMs: restQuietMs, pollMs: intervalMs });
  if (isAtRest(atRest)) return [];
  const { told, counted } = atRest;
  const { rows, customersNanoUsd } = counted;
  return [`${rows} rows of ${customersNanoUsd}, and the proof is ${JSON.stringify(told)}`];
}

function isAtRest({
  told,
  counted,
}: {
  readonly told: Conservation | undefined;
  readonly counted: CountedRows;
}): boolean {
  return (
    told?.is_conserved === true &&
    told.open.attempts + told.under_way === 0 &&
    told.settled === counted.rows &&
    BigInt(told.settled_nano_usd) === counted.customersNanoUsd
  );
}

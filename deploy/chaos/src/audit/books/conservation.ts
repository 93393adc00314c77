import type { Instance } from '@sluice/acceptance/instance';
import { send } from '../../load/http.ts';
import { watching } from '@sluice/testing/watching';
import { settled } from '../../waiting.ts';

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

type Asked = Pick<Instance, 'bootstrap'>;

const pollMs = 500;

/** Returns undefined if the gateway gives no proof now. */
export async function askConservation(instance: Asked): Promise<Conservation | undefined> {
  const key = instance.bootstrap.management_key;
  const { status, json } = await send(instance, { path: '/proof/conservation', key });
  if (status !== 200) return undefined;
  const { admitted, settled, under_way, released, open, settled_nano_usd, is_conserved } = json[
    'data'
  ] as unknown as Conservation;
  // The instant of the answer is left out: an answer that says the same again is no progress.
  const { attempts } = open;
  return {
    admitted,
    settled,
    under_way,
    released,
    open: { attempts },
    settled_nano_usd,
    is_conserved,
  };
}

/** Asks again and again: admitted = settled + under way + released + open, at every instant. */
export function watchConservation(instance: Asked) {
  const seen = { looks: 0, findings: [] as string[] };
  const watch = watching(pollMs, async () => {
    const told = await askConservation(instance);
    if (!told) return;
    seen.looks++;
    if (!told.is_conserved) seen.findings.push(`it does not add up: ${JSON.stringify(told)}`);
  });
  return { seen, [Symbol.asyncDispose]: () => watch[Symbol.asyncDispose]() };
}

/** The rows of the ledger at one time. */
export interface CountedRows {
  readonly rows: number;
  readonly customersNanoUsd: bigint;
}

/**
 * Returns the violations at rest: no request is open, and the proof equals the rows. The proof is as old as the
 * replicas' last reports, so it polls both until they agree.
 */
export async function conservationAtRest(
  instance: Asked,
  count: () => Promise<CountedRows>,
): Promise<readonly string[]> {
  const ask = async () => ({ told: await askConservation(instance), counted: await count() });
  const atRest = await settled(ask, isAtRest, { everyMs: pollMs, sameLooksMax: 120 });
  if (isAtRest(atRest)) return [];
  const { told, counted } = atRest;
  const { rows, customersNanoUsd } = counted;
  return [`${rows} rows of ${customersNanoUsd}, and the proof is ${JSON.stringify(told)}`];
}

interface AtRest {
  readonly told: Conservation | undefined;
  readonly counted: CountedRows;
}

function isAtRest({ told, counted }: AtRest): boolean {
  return (
    told?.is_conserved === true &&
    told.open.attempts + told.under_way === 0 &&
    told.settled === counted.rows &&
    BigInt(told.settled_nano_usd) === counted.customersNanoUsd
  );
}

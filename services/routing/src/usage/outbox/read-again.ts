import type { Spool } from '@sluice/spool';
import { factBytes } from '../journal/record.ts';
import type { Bundle, Waiting } from './bundle.ts';

/**
 * Gives the facts of these bundles their JSON again, in one pass over the spool. The records of counted facts may be
 * released: those stay without it.
 */
export async function readAgain(
  spool: Pick<Spool, 'read'>,
  bundles: readonly Bundle[],
): Promise<void> {
  const wanted = new Map<bigint, Waiting>();
  for (const { facts } of bundles)
    for (const fact of facts) if (!fact.json) wanted.set(fact.spoolSequence, fact);
  const sequences = [...wanted.keys()].toSorted((one, other) => (one < other ? -1 : 1));
  const [first] = sequences;
  if (first === undefined) return;
  for await (const { sequence, payload } of spool.read(first)) {
    const fact = wanted.get(sequence);
    if (fact) fact.json = factBytes(payload);
    if (sequence >= (sequences.at(-1) ?? first)) return;
  }
}

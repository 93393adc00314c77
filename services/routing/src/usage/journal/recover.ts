import type { UsageFact } from '@sluice/usage-facts';
import type { Spool } from '@sluice/spool';
import { decodeEntry, type Intent, type Progress } from './record.ts';

/** The records that earlier runs left in the spool. */
export interface Recovered {
  /** The last sequence. 0 if the spool is empty. */
  readonly spoolSequence: bigint;
  readonly finals: readonly { readonly fact: UsageFact; readonly spoolSequence: bigint }[];
  /** Attempts without an end, because the process died. */
  readonly interrupted: readonly {
    readonly intent: Intent;
    readonly progress: Progress | undefined;
    readonly spoolSequence: bigint;
  }[];
}

/** Reads the whole spool. Throws if it cannot read a record, because no record may be skipped. */
export async function recover(spool: Pick<Spool, 'read'>): Promise<Recovered> {
  const finals: { fact: UsageFact; spoolSequence: bigint }[] = [];
  const open = new Map<string, { intent: Intent; spoolSequence: bigint }>();
  const marks = new Map<string, Progress>();
  let last = 0n;
  for await (const { sequence: spoolSequence, payload } of spool.read(1n)) {
    last = spoolSequence;
    const entry = decodeEntry(payload);
    switch (entry.type) {
      case 'intent':
        open.set(entry.intent.usageId, { intent: entry.intent, spoolSequence });
        break;
      case 'progress':
        marks.set(entry.usageId, { ...marks.get(entry.usageId), ...entry.progress });
        break;
      case 'released':
        open.delete(entry.usageId);
        marks.delete(entry.usageId);
        break;
      case 'final':
        open.delete(entry.fact.usageId);
        marks.delete(entry.fact.usageId);
        finals.push({ fact: entry.fact, spoolSequence });
        break;
    }
  }
  const interrupted = [...open.values()].map(({ intent, spoolSequence }) => ({
    intent,
    spoolSequence,
    progress: marks.get(intent.usageId),
  }));
  return { spoolSequence: last, finals, interrupted };
}

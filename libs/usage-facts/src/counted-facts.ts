import type {
  CountedFact as CountedMessage,
  ReadFactsRequest,
  ReadFactsResponse,
} from '@sluice/protos/sluice/ledger/v1/ledger';
import type { UsageCorrected, UsageRecorded } from '@sluice/protos/sluice/usage/v1/usage_events';
import { readFact } from './fact-json.ts';
import type { UsageCorrection } from './usage-correction.ts';
import type { UsageFact } from './usage-fact.ts';

/** An entry in the order in which the ledger counted: a fact as it was counted first, or what replaced its values. */
export type CountedFact = (
  | { readonly kind: 'recorded'; readonly fact: UsageFact }
  | { readonly kind: 'corrected'; readonly correction: UsageCorrection }
) & {
  /** When the ledger counted it. Empty: the ledger is of an earlier release. */
  readonly countedAt: string;
};

/** Entries, and the cursor behind the last of them. */
export interface CountedFacts {
  readonly facts: readonly CountedFact[];
  readonly next: string;
}

/** Returns the message of an entry. */
export function writeCounted(counted: CountedFact): CountedMessage {
  // Only read: the generated types say `mutable` and `Buffer` where any list and any bytes do.
  const { countedAt } = counted;
  return counted.kind === 'recorded'
    ? { entry: { $case: 'recorded', value: counted.fact as UsageRecorded }, countedAt }
    : { entry: { $case: 'corrected', value: counted.correction as UsageCorrected }, countedAt };
}

/** Throws for an entry of a later release, which a reader that counts must not pass over. */
export function readCounted({ entry, countedAt }: CountedMessage): CountedFact {
  if (entry?.$case === 'recorded') return { kind: 'recorded', fact: entry.value, countedAt };
  if (entry?.$case !== 'corrected') throw new Error('the ledger has an entry of an unknown kind');
  const { fact, ...correction } = entry.value;
  const whole = { ...correction, fact: fact ?? readFact({}) };
  return { kind: 'corrected', correction: whole, countedAt };
}

/** The calls of a reader to the ledger. */
export interface FactsLedger {
  readFacts(request: ReadFactsRequest): Promise<ReadFactsResponse>;
}

/**
 * Reads the entries behind a cursor in pages, up to the end of the log at that time. An empty cursor is the beginning.
 * Throws not_found if the ledger has no such cursor: it was restored, and all is to be read again from the beginning.
 */
export async function* readCountedFacts(
  ledger: FactsLedger,
  { after, limit }: { readonly after: string; readonly limit: number },
): AsyncGenerator<CountedFacts, void, undefined> {
  for (let cursor = after; ;) {
    const { facts, next, isLast } = await ledger.readFacts({ after: cursor, limit });
    if (facts.length > 0) yield { facts: facts.map(readCounted), next };
    if (isLast) return;
    cursor = next;
  }
}

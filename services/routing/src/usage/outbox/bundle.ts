import { hash } from 'node:crypto';
import { type StoredFact, usageBundleBytesMax, usageBundleFactsMax } from '@sluice/bus';
import type { UsageFact } from '@sluice/usage-facts';
import type { Queue } from './queue.ts';

/** A final fact that the ledger has not confirmed as counted. */
export interface Waiting extends Pick<
  UsageFact,
  'usageId' | 'accountId' | 'epoch' | 'sequence' | 'leaseEpoch'
> {
  /** Unix milliseconds. */
  readonly completedAtMs: number;
  /** All of it: its JSON. */
  readonly json: Uint8Array;
  /** Its sequence in the spool. */
  readonly spoolSequence: bigint;
  /** The bundle that it is sent in; undefined: none yet. */
  bundle: Bundle | undefined;
}

/**
 * Facts of one account that are one message. Once cut it stays so: sent again it has the same id, which the broker
 * knows.
 */
export interface Bundle {
  /** Made of the usage ids of all facts inside: no other bundle has it. */
  readonly id: string;
  readonly accountId: string;
  /** In order; at least one. */
  readonly facts: readonly Waiting[];
  /** The length of the message. */
  readonly bytes: number;
  /**
   * The place where the broker stored it, and when it was last known to have it, in milliseconds of the monotonic
   * clock.
   * undefined: not published yet, or lost by the broker.
   */
  stored: { readonly at: StoredFact; knownAtMs: number } | undefined;
}

const opening = Buffer.from('{"facts":[');
const closing = Buffer.from(']}');
const comma = 0x2c;

/** Takes the first facts off a queue, as many as go together; those not wanted are dropped. undefined: none. */
export function cutBundle(
  accountId: string,
  queue: Queue<Waiting>,
  isWanted: (waiting: Waiting) => boolean,
): Bundle | undefined {
  const facts: Waiting[] = [];
  let bytes = opening.length + closing.length - 1;
  for (let { first } = queue; first && facts.length < usageBundleFactsMax; { first } = queue) {
    if (isWanted(first)) {
      if (facts.length > 0 && bytes + 1 + first.json.length > usageBundleBytesMax) break;
      facts.push(first);
      bytes += 1 + first.json.length;
    }
    queue.shift();
  }
  if (facts.length === 0) return undefined;
  const bundle = { id: idOf(facts), accountId, facts, bytes, stored: undefined };
  for (const fact of facts) fact.bundle = bundle;
  return bundle;
}

/** The JSON of the message. Facts are JSON already: nothing is parsed. */
export function bundleJson({ facts, bytes }: Bundle): Uint8Array {
  const json = Buffer.allocUnsafe(bytes);
  let end = opening.copy(json);
  for (const [index, fact] of facts.entries()) {
    if (index > 0) json[end++] = comma;
    json.set(fact.json, end);
    end += fact.json.length;
  }
  closing.copy(json, end);
  return json;
}

function idOf(facts: readonly Waiting[]): string {
  let ids = '';
  for (const { usageId } of facts) ids += `${usageId}\n`;
  const [first] = facts;
  return `${first?.usageId ?? ''}+${String(facts.length - 1)}.${hash('sha256', ids, 'base64url')}`;
}

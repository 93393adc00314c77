import { ok } from 'node:assert/strict';
import { hash } from 'node:crypto';
import { type StoredFact, usageBundleBytesMax, usageBundleFactsMax } from '@sluice/bus';
import type { UsageFact } from '@sluice/usage-facts';
import { Queue } from './queue.ts';

/** A final fact that the ledger has not confirmed as counted, with the repeats that it stands for. */
export interface Waiting extends Pick<UsageFact, 'usageId' | 'accountId' | 'epoch' | 'leaseEpoch'> {
  /** The last one that it stands for. */
  readonly sequence: bigint;
  /** The number of facts that it stands for. */
  readonly count: number;
  /** Unix milliseconds. */
  readonly completedAtMs: number;
  /** The whole fact as JSON. undefined while the broker has it: then it is in the spool alone. */
  json: Uint8Array | undefined;
  /** The sequence of the fact in the spool. */
  readonly spoolSequence: bigint;
  /** The bundle of the fact. undefined if it is in none yet. */
  bundle: Bundle | undefined;
}

/**
 * Facts of one account in one message. A bundle never changes, so that a repeated message has the same id and the
 * broker recognizes it.
 */
export interface Bundle {
  /** A unique id, derived from the usage ids of all facts. */
  readonly id: string;
  readonly accountId: string;
  /** At least one fact, in order. */
  readonly facts: readonly Waiting[];
  /** The length of the message. */
  readonly bytes: number;
  /**
   * The place where the broker stored it, and when it was last known to have it, in milliseconds of the monotonic
   * clock. If undefined, the bundle is not published yet, or the broker has lost it.
   */
  stored: { readonly at: StoredFact; knownAtMs: number } | undefined;
}

const opening = Buffer.from('{"facts":[');
const closing = Buffer.from(']}');
const comma = 0x2c;

/** Takes the first facts off a queue as one bundle. Drops unwanted facts. Returns undefined if none is left. */
export function cutBundle(
  accountId: string,
  queue: Queue<Waiting>,
  isWanted: (waiting: Waiting) => boolean,
): Bundle | undefined {
  const facts: Waiting[] = [];
  let bytes = opening.length + closing.length - 1;
  let count = 0;
  for (let { first } = queue; first && count < usageBundleFactsMax; { first } = queue) {
    if (isWanted(first)) {
      const { length } = jsonOf(first);
      const isFull =
        bytes + 1 + length > usageBundleBytesMax || count + first.count > usageBundleFactsMax;
      if (facts.length > 0 && isFull) break;
      facts.push(first);
      bytes += 1 + length;
      count += first.count;
    }
    queue.shift();
  }
  if (facts.length === 0) return undefined;
  const bundle = { id: idOf(facts), accountId, facts, bytes, stored: undefined };
  for (const fact of facts) fact.bundle = bundle;
  return bundle;
}

/** Notes where the broker has the bundle. The JSON of its facts is dropped: it may be long until they are counted. */
export function noteStored(bundle: Bundle, at: StoredFact): void {
  bundle.stored = { at, knownAtMs: performance.now() };
  for (const fact of bundle.facts) fact.json = undefined;
}

/** Returns the bundle to send again, without facts whose JSON is gone: all of them are counted. */
export function lostBundle(bundle: Bundle): Bundle | undefined {
  bundle.stored = undefined;
  const left = bundle.facts.filter(({ json }) => json !== undefined);
  if (left.length === bundle.facts.length) return bundle;
  return cutBundle(bundle.accountId, Queue.of(left), () => true);
}

/** Returns the JSON of the message. Joins the JSON of the facts without parsing it. */
export function bundleJson({ facts, bytes }: Bundle): Uint8Array {
  const json = Buffer.allocUnsafe(bytes);
  let end = opening.copy(json);
  for (const [index, fact] of facts.entries()) {
    if (index > 0) json[end++] = comma;
    const one = jsonOf(fact);
    json.set(one, end);
    end += one.length;
  }
  closing.copy(json, end);
  return json;
}

function jsonOf({ json }: Waiting): Uint8Array {
  ok(json, 'a fact that is sent has its JSON');
  return json;
}

function idOf(facts: readonly Waiting[]): string {
  let ids = '';
  for (const { usageId } of facts) ids += `${usageId}\n`;
  const [first] = facts;
  return `${first?.usageId ?? ''}+${String(facts.length - 1)}.${hash('sha256', ids, 'base64url')}`;
}

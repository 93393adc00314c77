import { bundledCount, type BundledFact, readBundled } from './read-bundled.ts';

/** A message of the bus, as far as it is read. */
export interface BundleMessage {
  readonly subject: string;
  readonly id: string | undefined;
  readonly bytes: Uint8Array;
  /** The JSON of the bytes, parsed at each access. */
  readonly data: unknown;
}

/** The facts of a message of usage, or why it has none that can be counted. */
export type Bundle =
  | {
      readonly facts: readonly BundledFact[];
      /** The length of the list in the message. */
      readonly length: number;
    }
  | { readonly problem: string };

export type ReadBundle = (message: BundleMessage) => Bundle;

/** Returns a reader of messages. It refuses more facts than these in one message, with all that they repeat. */
export function bundleReader(factsMax: number): ReadBundle {
  return ({ data, subject }) => {
    if (typeof data !== 'object' || data === null || Array.isArray(data))
      return { problem: 'no JSON object' };
    const facts: unknown = 'facts' in data ? data.facts : undefined;
    if (!Array.isArray(facts) || facts.length === 0) return { problem: 'no list of facts' };
    if (bundledCount(facts) > factsMax) return { problem: `more than ${factsMax} facts` };
    return { facts: readBundled(facts, subject), length: facts.length };
  };
}

import { readFact } from './fact-json.ts';
import { factProblem } from './fact-problem.ts';
import { countOf, withRepeats } from './repeats.ts';
import type { UsageFact } from './usage-fact.ts';
import { type Place, placeOf } from './usage-problem.ts';

/** A fact of a bundle, or why it must not be counted. */
export type BundledFact = ({ readonly fact: UsageFact } | { readonly problem: string }) & {
  /** The place in the list of the bundle. A repeat has that of the fact that it is told with. */
  readonly index: number;
  /** Known of unusable facts too, when it can be read. */
  readonly place: Place | undefined;
};

/** Returns the number of facts that the list of a bundle stands for, whatever is in it. */
export function bundledCount(facts: readonly unknown[]): number {
  return facts.reduce<number>((sum, fact) => sum + 1 + repeatsOf(fact).length, 0);
}

/** Reads the list of a bundle, each repeat as a fact. The caller has bounded their number. */
export function readBundled(facts: readonly unknown[], subject: string): readonly BundledFact[] {
  return facts.flatMap((data, index) =>
    readOne(data, subject).map((one): BundledFact => ({ ...one, index })),
  );
}

type Read = { readonly fact: UsageFact } | { readonly problem: string };

function readOne(data: unknown, subject: string): readonly (Read & Pick<BundledFact, 'place'>)[] {
  if (!isRecord(data)) return [{ problem: 'no JSON object', place: undefined }];
  const fact = tryToRead(data);
  if (!fact) return [{ problem: 'a number is no whole number', place: undefined }];
  const problem = factProblem(data, fact, subject);
  if (problem === undefined)
    return withRepeats(fact).map((each) => ({ fact: each, place: placeOf(each) }));
  const { replica, epoch, sequence } = fact;
  return Array.from({ length: countOf(fact) }, (_, later) => ({
    problem,
    place: placeOf({ replica, epoch, sequence: sequence + BigInt(later) }),
  }));
}

function tryToRead(data: unknown): UsageFact | undefined {
  try {
    return readFact(data);
  } catch {
    return undefined;
  }
}

function repeatsOf(fact: unknown): readonly unknown[] {
  const repeats = isRecord(fact) ? fact['repeats'] : undefined;
  return Array.isArray(repeats) ? repeats : [];
}

function isRecord(data: unknown): data is Readonly<Record<string, unknown>> {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

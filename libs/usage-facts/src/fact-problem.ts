import { columnOf, usageFields } from './usage-fields.ts';
import type { UsageFact } from './usage-fact.ts';
import { repeatsProblem } from './repeats.ts';
import { usageProblem } from './usage-problem.ts';

type Data = Readonly<Record<string, unknown>>;

/** Readers of JSON take both names of a field. */
const usageFlags = Object.entries(usageFields)
  .filter(([, { type }]) => type === 'bool')
  .flatMap(([name]) => [name, columnOf(name)]);

/** Returns why a fact of a message must not be counted: its JSON, its values, or its subject. */
export function factProblem(data: Data, fact: UsageFact, subject: string): string | undefined {
  return (
    looseFlag(data, usageFlags) ??
    usageProblem(fact) ??
    repeatsProblem(fact) ??
    foreign(fact, subject)
  );
}

/** The generated decoder takes the text "false" for true. */
export function looseFlag(data: Data, flags: readonly string[]): string | undefined {
  const loose = flags.find((name) => data[name] !== undefined && typeof data[name] !== 'boolean');
  return loose === undefined ? undefined : `${loose} is no boolean`;
}

/** Readers of one account take its subject alone. */
function foreign({ accountId }: UsageFact, subject: string): string | undefined {
  return subject.endsWith(`.${accountId}`) ? undefined : 'account_id is not that of its subject';
}

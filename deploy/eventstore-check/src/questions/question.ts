import type { AskedServer } from '../asked-server.ts';
import type { Fact } from '../facts.ts';

/** A server, and a name that no stream has had yet: a question writes to streams with it in their names only. */
export interface Asking {
  readonly server: AskedServer;
  readonly stream: string;
}

export type Question = (asking: Asking) => Promise<Fact>;

/** Maps the name of each question, which is that of its recorded answer, to its calls. */
export type Questions = Readonly<Record<string, Question>>;

/** Makes so many calls, one after the other. */
export async function inTurn(calls: readonly (() => Promise<Fact>)[]): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  for (const call of calls) facts.push(await call());
  return facts;
}

import { isDeepStrictEqual } from 'node:util';
import { ask, questionNames } from './ask.ts';
import { AskedServer, type Access } from './asked-server.ts';
import { recordedAnswers, recordedServer } from './recorded-answers.ts';
import { count, inAll } from './requests.ts';

export interface Comparison {
  readonly asked: number;
  readonly differing: number;
  /** Says which answers differ, and last how many are the same. */
  readonly report: string;
}

/** Asks a server the questions whose answers are recorded. Rejects with one sentence when it cannot be asked. */
export async function compare(access: Access, only = ''): Promise<Comparison> {
  await requireServer(access);
  const recorded = recordedAnswers(access.user !== undefined);
  const names = questionNames(access).filter((name) => name.includes(only));
  if (names.length === 0) throw new Error(`No question has '${only}' in its name.`);
  const answers = await ask(access, recorded, names);
  const differing = names.filter((name) => !isDeepStrictEqual(answers[name], recorded[name]));
  const width = recordedServer.length + 1;
  const paragraphs = differing.map((name) => {
    const [there, here] = [recorded[name], answers[name]].map((answer) => JSON.stringify(answer));
    return [
      name,
      `  ${`${recordedServer}:`.padEnd(width)} ${there}`,
      `  ${'this server:'.padEnd(width)} ${here}\n`,
    ].join('\n');
  });
  const same = names.length - differing.length;
  const last = `${same} of ${names.length} answers are those of ${recordedServer}.`;
  return {
    asked: names.length,
    differing: differing.length,
    report: [...paragraphs, last].join('\n'),
  };
}

/** Throws when the node does not answer, or when this user may not read the log: a comparison would be meaningless. */
async function requireServer(access: Access): Promise<void> {
  const server = new AskedServer(access, 1);
  try {
    const problem = await server.problem({ ...inAll('start'), ...count(1) });
    if (problem !== undefined) throw new Error(`${access.address} cannot be asked: ${problem}.`);
  } finally {
    server.close();
  }
}

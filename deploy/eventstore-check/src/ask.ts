import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { AskedServer, type Access } from './asked-server.ts';
import { withoutNames, type Answers, type Fact } from './facts.ts';
import { allQuestions } from './questions/all.ts';
import { appendQuestions } from './questions/appends.ts';
import { metadataQuestions } from './questions/metadata.ts';
import type { Question, Questions } from './questions/question.ts';
import { readQuestions } from './questions/reads.ts';
import { removalQuestions } from './questions/removals.ts';
import { sameIdQuestions } from './questions/same-ids.ts';
import { serverQuestions } from './questions/server.ts';
import { shapeQuestions } from './questions/shapes.ts';
import { subscriptionQuestions } from './questions/subscriptions.ts';
import { userQuestions } from './questions/users.ts';

const questions: Questions = {
  ...appendQuestions,
  ...sameIdQuestions,
  ...shapeQuestions,
  ...readQuestions,
  ...metadataQuestions,
  ...removalQuestions,
  ...allQuestions,
  ...subscriptionQuestions,
  ...serverQuestions,
};

/** These look at the whole log, and what others write meanwhile would change their answers. */
const askedAlone: ReadonlySet<string> = new Set([
  'subscribe: checkpoints while nothing matches',
  '$all: backwards from the end gives the newest first; forwards from the end gives nothing',
  '$all: a subscription beyond the end, then writes',
]);

const askedAtOnce = 4;
/** A server or a network that is slow is asked again, and waited for longer each time. */
const patiences = [1, 4, 16];

/**
 * Asks a server all questions, or those that are named. An answer that is not the expected one is asked for again with
 * more patience: the last one counts.
 */
export async function ask(
  access: Access,
  expected: Answers,
  names: readonly string[] = questionNames(access),
): Promise<Answers> {
  const alone = names.filter((name) => askedAlone.has(name));
  const others = names.filter((name) => !askedAlone.has(name));
  const answers = new Map<string, Fact>();
  const askOne = async (name: string) => {
    answers.set(name, await answerTo(access, name, expected[name]));
  };
  for (const name of alone) await askOne(name);
  const next = others.values();
  await Promise.all(
    Array.from({ length: askedAtOnce }, async () => {
      for (const name of next) await askOne(name);
    }),
  );
  return Object.fromEntries(names.map((name) => [name, answers.get(name)]));
}

/** Lists what is asked: a server with users is asked about them as well. */
export function questionNames({ user }: Pick<Access, 'user'>): readonly string[] {
  return Object.keys(user ? { ...questions, ...userQuestions } : questions);
}

async function answerTo(access: Access, name: string, expected: Fact): Promise<Fact> {
  const question = questions[name] ?? userQuestions[name];
  if (!question) throw new Error(`There is no question '${name}'.`);
  let answer: Fact;
  for (const patience of patiences) {
    answer = await answerOnce(access, question, patience);
    if (isDeepStrictEqual(answer, expected)) return answer;
  }
  return answer;
}

async function answerOnce(access: Access, question: Question, patience: number): Promise<Fact> {
  const server = new AskedServer(access, patience);
  const stream = probeStream();
  try {
    return withoutNames(await question({ server, stream }), stream);
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  } finally {
    server.close();
  }
}

/** Some recorded answers say how long they are: every name has 17 characters, as those had. */
function probeStream(): string {
  return `probe${randomBytes(6).toString('hex')}`;
}

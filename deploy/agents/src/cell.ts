import { eventually } from '@sluice/patience';
import { play } from './job/play.ts';
import type { Agent } from './programs/agent.ts';
import type { Installed } from './programs/install.ts';
import { type Done, owedNanoUsd, runJob } from './run-job.ts';
import type { Stage } from './world/stage.ts';

/** An agent on a dialect. */
export interface Cell {
  readonly agent: Agent;
  readonly dialect: Dialect;
}

export type Dialect = keyof typeof modelOf;

/** The simulator's model of each dialect. */
export const modelOf = {
  'openai-responses': 'sim/echo',
  'openai-chat': 'sim/chat',
  'anthropic-messages': 'sim/messages',
  'google-gemini': 'sim/gemini',
} as const;

export interface Outcome {
  /** Why it did not pass, in sentences. */
  readonly findings: readonly string[];
  readonly output: string;
}

/** Lets an agent do the job, and looks at the file, at its answer, at the books and at whom it called. */
export async function tryCell(stage: Stage, installed: Installed, cell: Cell): Promise<Outcome> {
  const { agent, dialect } = cell;
  const options = { agent, installed, model: modelOf[dialect], script: () => play };
  const done = await runJob(stage, options);
  return { findings: await ranFindings(done), output: done.output };
}

/** Returns why a run did not pass: how it ended, its work, whom it called, and the books. */
export async function ranFindings(done: Done): Promise<readonly string[]> {
  return [
    ...(done.code === 0 ? [] : [`it ended with ${done.code ?? 'a kill'}`]),
    ...done.undone,
    ...done.called.map((host) => `it called ${host}`),
    ...(await booksFindings(done)),
  ];
}

/** The key has spent what the provider's receipts of this run cost, to the nano-USD. */
async function booksFindings(done: Done): Promise<readonly string[]> {
  const look = async () => {
    const served = await done.receipts();
    const [owed, spent] = [owedNanoUsd(served), await done.key.spentNanoUsd()];
    if (spent !== owed) throw new Error(`the key spent ${spent} where the receipts say ${owed}`);
    return served.length === 0 ? ['the model was not asked'] : [];
  };
  return await eventually(look).catch((error: unknown) => [(error as Error).message]);
}

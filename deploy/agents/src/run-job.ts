import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Receipt, receiptNanoUsd } from '@sluice/chaos/reconcile';
import type { Script } from '@sluice/simulator';
import {
  after,
  answerOf,
  before,
  file,
  type Job,
  madeByCommand,
  notes,
  promptOf,
} from './job/job.ts';
import type { Agent } from './programs/agent.ts';
import { cacheFolder, type Installed } from './programs/install.ts';
import { issueKey, type RunKey } from './world/key.ts';
import { runAgent, type Run } from './world/run-agent.ts';
import type { Stage } from './world/stage.ts';

export interface JobOptions {
  readonly agent: Agent;
  readonly installed: Installed;
  readonly model: string;
  /** Plays the model. */
  readonly script: (key: RunKey) => Script;
  readonly limitUsd?: number | undefined;
}

export interface Done extends Run {
  readonly key: RunKey;
  /** Why the job is not done, in sentences. */
  readonly undone: readonly string[];
  /** Hosts that it called beyond what is borne. */
  readonly called: readonly string[];
  /** Returns the provider's receipts of this run. */
  receipts(): Promise<readonly Receipt[]>;
}

/** Lets an agent do the job, alone on the stage, in a home and a folder of its own. */
export async function runJob(stage: Stage, options: JobOptions): Promise<Done> {
  const { agent, installed, model, script, limitUsd } = options;
  const id = `${agent.name}-${randomBytes(4).toString('hex')}`;
  const home = join(cacheFolder, 'homes', id);
  const work = join(stage.folder, id);
  const job: Job = { folder: work, word: `w${randomBytes(4).toString('hex')}` };
  await mkdir(home, { recursive: true });
  await mkdir(work);
  await writeFile(join(work, file), notes(job));
  const key = await issueKey(stage.instance, id, limitUsd);
  const seat = { rootUrl: stage.rootUrl, key: key.key, model, home, work };
  const earlier = (await stage.receipts()).length;
  stage.outside.look();
  stage.play(script(key));
  try {
    const { environment } = stage.outside;
    const prompt = promptOf(job);
    const { signal } = stage;
    const run = await runAgent(agent, { installed, seat, prompt, environment, signal });
    return {
      ...run,
      key,
      undone: await undone(job, run.output),
      called: stage.outside.look().filter((host) => agent.refused?.[host] === undefined),
      receipts: async () => (await stage.receipts()).slice(earlier),
    };
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns what the provider's receipts cost. */
export function owedNanoUsd(receipts: readonly Receipt[]): bigint {
  return receipts.reduce((sum, receipt) => sum + receiptNanoUsd(receipt), 0n);
}

async function undone(job: Job, output: string): Promise<readonly string[]> {
  const text = await readFile(join(job.folder, file), 'utf8');
  const counted = await readFile(join(job.folder, madeByCommand), 'utf8').catch(() => 'nothing');
  const wanted = notes(job).replace(before, after);
  return [
    ...(output.includes(answerOf(job.word)) ? [] : ['its answer does not have the word']),
    ...(text === wanted ? [] : [`the file is ${JSON.stringify(text)}`]),
    ...(counted === '1\n' ? [] : [`the command wrote ${JSON.stringify(counted)}`]),
  ];
}

import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Receipt, receiptNanoUsd } from '@sluice/chaos/reconcile';
import type { Script } from '@sluice/simulator';
import { notesTask } from './job/notes-task.ts';
import type { TaskIn } from './job/task.ts';
import type { Agent } from './programs/agent.ts';
import { cacheFolder, type Installed } from './programs/install.ts';
import { issueKey, type RunKey } from './world/key.ts';
import { runAgent, type Run } from './world/run-agent.ts';
import type { Stage } from './world/stage.ts';

export interface JobOptions {
  readonly agent: Agent;
  readonly installed: Installed;
  readonly model: string;
  /** Absent: the usual job. */
  readonly task?: TaskIn;
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
  const task = (options.task ?? notesTask)(work);
  await mkdir(home, { recursive: true });
  await mkdir(work);
  await task.prepare();
  const key = await issueKey(stage.instance, id, limitUsd);
  const seat = { rootUrl: stage.rootUrl, key: key.key, model, home, work };
  const earlier = new Set((await stage.receipts()).map(({ id: receipt }) => receipt));
  stage.outside.look();
  stage.play(script(key));
  try {
    const { environment } = stage.outside;
    const { prompt } = task;
    const { signal } = stage;
    const run = await runAgent(agent, { installed, seat, prompt, environment, signal });
    return {
      ...run,
      key,
      undone: await task.undone(run.output),
      called: stage.outside.look().filter((host) => agent.refused?.[host] === undefined),
      receipts: async () => (await stage.receipts()).filter((receipt) => !earlier.has(receipt.id)),
    };
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Returns what the provider's receipts cost. */
export function owedNanoUsd(receipts: readonly Receipt[]): bigint {
  return receipts.reduce((sum, receipt) => sum + receiptNanoUsd(receipt), 0n);
}

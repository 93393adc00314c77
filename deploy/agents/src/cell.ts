import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { receiptNanoUsd } from '@sluice/chaos/reconcile';
import { eventually } from '@sluice/patience';
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
import { runAgent } from './world/run-agent.ts';
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
  /** Why it did not do the job, in sentences. */
  readonly findings: readonly string[];
  readonly output: string;
  /** Answers of the model. */
  readonly answers: number;
}

/** Lets an agent do the job, and looks at the file, at its answer, at the books and at whom it called. */
export async function tryCell(stage: Stage, installed: Installed, cell: Cell): Promise<Outcome> {
  const { agent, dialect } = cell;
  const id = `${agent.name}-${dialect}-${randomBytes(4).toString('hex')}`;
  const home = join(cacheFolder, 'homes', id);
  const work = join(stage.folder, id);
  const job: Job = { folder: work, word: `w${randomBytes(4).toString('hex')}` };
  await mkdir(home, { recursive: true });
  await mkdir(work);
  await writeFile(join(work, file), notes(job));
  const runKey = await issueKey(stage.instance, id);
  const seat = { rootUrl: stage.rootUrl, key: runKey.key, model: modelOf[dialect], home, work };
  const earlier = (await stage.receipts()).length;
  stage.outside.look();
  try {
    const { environment } = stage.outside;
    const { code, output } = await runAgent(agent, installed, seat, promptOf(job), environment);
    const books = await booksFinding(stage, runKey, earlier);
    const findings = [
      ...(code === 0 ? [] : [code === undefined ? 'it was killed' : `it ended with ${code}`]),
      ...(output.includes(answerOf(job.word)) ? [] : ['its answer does not have the word']),
      ...(await workFindings(job)),
      ...books.findings,
      ...stage.outside.look().map((host) => `it called ${host}`),
    ];
    return { findings, output, answers: books.answers };
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function workFindings(job: Job): Promise<readonly string[]> {
  const text = await readFile(join(job.folder, file), 'utf8');
  const counted = await readFile(join(job.folder, madeByCommand), 'utf8').catch(() => 'nothing');
  const findings: string[] = [];
  if (text !== notes(job).replace(before, after))
    findings.push(`the file is ${JSON.stringify(text)}`);
  if (counted !== '1\n') findings.push(`the command wrote ${JSON.stringify(counted)}`);
  return findings;
}

/** The key has spent what the provider's receipts of this run cost, to the nano-USD. */
async function booksFinding(
  stage: Stage,
  runKey: RunKey,
  earlier: number,
): Promise<{ readonly answers: number; readonly findings: readonly string[] }> {
  const look = async () => {
    const receipts = (await stage.receipts()).slice(earlier);
    const owed = receipts.reduce((sum, receipt) => sum + receiptNanoUsd(receipt), 0n);
    const spent = await runKey.spentNanoUsd();
    if (spent !== owed) throw new Error(`the key spent ${spent} where the receipts say ${owed}`);
    return receipts.length;
  };
  try {
    const answers = await eventually(look);
    return { answers, findings: answers === 0 ? ['the model was not asked'] : [] };
  } catch (error) {
    return { answers: 0, findings: [(error as Error).message] };
  }
}

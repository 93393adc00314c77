import { equal } from 'node:assert/strict';
import { json, list } from '@sluice/acceptance/http';
import { isSearch } from '@sluice/chaos/reconcile';
import { eventually } from '@sluice/patience';
import { type Cell, modelOf, type Outcome, ranFindings } from '../cell.ts';
import type { Installed } from '../programs/install.ts';
import { type Done, runJob } from '../run-job.ts';
import type { Stage } from '../world/stage.ts';
import { playSearch } from './play-search.ts';
import { timetableTask } from './timetable-task.ts';

export interface Search {
  readonly name: string;
  readonly isFailing: boolean;
}

/** A search that finds pages, and one whose engine is broken: the agent must go on all the same. */
export const searches: readonly Search[] = [
  { name: 'searches the web', isFailing: false },
  { name: 'searches the web in vain', isFailing: true },
];

/** Lets an agent search the web, and looks at its answer, at the search of Sluice, and at the charge for it. */
export async function trySearch(
  stage: Stage,
  installed: Installed,
  { agent, dialect }: Cell,
  search: Search,
): Promise<Outcome> {
  const script = () => playSearch(search);
  const task = timetableTask(search);
  const done = await runJob(stage, { agent, installed, model: modelOf[dialect], script, task });
  const findings = [...(await ranFindings(done)), ...(await searchFindings(stage, done, search))];
  return { findings, output: done.output };
}

/** One search ran, and the ledger has its price. A search that failed has no receipt, and is free. */
async function searchFindings(
  { instance }: Stage,
  done: Done,
  { isFailing }: Search,
): Promise<readonly string[]> {
  const wanted = isFailing ? ['failed', 0] : ['completed', searchUsd];
  const look = async () => {
    const served = await done.receipts();
    const generations = new Set(served.map((one) => one.client_request_id.split('/')[0] ?? ''));
    const ran = [];
    for (const id of generations) {
      const { body } = await json(instance, `/generation?id=${id}`, { key: done.key.key });
      for (const call of list(body['data']?.['tool_calls'])) ran.push(call);
    }
    const told = ran.map(({ type, status, cost }) => [type, status, cost]);
    equal(JSON.stringify(told), JSON.stringify([['service:web_search', ...wanted]]));
    equal(served.filter(isSearch).length, isFailing ? 0 : 1);
    return [];
  };
  // The books are complete by now: what is missing will not come.
  return await eventually(look, { sameLooksMax: 100 }).catch((error: unknown) => [
    (error as Error).message,
  ]);
}

/** The price of a search of the simulated web. */
const searchUsd = 0.004;

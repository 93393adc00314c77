import { isSearch, type Receipt } from '@sluice/chaos/reconcile';
import { eventually } from '@sluice/patience';
import type { Agent } from '../programs/agent.ts';
import type { Installed } from '../programs/install.ts';
import { type Outcome } from '../cell.ts';
import { type Done, owedNanoUsd, runJob } from '../run-job.ts';
import type { Stage } from '../world/stage.ts';
import type { Trouble } from './trouble.ts';

/** Lets an agent do the job while something goes wrong, and looks at whether it does as it should. */
export async function tryTrouble(
  stage: Stage,
  installed: Installed,
  agent: Agent,
  trouble: Trouble,
): Promise<Outcome> {
  const { limitUsd, stops } = trouble;
  const script: Trouble['script'] = (key) => trouble.script(key);
  const model = 'sim/echo';
  const done = await runJob(stage, { agent, installed, model, script, limitUsd });
  const words = stops[agent.name];
  const findings = [
    ...(done.code === undefined ? ['it did not come to an end'] : []),
    // It may end with 1 although it has recovered: opencode reports the error, too.
    ...(words ? stopFindings(done, words) : done.undone),
    ...(await booksFindings(done)),
  ];
  return { findings, output: done.output };
}

function stopFindings({ output, undone }: Done, words: RegExp): readonly string[] {
  return [
    ...(undone.length === 0 ? ['it went on'] : []),
    ...(words.test(output) ? [] : [`it does not say ${String(words)}`]),
  ];
}

/** Each served answer is paid, and none twice. An answer that was cut off costs no more than was sent. */
async function booksFindings(done: Done): Promise<readonly string[]> {
  const look = async () => {
    const all = await done.receipts();
    const served = owedNanoUsd(all.filter(isServed));
    const [owed, spent] = [owedNanoUsd(all), await done.key.spentNanoUsd()];
    if (spent < served || spent > owed)
      throw new Error(`the key spent ${spent} where the receipts say ${served} to ${owed}`);
    return [];
  };
  return await eventually(look).catch((error: unknown) => [(error as Error).message]);
}

/** A search has a receipt only if it was answered. */
function isServed(receipt: Receipt): boolean {
  return isSearch(receipt) || receipt.outcome === 'completed';
}

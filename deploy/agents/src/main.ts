import { untilSignal } from '@sluice/boot';
import { agents } from './programs/table.ts';
import { type Trial, trialsOf } from './trials.ts';
import { startStage } from './world/stage.ts';

/**
 * `make agents`: each agent on each dialect, searching the web, and in each trouble, `ROUNDS=2`. `ONLY=codex,qwen`,
 * `DIALECTS=openai-chat` and `TROUBLES='rate limit'` choose, `RECORD=folder` keeps what agents send. The last line is
 * JSON; the exit code is 0 only when all pass.
 */
const env = process.env;
const rounds = Number(env['ROUNDS'] || 2);
const outputShownMax = 3_000;

const trials = agents
  .filter(({ name }) => isChosen('ONLY', name))
  .flatMap((agent) => trialsOf(agent, isChosen, console.log));
const failed = new Set<Trial>();
const interruption = new AbortController();
const { signal } = interruption;
void untilSignal().then(() => interruption.abort());
const stage = await startStage(signal, env['RECORD']);
try {
  for (let round = 1; round <= rounds; round += 1)
    for (const trial of trials) {
      if (signal.aborted) break;
      const startedMs = performance.now();
      const { findings, output } = await trial.run(stage);
      if (signal.aborted) break;
      const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
      const verdict = findings.length === 0 ? 'passed' : 'FAILED';
      console.log(`${verdict}  ${trial.name}, round ${round} (${seconds} s)`);
      if (findings.length > 0) failed.add(trial);
      for (const finding of findings) console.log(`  NOT SO: ${finding}`);
      if (findings.length > 0 || env['SHOW'])
        console.log(output.slice(-outputShownMax).replaceAll(/^/gm, '  | '));
    }
} finally {
  await stage.stop();
}
if (signal.aborted) process.exit(130);
console.log(JSON.stringify({ troubles: countOf('trouble', trials), ...resultOf('trouble') }));
console.log(JSON.stringify({ searches: countOf('search', trials), ...resultOf('search') }));
console.log(JSON.stringify({ cells: countOf('cell', trials), ...resultOf('cell') }));
process.exit(failed.size === 0 ? 0 : 1);

function resultOf(kind: Trial['kind']): { readonly passed: number; readonly failed: number } {
  const missed = countOf(kind, [...failed]);
  return { passed: countOf(kind, trials) - missed, failed: missed };
}

function countOf(kind: Trial['kind'], of: readonly Trial[]): number {
  return of.filter((trial) => trial.kind === kind).length;
}

function isChosen(setting: string, name: string): boolean {
  const chosen = env[setting];
  return chosen === undefined || chosen === '' || chosen.split(',').includes(name);
}

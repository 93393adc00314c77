import { cannotBe } from './cannot-be.ts';
import { type Cell, type Dialect, modelOf, tryCell } from './cell.ts';
import { play } from './job/play.ts';
import type { AgentName } from './programs/agent.ts';
import { install } from './programs/install.ts';
import { agents } from './programs/table.ts';
import { startStage } from './world/stage.ts';

/**
 * `make agents`: each agent on each dialect, `ROUNDS=2`. `ONLY=codex,qwen` and `DIALECTS=openai-chat` choose,
 * `RECORD=folder` keeps what agents send. The last line is JSON; the exit code is 0 only when all cells pass.
 */
const env = process.env;
const rounds = Number(env['ROUNDS'] || 2);
const only = env['ONLY']?.split(',') as readonly AgentName[] | undefined;
const dialects = (env['DIALECTS']?.split(',') ?? Object.keys(modelOf)) as readonly Dialect[];
const outputShownMax = 3_000;

const tried = agents.filter(({ name }) => !only || only.includes(name));
const cells = tried.flatMap((agent) => dialects.map((dialect): Cell => ({ agent, dialect })));
const failed = new Set<Cell>();
const impossible = cells.filter((cell) => cannotBe(cell) !== undefined && !env['ALL']);
const stage = await startStage(play, env['RECORD']);
try {
  for (let round = 1; round <= rounds; round += 1)
    for (const cell of cells) {
      if (impossible.includes(cell)) continue;
      const installed = await install(cell.agent, console.log);
      const startedMs = performance.now();
      const { findings, output, answers } = await tryCell(stage, installed, cell);
      const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
      const verdict = findings.length === 0 ? 'passed' : 'FAILED';
      console.log(`${verdict}  ${nameOf(cell)}, round ${round} (${answers} answers, ${seconds} s)`);
      if (findings.length === 0) continue;
      failed.add(cell);
      for (const finding of findings) console.log(`  NOT SO: ${finding}`);
      console.log(output.slice(-outputShownMax).replaceAll(/^/gm, '  | '));
    }
} finally {
  await stage.stop();
}
for (const cell of impossible) console.log(`cannot be  ${nameOf(cell)}: ${cannotBe(cell)}`);
const passed = cells.length - impossible.length - failed.size;
console.log(JSON.stringify({ cells: cells.length, passed, failed: failed.size }));
process.exit(failed.size === 0 ? 0 : 1);

function nameOf({ agent, dialect }: Cell): string {
  return `${agent.name} ${agent.version} on ${dialect} by /${agent.door}`;
}

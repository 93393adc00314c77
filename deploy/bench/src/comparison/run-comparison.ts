import { dirname, resolve } from 'node:path';
import { plainBehaviour } from '../harness/upstream/upstream-server.ts';
import { busySentence, commitOf, type Machine } from '../results/machine.ts';
import { keepResults } from '../results/results-file.ts';
import { benchSettings } from '../subjects/sluice/subject.ts';
import type { SubjectName } from '../subjects/subject.ts';
import { compare } from './comparison-bench.ts';
import type { Plan } from './plan.ts';
import type { Sample } from './sample.ts';
import { headlinesOf, rowsOf } from './rows.ts';
import { type Surroundings, startSurroundings } from './surroundings.ts';
import { cellTable, headlineTable } from './table.ts';

export interface RunOptions {
  readonly folder: string;
  readonly machine: Machine;
  readonly names: readonly SubjectName[];
  readonly plan: Plan;
  /** Settings of Sluice on top of those of the bench. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where a picture of it is written; nowhere when undefined. */
  readonly svg: string | undefined;
  readonly onLine: (line: string) => void;
}

/** Measures, prints the tables and keeps `results.json`. Returns whether all answers were right. */
export async function runComparison(options: RunOptions): Promise<boolean> {
  const { folder, machine, names, plan, settings, onLine } = options;
  const date = new Date().toISOString();
  const onProgress = (line: string) => onLine(`  ${line}`);
  const surroundings = await startSurroundings({
    folder: resolve(folder),
    names,
    settings,
    onProgress,
  });
  const placed = placedSentence(surroundings);
  const samples = await measured(options, surroundings);
  const rows = rowsOf(samples, plainBehaviour.deltas);
  const headlines = headlinesOf(rows);
  const commit = await commitOf(dirname(import.meta.dirname));
  const ratios = headlines.find(({ name }) => name === 'sluice')?.ratios;
  const given = { ...benchSettings, ...settings };
  const about = { date, commit, machine, pinned: placed, settings: given };
  const file = await keepResults(folder, { ...about, ratios, headlines, rows });
  onLine(`\n${headlineTable(headlines)}\n\n${cellTable(plan.cells, rows)}\n`);
  onLine(
    `${machine.processors} × ${machine.model}, Node.js ${machine.node}, ${date}, commit ${commit}`,
  );
  onLine(placed);
  onLine(
    `Sluice with keys, hard limits, durable usage and catalogue on, and with ${toldSettings(given)}`,
  );
  const busy = busySentence(machine);
  if (busy !== undefined) onLine(busy);
  onLine(`Kept in ${file}`);
  return rows.every(({ faults }) => Object.keys(faults).length === 0);
}

/** Whatever happens, nothing that was started for it goes on. */
async function measured(
  { plan, onLine }: RunOptions,
  surroundings: Surroundings,
): Promise<readonly Sample[]> {
  const stopOnSignal = () => void surroundings.stop().finally(() => process.exit(1));
  process.once('SIGINT', stopOnSignal).once('SIGTERM', stopOnSignal);
  try {
    return await compare({ plan, surroundings, onProgress: (line) => onLine(`  ${line}`) });
  } finally {
    await surroundings.stop();
    process.off('SIGINT', stopOnSignal).off('SIGTERM', stopOnSignal);
  }
}

const toldSettings = (settings: Readonly<Record<string, string>>) =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

function placedSentence({ pinning: { placement } }: Surroundings): string {
  if (!placement) return 'Nothing is pinned: there is one processor only, or no taskset.';
  const { subject, upstream, load, others } = placement;
  return (
    `Pinned: what is measured alone to processor ${subject.join(',')}; the upstream to ${upstream.join(',')}, ` +
    `the load to ${load.join(',')}, PostgreSQL, NATS and the other services to ${others.join(',')}.`
  );
}

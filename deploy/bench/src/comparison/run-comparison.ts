import type { Pinning } from '../harness/machine/pinning.ts';
import { say, showProgress as onProgress } from '../program.ts';
import { busySentence, commitOf, type Machine, thisMachine } from '../results/machine.ts';
import { benchSettings } from '../subjects/sluice/subject.ts';
import { compare, type Rest } from './comparison-bench.ts';
import { type Headline, headlinesOf } from './headlines.ts';
import type { Plan } from './plan.ts';
import { type Ratios, type Row, rowsOf } from './rows.ts';
import { type SurroundingsOptions, withSurroundings } from './surroundings.ts';
import { cellTable, headlineTable } from './table.ts';

export interface RunOptions extends Omit<SurroundingsOptions, 'folder' | 'onProgress'> {
  readonly plan: Plan;
}

/** The comparison as `results.json` stores it. */
export interface ComparisonReport {
  readonly date: string;
  readonly commit: string;
  readonly machine: Machine;
  readonly pinned: string;
  /** The subjects that could not take part, with the reason; null when all did. */
  readonly left_out: string | null;
  /** The environment variables that Sluice was started with. */
  readonly settings: Readonly<Record<string, string>>;
  /** Ratios of `sluice` for small bodies at 32 connections. */
  readonly ratios: Ratios | undefined;
  readonly headlines: readonly Headline[];
  readonly at_rest: readonly Rest[];
  readonly rows: readonly Row[];
}

/** Starts everything, measures and prints the tables. Whatever happens, nothing that was started goes on. */
export async function runComparison(options: RunOptions): Promise<ComparisonReport> {
  const { plan, settings } = options;
  const startedMs = performance.now();
  const date = new Date().toISOString();
  const machine = thisMachine();
  const { samples, atRest, pinning, leftOut } = await withSurroundings(
    options,
    async (surroundings) => {
      const compared = await compare({ plan, surroundings, startedMs, onProgress });
      return { ...compared, pinning: surroundings.pinning, leftOut: surroundings.leftOut };
    },
  );
  const rows = rowsOf(samples);
  const headlines = headlinesOf(rows);
  const report = {
    date,
    commit: await commitOf(import.meta.dirname),
    machine,
    pinned: pinnedSentence(pinning),
    left_out: leftOut ?? null,
    settings: { ...benchSettings, ...settings },
    ratios: headlines.find(({ name }) => name === 'sluice')?.ratios,
    headlines,
    at_rest: atRest,
    rows,
  };
  say(`\n${headlineTable(headlines)}\n\n${cellTable(plan.cells, rows)}\n`);
  for (const sentence of sentencesOf(report)) say(sentence);
  return report;
}

/** Returns true if every answer was right. Wrong answers of Portkey can only be left out. */
export const isRight = ({ rows }: ComparisonReport) =>
  rows.every(({ name, faults }) => name === 'portkey' || Object.keys(faults).length === 0);

function sentencesOf(report: ComparisonReport): readonly string[] {
  const { machine, date, commit, pinned, settings, at_rest, rows } = report;
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const resting = at_rest.map(
    ({ name, busy_share, others_busy_share, rss_mb }) =>
      `${name} ${percent(busy_share)} + ${percent(others_busy_share)}, ${Math.round(rss_mb)} MB`,
  );
  const told = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const restless = new Set(rows.filter((row) => !row.came_to_rest).map(({ name }) => name));
  const unsettled = `Still at work 10 s after its answers, which is not counted: ${[...restless].join(', ')}.`;
  const busy = busySentence(machine);
  return [
    `${machine.processors} × ${machine.model}, Node.js ${machine.node}, ${date}, commit ${commit}`,
    pinned,
    `At rest, what is measured + what works for it, of a processor, and memory of the former: ${resting.join('; ')}.`,
    `Sluice has keys, hard limits, durable usage and catalog on, and is started with ${told.join(' ')}`,
    ...(report.left_out === null ? [] : [report.left_out]),
    ...(restless.size === 0 ? [] : [unsettled]),
    ...(busy === undefined ? [] : [busy]),
  ];
}

function pinnedSentence({ placement }: Pinning): string {
  if (!placement) return 'Nothing is pinned: there is one processor only, or no taskset.';
  const { subject, upstream, load, others } = placement;
  return (
    `Pinned: what is measured alone to processor ${subject.join(',')}; the upstream to ${upstream.join(',')}, ` +
    `the load to ${load.join(',')}, PostgreSQL, NATS and the other services to ${others.join(',')}.`
  );
}

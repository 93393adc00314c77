import { dirname, resolve } from 'node:path';
import { busySentence, commitOf, type Machine } from '../results/machine.ts';
import { benchSettings } from '../subjects/sluice/subject.ts';
import type { SubjectName } from '../subjects/subject.ts';
import { compare, type Rest } from './comparison-bench.ts';
import { type Headline, headlinesOf } from './headlines.ts';
import type { Plan } from './plan.ts';
import { type Ratios, type Row, rowsOf } from './rows.ts';
import { type Surroundings, startSurroundings } from './surroundings.ts';
import { cellTable, headlineTable } from './table.ts';

export interface RunOptions {
  readonly folder: string;
  readonly machine: Machine;
  readonly names: readonly SubjectName[];
  readonly plan: Plan;
  /** Settings of Sluice on top of those of the bench. */
  readonly settings: Readonly<Record<string, string>>;
  /** Folder of the checkout that `sluice-before` runs. */
  readonly checkout?: string | undefined;
  readonly onLine: (line: string) => void;
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
  const { machine, names, plan, settings, checkout, onLine } = options;
  const startedMs = performance.now();
  const date = new Date().toISOString();
  const folder = resolve(options.folder);
  const onProgress = (line: string) => onLine(`  ${line}`);
  const surroundings = await startSurroundings({ folder, names, settings, checkout, onProgress });
  const { samples, atRest } = await measured();
  async function measured() {
    try {
      return await compare({ plan, surroundings, startedMs, onProgress });
    } finally {
      await surroundings.stop();
    }
  }
  const rows = rowsOf(samples);
  const headlines = headlinesOf(rows);
  const report = {
    date,
    commit: await commitOf(dirname(import.meta.dirname)),
    machine,
    pinned: pinnedSentence(surroundings),
    left_out: surroundings.leftOut ?? null,
    settings: { ...benchSettings, ...settings },
    ratios: headlines.find(({ name }) => name === 'sluice')?.ratios,
    headlines,
    at_rest: atRest,
    rows,
  };
  onLine(`\n${headlineTable(headlines)}\n\n${cellTable(plan.cells, rows)}\n`);
  for (const sentence of sentencesOf(report)) onLine(sentence);
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

function pinnedSentence({ pinning: { placement } }: Surroundings): string {
  if (!placement) return 'Nothing is pinned: there is one processor only, or no taskset.';
  const { subject, upstream, load, others } = placement;
  return (
    `Pinned: what is measured alone to processor ${subject.join(',')}; the upstream to ${upstream.join(',')}, ` +
    `the load to ${load.join(',')}, PostgreSQL, NATS and the other services to ${others.join(',')}.`
  );
}

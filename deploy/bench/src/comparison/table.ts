import { columns } from '../columns.ts';
import type { Headline } from './headlines.ts';
import { type Cell, nameOf } from './plan.ts';
import { isRowOf, type Row } from './rows.ts';

const times = (value: number | null) => (value === null ? '–' : `${value.toFixed(2)} ×`);
const share = (value: number | null) => (value === null ? '–' : `${(value * 100).toFixed(0)} %`);
const ms = (value: number | null) => (value === null ? '–' : value.toFixed(2));
const whole = (value: number | null) =>
  value === null ? '–' : value.toLocaleString('en', { maximumFractionDigits: 0 });

/** Formats the headline table: ratios and added latency for small bodies. */
export function headlineTable(headlines: readonly Headline[]): string {
  const title = ['', 'to Portkey', 'by CPU', 'of bare', 'by CPU', 'added p50', 'p99 ms'];
  return columns([
    [...title, 'first text p50', 'p99 ms'],
    ...headlines.map((headline) => [
      headline.name,
      times(headline.ratios.vs_portkey),
      times(headline.cpu_ratios.vs_portkey),
      share(headline.ratios.vs_bare_proxy),
      share(headline.cpu_ratios.vs_bare_proxy),
      ms(headline.added_p50_ms),
      ms(headline.added_p99_ms),
      ms(headline.added_first_delta_p50_ms),
      ms(headline.added_first_delta_p99_ms),
    ]),
  ]);
}

const header = [
  'req/s',
  'to Portkey',
  'of bare',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'of bare',
  'helpers µs',
  'garbage KB',
  'others µs',
  'busy',
  'around',
  'MB',
] as const;

/** Every cell with everyone in it. */
export function cellTable(cells: readonly Cell[], rows: readonly Row[]): string {
  return columns(
    cells.flatMap((cell, index) => [
      [nameOf(cell), ...(index === 0 ? header : [])],
      ...rows.filter((row) => isRowOf(row, row.name, cell)).map(lineOf),
    ]),
  );
}

function lineOf(row: Row): readonly string[] {
  const faults = Object.entries(row.faults);
  if (faults.length > 0) {
    const told = faults.map(([kind, count]) => `${count} × ${kind}`).join(', ');
    return [`  ${row.name}  INVALID: ${told}`];
  }
  return [
    `  ${row.name}`,
    whole(row.rps),
    times(row.ratios.vs_portkey),
    share(row.ratios.vs_bare_proxy),
    ms(row.p50_ms),
    ms(row.p99_ms),
    whole(row.cpu_us_per_request),
    share(row.cpu_ratios.vs_bare_proxy),
    whole(row.helper_threads_us_per_request),
    whole(row.garbage_kb_per_request),
    whole(row.others_cpu_us_per_request),
    share(row.busy_share),
    share(row.around_busy_share),
    whole(row.rss_mb),
  ];
}

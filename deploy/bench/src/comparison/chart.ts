import { shown } from '../measure.ts';
import { type Cell, headlineCell, latencyCell, longStreamCell } from './plan.ts';
import { isRowOf, type Row } from './rows.ts';
import type { SubjectName } from '../subjects/subject.ts';
import type { ComparisonReport } from './run-comparison.ts';

interface Panel {
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
}

interface Bar {
  readonly label: string;
  readonly value: number;
  readonly isOurs: boolean;
}

const labels = {
  bare: 'bare proxy',
  portkey: 'Portkey',
  sluice: 'Sluice',
  'sluice-strict': 'Sluice, durability strict',
  'sluice-two': 'Sluice, two processes',
};

const width = 860;
const labelWidth = 170;
const valueWidth = 110;
const barHeight = 20;
const barGap = 6;
const titleHeight = 34;
const panelGap = 18;
const margin = 20;
const footerHeight = 40;

/** Draws the headline figures as a bar chart. */
export function chartOf(report: ComparisonReport): string {
  const panels = panelsOf(report.rows);
  let top = margin;
  const drawn = panels.map((panel) => {
    const text = draw(panel, top);
    top += heightOf(panel);
    return text;
  });
  const { machine, date, commit } = report;
  const about =
    `${machine.processors} × ${machine.model}, Node.js ${machine.node}, ` +
    `${date.slice(0, 10)}, commit ${commit.slice(0, 12)}`;
  const height = top + footerHeight;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" ` +
      'font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="Sluice compared">',
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...drawn,
    text(margin, height - margin, about, 'fill="#666666" font-size="11"'),
    '</svg>\n',
  ].join('\n');
}

const gateways = ['bare', 'portkey', 'sluice', 'sluice-strict', 'sluice-two'] as const;

function panelsOf(rows: readonly Row[]): readonly Panel[] {
  const rowOf = (name: SubjectName, cell: Cell) => rows.find((row) => isRowOf(row, name, cell));
  const directMs = rowOf('direct', latencyCell)?.p50_ms ?? null;
  const added = ({ p50_ms: ms }: Row) => (ms === null || directMs === null ? null : ms - directMs);
  const panel = (title: string, unit: string, cell: Cell, figure: (row: Row) => number | null) => ({
    title,
    unit,
    bars: gateways.flatMap((name) => {
      const row = rowOf(name, cell);
      const value = row ? figure(row) : null;
      const isOurs = name.startsWith('sluice');
      return value === null ? [] : [{ label: labels[name], value, isOurs }];
    }),
  });
  const ofRequests = 'Requests per second on one processor: more is better';
  const ofWords = 'Words of streams per second on one processor: more is better';
  return [
    panel(ofRequests, '/s', headlineCell, ({ rps }) => rps),
    panel(ofWords, '/s', longStreamCell, (row) => row.deltas_per_second),
    panel(
      'Processor time of a request: less is better',
      'µs',
      headlineCell,
      (row) => row.cpu_us_per_request,
    ),
    panel('Added to a lone request, median: less is better', 'ms', latencyCell, added),
  ].filter(({ bars }) => bars.length > 0);
}

const heightOf = ({ bars }: Panel) => titleHeight + bars.length * (barHeight + barGap) + panelGap;

function draw({ title, unit, bars }: Panel, top: number): string {
  const largest = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const room = width - 2 * margin - labelWidth - valueWidth;
  const left = margin + labelWidth;
  const lines = bars.flatMap(({ label, value, isOurs }, index) => {
    const y = top + titleHeight + index * (barHeight + barGap);
    const length = Math.max(1, (Math.max(0, value) / largest) * room);
    const middle = y + barHeight * 0.72;
    return [
      text(left - 8, middle, label, 'fill="#333333" text-anchor="end"'),
      `<rect x="${left}" y="${y}" width="${length.toFixed(1)}" height="${barHeight}" rx="2" ` +
        `fill="${isOurs ? '#1f6feb' : '#b5bcc6'}"/>`,
      text(left + length + 8, middle, `${shown(value)} ${unit}`, 'fill="#333333"'),
    ];
  });
  return [text(margin, top + 16, title, 'fill="#111111" font-weight="600"'), ...lines].join('\n');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const text = (x: number, y: number, content: string, attributes: string) =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${attributes}>` +
  `${content.replaceAll(/[&<>]/g, (sign) => entities[sign] ?? sign)}</text>`;

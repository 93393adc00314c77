import { isSalient, leftOut, withMarks } from './left-out.ts';

/** Beginnings of lines: a time, an address, a level. */
const stamps = [
  /^\W{0,3}(?:\d{4}-\d\d-\d\d|\d\d?[:.]\d\d[:.]\d\d|[A-Z][a-z]{2} +\d{1,2} \d\d:)/,
  /^\W{0,3}(?:\d{1,3}(?:\.\d{1,3}){3} |(?:TRACE|DEBUG|INFO|WARN|WARNING|ERROR|FATAL)\b)/,
];
const linesMin = 20;
const stampedShareMin = 0.5;
/** Other texts are logs if they have so many lines of so few kinds. */
const unstampedLinesMin = 60;
const kindShareMax = 0.4;
const headLines = 5;
const tailLines = 15;
const kindsMax = 60;
const salientMax = 60;
/** The lines after a failure, which mostly say where it happened. */
const afterSalient = 2;

/** Returns the first and last lines of a log, its failures, and the first line of each kind. */
export function shrinkLog(text: string): string | undefined {
  const lines = text.split('\n');
  if (lines.length < linesMin) return undefined;
  const kinds = lines.map(kindOf);
  const stampedLines = lines.filter(isStampedLine).length;
  const isStamped = stampedLines >= stampedShareMin * lines.length;
  const isUniform =
    lines.length >= unstampedLinesMin && new Set(kinds).size <= kindShareMax * lines.length;
  if (!isStamped && !isUniform) return undefined;
  const kept = keptOf(lines, kinds);
  return withMarks(lines, kept, (count) => leftOut(count, 'line')).join('\n');
}

function isStampedLine(line: string): boolean {
  return stamps.some((stamp) => stamp.test(line));
}

function keptOf(lines: readonly string[], kinds: readonly string[]): ReadonlySet<number> {
  const kept = new Set<number>();
  const known = new Set<string>();
  let salient = 0;
  for (const [place, line] of lines.entries()) {
    if (place < headLines || place >= lines.length - tailLines) kept.add(place);
    const kind = kinds[place] ?? '';
    if (!known.has(kind) && known.size < kindsMax) kept.add(place);
    known.add(kind);
    if (salient >= salientMax || !isSalient(line)) continue;
    salient += 1;
    for (let after = 0; after <= afterSalient; after += 1)
      if (place + after < lines.length) kept.add(place + after);
  }
  return kept;
}

/** Returns a line without what differs from one to the next: numbers, ids and quoted texts. */
function kindOf(line: string): string {
  return line
    .slice(0, 400)
    .replaceAll(/"[^"]*"|'[^']*'/g, '"')
    .replaceAll(/\b(?=[a-z]*\d)[\w-]+\b/gi, '#')
    .replaceAll(/\d+/g, '#');
}

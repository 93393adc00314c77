import {
  type CompiledFilters,
  type Redaction,
  redact,
  scan,
  type ScanResult,
} from '@sluice/content-filter';
import { jsonView } from './json-view.ts';
import { redactionsWithin } from './redactions-within.ts';

/** Texts that a model reads one right after the other: a value may begin in one and end in the next. */
export interface ScannedTexts {
  readonly texts: readonly string[];
  /** In JSON the filters see strings as they are read, not as they are written. */
  readonly form: 'text' | 'json';
}

/** The findings in a group of texts. It has no text, so that it can be remembered and sent between threads. */
export interface GroupVerdict {
  readonly detections: readonly GroupDetection[];
  /** In the texts of the group one after the other, as they are read. */
  readonly redactions: readonly Redaction[];
  /** The time was up before all entities were looked for. */
  readonly isCut: boolean;
}

export interface GroupDetection {
  /** The place of the filter in `filtersOf`. */
  readonly filter: number;
  readonly rule: string;
  /** In the texts of the group one after the other, as they are read. */
  readonly start: number;
  readonly end: number;
}

export interface GroupOptions {
  readonly scansInjection: boolean;
  readonly isLate?: () => boolean;
  /** Called between parts of the work. It throws to end the scan. */
  readonly pause?: () => void;
}

/** Scans the texts of a group, each by itself and all as one: a value may be split between them. */
export function scanGroup(
  { texts, form }: ScannedTexts,
  filters: CompiledFilters,
  options: GroupOptions,
): GroupVerdict {
  const whole = readableText({ texts, form });
  const results: { readonly result: ScanResult; readonly offset: number }[] = [
    { result: scan(whole, filters, options), offset: 0 },
  ];
  let offset = 0;
  if (texts.length > 1 && form === 'text')
    for (const text of texts) {
      results.push({ result: scan(text, filters, options), offset });
      offset += text.length;
    }
  const seen = new Set<string>();
  const detections = results.flatMap(({ result, offset: from }) =>
    result.detections.flatMap(({ filter, rule, start, end }): GroupDetection[] => {
      const { number } = filter;
      const key = `${number} ${start + from} ${end + from}`;
      if (seen.has(key)) return [];
      seen.add(key);
      return [{ filter: number, rule, start: start + from, end: end + from }];
    }),
  );
  return {
    detections,
    redactions: united(
      results.flatMap(({ result, offset: from }) =>
        result.redactions.map((one) => ({ ...one, start: one.start + from, end: one.end + from })),
      ),
    ),
    isCut: results.some(({ result }) => result.isCut),
  };
}

/** Returns the texts of a group as one, as a model reads it: in JSON with decoded strings. */
export function readableText({ texts, form }: ScannedTexts): string {
  return form === 'json' ? jsonView(texts.join('')).view : texts.join('');
}

function united(redactions: readonly Redaction[]): readonly Redaction[] {
  const all: { start: number; end: number; placeholder: string }[] = [];
  for (const one of redactions.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = all.at(-1);
    if (last && one.start < last.end) last.end = Math.max(last.end, one.end);
    else all.push({ ...one });
  }
  return all;
}

/** Returns the texts of a group with its redactions. A value across several texts is replaced in the first. */
export function redactGroup(
  { texts, form }: ScannedTexts,
  { redactions }: Pick<GroupVerdict, 'redactions'>,
): readonly string[] {
  if (redactions.length === 0) return texts;
  if (form === 'json') return [jsonView(texts.join('')).redact(redactions)];
  let offset = 0;
  const within = redactionsWithin(redactions);
  return texts.map((text) => {
    const from = offset;
    const to = from + text.length;
    offset = to;
    const own = within(from, to).map(({ start, end, placeholder }) => ({
      start: Math.max(start - from, 0),
      end: Math.min(end, to) - from,
      placeholder: start >= from ? placeholder : '',
    }));
    return redact(text, own);
  });
}

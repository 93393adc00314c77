import type { CompiledFilters, Filter } from './compile-filters.ts';
import { TooManyFindings } from './custom-patterns.ts';
import { type Finding, withoutOverlaps } from './span.ts';
import { cutText } from './cut-text.ts';

/** Content that a filter found. It names the place, never the text. */
export interface Detection extends Finding {
  readonly filter: Filter;
}

export interface ScanResult {
  /** In the order of the text. Overlapping ones of built-in filters are resolved by score, then length. */
  readonly detections: readonly Detection[];
  /** The places to redact: they do not overlap, in the order of the text. */
  readonly redactions: readonly Redaction[];
  /** The entity filters came to the end of their time before the end of the text. */
  readonly isCut: boolean;
}

export interface Redaction {
  readonly start: number;
  readonly end: number;
  readonly placeholder: string;
}

export interface ScanOptions {
  /** False: the text is of no user, and filters of user text alone pass it over. */
  readonly scansInjection?: boolean;
  /** Asked between pieces of a text: true ends the search for entities. */
  readonly isLate?: () => boolean;
  /** Called between parts of the work. It throws to end the scan. */
  readonly pause?: () => void;
}

const noDetections: ScanResult = { detections: [], redactions: [], isCut: false };
/** Detections of one text, of all filters. */
const detectionsMax = 100_000;
/** Entities are looked for in pieces, so that a late search ends soon. */
const pieceCharacters = 8_192;

/**
 * Finds all content that the filters name. Throws TooManyFindings for a text with more than 100,000 detections, which
 * no verdict can list.
 */
export function scan(
  text: string,
  filters: CompiledFilters,
  { scansInjection = true, isLate = () => false, pause }: ScanOptions = {},
): ScanResult {
  const found: Detection[] = [];
  const add = (filter: Filter, findings: readonly Finding[], offset = 0) => {
    pause?.();
    if (found.length + findings.length > detectionsMax) throw new TooManyFindings();
    for (const { start, end, score, rule } of findings)
      found.push({ start: start + offset, end: end + offset, score, rule, filter });
  };
  const { injection, patterns, custom, entities } = filters;
  for (const { filter, recognizer } of scansInjection ? injection : [])
    add(filter, recognizer.find(text, pause));
  for (const { filter, recognizer } of patterns) add(filter, recognizer.find(text, pause));
  if (custom.filters.length > 0) {
    const findings = custom.patterns.find(text, pause);
    custom.filters.forEach((filter, index) => add(filter, findings[index] ?? []));
  }
  let isCut = false;
  if (entities.length > 0)
    for (const { start, end } of cutText(text, pieceCharacters)) {
      isCut = isLate();
      if (isCut) break;
      const piece = text.slice(start, end);
      for (const { filter, recognizer } of entities) add(filter, recognizer.find(piece), start);
    }
  if (found.length === 0) return isCut ? { ...noDetections, isCut } : noDetections;
  return { detections: resolved(found), redactions: redactionsOf(found), isCut };
}

/** Custom filters and injections stand for themselves: no other finding hides them. */
function resolved(found: readonly Detection[]): readonly Detection[] {
  const isAlone = ({ filter: { slug } }: Detection) =>
    slug === 'custom' || slug === 'regex-prompt-injection';
  const builtin = withoutOverlaps(found.filter((one) => !isAlone(one)));
  return [...builtin, ...found.filter(isAlone)].toSorted(byPlace);
}

function byPlace(one: Finding, other: Finding): number {
  return one.start - other.start || one.end - other.end;
}

/**
 * Everything that a redacting filter found goes, also where a better finding overlaps it: a part of it must not stay.
 * The placeholder is that of the best.
 */
function redactionsOf(found: readonly Detection[]): readonly Redaction[] {
  const redactions: { start: number; end: number; score: number; placeholder: string }[] = [];
  const redacting = found.filter(({ filter }) => filter.action === 'redact').toSorted(byPlace);
  for (const { start, end, score, filter } of redacting) {
    const last = redactions.at(-1);
    if (!last || start >= last.end) {
      redactions.push({ start, end, score, placeholder: filter.placeholder });
      continue;
    }
    if (score > last.score) {
      last.score = score;
      last.placeholder = filter.placeholder;
    }
    last.end = Math.max(last.end, end);
  }
  return redactions;
}

/** Returns the text with a placeholder in each place. */
export function redact(text: string, redactions: readonly Redaction[]): string {
  if (redactions.length === 0) return text;
  let redacted = '';
  let at = 0;
  for (const { start, end, placeholder } of redactions) {
    redacted += text.slice(at, start) + placeholder;
    at = end;
  }
  return redacted + text.slice(at);
}

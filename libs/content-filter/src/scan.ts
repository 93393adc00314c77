import type { CompiledFilters } from './compile-filters.ts';
import { cutText } from './cut-text.ts';
import { type Detection, Detections } from './detections.ts';
import { type Span, withoutOverlaps } from './span.ts';
import type { TextView } from './views/text-view.ts';
import { viewsOf } from './views/text-views.ts';

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
/** Entities are looked for in pieces, so that a late search ends soon. */
const pieceCharacters = 8_192;

/**
 * Finds all content that the filters name, in the text as it is written and as a reader understands it. Throws
 * TooManyFindings for a text with more than 100,000 detections, which no verdict can list.
 */
export function scan(
  text: string,
  filters: CompiledFilters,
  { scansInjection = true, isLate = () => false, pause }: ScanOptions = {},
): ScanResult {
  const { injection, patterns, custom, entities } = filters;
  const written: TextView = { text, origins: null };
  const read = viewsOf(text);
  const found = new Detections(text, pause);
  // It has views of its own.
  for (const { filter, recognizer } of scansInjection ? injection : [])
    found.add(filter, recognizer.find(text, pause), { view: written });
  for (const view of [written, ...read]) {
    for (const { filter, recognizer } of patterns)
      found.add(filter, recognizer.find(view.text, pause), { view });
    if (custom.filters.length === 0) continue;
    const findings = custom.patterns.find(view.text, pause);
    custom.filters.forEach((filter, index) => found.add(filter, findings[index] ?? [], { view }));
  }
  // Names are known by their accents: without them they would be other words.
  const named = [written, ...read.filter(({ keepsLetters }) => keepsLetters)];
  let isCut = false;
  for (const view of entities.length > 0 ? named : [])
    for (const { start, end } of cutText(view.text, pieceCharacters)) {
      isCut ||= isLate();
      if (isCut) break;
      const piece = view.text.slice(start, end);
      for (const { filter, recognizer } of entities)
        found.add(filter, recognizer.find(piece), { view, offset: start });
    }
  const all = found.list();
  if (all.length === 0) return isCut ? { ...noDetections, isCut } : noDetections;
  return { detections: resolved(all), redactions: redactionsOf(all), isCut };
}

/** Custom filters and injections stand for themselves: no other finding hides them. */
function resolved(found: readonly Detection[]): readonly Detection[] {
  const isAlone = ({ filter: { slug } }: Detection) =>
    slug === 'custom' || slug === 'regex-prompt-injection';
  const builtin = withoutOverlaps(found.filter((one) => !isAlone(one)));
  return [...builtin, ...found.filter(isAlone)].toSorted(byPlace);
}

function byPlace(one: Span, other: Span): number {
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
  return redactions.map(({ start, end, placeholder }) => ({ start, end, placeholder }));
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

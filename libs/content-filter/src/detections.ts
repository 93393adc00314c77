import type { Filter } from './compile-filters.ts';
import { TooManyFindings } from './custom-patterns.ts';
import type { Finding } from './span.ts';
import { originalSpan, type TextView } from './views/text-view.ts';

/** Content that a filter found. It names the place, never the text. */
export interface Detection extends Finding {
  readonly filter: Filter;
}

interface Place {
  readonly view: TextView;
  /** The place in the view where its searched part begins; absent: it is all of the view. */
  readonly offset?: number;
}

/** Detections of one text, of all filters. */
const detectionsMax = 100_000;

/** The detections of a text. Those that several views show count once. */
export class Detections {
  readonly #text: string;
  readonly #pause: (() => void) | undefined;
  #found: Detection[] = [];
  #views = 0;
  #last: TextView | undefined;

  /** `pause` is called with each part of the work, and throws to end it. */
  constructor(text: string, pause?: () => void) {
    this.#text = text;
    this.#pause = pause;
  }

  add(filter: Filter, findings: readonly Finding[], { view, offset = 0 }: Place): void {
    this.#pause?.();
    if (findings.length === 0) return;
    if (view !== this.#last) this.#views += 1;
    this.#last = view;
    if (this.#found.length + findings.length > detectionsMax) this.#compact();
    if (this.#found.length + findings.length > detectionsMax) throw new TooManyFindings();
    for (const { start, end, score, rule } of findings) {
      const span = originalSpan(this.#text, view, { start: start + offset, end: end + offset });
      this.#found.push({ ...span, score, rule, filter });
    }
  }

  list(): readonly Detection[] {
    this.#compact();
    return this.#found;
  }

  #compact(): void {
    if (this.#views < 2) return;
    const seen = new Set<string>();
    const once = this.#found.filter(({ filter, rule, start, end }) => {
      const key = `${filter.number} ${start} ${end} ${rule}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
    const custom = Map.groupBy(
      once.filter(({ filter }) => filter.slug === 'custom'),
      ({ filter }) => filter.number,
    );
    this.#found = [
      ...once.filter(({ filter }) => filter.slug !== 'custom'),
      ...[...custom.values()].flatMap(withoutParts),
    ];
  }
}

/** Leaves out findings of a pattern that are part of another one: a hidden character may cut a match short. */
function withoutParts(found: readonly Detection[]): readonly Detection[] {
  let last = -1;
  return found
    .toSorted((one, other) => one.start - other.start || other.end - one.end)
    .filter(({ end }) => {
      const isPart = end <= last;
      last = Math.max(last, end);
      return !isPart;
    });
}

/** Labels of one measurement. A label without a value is none. */
export type LabelValues = Readonly<Record<string, string | number | undefined>>;

/** Series beyond these are added up in one that says so. The same number as in the SDK of OpenTelemetry. */
const seriesMax = 2_000;
/** Orders of the same labels. Each place in the code has one. */
const spellingsMax = 4 * seriesMax;
const overflow: LabelValues = { 'otel.metric.overflow': 'true' };

/**
 * Finds the sum of a set of labels by one text, without sorting the labels each time. What is kept has a bound.
 */
export class SeriesOf<Sum> {
  readonly #begin: () => Sum;
  /** Keyed by the labels in the order in which they were given. */
  readonly #spelled = new Map<string, Sum>();
  /** Keyed by the labels in the order of their names. */
  readonly #series = new Map<string, { readonly labels: LabelValues; readonly sum: Sum }>();

  constructor(begin: () => Sum) {
    this.#begin = begin;
  }

  of(labels: LabelValues | undefined): Sum {
    const spelling = textOf(labels);
    const known = this.#spelled.get(spelling);
    if (known !== undefined) return known;
    const sum = this.#find(labels ?? {});
    if (this.#spelled.size < spellingsMax) this.#spelled.set(spelling, sum);
    return sum;
  }

  /** Forgets a series, whose place another one may take. */
  remove(labels: LabelValues): void {
    const key = keyOf(labels);
    const known = this.#series.get(key);
    if (!known) return;
    this.#series.delete(key);
    for (const [spelling, sum] of this.#spelled)
      if (sum === known.sum) this.#spelled.delete(spelling);
  }

  all(): readonly { readonly labels: LabelValues; readonly sum: Sum }[] {
    return [...this.#series.values()];
  }

  #find(given: LabelValues): Sum {
    const known = this.#series.get(keyOf(given));
    if (known) return known.sum;
    const labels = this.#series.size < seriesMax ? withValues(given) : overflow;
    const key = keyOf(labels);
    const sum = this.#series.get(key)?.sum ?? this.#begin();
    this.#series.set(key, { labels, sum });
    return sum;
  }
}

/** Returns the same text for the same labels in the same order. No value has a zero character next to a name. */
function textOf(labels: LabelValues | undefined): string {
  let text = '';
  for (const name in labels) text += `${name}\0${labels[name]}\0`;
  return text;
}

/** Returns the same text for the same labels in any order. */
function keyOf(labels: LabelValues): string {
  const set = Object.entries(withValues(labels));
  return textOf(Object.fromEntries(set.toSorted(([one], [other]) => (one < other ? -1 : 1))));
}

function withValues(labels: LabelValues): LabelValues {
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== undefined));
}

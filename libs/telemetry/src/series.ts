/** Labels of one measurement. A label without a value is none. */
export type LabelValues = Readonly<Record<string, string | number | undefined>>;

/** Series beyond these are added up in one that says so. The same number as in the SDK of OpenTelemetry. */
const seriesMax = 2_000;
/** Orders of the same labels. Each place in the code has one. */
const spellingsMax = 4 * seriesMax;
const overflow: LabelValues = { 'otel.metric.overflow': 'true' };

/** A place in the labels of a measurement, after some names and values in the order in which they were given. */
class Place<Sum> {
  sum: Sum | undefined;
  readonly #next = new Map<string, Map<LabelValues[string], Place<Sum>>>();

  after(name: string, value: LabelValues[string]): Place<Sum> | undefined {
    return this.#next.get(name)?.get(value);
  }

  grow(name: string, value: LabelValues[string]): Place<Sum> {
    const values = this.#next.get(name) ?? new Map<LabelValues[string], Place<Sum>>();
    this.#next.set(name, values);
    const place = values.get(value) ?? new Place<Sum>();
    values.set(value, place);
    return place;
  }
}

/**
 * Finds the sum of a set of labels step by step, without sorting the labels and without a text of them each time. What
 * is kept has a bound.
 */
export class SeriesOf<Sum> {
  readonly #begin: () => Sum;
  /** The place before all labels. */
  #first = new Place<Sum>();
  /** Labels in one order each that lead to a sum. */
  #spellings = 0;
  /** Keyed by the labels in the order of their names. */
  readonly #series = new Map<string, { readonly labels: LabelValues; readonly sum: Sum }>();

  constructor(begin: () => Sum) {
    this.#begin = begin;
  }

  of(labels: LabelValues | undefined): Sum {
    let place: Place<Sum> | undefined = this.#first;
    for (const name in labels) place = place?.after(name, labels[name]);
    return place?.sum ?? this.#note(labels ?? {});
  }

  /** Forgets a series, whose place another one may take. */
  remove(labels: LabelValues): void {
    const key = keyOf(labels);
    const known = this.#series.get(key);
    if (!known) return;
    this.#series.delete(key);
    this.#first = new Place();
    this.#spellings = 0;
  }

  all(): readonly { readonly labels: LabelValues; readonly sum: Sum }[] {
    return [...this.#series.values()];
  }

  #note(labels: LabelValues): Sum {
    const sum = this.#find(labels);
    if (this.#spellings >= spellingsMax) return sum;
    this.#spellings += 1;
    let place = this.#first;
    for (const name in labels) place = place.grow(name, labels[name]);
    place.sum = sum;
    return sum;
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
function textOf(labels: LabelValues): string {
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

/** What tells the series of an instrument apart; one that is undefined is absent. */
export type Attributes<Name extends string> = {
  readonly [Attribute in Name]?: string | number | undefined;
};

export interface Series<State> {
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly state: State;
}

interface Branch<State> {
  readonly next: Map<string | number | undefined, Branch<State>>;
  series: Series<State> | undefined;
}

/** As many as OpenTelemetry allows an instrument: what comes beyond is counted together. */
const seriesMax = 1_999;
const overflow = { 'otel.metric.overflow': true };

/**
 * One state per combination of attributes. It is found value by value, so that a measurement makes
 * no key of them: there are several of a request.
 */
export class SeriesTree<Name extends string, State> {
  readonly #names: readonly Name[];
  readonly #create: () => State;
  readonly #root: Branch<State> = { next: new Map(), series: undefined };
  readonly #all: Series<State>[] = [];
  #overflow: Series<State> | undefined;

  constructor(names: readonly Name[], create: () => State) {
    this.#names = names;
    this.#create = create;
  }

  stateOf(attributes: Attributes<Name>): State {
    let branch = this.#root;
    for (const name of this.#names) {
      const next = branch.next.get(attributes[name]);
      if (next === undefined) return this.#first(attributes).state;
      branch = next;
    }
    return (branch.series ?? this.#first(attributes)).state;
  }

  /** In the order in which they were met; all that did not fit in are one, the last. */
  all(): readonly Series<State>[] {
    return this.#overflow ? [...this.#all, this.#overflow] : this.#all;
  }

  #first(attributes: Attributes<Name>): Series<State> {
    if (this.#all.length >= seriesMax)
      return (this.#overflow ??= { attributes: overflow, state: this.#create() });
    const kept: Record<string, string | number> = {};
    let branch = this.#root;
    for (const name of this.#names) {
      const value = attributes[name];
      if (value !== undefined) kept[name] = value;
      const next = branch.next.get(value) ?? { next: new Map(), series: undefined };
      branch.next.set(value, next);
      branch = next;
    }
    branch.series = { attributes: kept, state: this.#create() };
    this.#all.push(branch.series);
    return branch.series;
  }
}

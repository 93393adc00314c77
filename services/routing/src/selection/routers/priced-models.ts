import { indexOf } from '../benchmarks.ts';
import { blendedPrice, type Candidate } from '../candidate.ts';

/** A model that may be chosen. */
export interface Priced {
  readonly id: string;
  /** The price of a token in atto-USD at the cheapest endpoint, three of input to one of output. */
  readonly price: number;
  readonly candidates: readonly Candidate[];
}

/** Groups endpoints by their models, in the order in which these first appear. */
export function pricedModels(candidates: readonly Candidate[]): readonly Priced[] {
  return [...Map.groupBy(candidates, ({ model }) => model.id)].map(([id, own]) => ({
    id,
    price: Math.min(...own.map(blendedPrice)),
    candidates: own,
  }));
}

/** Returns the intelligence index of a model; 0: it has none. */
export function intelligenceOf({ candidates: [first] }: Priced): number {
  return (first && indexOf(first.model, 'intelligence_index')) ?? 0;
}

const attoUsdPerMillionTokens = 1e12;

/** Returns the USD of a million tokens, for reports. */
export function shownPrice({ price }: Pick<Priced, 'price'>): number {
  return Number((price / attoUsdPerMillionTokens).toPrecision(6));
}

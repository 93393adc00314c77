import type { Wanted } from '../../audit/deliveries/audit-destination.ts';
import { chosenKey, chosenModel, type Given } from './generations.ts';

/** A destination of the scenario, and the generations that it must get. */
export interface Chosen {
  readonly name: string;
  readonly settings: {
    readonly privacyMode?: boolean;
    readonly apiKeys?: { readonly hashes: string[] };
    readonly filterRules?: string;
  };
  readonly expects: (given: Given) => boolean;
  readonly wantsContents: boolean;
}

const rules = {
  groups: [{ rules: [{ field: 'model', operator: 'equals', value: chosenModel }] }],
};

export const destinations: readonly [Chosen, ...Chosen[]] = [
  { name: 'all', settings: {}, expects: () => true, wantsContents: true },
  {
    name: 'key',
    settings: { privacyMode: true, apiKeys: { hashes: [chosenKey] } },
    expects: ({ isOfKey }) => isOfKey,
    wantsContents: false,
  },
  {
    name: 'rules',
    settings: { filterRules: JSON.stringify(rules) },
    expects: ({ isOfModel }) => isOfModel,
    wantsContents: true,
  },
];

/** Returns the deliveries that a destination must get of these generations. */
export function wantedOf(
  { name, expects, wantsContents }: Chosen,
  published: readonly Given[],
): Wanted {
  const expected = new Map(published.filter(expects).map(({ id, kind }) => [id, kind]));
  const hasContents = (id: string) => ['contents', 'loop'].includes(expected.get(id) ?? '');
  return {
    name,
    expected: new Set(expected.keys()),
    contentsOf: (id) => wantsContents && hasContents(id),
  };
}

import { parse } from 'yaml';

const aliasesMax = 100;

/** YAML text → what is in it; of an empty one, nothing. Throws an Error that says where it is none. */
export function parseYaml(text: string): unknown {
  return parse(text, { maxAliasCount: aliasesMax }) ?? {};
}

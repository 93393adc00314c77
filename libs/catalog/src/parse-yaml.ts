import { createRequire } from 'node:module';
import type * as Yaml from 'yaml';

const aliasesMax = 100;

/** YAML text → what is in it; of an empty one, nothing. Throws an Error that says where it is none. */
export function parseYaml(text: string): unknown {
  // An installation without a catalog file never loads the parser.
  const { parse } = createRequire(import.meta.url)('yaml') as typeof Yaml;
  return parse(text, { maxAliasCount: aliasesMax }) ?? {};
}

import type { Model } from '@sluice/catalog';

/** The encodings whose tokens are counted exactly. */
export const encodings = ['o200k_base', 'cl100k_base'] as const;
export type Encoding = (typeof encodings)[number];

/** The older models of OpenAI. */
const cl100k = /^(?:gpt-3\.5|gpt-4(?![.o\d]))/;
const o200k = /^(?:gpt-4o|gpt-4\.|gpt-[5-9]|gpt-oss|chatgpt-|o[1-9])/;

/** Returns the encoding of a model, by its `tokenizer` in the catalog or by its name. undefined: it is not known. */
export function encodingOf({ id, details }: Pick<Model, 'id' | 'details'>): Encoding | undefined {
  const named = encodings.find((encoding) => encoding === details.tokenizer);
  if (named || details.tokenizer !== 'GPT') return named;
  const name = id.slice(id.indexOf('/') + 1);
  if (cl100k.test(name)) return 'cl100k_base';
  return o200k.test(name) ? 'o200k_base' : undefined;
}

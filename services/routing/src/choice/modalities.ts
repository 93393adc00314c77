import type { ContentPart, InferenceRequest } from '@sluice/inference';

/** What kinds of things a request says to its model, each once. */
export function modalitiesOf({ items, prompt }: InferenceRequest): readonly ContentPart['type'][] {
  const found = new Set<ContentPart['type']>();
  for (const item of items) {
    if (item.type === 'message') for (const { type } of item.content) found.add(type);
    else if (item.type === 'function-call-output' || item.type === 'custom-tool-call-output')
      if (typeof item.output !== 'string') for (const { type } of item.output) found.add(type);
  }
  for (const value of Object.values(prompt?.variables ?? {}))
    if (typeof value !== 'string') found.add(value.type);
  return [...found];
}

import type { ContentPart, InferenceRequest } from '@sluice/inference';

type Modality = ContentPart['type'];

/** Returns the kinds of content that a request sends to its model, each once. */
export function modalitiesOf({ items, prompt }: InferenceRequest): readonly Modality[] {
  const found: Modality[] = [];
  const add = (part: ContentPart) => {
    const isDropped = part.type === 'image' && part.isOptional;
    if (!isDropped && !found.includes(part.type)) found.push(part.type);
  };
  for (const item of items) {
    if (item.type === 'message') item.content.forEach(add);
    else if (item.type === 'native' && item.picture) add(item.picture);
    else if (item.type === 'function-call-output' || item.type === 'custom-tool-call-output')
      if (typeof item.output !== 'string') item.output.forEach(add);
  }
  if (prompt)
    for (const value of Object.values(prompt.variables)) if (typeof value !== 'string') add(value);
  return found;
}

import type { EmbeddingPart, EmbeddingsBody } from '@sluice/client-schemas';
import type { ContentPart, InputItem } from '@sluice/inference';
import { urlSource } from '../service-fields/read-media.ts';

interface Inputs {
  /** One message per input. None if the inputs are tokens. */
  readonly items: readonly InputItem[];
  readonly tokens: readonly (readonly number[])[] | undefined;
}

/** Reads the inputs: a text, texts, the tokens of one input or of several, or objects with content. */
export function readInputs(input: EmbeddingsBody['input']): Inputs {
  if (typeof input === 'string') return { items: [itemOf([textPart(input)])], tokens: undefined };
  const items: InputItem[] = [];
  const only: number[] = [];
  const tokens: (readonly number[])[] = [];
  for (const entry of input)
    if (typeof entry === 'string') items.push(itemOf([textPart(entry)]));
    else if (typeof entry === 'number') only.push(entry);
    else if (Array.isArray(entry)) tokens.push(entry);
    else items.push(itemOf(entry.content.map(readPart)));
  if (only.length > 0) tokens.push(only);
  return { items, tokens: tokens.length > 0 ? tokens : undefined };
}

function itemOf(content: readonly ContentPart[]): InputItem {
  return { type: 'message', role: 'user', content };
}

function textPart(text: string): ContentPart {
  return { type: 'text', text };
}

function readPart(part: EmbeddingPart): ContentPart {
  switch (part.type) {
    case 'text':
    case 'input_text':
      return textPart(part.text);
    case 'image_url':
      return { type: 'image', source: urlSource(part.image_url.url), detail: 'auto' };
    case 'video_url':
      return { type: 'video', source: urlSource(part.video_url.url) };
    case 'input_audio':
      return { type: 'audio', ...part.input_audio };
    case 'file': {
      const { filename, file_data: data } = part.file;
      return { type: 'file', source: urlSource(data), filename: filename ?? undefined };
    }
  }
}

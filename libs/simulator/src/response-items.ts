import type { Frame, Served } from './dialect.ts';
import { chunksOf, type OutputPart } from './generation.ts';
import { openAiLogprobs } from './logprobs.ts';

type Numbered = (type: string, payload: object) => string;
type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** Returns the status in which an item ends. The last item is cut where the limit or the filter cuts the whole. */
export function endStatusOf({ generation }: Served, index: number): ItemStatus {
  const { finish, parts } = generation;
  const isCut = finish === 'length' || finish === 'content-filter';
  return isCut && index === parts.length - 1 ? 'incomplete' : 'completed';
}

/** An output item of the responses dialect; while in progress it is still empty. */
export function itemOf(served: Served, index: number, status: ItemStatus): object {
  const part = partAt(served, index);
  const isWritten = status !== 'in_progress';
  const text = isWritten ? part.text : '';
  const id = itemId(served, index);
  switch (part.type) {
    case 'reasoning': {
      const summary = isWritten ? [{ type: 'summary_text', text }] : [];
      const isSealed = isWritten && served.prompt.wantsEncrypted === true;
      return { type: 'reasoning', id, summary, ...(isSealed && { encrypted_content: 'c2Vh' }) };
    }
    case 'tool-call': {
      const callId = `call_${served.id.slice(-8)}_${index}`;
      const { name, namespace } = part;
      const group = namespace === undefined ? {} : { namespace };
      const call = { id, call_id: callId, name, ...group, status };
      return part.isCustom
        ? { ...call, type: 'custom_tool_call', input: text }
        : { ...call, type: 'function_call', arguments: text };
    }
    case 'search': {
      const { query = '', pages = [] } = part.search ?? {};
      const found = pages.map(({ url }) => ({ type: 'url', url }));
      const sources = isWritten && served.prompt.wantsSources ? { sources: found } : {};
      return { type: 'web_search_call', id, status, action: { type: 'search', query, ...sources } };
    }
    case 'text':
    case 'refusal': {
      const content = isWritten ? [contentOf(served, part, text)] : [];
      return { type: 'message', id, role: 'assistant', status, content };
    }
  }
}

/** All events of one output item, from `output_item.added` to `output_item.done`. */
export function* itemFrames(served: Served, index: number, numbered: Numbered): Iterable<Frame> {
  const part = partAt(served, index);
  const place = { item_id: itemId(served, index), output_index: index };
  const open = (type: string, payload: object): Frame => ({
    type: 'open',
    bytes: numbered(type, payload),
  });
  const item = (status: ItemStatus) => ({
    output_index: index,
    item: itemOf(served, index, status),
  });
  yield open('response.output_item.added', item('in_progress'));
  switch (part.type) {
    case 'reasoning': {
      const at = { ...place, summary_index: 0 };
      const empty = { type: 'summary_text', text: '' };
      const full = { type: 'summary_text', text: part.text };
      yield open('response.reasoning_summary_part.added', { ...at, part: empty });
      yield* deltas('response.reasoning_summary_text.delta', at, part, index, numbered);
      yield open('response.reasoning_summary_text.done', { ...at, text: part.text });
      yield open('response.reasoning_summary_part.done', { ...at, part: full });
      break;
    }
    case 'tool-call':
      yield* callFrames(part, place, index, numbered);
      break;
    case 'search':
      for (const word of ['in_progress', 'searching', 'completed'])
        yield open(`response.web_search_call.${word}`, place);
      break;
    case 'text':
    case 'refusal': {
      const at = { ...place, content_index: 0 };
      const kind = part.type === 'text' ? 'output_text' : 'refusal';
      const extra = (text: string) =>
        part.type === 'text'
          ? { logprobs: openAiLogprobs(text, served.prompt.likeliestCount) }
          : {};
      yield open('response.content_part.added', { ...at, part: contentOf(served, part, '') });
      yield* deltas(`response.${kind}.delta`, at, part, index, numbered, extra);
      for (const [annotation_index, annotation] of annotationsOf(part).entries())
        yield open('response.output_text.annotation.added', {
          ...at,
          annotation_index,
          annotation,
        });
      const done = part.type === 'text' ? { text: part.text } : { refusal: part.text };
      yield open(`response.${kind}.done`, { ...at, ...extra(part.text), ...done });
      yield open('response.content_part.done', { ...at, part: contentOf(served, part, part.text) });
      break;
    }
  }
  yield open('response.output_item.done', item(endStatusOf(served, index)));
}

function* callFrames(
  part: OutputPart,
  place: object,
  index: number,
  numbered: Numbered,
): Iterable<Frame> {
  const { name, text, isCustom } = part;
  const kind = isCustom ? 'custom_tool_call_input' : 'function_call_arguments';
  yield* deltas(`response.${kind}.delta`, place, part, index, numbered);
  const done = isCustom ? { input: text } : { name, arguments: text };
  yield { type: 'open', bytes: numbered(`response.${kind}.done`, { ...place, ...done }) };
}

function* deltas(
  type: string,
  place: object,
  part: OutputPart,
  index: number,
  numbered: Numbered,
  extra: (text: string) => object = () => ({}),
): Iterable<Frame> {
  for (const text of chunksOf(part.text)) {
    const bytes = numbered(type, { ...place, ...extra(text), delta: text });
    yield { type: 'chunk', part: index, text, bytes };
  }
}

function contentOf({ prompt }: Served, part: OutputPart, text: string): object {
  return part.type === 'refusal'
    ? { type: 'refusal', refusal: text }
    : {
        type: 'output_text',
        text,
        annotations: text === '' ? [] : annotationsOf(part),
        logprobs: openAiLogprobs(text, prompt.likeliestCount),
      };
}

function annotationsOf({ text, cited }: OutputPart): readonly object[] {
  if (!cited) return [];
  const start = text.indexOf(cited.url);
  const { url, title } = cited;
  const range = { start_index: start, end_index: start + url.length };
  return start < 0 ? [] : [{ type: 'url_citation', url, title, ...range }];
}

const prefixes = {
  search: 'ws',
  reasoning: 'rs',
  text: 'msg',
  refusal: 'msg',
  'tool-call': 'fc',
} as const;

function itemId(served: Served, index: number): string {
  const { type, isCustom } = partAt(served, index);
  return `${isCustom ? 'ctc' : prefixes[type]}_${served.id.slice(-12)}_${index}`;
}

function partAt(served: Served, index: number): OutputPart {
  const part = served.generation.parts[index];
  if (part === undefined) throw new RangeError(`there is no output part ${index}`);
  return part;
}

import type { ContentPart as SaidPart, InputItem, MediaSource, Tool } from '@sluice/inference';
import type {
  ContentMessage,
  ContentPart,
  Contents,
  MediaPart,
  ToolDefinition,
} from './contents.ts';
import { Room } from './room.ts';

/** A conversation with its answer, in the canonical language. */
export interface Said {
  readonly items: readonly InputItem[];
  readonly tools: readonly Tool[];
  /** The answer as items. */
  readonly answer: readonly InputItem[];
  readonly finishReason: string;
}

const charactersMax = 96 * 1_024;
const messagesMax = 500;
const toolsMax = 128;
const uriCharactersMax = 2_048;

/** Returns the contents of a conversation, without media, and cut where they are too long. */
export function contentsOf({ items, tools, answer, finishReason }: Said): Contents {
  const room = new Room(charactersMax);
  const said = messagesOf(answer, room).map((message) => ({
    ...message,
    finish_reason: finishReason,
  }));
  const isSystem = (item: InputItem) =>
    item.type === 'message' && (item.role === 'system' || item.role === 'developer');
  const system = items.filter(isSystem).flatMap((item) => partsOf(item, room));
  const rest = items.filter((item) => !isSystem(item));
  const kept = rest.slice(-messagesMax);
  // The newest have precedence.
  const input = messagesOf(kept.toReversed(), room).toReversed();
  const definitions = definitionsOf(tools, room);
  return {
    system,
    input,
    output: said,
    tools: definitions,
    isCut: room.isCut || kept.length < rest.length || tools.length > toolsMax,
  };
}

function messagesOf(items: readonly InputItem[], room: Room): readonly ContentMessage[] {
  return items.flatMap((item) => {
    const parts = partsOf(item, room);
    return parts.length === 0 ? [] : [{ role: roleOf(item), parts }];
  });
}

function roleOf(item: InputItem): ContentMessage['role'] {
  switch (item.type) {
    case 'message':
      return item.role === 'assistant' ? 'assistant' : 'user';
    case 'function-call-output':
    case 'custom-tool-call-output':
      return 'tool';
    case 'function-call':
    case 'custom-tool-call':
    case 'reasoning':
    case 'native':
      return 'assistant';
  }
}

function partsOf(item: InputItem, room: Room): readonly ContentPart[] {
  switch (item.type) {
    case 'message':
      return item.content.map((part) => partOf(part, room));
    case 'function-call':
      return [callOf(item.callId, item.name, room.take(item.arguments))];
    case 'custom-tool-call':
      return [callOf(item.callId, item.name, room.take(item.input))];
    case 'function-call-output':
    case 'custom-tool-call-output':
      return [
        { type: 'tool_call_response', id: item.callId, response: outputOf(item.output, room) },
      ];
    case 'reasoning': {
      const content = [...item.summary, ...item.content].join('\n');
      return content === '' ? [] : [{ type: 'reasoning', content: room.take(content) }];
    }
    case 'native': {
      if (item.picture) return [mediaOf('image', item.picture.source)];
      return item.text === '' ? [] : [{ type: 'text', content: room.take(item.text) }];
    }
  }
}

const callOf = (id: string, name: string, text: string): ContentPart => ({
  type: 'tool_call',
  id,
  name,
  arguments: text,
});

function outputOf(output: string | readonly SaidPart[], room: Room): string {
  if (typeof output === 'string') return room.take(output);
  return room.take(
    output.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join(''),
  );
}

function partOf(part: SaidPart, room: Room): ContentPart {
  switch (part.type) {
    case 'text':
      return { type: 'text', content: room.take(part.text) };
    case 'audio':
      return { type: 'omitted_media', modality: 'audio', mime_type: `audio/${part.format}` };
    case 'image':
    case 'video':
    case 'file':
      return mediaOf(part.type, part.source);
  }
}

function mediaOf(modality: MediaPart['modality'], source: MediaSource): MediaPart {
  switch (source.type) {
    case 'data':
      return { type: 'omitted_media', modality, mime_type: source.mediaType };
    case 'url':
      return isShownUrl(source.url)
        ? { type: 'uri', modality, uri: source.url }
        : { type: 'omitted_media', modality };
    case 'id':
      return { type: 'omitted_media', modality };
  }
}

/** A URL that carries the medium itself is no URL of it. */
function isShownUrl(url: string): boolean {
  return url.length <= uriCharactersMax && /^https?:/i.test(url);
}

function definitionsOf(tools: readonly Tool[], room: Room): readonly ToolDefinition[] {
  return tools.slice(0, toolsMax).flatMap((tool): readonly ToolDefinition[] => {
    if (tool.type === 'native') return [];
    const { name, description } = tool;
    const parameters = tool.type === 'function' ? tool.parameters : undefined;
    const fits = parameters === undefined || room.fits(JSON.stringify(parameters).length);
    return [
      {
        type: 'function',
        name,
        ...(description !== undefined && { description: room.take(description) }),
        ...(parameters && fits && { parameters }),
      },
    ];
  });
}

import { type Static, Type } from 'typebox';
import { anyObject, flag, formed, listOf, oneOf, optional, text } from '../fields.ts';
import { cacheControl } from '../service-fields/fields.ts';
import { limits } from '../service-fields/limits.ts';
import { base64, mediaUrl } from '../service-fields/media.ts';

const cached = { cache_control: optional(cacheControl) };
const identifier = text({ min: 1, max: limits.identifierCharactersMax });
const bounds = { max: limits.contentPartsMax };

export const textBlock = Type.Object({ type: Type.Literal('text'), text: text(), ...cached });

const dataSource = Type.Object({
  type: Type.Literal('base64'),
  media_type: formed('^[a-zA-Z0-9.+-]+/[a-zA-Z0-9.+-]+$', 'a media type'),
  data: base64,
});
const urlSource = Type.Object({ type: Type.Literal('url'), url: mediaUrl });
const fileSource = Type.Object({ type: Type.Literal('file'), file_id: identifier });

const imageBlock = Type.Object({
  type: Type.Literal('image'),
  source: Type.Union([dataSource, urlSource, fileSource], { mustBe: 'a source' }),
  ...cached,
});

const innerContent = Type.Union([text(), listOf(Type.Union([textBlock, imageBlock]), bounds)], {
  mustBe: 'a string or an array of blocks',
});
const documentBlock = Type.Object({
  type: Type.Literal('document'),
  source: Type.Union(
    [
      dataSource,
      urlSource,
      fileSource,
      Type.Object({
        type: Type.Literal('text'),
        media_type: oneOf('text/plain'),
        data: text(),
      }),
      Type.Object({ type: Type.Literal('content'), content: innerContent }),
    ],
    { mustBe: 'a source' },
  ),
  title: optional(text({ max: limits.filenameCharactersMax })),
  context: optional(text()),
  citations: optional(Type.Object({ enabled: optional(flag) })),
  ...cached,
});
const searchResultBlock = Type.Object({
  type: Type.Literal('search_result'),
  source: text(),
  title: text(),
  content: listOf(textBlock, bounds),
  ...cached,
});

const toolUseBlock = Type.Object({
  type: Type.Literal('tool_use'),
  id: identifier,
  name: text({ min: 1, max: limits.identifierCharactersMax }),
  input: anyObject,
  ...cached,
});

/** Blocks of the provider's own tools. The model that reads them next may be another provider's. */
const serverBlock = Type.Object({
  type: formed(
    '^(?:server_tool_use|container_upload|tool_reference|compaction|[a-z_]+_tool_result)$',
    'a known kind of block',
    'server_tool_use',
  ),
});

/** A tool that a search of the client found. */
const toolReferenceBlock = Type.Object({
  type: Type.Literal('tool_reference'),
  tool_name: text({ max: limits.identifierCharactersMax }),
});

const toolResultPart = Type.Union(
  [textBlock, imageBlock, documentBlock, searchResultBlock, toolReferenceBlock, serverBlock],
  { mustBe: 'a block' },
);
const toolResultBlock = Type.Object({
  type: Type.Literal('tool_result'),
  tool_use_id: identifier,
  content: optional(
    Type.Union([text(), listOf(toolResultPart, bounds)], {
      mustBe: 'a string or an array of blocks',
    }),
  ),
  is_error: optional(flag),
  ...cached,
});

const thinkingBlock = Type.Object({
  type: Type.Literal('thinking'),
  thinking: text(),
  signature: optional(text()),
});
const redactedBlock = Type.Object({ type: Type.Literal('redacted_thinking'), data: text() });

const block = { mustBe: 'a block' };

const userBlock = Type.Union(
  [textBlock, imageBlock, documentBlock, searchResultBlock, toolResultBlock, serverBlock],
  block,
);
const assistantBlock = Type.Union(
  [textBlock, imageBlock, toolUseBlock, thinkingBlock, redactedBlock, serverBlock],
  block,
);
const blocks = { mustBe: 'a string or an array of blocks' };

export const systemContent = Type.Union([text(), listOf(textBlock, bounds)], blocks);

const message = Type.Union(
  [
    Type.Object({
      role: Type.Literal('user'),
      content: Type.Union([text(), listOf(userBlock, bounds)], blocks),
    }),
    Type.Object({
      role: Type.Literal('assistant'),
      content: Type.Union([text(), listOf(assistantBlock, bounds)], blocks),
    }),
    Type.Object({ role: Type.Literal('system'), content: systemContent }),
  ],
  { mustBe: 'a message' },
);

export const messages = listOf(message, { min: 1, max: limits.inputItemsMax });
export type MessageParamBody = Static<typeof message>;
export type TextBlockBody = Static<typeof textBlock>;
export type UserBlockBody = Static<typeof userBlock>;
export type AssistantBlockBody = Static<typeof assistantBlock>;
export type ToolResultBody = Static<typeof toolResultBlock>;
export type ResultPartBody = Static<typeof toolResultPart>;
export type DocumentBody = Static<typeof documentBlock>;
export type ImageBody = Static<typeof imageBlock>;

import { type Static, Type } from 'typebox';
import { anyObject, field, flag, formed, kind, listOf, oneOf, optional, text } from '../fields.ts';
import { cache_control } from '../service-fields/cache-control.ts';
import { answeringModel } from '../service-fields/answering-model.ts';
import { annotations } from '../service-fields/file-annotation.ts';
import { limits } from '../service-fields/limits.ts';
import { base64, mediaUrl } from '../service-fields/media.ts';

const identifier = text({ min: 1, max: limits.identifierCharactersMax });
const contentText = ['A text, or a list of blocks.', 'Say hello'] as const;
const sourceText = 'The place of the content, or the content itself.';
const bounds = { max: limits.contentPartsMax };

export const textBlock = Type.Object({
  type: kind('text'),
  text: field(text(), 'The text.', 'Say hello'),
  cache_control,
});

const dataSource = Type.Object({
  type: kind('base64'),
  media_type: field(
    formed('^[a-zA-Z0-9.+-]+/[a-zA-Z0-9.+-]+$', 'a media type'),
    'Media type of the file.',
    'text/plain',
  ),
  data: field(base64, 'The content in base64.', 'aGVsbG8='),
});
const urlSource = Type.Object({
  type: kind('url'),
  url: field(mediaUrl, 'Address of the file.', 'https://example.com/cat.png'),
});
const fileSource = Type.Object({
  type: kind('file'),
  file_id: field(identifier, 'Id of a file at the provider.', 'file-1'),
});

const imageBlock = Type.Object({
  type: kind('image'),
  source: field(
    Type.Union([dataSource, urlSource, fileSource], { mustBe: 'a source' }),
    sourceText,
  ),
  cache_control,
});

const innerContent = Type.Union([text(), listOf(Type.Union([textBlock, imageBlock]), bounds)], {
  mustBe: 'a string or an array of blocks',
});
const documentBlock = Type.Object({
  type: kind('document'),
  source: field(
    Type.Union(
      [
        dataSource,
        urlSource,
        fileSource,
        Type.Object({
          type: kind('text'),
          media_type: field(oneOf('text/plain'), 'Media type of the file.'),
          data: field(text(), 'The text.', 'Say hello'),
        }),
        Type.Object({
          type: kind('content'),
          content: field(innerContent, ...contentText),
        }),
      ],
      { mustBe: 'a source' },
    ),
    sourceText,
  ),
  title: optional(
    text({ max: limits.filenameCharactersMax }),
    'Name of the file or the page.',
    'Report',
  ),
  context: optional(text(), 'What to know about the file.'),
  citations: optional(
    Type.Object({ enabled: optional(flag, 'Whether the answer names them.', false) }),
    'Whether the answer names the places of the file that it rests on.',
    {},
  ),
  cache_control,
});
const searchResultBlock = Type.Object({
  type: kind('search_result'),
  source: field(text(), 'Where the result is from.', 'https://example.com'),
  title: field(text(), 'Name of the page.', 'Report'),
  content: field(listOf(textBlock, bounds), 'The text of the result.'),
  cache_control,
});

const toolUseBlock = Type.Object({
  type: kind('tool_use'),
  id: field(identifier, 'Id of the call. Its result names it.', 'toolu_1'),
  name: field(identifier, 'Name of the tool.', 'get_weather'),
  input: field(anyObject, 'The arguments of the call.', { city: 'Berlin' }),
  cache_control,
});

/** Blocks of the provider's own tools. The model that reads them next may be another provider's. */
const serverBlock = Type.Object({
  type: field(
    formed(
      '^(?:server_tool_use|container_upload|tool_reference|compaction|[a-z_]+_tool_result)$',
      'a known kind of block',
      'server_tool_use',
    ),
    'The kind of item.',
    'server_tool_use',
  ),
});

/** A tool that a search of the client found. */
const toolReferenceBlock = Type.Object({
  type: kind('tool_reference'),
  tool_name: field(
    text({ max: limits.identifierCharactersMax }),
    'Name of the tool.',
    'get_weather',
  ),
});

const toolResultPart = Type.Union(
  [textBlock, imageBlock, documentBlock, searchResultBlock, toolReferenceBlock, serverBlock],
  { mustBe: 'a block' },
);
const toolResultBlock = Type.Object({
  type: kind('tool_result'),
  tool_use_id: field(identifier, 'The id of the call that is answered.', 'toolu_1'),
  content: optional(
    Type.Union([text(), listOf(toolResultPart, bounds)], {
      mustBe: 'a string or an array of blocks',
    }),
    ...contentText,
  ),
  is_error: optional(flag, 'Whether the tool failed.', false),
  cache_control,
});

const thinkingBlock = Type.Object({
  type: kind('thinking'),
  thinking: field(text(), 'The thought of the model.'),
  signature: optional(text(), "The provider's signature of the thought.", 'c2lnbmVk'),
});
const redactedBlock = Type.Object({
  type: kind('redacted_thinking'),
  data: field(text(), 'Content that only its writer can read.', 'c2VjcmV0'),
});

const block = { mustBe: 'a block' };

const userBlock = Type.Union(
  [textBlock, imageBlock, documentBlock, searchResultBlock, toolResultBlock, serverBlock],
  block,
);
/** A text of the model. It has what the plugin `file-parser` read before. */
const saidBlock = Type.Object({ ...textBlock.properties, annotations });
const assistantBlock = Type.Union(
  [saidBlock, imageBlock, toolUseBlock, thinkingBlock, redactedBlock, serverBlock],
  block,
);
const blocks = { mustBe: 'a string or an array of blocks' };

export const systemContent = Type.Union([text(), listOf(textBlock, bounds)], blocks);

const author = <const Word extends string>(word: Word) =>
  Type.Literal(word, { description: 'The author of the message.' });
const message = Type.Union(
  [
    Type.Object({
      role: author('user'),
      content: field(Type.Union([text(), listOf(userBlock, bounds)], blocks), ...contentText),
    }),
    Type.Object({
      role: author('assistant'),
      model: answeringModel,
      content: field(Type.Union([text(), listOf(assistantBlock, bounds)], blocks), ...contentText),
    }),
    Type.Object({
      role: author('system'),
      content: field(systemContent, ...contentText),
    }),
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

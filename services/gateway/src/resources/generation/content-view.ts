import type { JsonObject } from '@sluice/client-schemas';
import { catalog, isErrorCode } from '@sluice/errors';
import type {
  ContentError,
  ContentMessage,
  ContentPart,
  Contents,
  FailedAttempt,
  MediaPart,
  ToolDefinition,
} from '@sluice/generation-contents';
import type { GenerationContentView } from './content-schema.ts';

/** Returns the public form of contents: messages are in the words of `POST /chat/completions`. */
export function contentView({
  system,
  input,
  output,
  tools,
  isCut,
  error,
}: Contents): GenerationContentView {
  const instructions = textOf(system, 'text');
  const said = output.flatMap(({ parts }) => parts);
  const calls = callsIn(said);
  return {
    input: {
      messages: [
        ...(instructions === null ? [] : [{ role: 'system', content: instructions }]),
        ...input.flatMap(messagesView),
      ],
      ...(tools.length > 0 && { tools: tools.map(toolView) }),
    },
    output: {
      completion: textOf(said, 'text'),
      reasoning: textOf(said, 'reasoning'),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
    error: error ? errorView(error) : null,
    is_truncated: isCut,
  };
}

/** Returns null if there is no such part. */
function textOf(parts: readonly ContentPart[], type: 'text' | 'reasoning'): string | null {
  const texts = parts.flatMap((part) => (part.type === type ? [part.content] : []));
  return texts.length === 0 ? null : texts.join('\n');
}

function messagesView({ role, parts }: ContentMessage): JsonObject[] {
  if (role === 'tool')
    return parts.flatMap((part) =>
      part.type === 'tool_call_response'
        ? [{ role, tool_call_id: part.id, content: part.response }]
        : [],
    );
  const shown = parts.map(partView).filter((part) => part !== undefined);
  const isText = shown.every((part) => part['type'] === 'text');
  const reasoning = textOf(parts, 'reasoning');
  const calls = callsIn(parts);
  return [
    {
      role,
      content: isText ? textOf(parts, 'text') : shown,
      ...(reasoning !== null && { reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
  ];
}

function partView(part: ContentPart): JsonObject | undefined {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.content };
    case 'uri':
    case 'omitted_media':
      return mediaView(part);
    case 'reasoning':
    case 'tool_call':
    case 'tool_call_response':
      return undefined;
  }
}

/** A medium whose bytes were left out has no form in the words of the API. */
function mediaView({ type, modality, mime_type: mimeType, uri }: MediaPart): JsonObject {
  if (type === 'omitted_media' || uri === undefined)
    return {
      type: 'omitted_media',
      modality,
      ...(mimeType !== undefined && { mime_type: mimeType }),
    };
  if (modality === 'file') return { type: 'file', file: { file_data: uri } };
  return { type: `${modality}_url`, [`${modality}_url`]: { url: uri } };
}

function callsIn(parts: readonly ContentPart[]): JsonObject[] {
  return parts.flatMap((part) =>
    part.type === 'tool_call'
      ? [
          {
            id: part.id,
            type: 'function',
            function: { name: part.name, arguments: part.arguments },
          },
        ]
      : [],
  );
}

function toolView({ name, description, parameters }: ToolDefinition): JsonObject {
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      ...(parameters && { parameters }),
    },
  };
}

function errorView({ code, message, provider, previous }: ContentError) {
  return {
    message,
    status: statusOf(code),
    provider_name: provider || null,
    raw: null,
    previous_errors: previous.map(attemptView),
  };
}

function attemptView({ code, provider, status = statusOf(code) }: FailedAttempt) {
  const message = isErrorCode(code) ? catalog[code].message : code;
  return { code: status, message, provider_name: provider || null, raw: null };
}

function statusOf(code: string): number {
  return isErrorCode(code) ? catalog[code].http : 500;
}

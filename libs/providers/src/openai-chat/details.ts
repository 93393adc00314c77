import type { ReasoningItem, ReasoningReplay } from '@sluice/inference';
import { asIndex, asObject, asString, type JsonObject } from '../json-reader.ts';

/** Marks thoughts without a maker that must read them again. They are plain text and can be replayed to any server. */
export const chatReasoningFormat = 'unknown';

/** The formats that other dialects and clients know. */
const formats: ReadonlySet<string> = new Set([
  'anthropic-claude-v1',
  'google-gemini-v1',
  'openai-responses-v1',
  'azure-openai-responses-v1',
  'xai-responses-v1',
]);

/** A piece of a thought with the data that its maker wants back, as OpenRouter and others send it. */
export interface ReasoningDetail {
  readonly index: number | undefined;
  readonly format: string;
  readonly text: string;
  readonly isSummary: boolean;
  readonly signature: string | undefined;
  readonly encrypted: string | undefined;
}

/** Returns false for a detail that says no more than `reasoning`. Some servers repeat the whole text each time. */
export function isReplayable({ format, signature, encrypted }: ReasoningDetail): boolean {
  return format !== chatReasoningFormat || signature !== undefined || encrypted !== undefined;
}

const noDetails: readonly ReasoningDetail[] = [];

export function readDetails(details: unknown): readonly ReasoningDetail[] {
  return Array.isArray(details) && details.length > 0
    ? details.flatMap((detail) => readDetail(asObject(detail)))
    : noDetails;
}

function readDetail(detail: JsonObject | undefined): readonly ReasoningDetail[] {
  const format = asString(detail?.['format']) ?? '';
  const about = {
    index: asIndex(detail?.['index']),
    format: formats.has(format) ? format : chatReasoningFormat,
    text: '',
    isSummary: false,
    signature: undefined,
    encrypted: undefined,
  };
  switch (detail?.['type']) {
    case 'reasoning.text': {
      const signature = asString(detail['signature']) || undefined;
      return [{ ...about, text: asString(detail['text']) ?? '', signature }];
    }
    case 'reasoning.summary':
      return [{ ...about, text: asString(detail['summary']) ?? '', isSummary: true }];
    case 'reasoning.encrypted':
      return [{ ...about, encrypted: asString(detail['data']) || undefined }];
    default:
      return noDetails;
  }
}

/** The replay of a thought in progress. */
export interface OpenThought extends ReasoningReplay {
  readonly index: number | undefined;
}

/** Adds a piece to a thought. Pieces of a signature come one after the other. */
export function joinThought(known: OpenThought | undefined, piece: ReasoningDetail): OpenThought {
  const signature = (known?.signature ?? '') + (piece.signature ?? '');
  const encrypted = (known?.encrypted ?? '') + (piece.encrypted ?? '');
  const isNamed = known !== undefined && known.format !== chatReasoningFormat;
  return {
    index: known?.index ?? piece.index,
    format: isNamed ? known.format : piece.format,
    ...(signature !== '' && { signature }),
    ...(encrypted !== '' && { encrypted }),
  };
}

/** Returns true for a thought of which its maker wants something back. */
export function isSigned({ encrypted, signature }: ReasoningItem): boolean {
  return encrypted !== undefined || signature !== undefined;
}

/** Returns the details of an earlier thought. */
export function wireDetails(
  thought: ReasoningItem,
  index: number,
  id: string | undefined,
): readonly object[] {
  const { content, summary, encrypted, signature, format = chatReasoningFormat } = thought;
  const about = { id, format, index };
  const text = content.join('');
  const summaries = summary.map((told) => ({ type: 'reasoning.summary', summary: told, ...about }));
  const texts =
    text === '' && signature === undefined
      ? []
      : [{ type: 'reasoning.text', text, signature, ...about }];
  const sealed =
    encrypted === undefined ? [] : [{ type: 'reasoning.encrypted', data: encrypted, ...about }];
  return [...summaries, ...texts, ...sealed];
}

import type { Logprob, Phase } from '@sluice/inference';
import { asArray, asObject, asString, asWord, exactAt, type JsonObject } from '../json-reader.ts';
import { readLogprobs } from '../logprobs.ts';
import { argumentsText } from '../call-arguments.ts';

/** An output item, reduced to the fields that Sluice reads. */
export type WireItem = ItemContent & {
  /** The upstream's id of the item, if it has one. */
  readonly id: string | undefined;
};

type ItemContent =
  | {
      readonly type: 'message';
      readonly phase: Phase | undefined;
      readonly texts: readonly WireProse[];
      readonly isWhole: boolean;
    }
  | {
      readonly type: 'reasoning';
      readonly summaries: readonly string[];
      readonly content: string;
      readonly encrypted: string | undefined;
      readonly isWhole: boolean;
    }
  | {
      readonly type: 'call';
      readonly isCustom: boolean;
      readonly callId: string;
      /** Empty until the item has it. */
      readonly name: string;
      readonly namespace: string | undefined;
      readonly isAsync: boolean;
      /** The arguments as text. */
      readonly text: string;
      readonly isWhole: boolean;
    }
  | { readonly type: 'image'; readonly base64: string; readonly isWhole: true }
  /** An item of the upstream's own tools. */
  | { readonly type: 'native'; readonly item: JsonObject; readonly isWhole: boolean }
  | { readonly type: 'other' };

export interface WireProse {
  readonly kind: 'text' | 'refusal';
  readonly place: number;
  readonly text: string;
  readonly annotations: readonly JsonObject[];
  readonly logprobs: readonly Logprob[];
}

export interface WireResponse {
  readonly id: string | undefined;
  readonly status: 'completed' | 'incomplete' | 'failed' | undefined;
  readonly incompleteReason: string | undefined;
  readonly error: JsonObject | undefined;
  /** Unchecked. */
  readonly usage: unknown;
  /** The tier that served the request, unchecked. */
  readonly serviceTier: unknown;
  readonly output: readonly WireItem[];
}

/** Parses a whole response. The arguments of a call pass on as they are, and so do the actions of tools. */
export const parseResponse = exactAt('output[].arguments', 'output[].action', 'output[].actions');

export function readResponse(body: JsonObject): WireResponse {
  const status = body['status'];
  return {
    id: asWord(body['id']),
    status:
      status === 'completed' || status === 'incomplete' || status === 'failed' ? status : undefined,
    incompleteReason: asWord(asObject(body['incomplete_details'])?.['reason']),
    error: asObject(body['error']),
    usage: body['usage'],
    serviceTier: body['service_tier'],
    output: asArray(body['output']).map((item) => readItem(asObject(item) ?? {})),
  };
}

const nativeTypes: ReadonlySet<unknown> = new Set([
  'web_search_call',
  'file_search_call',
  'code_interpreter_call',
  'computer_call',
  'local_shell_call',
  'shell_call',
  'shell_call_output',
  'apply_patch_call',
  'mcp_list_tools',
  'mcp_call',
  'mcp_approval_request',
  'compaction',
  'context_compaction',
]);

export function readItem(item: JsonObject): WireItem {
  return { ...readContent(item), id: asString(item['call_id']) ?? asString(item['id']) };
}

function readContent(item: JsonObject): ItemContent {
  const isWhole = item['status'] !== 'incomplete';
  const { type } = item;
  if (nativeTypes.has(type)) return { type: 'native', item, isWhole };
  switch (type) {
    case 'message':
      return {
        type: 'message',
        phase: phaseOf(item['phase']),
        texts: readTexts(item['content']),
        isWhole,
      };
    case 'reasoning':
      return {
        type: 'reasoning',
        summaries: textsOf(item['summary']),
        content: textsOf(item['content']).join(''),
        encrypted: asString(item['encrypted_content']),
        isWhole,
      };
    case 'function_call':
      return readCall(item, { isCustom: false, text: item['arguments'], isWhole });
    case 'custom_tool_call':
      return readCall(item, { isCustom: true, text: item['input'], isWhole });
    case 'image_generation_call': {
      const base64 = asString(item['result']);
      return base64 ? { type: 'image', base64, isWhole: true } : { type: 'other' };
    }
    default:
      return { type: 'other' };
  }
}

function phaseOf(phase: unknown): Phase | undefined {
  return phase === 'commentary' || phase === 'final_answer' ? phase : undefined;
}

function readCall(
  item: JsonObject,
  { isCustom, text, isWhole }: { isCustom: boolean; text: unknown; isWhole: boolean },
): ItemContent {
  return {
    type: 'call',
    isCustom,
    callId: asString(item['call_id']) ?? '',
    name: asString(item['name']) ?? '',
    namespace: asWord(item['namespace']),
    isAsync: item['async'] === true,
    text: argumentsText(text),
    isWhole,
  };
}

function textsOf(list: unknown): readonly string[] {
  return asArray(list).map((part) => asString(asObject(part)?.['text']) ?? '');
}

function readTexts(list: unknown): readonly WireProse[] {
  return asArray(list).flatMap((value, place): WireProse[] => {
    const part = asObject(value);
    switch (part?.['type']) {
      case 'output_text':
        return [
          {
            kind: 'text',
            place,
            text: asString(part['text']) ?? '',
            annotations: asArray(part['annotations'])
              .map(asObject)
              .filter((each) => each !== undefined),
            logprobs: readLogprobs(part['logprobs']),
          },
        ];
      case 'refusal': {
        const text = asString(part['refusal']) ?? '';
        return [{ kind: 'refusal', place, text, annotations: [], logprobs: [] }];
      }
      default:
        return [];
    }
  });
}

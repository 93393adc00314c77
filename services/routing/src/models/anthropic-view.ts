import type { Model } from '@sluice/catalog';
import { invalidRequest, type Rejection } from '@sluice/errors';
import { leadEndpoint, parametersOf } from './shown-endpoints.ts';

/** A page as Anthropic's clients ask for it: from one model on, or up to one. */
export interface Cursor {
  readonly limit: number;
  readonly afterId?: string | undefined;
  readonly beforeId?: string | undefined;
}

export const cursorLimitDefault = 20;

/** Returns a page of Anthropic's `GET /v1/models`, or the Rejection of a cursor that names no model of the list. */
export function anthropicPage(all: readonly Model[], cursor: Cursor): object | Rejection {
  const { limit, afterId, beforeId } = cursor;
  if (afterId !== undefined && beforeId !== undefined)
    return invalidRequest([{ path: 'after_id', message: 'cannot stand beside before_id' }]);
  const placeOf = (id: string) => all.findIndex((model) => model.id === id);
  const after = afterId === undefined ? -1 : placeOf(afterId);
  const before = beforeId === undefined ? all.length : placeOf(beforeId);
  if (afterId !== undefined && after < 0) return unknownCursor('after_id');
  if (before < 0) return unknownCursor('before_id');
  const start = beforeId === undefined ? after + 1 : Math.max(0, before - limit);
  const end = beforeId === undefined ? Math.min(all.length, start + limit) : before;
  const page = all.slice(start, end);
  return {
    data: page.map(anthropicModel),
    has_more: beforeId === undefined ? end < all.length : start > 0,
    first_id: page[0]?.id ?? null,
    last_id: page.at(-1)?.id ?? null,
  };
}

function unknownCursor(path: string): Rejection {
  return invalidRequest([{ path, message: 'names no model of this list' }]);
}

const supported = (value: boolean) => ({ supported: value });
const no = supported(false);
const millisecondsPerSecond = 1_000;

/** A model as Anthropic's clients read it. What `POST /messages` translates counts as supported. */
export function anthropicModel(model: Model): object {
  const lead = leadEndpoint(model);
  return {
    type: 'model',
    id: model.id,
    display_name: model.name,
    created_at: new Date(model.created * millisecondsPerSecond).toISOString(),
    max_input_tokens: lead?.contextLength ?? model.contextLength ?? null,
    max_tokens: lead?.outputTokensMax ?? model.outputTokensMax ?? null,
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    line: null,
    capabilities: capabilitiesOf(model),
  };
}

function capabilitiesOf(model: Model): object {
  const { inputModalities, isReasoning, reasoning } = model;
  const efforts: readonly string[] =
    reasoning?.efforts ?? (isReasoning ? ['high', 'low', 'medium'] : []);
  const effort = (name: string) => supported(efforts.includes(name));
  const thinks = supported(isReasoning);
  return {
    batch: no,
    citations: no,
    code_execution: no,
    context_management: {
      supported: false,
      clear_thinking_20251015: null,
      clear_tool_uses_20250919: null,
      compact_20260112: null,
    },
    effort: {
      ...supported(efforts.length > 0),
      low: effort('low'),
      medium: effort('medium'),
      high: effort('high'),
      xhigh: effort('xhigh'),
      max: effort('max'),
    },
    image_input: supported(inputModalities.includes('image')),
    pdf_input: supported(inputModalities.includes('file')),
    server_tools: { ...no, code_execution: no, web_search: no },
    structured_outputs: supported([...parametersOf(model)].includes('structured_outputs')),
    thinking: {
      ...thinks,
      types: {
        adaptive: thinks,
        between_tools: no,
        disabled: supported(!(isReasoning && (reasoning?.isMandatory ?? true))),
        enabled: thinks,
      },
    },
  };
}

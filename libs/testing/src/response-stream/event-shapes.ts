import { rule } from './rules.ts';

export type Loose = Readonly<Record<string, unknown>>;

/** One event as it came over the wire, with the fields of its type. */
export interface StreamEvent extends Loose {
  readonly type: string;
  readonly sequence_number: number;
}

type FieldKind = 'text' | 'text or null' | 'count' | 'object' | 'list';
type Shape = Readonly<Record<string, FieldKind>>;

const inItem: Shape = { item_id: 'text', output_index: 'count' };
const inContent: Shape = { ...inItem, content_index: 'count' };
const inSummary: Shape = { ...inItem, summary_index: 'count' };
const ofPanel: Shape = { ...inItem, model: 'text' };
const snapshot: Shape = { response: 'object' };
const ofItem: Shape = { output_index: 'count', item: 'object' };

const progress = (call: string, ...steps: readonly string[]): Readonly<Record<string, Shape>> =>
  Object.fromEntries(steps.map((step) => [`response.${call}.${step}`, inItem]));

/** Every event of the contract, and what it says beside its type and its number. */
const shapes: Readonly<Record<string, Shape>> = {
  'response.debug': { debug: 'object' },
  'response.created': snapshot,
  'response.in_progress': snapshot,
  'response.completed': snapshot,
  'response.incomplete': snapshot,
  'response.failed': snapshot,
  error: { code: 'text or null', message: 'text', param: 'text or null' },
  'response.output_item.added': ofItem,
  'response.output_item.done': ofItem,
  'response.content_part.added': { ...inContent, part: 'object' },
  'response.content_part.done': { ...inContent, part: 'object' },
  'response.output_text.delta': { ...inContent, delta: 'text', logprobs: 'list' },
  'response.output_text.done': { ...inContent, text: 'text', logprobs: 'list' },
  'response.output_text.annotation.added': {
    ...inContent,
    annotation_index: 'count',
    annotation: 'object',
  },
  'response.refusal.delta': { ...inContent, delta: 'text' },
  'response.refusal.done': { ...inContent, refusal: 'text' },
  'response.function_call_arguments.delta': { ...inItem, delta: 'text' },
  'response.function_call_arguments.done': { ...inItem, arguments: 'text', name: 'text' },
  'response.custom_tool_call_input.delta': { ...inItem, delta: 'text' },
  'response.custom_tool_call_input.done': { ...inItem, input: 'text' },
  'response.reasoning_text.delta': { ...inContent, delta: 'text' },
  'response.reasoning_text.done': { ...inContent, text: 'text' },
  'response.reasoning_summary_part.added': { ...inSummary, part: 'object' },
  'response.reasoning_summary_part.done': { ...inSummary, part: 'object' },
  'response.reasoning_summary_text.delta': { ...inSummary, delta: 'text' },
  'response.reasoning_summary_text.done': { ...inSummary, text: 'text' },
  ...progress('web_search_call', 'in_progress', 'searching', 'completed'),
  ...progress('image_generation_call', 'in_progress', 'generating', 'completed'),
  'response.image_generation_call.partial_image': {
    ...inItem,
    partial_image_b64: 'text',
    partial_image_index: 'count',
  },
  ...progress('code_interpreter_call', 'in_progress', 'interpreting', 'completed'),
  'response.code_interpreter_call_code.delta': { ...inItem, delta: 'text' },
  'response.code_interpreter_call_code.done': { ...inItem, code: 'text' },
  'response.apply_patch_call_operation_diff.delta': { ...inItem, delta: 'text' },
  'response.apply_patch_call_operation_diff.done': { ...inItem, diff: 'text' },
  ...progress('fusion_call', 'in_progress', 'completed'),
  'response.fusion_call.panel.added': ofPanel,
  'response.fusion_call.panel.delta': { ...ofPanel, delta: 'text' },
  'response.fusion_call.panel.reasoning.delta': { ...ofPanel, delta: 'text' },
  'response.fusion_call.panel.completed': { ...ofPanel, content: 'text' },
  'response.fusion_call.panel.failed': { ...ofPanel, error: 'text' },
  'response.fusion_call.analysis.in_progress': {
    ...inItem,
    analyst_model: 'text',
    judge_model: 'text',
  },
  'response.fusion_call.analysis.completed': { ...inItem, analysis: 'object' },
};

const optional: Readonly<Record<string, Shape>> = {
  'response.fusion_call.panel.failed': { status_code: 'count' },
};

export function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function is(kind: FieldKind, value: unknown): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string';
    case 'text or null':
      return value === null || typeof value === 'string';
    case 'count':
      return Number.isSafeInteger(value) && Number(value) >= 0;
    case 'object':
      return isObject(value);
    case 'list':
      return Array.isArray(value);
  }
}

/** The event, when its type is known and it has all the fields of it and no other. */
export function shapedEvent(value: unknown): StreamEvent {
  rule('known-event', isObject(value), () => 'an event is an object');
  const type = String(value['type']);
  const shape = Object.hasOwn(shapes, type) ? shapes[type] : undefined;
  rule('known-event', shape !== undefined, () => `type ${type}`);
  for (const [name, kind] of Object.entries(shape))
    rule('known-event', is(kind, value[name]), () => `${type}: ${name} is no ${kind}`);
  for (const name of Object.keys(value)) {
    if (name === 'type' || name === 'sequence_number' || name in shape) continue;
    const kind = optional[type]?.[name];
    const isKnown = kind !== undefined && is(kind, value[name]);
    rule('known-event', isKnown, () => `${type}: ${name} is no field of it`);
  }
  return value as StreamEvent;
}

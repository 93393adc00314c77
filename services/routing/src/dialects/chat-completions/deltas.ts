import type { AnswerPart, ReasoningReplay } from '@sluice/inference';
import type { Annotation, Delta, ReasoningDetail, ThoughtMark, ToldDelta } from './delta.ts';
import type { AnswerForm } from './parse-request.ts';
import { thoughtId } from './thought-places.ts';

type PartOf<Type extends AnswerPart['type']> = Extract<AnswerPart, { type: Type }>;

interface OpenCall {
  readonly index: number;
  readonly isCustom: boolean;
}

/** The format of thoughts without a maker that must read them again. Clients take an absent format as Anthropic's. */
const unknownFormat = 'unknown';

/** Stands between two summaries, which clients add to one text. */
const summaryBreak = '\n\n';

/** Turns the parts of one answer into deltas. Numbers calls, thoughts and images, each from 0. */
export class Deltas {
  readonly #form: AnswerForm;
  /** The name of the answer, which makes the ids of its thoughts unique in a conversation. */
  readonly #name: string;
  /** The length of all text before each text part, in UTF-16 units. */
  readonly #offsets = new Map<number, number>();
  #textLength = 0;
  #hasRefusal = false;
  readonly #calls = new Map<number, OpenCall>();
  readonly #formats = new Map<number, string>();
  /** The marks of thoughts by the number of the part. A thought that says nothing has no mark. */
  readonly #thoughts = new Map<number, ThoughtMark>();
  /** The number of the latest summary of each thought. */
  readonly #summaries = new Map<number, number>();
  #imageCount = 0;

  constructor(form: AnswerForm, name: string) {
    this.#form = form;
    this.#name = name;
  }

  /** True if there is something that a client can use. */
  get hasOutput(): boolean {
    return this.#textLength > 0 || this.hasCalls || this.#thoughts.size > 0 || this.#imageCount > 0;
  }

  get hasCalls(): boolean {
    return this.#calls.size > 0;
  }

  get isLegacy(): boolean {
    return this.#form.isLegacy;
  }

  of(part: AnswerPart): readonly ToldDelta[] {
    switch (part.type) {
      case 'text-start':
        this.#offsets.set(part.part, this.#textLength);
        return [];
      case 'text-delta': {
        this.#textLength += part.delta.length;
        const { delta: content, logprobs } = part;
        return [{ delta: { content }, ...(logprobs && { logprobs }) }];
      }
      case 'text-annotation': {
        const offset = this.#offsets.get(part.part) ?? 0;
        return told({ annotations: [wireAnnotation(part.annotation, offset)] });
      }
      case 'refusal-delta':
        this.#hasRefusal = true;
        return told({ refusal: part.delta });
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-summary-delta':
      case 'reasoning-end':
        return this.#form.excludesThoughts ? [] : this.#thought(part);
      case 'tool-call-start':
        return this.#call(part);
      case 'tool-call-delta':
        return this.#callDelta(part);
      case 'image': {
        const { base64, mediaType = 'image/png' } = part;
        return this.#image(`data:${mediaType};base64,${base64}`);
      }
      case 'response-start':
      case 'text-end':
      case 'refusal-start':
      case 'refusal-end':
      case 'tool-call-end':
      case 'unread-usage':
      // Deltas cannot be taken back.
      case 'correction':
      case 'embeddings':
      case 'ranks':
      // Completions have no place for the items of a provider's own tools.
      case 'native-start':
      case 'native-end':
      case 'tool-item-start':
      case 'tool-item-progress':
      case 'tool-item-suspend':
        return [];
      case 'tool-item-end':
        return this.#served(part);
    }
  }

  #thought(
    part: PartOf<
      'reasoning-start' | 'reasoning-delta' | 'reasoning-summary-delta' | 'reasoning-end'
    >,
  ): readonly ToldDelta[] {
    if (part.type === 'reasoning-start') {
      this.#summaries.set(part.part, 0);
      this.#formats.set(part.part, part.format ?? unknownFormat);
      return [];
    }
    if (part.type === 'reasoning-end' && !isReplayed(part.replay)) return [];
    const mark = this.#mark(part.part);
    if (part.type === 'reasoning-end') return replayDeltas(part.replay, mark);
    if (part.type === 'reasoning-delta') {
      const { delta: text } = part;
      const detail = { type: 'reasoning.text', text, ...mark } as const;
      return told({ reasoning: text, reasoning_details: [detail] });
    }
    const isNext = part.summary > (this.#summaries.get(part.part) ?? 0);
    this.#summaries.set(part.part, part.summary);
    const summary = isNext ? summaryBreak + part.delta : part.delta;
    const detail = { type: 'reasoning.summary', summary, ...mark } as const;
    return told({ reasoning: summary, reasoning_details: [detail] });
  }

  #mark(part: number): ThoughtMark {
    const known = this.#thoughts.get(part);
    if (known) return known;
    const index = this.#thoughts.size;
    const hasProse = this.#textLength > 0 || this.#hasRefusal || this.#imageCount > 0;
    const id = thoughtId(this.#name, index, { calls: this.#calls.size, hasProse });
    const mark = { id, index, format: this.#formats.get(part) ?? unknownFormat };
    this.#thoughts.set(part, mark);
    return mark;
  }

  /** Returns a call that the service ran, and its result. */
  #served({ part, item, call }: PartOf<'tool-item-end'>): readonly ToldDelta[] {
    const detail = {
      type: 'reasoning.server_tool_call',
      tool_name: item.type,
      arguments: call.arguments,
      result: call.result,
      tool_call_id: call.callId,
      ...this.#mark(part),
    } as const;
    const { imageUrl } = item;
    const details = told({ reasoning_details: [detail] });
    return typeof imageUrl === 'string' ? [...details, ...this.#image(imageUrl)] : details;
  }

  #image(url: string): readonly ToldDelta[] {
    const index = this.#imageCount;
    this.#imageCount += 1;
    return told({ images: [{ type: 'image_url', index, image_url: { url } }] });
  }

  #call({ part, callId, name, isCustom = false }: PartOf<'tool-call-start'>): readonly ToldDelta[] {
    const index = this.#calls.size;
    this.#calls.set(part, { index, isCustom });
    // The legacy form has room for one call, though some providers make more in spite of the request.
    if (this.#form.isLegacy)
      return index > 0 ? [] : told({ function_call: { name, arguments: '' } });
    const call = isCustom
      ? ({ index, id: callId, type: 'custom', custom: { name, input: '' } } as const)
      : ({ index, id: callId, type: 'function', function: { name, arguments: '' } } as const);
    return told({ tool_calls: [call] });
  }

  #callDelta({ part, delta }: PartOf<'tool-call-delta'>): readonly ToldDelta[] {
    const call = this.#calls.get(part);
    if (!call) throw new Error('invariant: a call begins before it grows');
    const { index, isCustom } = call;
    if (this.#form.isLegacy) return index > 0 ? [] : told({ function_call: { arguments: delta } });
    const grown = isCustom
      ? { index, custom: { input: delta } }
      : { index, function: { arguments: delta } };
    return told({ tool_calls: [grown] });
  }
}

function told(delta: Delta): readonly ToldDelta[] {
  return [{ delta }];
}

function isReplayed(replay: ReasoningReplay | undefined): boolean {
  return replay?.signature !== undefined || replay?.encrypted !== undefined;
}

/** Returns the details that the next request must carry for the thought to be read again. */
function replayDeltas(
  replay: ReasoningReplay | undefined,
  mark: ThoughtMark,
): readonly ToldDelta[] {
  if (!replay) return [];
  const { format, signature, encrypted } = replay;
  const details: ReasoningDetail[] = [];
  if (signature !== undefined) details.push({ type: 'reasoning.text', signature, ...mark, format });
  if (encrypted !== undefined)
    details.push({ type: 'reasoning.encrypted', data: encrypted, ...mark, format });
  return told({ reasoning_details: details });
}

/**
 * Returns an annotation of this dialect: its fields stand under its kind, as those of a file do in every dialect.
 * Indexes count in the whole text.
 */
function wireAnnotation(annotation: Readonly<Record<string, unknown>>, offset: number): Annotation {
  const { type, ...fields } = annotation;
  if (type === 'file') return { ...fields, type };
  const placed = Object.entries(fields).map(([name, value]): [string, unknown] =>
    (name === 'start_index' || name === 'end_index') && typeof value === 'number'
      ? [name, value + offset]
      : [name, value],
  );
  const kind = String(type);
  return { type: kind, [kind]: Object.fromEntries(placed) };
}

import type { AnswerPart, InputItem, Phase, ReasoningReplay } from '@sluice/inference';
import { nativeItem } from './native-item.ts';

type PartOf<Type extends AnswerPart['type']> = Extract<AnswerPart, { type: Type }>;

interface Prose {
  readonly kind: 'prose';
  readonly phase: Phase | undefined;
  text: string;
}

interface Thought {
  readonly kind: 'thought';
  text: string;
  readonly summaries: string[];
  replay: ReasoningReplay | undefined;
}

interface Call {
  readonly kind: 'call';
  readonly start: PartOf<'tool-call-start'>;
  text: string;
  isWhole: boolean;
}

/** An item of the upstream's own tools. */
interface Native {
  readonly kind: 'native';
  readonly type: unknown;
  /** undefined until it is done. */
  item: Readonly<Record<string, unknown>> | undefined;
}

interface Picture {
  readonly kind: 'picture';
  readonly image: PartOf<'image'>;
}

type Folded = Prose | Thought | Call | Native | Picture;

/**
 * Folds the parts of an answer into the items that give it back to the model. An answer that was cut has no calls and
 * no items of tools that are not whole.
 */
export class AnswerItems {
  /** The parts by number, in the order in which they began. */
  readonly #parts = new Map<number, Folded>();

  add(part: AnswerPart): void {
    switch (part.type) {
      case 'text-start':
        return this.#begin(part, { kind: 'prose', phase: part.phase, text: '' });
      case 'refusal-start':
        return this.#begin(part, { kind: 'prose', phase: undefined, text: '' });
      case 'reasoning-start':
        return this.#begin(part, { kind: 'thought', text: '', summaries: [], replay: undefined });
      case 'tool-call-start':
        return this.#begin(part, { kind: 'call', start: part, text: '', isWhole: false });
      case 'native-start':
        return this.#begin(part, { kind: 'native', type: part.item['type'], item: undefined });
      case 'image':
        return this.#begin(part, { kind: 'picture', image: part });
      case 'text-delta':
      case 'refusal-delta':
      case 'reasoning-delta':
      case 'tool-call-delta':
        return this.#grow(part);
      case 'reasoning-summary-delta':
        return this.#summarize(part);
      case 'correction':
        return this.#correct(part);
      case 'reasoning-end':
      case 'tool-call-end':
      case 'native-end':
        return this.#end(part);
      case 'text-end':
      case 'refusal-end':
      case 'text-annotation':
      case 'response-start':
      case 'unread-usage':
      case 'embeddings':
      case 'ranks':
      // The model gets the call itself, with its output.
      case 'tool-item-start':
      case 'tool-item-progress':
      case 'tool-item-suspend':
      case 'tool-item-end':
        return;
    }
    part satisfies never;
  }

  items(): readonly InputItem[] {
    return [...this.#parts].flatMap(([part, folded]) => itemOf(folded, part) ?? []);
  }

  /** Returns the items with the calls of a cut answer as far as they came. */
  itemsWithCut(): readonly InputItem[] {
    return [...this.#parts].flatMap(([part, folded]) =>
      folded.kind === 'call' ? callOf(folded) : (itemOf(folded, part) ?? []),
    );
  }

  #begin({ part }: { readonly part: number }, folded: Folded): void {
    this.#parts.set(part, folded);
  }

  #grow({ part, delta }: { readonly part: number; readonly delta: string }): void {
    const folded = this.#parts.get(part);
    if (folded && 'text' in folded) folded.text += delta;
  }

  #summarize({ part, summary, delta }: PartOf<'reasoning-summary-delta'>): void {
    const folded = this.#parts.get(part);
    if (folded?.kind !== 'thought') return;
    const { summaries } = folded;
    const place = Math.min(summary, summaries.length);
    summaries[place] = (summaries[place] ?? '') + delta;
  }

  #correct({ part, text, summary }: PartOf<'correction'>): void {
    const folded = this.#parts.get(part);
    if (text === undefined || !folded || !('text' in folded)) return;
    if (summary === undefined) folded.text = text;
    else if (folded.kind === 'thought' && summary < folded.summaries.length)
      folded.summaries[summary] = text;
  }

  #end(end: PartOf<'reasoning-end' | 'tool-call-end' | 'native-start' | 'native-end'>): void {
    const folded = this.#parts.get(end.part);
    if (folded?.kind === 'call') folded.isWhole = true;
    if (end.type === 'reasoning-end' && folded?.kind === 'thought') folded.replay = end.replay;
    if (end.type === 'native-end' && folded?.kind === 'native')
      // The type of an item cannot change.
      folded.item = { ...end.item, type: folded.type };
  }
}

/** Returns undefined for a part that gives the model nothing. */
function itemOf(folded: Folded, part: number): InputItem | undefined {
  switch (folded.kind) {
    case 'prose': {
      const { text, phase } = folded;
      if (text === '') return undefined;
      const content = [{ type: 'text', text }] as const;
      return { type: 'message', role: 'assistant', content, ...(phase && { phase }) };
    }
    case 'thought':
      return thoughtOf(folded, `rs_${String(part)}`);
    case 'call':
      return folded.isWhole ? callOf(folded) : undefined;
    case 'native':
      return folded.item && nativeItem(folded.item);
    case 'picture':
      return pictureOf(folded.image);
  }
}

function pictureOf({ part, base64, mediaType = 'image/png' }: PartOf<'image'>): InputItem {
  const id = `ig_${String(part)}`;
  const item = { type: 'image_generation_call', id, status: 'completed', result: base64 };
  const source = { type: 'data', mediaType, base64 } as const;
  return { type: 'native', item, text: '', picture: { type: 'image', source, detail: 'auto' } };
}

function thoughtOf({ text, summaries, replay }: Thought, id: string): InputItem | undefined {
  if (text === '' && summaries.length === 0 && !replay) return undefined;
  return {
    type: 'reasoning',
    id,
    summary: summaries,
    content: text === '' ? [] : [text],
    encrypted: replay?.encrypted,
    signature: replay?.signature,
    format: replay?.format,
  };
}

function callOf({ start: { callId, name, namespace, isCustom }, text }: Call): InputItem {
  const named = { callId, name, ...(namespace !== undefined && { namespace }) };
  return isCustom
    ? { type: 'custom-tool-call', ...named, input: text }
    : { type: 'function-call', ...named, arguments: text };
}

/** One item of the output as it grows: one part of the model's answer each. */
export interface OutputItem {
  readonly kind: ItemKind;
  readonly id: string;
  readonly status: ItemStatus;
  /** What was said, or the arguments of the call. */
  readonly text: string;
  /** Of a tool call only. */
  readonly call: { readonly callId: string; readonly name: string } | undefined;
}

export type ItemKind = 'text' | 'refusal' | 'reasoning' | 'tool-call';
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** An item, or a content part, as the client sees it. */
export type WireItem = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly type: 'message' | 'reasoning' | 'function_call';
};
export type WirePart = Readonly<Record<string, unknown>>;

/** The item as it opens: no content yet. */
export function openingItem(item: OutputItem): WireItem {
  return wireItemWith(item, []);
}

/** The item with all that was said so far. */
export function wireItem(item: OutputItem): WireItem {
  return wireItemWith(item, [wirePart(item, item.text)]);
}

/** The content part of an item, holding this text. */
export function wirePart(item: OutputItem, text: string): WirePart {
  switch (item.kind) {
    case 'refusal':
      return { type: 'refusal', refusal: text };
    case 'reasoning':
      return { type: 'reasoning_text', text };
    case 'text':
    case 'tool-call':
      return { type: 'output_text', text, annotations: [], logprobs: [] };
  }
}

function wireItemWith(item: OutputItem, content: readonly WirePart[]): WireItem {
  const { id, status } = item;
  switch (item.kind) {
    case 'text':
    case 'refusal':
      return { id, type: 'message', role: 'assistant', status, content };
    case 'reasoning':
      return { id, type: 'reasoning', status, summary: [], content };
    case 'tool-call':
      return {
        id,
        type: 'function_call',
        status,
        call_id: item.call?.callId,
        name: item.call?.name,
        arguments: item.text,
      };
  }
}

import type { ChatAssistantBody, ReasoningDetailBody } from '@sluice/client-schemas';
import type { ReasoningItem } from '@sluice/inference';

/**
 * Returns the thoughts of an assistant's message. `reasoning_details` carry what their maker wants back. Without them
 * `reasoning` is a thought that any model may read.
 */
export function readThoughts(message: ChatAssistantBody, id: string): readonly ReasoningItem[] {
  const { reasoning_details: details, reasoning, reasoning_content: content } = message;
  const told = (details ?? []).filter(({ type }) => type !== 'reasoning.server_tool_call');
  if (told.length > 0) return grouped(told).map((group, at) => thoughtOf(group, `${id}_${at}`));
  const text = reasoning ?? content ?? '';
  if (text === '') return [];
  return [{ ...emptyThought, type: 'reasoning', id, summary: [], content: [text] }];
}

const emptyThought = { encrypted: undefined, signature: undefined, format: undefined };

/** Returns the details of each thought: they share an id, or else an index. */
function grouped(
  details: readonly ReasoningDetailBody[],
): readonly (readonly ReasoningDetailBody[])[] {
  const groups = new Map<string, ReasoningDetailBody[]>();
  for (const [at, detail] of details.entries()) {
    const key = detail.id ?? `#${String(detail.index ?? `-${String(at)}`)}`;
    const known = groups.get(key);
    if (known) known.push(detail);
    else groups.set(key, [detail]);
  }
  return [...groups.values()];
}

function thoughtOf(details: readonly ReasoningDetailBody[], id: string): ReasoningItem {
  const of = <Type extends ReasoningDetailBody['type']>(type: Type) =>
    details.filter(
      (detail): detail is Extract<ReasoningDetailBody, { type: Type }> => detail.type === type,
    );
  const texts = of('reasoning.text');
  const content = texts.map(({ text }) => text ?? '').join('');
  return {
    type: 'reasoning',
    id: details.find((detail) => typeof detail.id === 'string')?.id ?? id,
    summary: of('reasoning.summary').map(({ summary }) => summary),
    content: content === '' ? [] : [content],
    encrypted:
      of('reasoning.encrypted')
        .map(({ data }) => data)
        .join('') || undefined,
    signature: texts.map(({ signature }) => signature ?? '').join('') || undefined,
    format: formatOf(details),
  };
}

/** Returns the format of what the maker wants back. Clients may have marked its text otherwise. */
function formatOf(details: readonly ReasoningDetailBody[]): string | undefined {
  const isReplayed = (detail: ReasoningDetailBody): boolean =>
    detail.type === 'reasoning.encrypted' || ('signature' in detail && Boolean(detail.signature));
  const named = details.filter(({ format }) => typeof format === 'string');
  return (named.find(isReplayed) ?? named[0])?.format ?? undefined;
}

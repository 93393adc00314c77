import type { StreamPart } from '@sluice/inference';
import fc from 'fast-check';

const kinds = [
  'text',
  'refusal',
  'reasoning',
  'tool-call',
  'custom-call',
  'native',
  'image',
] as const;

interface Move {
  readonly move: 'start' | 'delta' | 'end';
  readonly kind: (typeof kinds)[number];
  readonly pick: number;
  readonly delta: string;
}

const moves = fc.array(
  fc.record<Move>({
    move: fc.constantFrom('start', 'delta', 'delta', 'delta', 'end'),
    kind: fc.constantFrom(...kinds),
    pick: fc.nat(7),
    delta: fc.string({ unit: 'binary', minLength: 1, maxLength: 5 }),
  }),
  { maxLength: 40 },
);

const endings = fc.constantFrom<StreamPart>(
  { type: 'finish', reason: 'stop', nativeReason: 'stop', usage: undefined },
  { type: 'finish', reason: 'tool-calls', nativeReason: 'x', usage: undefined },
  { type: 'finish', reason: 'length', nativeReason: 'length', usage: undefined },
  { type: 'finish', reason: 'content-filter', nativeReason: 'x', usage: undefined },
  {
    type: 'error',
    code: 'provider_unavailable',
    message: 'cut',
    providerCode: undefined,
    usage: undefined,
  },
);

interface OpenPart {
  readonly part: number;
  readonly kind: Move['kind'];
  summaries: number;
}

const native = { type: 'web_search_call', id: 'ws_upstream', status: 'completed' };

/** The upstream's own items may have any content, even invalid content. */
const statusAt = (part: number) => ['in_progress', 'searching', 'completed'][part % 3];
const lateWords = [{}, { status: 'in_progress' }, { type: 'service:bash' }, { status: 'failed' }];

function startOf(kind: Move['kind'], part: number): StreamPart {
  const callId = `call_${String(part)}`;
  switch (kind) {
    case 'tool-call':
      return { type: 'tool-call-start', part, callId, name: 'f' };
    case 'custom-call':
      return { type: 'tool-call-start', part, callId, name: 'g', isCustom: true };
    case 'native':
      return { type: 'native-start', part, item: { ...native, status: statusAt(part) } };
    case 'image':
      return { type: 'image', part, base64: 'aGk=', mediaType: 'image/jpeg' };
    case 'text':
    case 'refusal':
    case 'reasoning':
      return { type: `${kind}-start`, part };
  }
}

function deltaOf(open: OpenPart, delta: string, pick: number): readonly StreamPart[] {
  const { part, kind } = open;
  switch (kind) {
    case 'tool-call':
    case 'custom-call':
      return [{ type: 'tool-call-delta', part, delta }];
    case 'text': {
      const annotation = { type: 'url_citation', url: delta };
      return [
        { type: 'text-delta', part, delta },
        ...(pick > 5 ? [{ type: 'text-annotation', part, annotation } as const] : []),
      ];
    }
    case 'refusal':
      return [{ type: 'refusal-delta', part, delta }];
    case 'reasoning': {
      if (pick % 2 === 0) return [{ type: 'reasoning-delta', part, delta }];
      if (open.summaries === 0 || pick > 4) open.summaries += 1;
      return [{ type: 'reasoning-summary-delta', part, summary: open.summaries - 1, delta }];
    }
    case 'native':
    case 'image':
      return [];
  }
}

function endOf({ kind, part }: OpenPart): StreamPart {
  switch (kind) {
    case 'custom-call':
      return { type: 'tool-call-end', part };
    case 'native':
      return {
        type: 'native-end',
        part,
        item: { ...native, ...lateWords[part % lateWords.length] },
      };
    case 'reasoning':
      return { type: 'reasoning-end', part, replay: { signature: 's', format: 'f' } };
    case 'image':
      throw new Error('an image is whole');
    case 'text':
    case 'refusal':
    case 'tool-call':
      return { type: `${kind}-end`, part };
  }
}

/** Generates any sequence of parts that a dialect may emit. Parts open, grow and end in any interleaving. */
export const anyAnswer = fc.tuple(moves, endings).map(([list, ending]): readonly StreamPart[] => {
  const parts: StreamPart[] = [{ type: 'response-start', upstreamId: 'x' }];
  const open: OpenPart[] = [];
  let next = 0;
  for (const { move, kind, pick, delta } of list) {
    const chosen = open[pick % Math.max(open.length, 1)];
    if (move === 'start') {
      const part = next;
      next += 1;
      if (kind !== 'image') open.push({ part, kind, summaries: 0 });
      parts.push(startOf(kind, part));
    } else if (chosen && move === 'delta') {
      parts.push(...deltaOf(chosen, delta, pick));
    } else if (chosen) {
      open.splice(open.indexOf(chosen), 1);
      parts.push(endOf(chosen));
    }
  }
  return [...parts, ending];
});

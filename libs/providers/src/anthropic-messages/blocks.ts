import type { StreamPart } from '@sluice/inference';
import type { JsonObject } from '../json-reader.ts';
import { annotationOf } from './citations.ts';
import { anthropicReasoningFormat } from './messages.ts';
import type { WireBlock, WireDelta } from './wire.ts';

/** An open block and its emitted state. */
export type Block =
  | { readonly type: 'text'; readonly part: number; readonly characters: number }
  | { readonly type: 'thinking'; readonly part: number; readonly signature: string | undefined }
  | { readonly type: 'redacted'; readonly part: number; readonly data: string }
  | { readonly type: 'tool-use'; readonly part: number; readonly hasInput: boolean };

type Change = readonly [Block, readonly StreamPart[]];

/** Opens a block and emits the content that it already has. The block is undefined if its kind is unknown. */
export function beginBlock(
  block: Exclude<WireBlock, { readonly type: 'malformed' | 'search' | 'search-result' }>,
  part: number,
): readonly [Block | undefined, readonly StreamPart[]] {
  switch (block.type) {
    case 'text': {
      const open: Block = { type: 'text', part, characters: 0 };
      const [begun, added] = addText(open, block.text);
      const cited = block.citations.flatMap((citation) => annotations(begun, citation));
      return [begun, [{ type: 'text-start', part }, ...added, ...cited]];
    }
    case 'thinking': {
      const open: Block = { type: 'thinking', part, signature: block.signature };
      return [open, [{ type: 'reasoning-start', part }, ...thought(part, block.text)]];
    }
    case 'redacted':
      return [{ type: 'redacted', part, data: block.data }, [{ type: 'reasoning-start', part }]];
    case 'tool-use': {
      const { id: callId, name, input } = block;
      const hasInput = input !== '';
      const text = hasInput ? [delta(part, input)] : [];
      const start: StreamPart = { type: 'tool-call-start', part, callId, name };
      return [{ type: 'tool-use', part, hasInput }, [start, ...text]];
    }
    case 'other':
      return [undefined, []];
  }
}

/** Adds a delta to its block. A delta of another kind is ignored. */
export function addToBlock(block: Block, added: WireDelta): Change {
  const { part } = block;
  switch (block.type) {
    case 'text':
      if (added.type === 'text') return addText(block, added.text);
      return [block, added.type === 'citation' ? annotations(block, added.citation) : []];
    case 'thinking':
      if (added.type === 'thinking') return [block, thought(part, added.text)];
      if (added.type !== 'signature') return [block, []];
      return [{ ...block, signature: (block.signature ?? '') + added.text }, []];
    case 'tool-use':
      if (added.type !== 'input' || added.text === '') return [block, []];
      return [{ ...block, hasInput: true }, [delta(part, added.text)]];
    case 'redacted':
      return [block, []];
  }
}

export function endBlock(block: Block): readonly StreamPart[] {
  const { part } = block;
  switch (block.type) {
    case 'text':
      return [{ type: 'text-end', part }];
    case 'thinking': {
      const { signature } = block;
      const replay = { signature: signature ?? '', format: anthropicReasoningFormat };
      return [{ type: 'reasoning-end', part, ...(signature !== undefined && { replay }) }];
    }
    case 'redacted': {
      const replay = { encrypted: block.data, format: anthropicReasoningFormat };
      return [{ type: 'reasoning-end', part, replay }];
    }
    case 'tool-use':
      // A call without input has an empty object as its arguments.
      return [...(block.hasInput ? [] : [delta(part, '{}')]), { type: 'tool-call-end', part }];
  }
}

function addText(block: Extract<Block, { type: 'text' }>, text: string): Change {
  if (text === '') return [block, []];
  const { part } = block;
  return [
    { ...block, characters: block.characters + text.length },
    [{ type: 'text-delta', part, delta: text }],
  ];
}

function annotations(block: Block, citation: JsonObject): readonly StreamPart[] {
  const end = block.type === 'text' ? block.characters : 0;
  const annotation = annotationOf(citation, { start: 0, end });
  if (!annotation) return [];
  return [{ type: 'text-annotation', part: block.part, annotation, citation }];
}

function thought(part: number, text: string): readonly StreamPart[] {
  return text === '' ? [] : [{ type: 'reasoning-delta', part, delta: text }];
}

function delta(part: number, text: string): StreamPart {
  return { type: 'tool-call-delta', part, delta: text };
}

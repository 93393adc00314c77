import type { StopDetails, StreamPart } from '@sluice/inference';
import { finishPart } from '../finish-part.ts';
import { asObject } from '../json-reader.ts';
import type { Step } from '../stream-reader.ts';
import { cutPart, malformedPart } from '../upstream-error.ts';
import { unreadUsage } from '../usage-counts.ts';
import { addToBlock, beginBlock, endBlock, type Block } from './blocks.ts';
import { messagesStreamError } from './errors.ts';
import { messagesFinishReason } from './finish-reason.ts';
import { beginSearch, endSearch, type RunningSearch, type WrittenSearch } from './searches.ts';
import { messagesUsage } from './usage.ts';
import type { MessagesEvent } from './wire.ts';

/** The state of a message stream. */
export interface MessagesState {
  readonly started: boolean;
  readonly nextPart: number;
  /** The open blocks by their `index`. */
  readonly blocks: ReadonlyMap<number, Block>;
  /** Searches of the API's own tool: those that are being written by their `index`, and those that run by their id. */
  readonly written: ReadonlyMap<number, WrittenSearch>;
  readonly searches: ReadonlyMap<string, RunningSearch>;
  /** The block that ended last. Its end is emitted later, because the stop reason follows the block. */
  readonly endedIndex: number | undefined;
  readonly stopReason: string | undefined;
  /** Unchecked. */
  readonly stopSequence: unknown;
  readonly stopDetails: StopDetails | undefined;
  /** The usage at the start, overlaid by the usage at the end. */
  readonly usage: Readonly<Record<string, unknown>> | undefined;
  /** A `finish` or `error` part was emitted. Later events are ignored. */
  readonly ended: boolean;
}

/** Bounds the blocks of one generation. No real answer has more. */
const partsMax = 1_024;

export const initialMessagesState: MessagesState = {
  started: false,
  nextPart: 0,
  blocks: new Map(),
  written: new Map(),
  searches: new Map(),
  endedIndex: undefined,
  stopReason: undefined,
  stopSequence: undefined,
  stopDetails: undefined,
  usage: undefined,
  ended: false,
};

/** Translates one event of the stream into parts. */
export function messagesStep(state: MessagesState, event: MessagesEvent): Step<MessagesState> {
  if (state.ended) return [state, []];
  switch (event.type) {
    case 'started':
      return started(state, event);
    case 'block-started': {
      const { block: begun } = event;
      if (state.nextPart + state.written.size >= partsMax || begun.type === 'malformed')
        return malformed(state);
      const [before, ends] = withBlockEnded(state);
      if (begun.type === 'search') {
        const written = new Map(before.written).set(event.index, begun);
        return [{ ...before, written }, ends];
      }
      if (begun.type === 'search-result') {
        const [found, done] = searched(before, begun);
        return [found, [...ends, ...done]];
      }
      const [block, parts] = beginBlock(begun, before.nextPart);
      if (!block) return [before, ends];
      const blocks = new Map(before.blocks).set(event.index, block);
      return [{ ...before, blocks, nextPart: before.nextPart + 1 }, [...ends, ...parts]];
    }
    case 'block-delta':
      if (state.written.has(event.index)) return [withInput(state, event), []];
      return blockStep(state, event.index, (block) => addToBlock(block, event.delta));
    case 'block-ended':
      if (state.written.has(event.index)) return searching(state, event.index);
      return [{ ...state, endedIndex: event.index }, []];
    case 'ending':
      return [
        {
          ...withUsage(state, event.usage),
          stopReason: event.stopReason ?? state.stopReason,
          stopSequence: event.stopSequence ?? state.stopSequence,
          stopDetails: event.stopDetails ?? state.stopDetails,
        },
        [],
      ];
    case 'ended':
      return finish(state);
    case 'error':
      return [
        { ...state, ended: true },
        [{ type: 'error', ...messagesStreamError(event.event), usage: messagesUsage(state.usage) }],
      ];
    case 'malformed':
      return malformed(state);
    case 'ignored':
      return [state, []];
  }
}

/**
 * Begins a message. A second message withdraws the first if nothing of it was emitted. Otherwise the two cannot be told
 * apart, so the answer fails.
 */
function started(
  state: MessagesState,
  event: Extract<MessagesEvent, { type: 'started' }>,
): Step<MessagesState> {
  if (state.nextPart > 0) return malformed(state);
  const begun = { ...initialMessagesState, started: true };
  return [withUsage(begun, event.usage), state.started ? [] : [startOf(event)]];
}

/** Emits the start with the input usage. The API counts the input first, so it is known even for a cut answer. */
function startOf({ id, usage }: Extract<MessagesEvent, { type: 'started' }>): StreamPart {
  const counted = messagesUsage(asObject(usage));
  if (!counted) return { type: 'response-start', upstreamId: id };
  const inputUsage = { ...counted, outputTokens: 0, reasoningTokens: 0 };
  return { type: 'response-start', upstreamId: id, inputUsage };
}

/** Handles the end of the body. Without `message_stop` or a stop reason the answer was cut. */
export function messagesEnd(state: MessagesState): Step<MessagesState> {
  if (state.ended) return [state, []];
  if (state.stopReason !== undefined) return finish(state);
  return [{ ...state, ended: true }, [cutPart(messagesUsage(state.usage))]];
}

function malformed(state: MessagesState): Step<MessagesState> {
  return [{ ...state, ended: true }, [malformedPart(messagesUsage(state.usage))]];
}

function withUsage(state: MessagesState, usage: unknown): MessagesState {
  const counts = asObject(usage);
  if (!counts) return state;
  // The usage at the end has null for counts that did not change.
  const changed = Object.entries(counts).filter(([, count]) => count !== null);
  return { ...state, usage: { ...state.usage, ...Object.fromEntries(changed) } };
}

function blockStep(
  state: MessagesState,
  index: number,
  change: (block: Block) => readonly [Block, readonly StreamPart[]],
): Step<MessagesState> {
  const block = state.blocks.get(index);
  if (!block) return [state, []];
  const [changed, parts] = change(block);
  return [{ ...state, blocks: new Map(state.blocks).set(index, changed) }, parts];
}

/** Emits the end of the block before, which is whole because another block follows. */
function withBlockEnded(state: MessagesState): Step<MessagesState> {
  const { endedIndex } = state;
  const block = endedIndex === undefined ? undefined : state.blocks.get(endedIndex);
  if (endedIndex === undefined || !block) return [state, []];
  const blocks = new Map(state.blocks);
  blocks.delete(endedIndex);
  return [{ ...state, blocks, endedIndex: undefined }, endBlock(block)];
}

function withInput(
  state: MessagesState,
  { index, delta }: Extract<MessagesEvent, { type: 'block-delta' }>,
): MessagesState {
  const search = state.written.get(index);
  if (!search || delta.type !== 'input') return state;
  const grown = { ...search, input: search.input + delta.text };
  return { ...state, written: new Map(state.written).set(index, grown) };
}

/** Begins a search as soon as its input is whole. Its result is another block, which may take a while. */
function searching(state: MessagesState, index: number): Step<MessagesState> {
  const found = state.written.get(index);
  if (!found) return [state, []];
  const written = new Map(state.written);
  written.delete(index);
  const [search, part] = beginSearch(found, state.nextPart);
  const searches = new Map(state.searches).set(search.id, search);
  return [{ ...state, written, searches, nextPart: state.nextPart + 1 }, [part]];
}

function searched(
  state: MessagesState,
  { id, content }: { readonly id: string; readonly content: unknown },
): Step<MessagesState> {
  const search = state.searches.get(id);
  if (!search) return [state, []];
  const searches = new Map(state.searches);
  searches.delete(id);
  return [{ ...state, searches }, [endSearch(search, content)]];
}

function finish(state: MessagesState): Step<MessagesState> {
  const usage = messagesUsage(state.usage);
  const { nextPart, stopReason } = state;
  const reason = messagesFinishReason(stopReason);
  const isCut = reason === 'length' || reason === 'content-filter';
  const open = isCut ? [] : [...state.blocks.values()];
  return [
    { ...state, ended: true },
    [
      ...open.flatMap(endBlock),
      ...(isCut ? [] : [...state.searches.values()].map((one) => endSearch(one, undefined))),
      ...unreadUsage(state.usage, usage),
      finishPart({
        reason,
        nativeReason: stopReason,
        stopSequence: state.stopSequence,
        stopDetails: state.stopDetails,
        usage,
        hasOutput: nextPart > 0,
        serviceTier: state.usage?.['speed'] === 'fast' ? 'fast' : state.usage?.['service_tier'],
      }),
    ],
  ];
}

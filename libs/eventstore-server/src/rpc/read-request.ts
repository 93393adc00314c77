import {
  ReadReq_Options_ReadDirection,
  type ReadReq,
  type ReadReq_Options,
  type ReadReq_Options_FilterOptions,
} from '@sluice/protos/event_store/client/streams';
import { eventFilter, everyEvent, type EventFilter } from '../store/event-filter.ts';
import { PatternError } from '../store/pattern.ts';
import { streamNameOf } from './proposal.ts';
import type { UuidForm } from './recorded-event.ts';
import { invalidArgument } from './refusal.ts';

/** The place where a read begins. A number is a revision of a stream or a position of `$all`. */
export type ReadFrom = 'start' | 'end' | number;

/** A read request, parsed. `countMax` is undefined for a subscription. */
export interface ReadRequest {
  /** If undefined, the request reads `$all`. */
  readonly stream: string | undefined;
  readonly from: ReadFrom;
  readonly backwards: boolean;
  readonly countMax: number | undefined;
  readonly resolveLinks: boolean;
  readonly uuids: UuidForm;
  readonly filter: EventFilter;
  /** Undefined without a filter: then there are no checkpoints. */
  readonly checkpointEvents: number | undefined;
  /** The client understands a message with the last revision of a stream that was read to its end. */
  readonly tellsLastRevision: boolean;
}

const searchWindowEvents = 32;
const prefixesMax = 1_000;
/** The position -1, which clients use for the end. */
const endOfAll = BigInt.asUintN(64, -1n);

/** Throws a refusal that says what is missing or wrong. */
export function parseReadRequest({ options }: ReadReq): ReadRequest {
  if (!options) throw invalidArgument('Options are required.');
  const uuids = options.uuidOption?.content?.$case;
  if (!uuids) throw invalidArgument('A UUID option is required.');
  if (!options.countOption) throw invalidArgument('A count or a subscription is required.');
  const filter = options.filterOption?.$case === 'filter' ? options.filterOption.value : undefined;
  const { countOption } = options;
  const countMax = countOption.$case === 'count' ? Number(countOption.value) : undefined;
  const source = parseSource(options);
  const backwards = options.readDirection === ReadReq_Options_ReadDirection.Backwards;
  if (source.stream !== undefined && countMax !== undefined)
    requireEvents(source.from, backwards, countMax);
  return {
    ...source,
    backwards,
    countMax,
    resolveLinks: options.resolveLinks,
    uuids,
    filter: filter ? parseFilter(filter) : everyEvent,
    checkpointEvents: filter && checkpointEvents(filter),
    tellsLastRevision: (options.controlOption?.compatibility ?? 0) > 0,
  };
}

/** Refuses a read of a stream that cannot give an event. */
function requireEvents(from: ReadFrom, backwards: boolean, countMax: number): void {
  if (countMax === 0) throw invalidArgument('The count must be greater than 0.');
  if (from === 'end' && !backwards) throw invalidArgument('Nothing lies behind the end.');
}

function parseSource({ streamOption }: ReadReq_Options): Pick<ReadRequest, 'stream' | 'from'> {
  if (streamOption?.$case === 'stream') {
    const { streamIdentifier, revisionOption } = streamOption.value;
    const from =
      revisionOption?.$case === 'revision' ? Number(revisionOption.value) : revisionOption?.$case;
    if (from === undefined) throw invalidArgument('A revision, the start or the end is required.');
    return { stream: streamNameOf(streamIdentifier), from };
  }
  if (!streamOption) throw invalidArgument('A stream or $all is required.');
  const { allOption } = streamOption.value;
  if (!allOption) throw invalidArgument('A position, the start or the end is required.');
  if (allOption.$case !== 'position') return { stream: undefined, from: allOption.$case };
  const { commitPosition, preparePosition } = allOption.value;
  if (commitPosition < preparePosition)
    throw invalidArgument('The commit position cannot be less than the prepare position.');
  return { stream: undefined, from: commitPosition === endOfAll ? 'end' : Number(commitPosition) };
}

function parseFilter({ filter }: ReadReq_Options_FilterOptions): EventFilter {
  if (!filter) throw invalidArgument('A filter needs an expression.');
  const { regex, prefix } = filter.value;
  if (prefix.length > prefixesMax) throw invalidArgument('The filter has too many prefixes.');
  const on = filter.$case === 'streamIdentifier' ? 'stream' : 'type';
  try {
    return eventFilter({ on, prefixes: prefix, regex });
  } catch (error) {
    if (error instanceof PatternError) throw invalidArgument(`The filter: ${error.message}.`);
    throw error;
  }
}

/** A search window of 0 is refused later, by a subscription that was confirmed. */
function checkpointEvents({ window, ...options }: ReadReq_Options_FilterOptions): number {
  if (!window) throw invalidArgument('A search window is required.');
  const multiplier = options.checkpointIntervalMultiplier;
  if (multiplier === 0) throw invalidArgument('The checkpoint interval must be greater than 0.');
  return multiplier * (window.$case === 'max' ? window.value : searchWindowEvents);
}

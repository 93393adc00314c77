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

/** Where to begin; a number is a revision of a stream or a position of `$all`. */
export type ReadFrom = 'start' | 'end' | number;

/** A read request, parsed. `countMax` is undefined for a subscription. */
export interface ReadRequest {
  /** Undefined: `$all`. */
  readonly stream: string | undefined;
  readonly from: ReadFrom;
  readonly backwards: boolean;
  readonly countMax: number | undefined;
  readonly resolveLinks: boolean;
  readonly uuids: UuidForm;
  readonly filter: EventFilter;
  /** Undefined without a filter: then there are no checkpoints. */
  readonly checkpointEvents: number | undefined;
}

const searchWindowEvents = 32;
const prefixesMax = 1_000;

/** Throws a refusal that says what is missing or wrong. */
export function parseReadRequest({ options }: ReadReq): ReadRequest {
  if (!options) throw invalidArgument('Options are required.');
  const uuids = options.uuidOption?.content?.$case;
  if (!uuids) throw invalidArgument('A UUID option is required.');
  if (!options.countOption) throw invalidArgument('A count or a subscription is required.');
  const filter = options.filterOption?.$case === 'filter' ? options.filterOption.value : undefined;
  const { countOption } = options;
  return {
    ...parseSource(options),
    backwards: options.readDirection === ReadReq_Options_ReadDirection.Backwards,
    countMax: countOption.$case === 'count' ? Number(countOption.value) : undefined,
    resolveLinks: options.resolveLinks,
    uuids,
    filter: filter ? parseFilter(filter) : everyEvent,
    checkpointEvents: filter && checkpointEvents(filter),
  };
}

function parseSource({ streamOption }: ReadReq_Options): Pick<ReadRequest, 'stream' | 'from'> {
  if (streamOption?.$case === 'stream') {
    const { streamIdentifier, revisionOption } = streamOption.value;
    const from =
      revisionOption?.$case === 'revision' ? Number(revisionOption.value) : revisionOption?.$case;
    return { stream: streamNameOf(streamIdentifier), from: from ?? 'start' };
  }
  if (!streamOption) throw invalidArgument('A stream or $all is required.');
  const { allOption } = streamOption.value;
  if (allOption?.$case !== 'position')
    return { stream: undefined, from: allOption?.$case ?? 'start' };
  const { commitPosition, preparePosition } = allOption.value;
  if (commitPosition < preparePosition)
    throw invalidArgument('The commit position cannot be less than the prepare position.');
  return { stream: undefined, from: Number(commitPosition) };
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

function checkpointEvents(options: ReadReq_Options_FilterOptions): number {
  const window = options.window?.$case === 'max' ? options.window.value : searchWindowEvents;
  const every = window * options.checkpointIntervalMultiplier;
  if (every === 0) throw invalidArgument('The checkpoint interval must be greater than 0.');
  return every;
}

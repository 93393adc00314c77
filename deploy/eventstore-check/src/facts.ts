import { status, type ServiceError } from '@grpc/grpc-js';
import type {
  AppendResp,
  AppendResp_Success,
  AppendResp_WrongExpectedVersion,
  BatchAppendResp,
  BatchAppendResp_Success,
  ReadResp,
} from '@sluice/protos/event_store/client/streams';

/** A part of an answer as it is recorded: JSON without positions, ids, times and names that are random. */
export type Fact = unknown;

/** Maps each question to its answer. */
export type Answers = Readonly<Record<string, Fact>>;

/** A call that was refused. Without an `exception` trailer the words of the refusal are the server's own. */
export interface RefusedFact {
  readonly refused: string;
  readonly details?: string;
  readonly trailers?: Readonly<Record<string, string>>;
}

/** The end of a read: it was refused, it ended, or it was still open when its time was over. */
export type ReadEnd = RefusedFact | { readonly end: true } | { readonly open: true };

export interface ReadFact {
  readonly messages: readonly ReadResp[];
  readonly how: ReadEnd;
}

const ownTrailers = /^(?:grpc-|date|server|content-|traceparent)/;

/** Keeps the status, the `exception` trailer and the others by which clients decide. */
export function refusalFact(error: ServiceError): RefusedFact {
  const trailers: Record<string, string> = {};
  for (const [key, value] of Object.entries(error.metadata?.getMap() ?? {}))
    if (!ownTrailers.test(key)) trailers[key] = String(value);
  const name = status[error.code];
  if (trailers['exception'] !== undefined)
    return { refused: name, details: error.details, trailers };
  // A server answers UNKNOWN to a bad request that it does not check for.
  const isBad = error.code === status.UNKNOWN || error.code === status.INVALID_ARGUMENT;
  return { refused: isBad ? 'bad request' : name };
}

export function appendFact({ result }: AppendResp): Fact {
  if (result?.$case === 'success') return writtenFact(result.value);
  return { wrongExpectedVersion: result ? wrongVersionFields(result.value) : {} };
}

export function batchFact({ result }: BatchAppendResp): Fact {
  if (result?.$case !== 'error') return result ? writtenFact(result.value) : {};
  const { code, message, details } = result.value;
  const type = details?.typeUrl.split('/').at(-1) ?? null;
  const bytes = details?.value.length ?? 0;
  return { error: { code: status[code] ?? code, message, details: type, bytes } };
}

/** Returns the messages as `kind` or `event REVISION`, and how the call ended. */
export function shortFact({ messages, how }: ReadFact): Fact {
  const texts = messages.map(({ content }) =>
    content?.$case === 'event'
      ? `event ${content.value.event?.streamRevision ?? 0n}`
      : wireName(content?.$case),
  );
  return { messages: texts, ...how };
}

export function kindsFact({ messages, how }: ReadFact): Fact {
  return { messages: kindsOf(messages), ...how };
}

/** Returns each kind once; how many checkpoints come depends on what else is written. */
export function kindSetFact({ messages, how }: ReadFact): Fact {
  const kinds = new Set(kindsOf(messages));
  kinds.delete('checkpoint');
  return { kinds: [...kinds], ...how };
}

export function kindsOf(messages: readonly ReadResp[]): readonly string[] {
  return messages.map(({ content }) => wireName(content?.$case));
}

/** Returns the messages that carry an event, or a link whose event is gone. */
export function eventsOf(messages: readonly ReadResp[]) {
  return messages.flatMap(({ content }) => (content?.$case === 'event' ? [content.value] : []));
}

/** Takes out what is random: the name of the stream, and ids. */
export function withoutNames(fact: Fact, stream: string): Fact {
  const text = JSON.stringify(fact ?? null)
    .replaceAll(stream, 'STREAM')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');
  return JSON.parse(text) as Fact;
}

function writtenFact(success: AppendResp_Success | BatchAppendResp_Success): Fact {
  const { currentRevisionOption: revision, positionOption } = success;
  const written = revision?.$case === 'currentRevision' ? String(revision.value) : 'no_stream';
  return { written, position: positionOption?.$case === 'position' ? 'given' : 'none' };
}

function wrongVersionFields(wrong: AppendResp_WrongExpectedVersion): Fact {
  const options = [
    wrong.currentRevisionOption2060,
    wrong.expectedRevisionOption2060,
    wrong.currentRevisionOption,
    wrong.expectedRevisionOption,
  ];
  return Object.fromEntries(
    options.flatMap((option) => {
      if (!option) return [];
      const { value } = option;
      return [[wireName(option.$case), typeof value === 'bigint' ? String(value) : {}]];
    }),
  );
}

/** Returns the name of a field as the protocol spells it: `noStream2060` is `no_stream_20_6_0`. */
function wireName(name = 'nothing'): string {
  return name
    .replace(/2060$/, '_20_6_0')
    .replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

import { Metadata, status } from '@grpc/grpc-js';

const trailerCharactersMax = 2_000;

/** A "no" as it crosses the wire: gRPC status and the trailing metadata that clients go by. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: status;
  readonly trailers: Readonly<Record<string, string>>;

  constructor(code: status, message: string, trailers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.code = code;
    this.trailers = trailers;
  }
}

export function invalidArgument(message: string): Refusal {
  return new Refusal(status.INVALID_ARGUMENT, message);
}

export function invalidPosition(): Refusal {
  return invalidArgument('Trying to read from an invalid position.');
}

export function unavailable(message: string): Refusal {
  return new Refusal(status.UNAVAILABLE, message);
}

export function accessDenied(): Refusal {
  return new Refusal(status.PERMISSION_DENIED, 'Access Denied', trailers('access-denied', {}));
}

/** The write may or may not happen later: the client has to ask again with the same ids. */
export function writeTimeout(): Refusal {
  return new Refusal(status.ABORTED, 'Operation timed out');
}

export function streamDeleted(stream: string): Refusal {
  return new Refusal(
    status.FAILED_PRECONDITION,
    `Event stream '${stream}' is deleted.`,
    trailers('stream-deleted', { 'stream-name': stream }),
  );
}

/** Refuses a deletion that expects another revision. An append reports this in its answer instead. */
export function wrongExpectedVersion(
  stream: string,
  expectedVersion: number,
  currentRevision: number | undefined,
): Refusal {
  const actualVersion = String(currentRevision ?? -1);
  return new Refusal(
    status.FAILED_PRECONDITION,
    `Delete failed due to WrongExpectedVersion. Stream: ${stream}, ` +
      `Expected version: ${expectedVersion}, Actual version: ${actualVersion}`,
    trailers('wrong-expected-version', {
      'stream-name': stream,
      'expected-version': String(expectedVersion),
      'actual-version': actualVersion,
    }),
  );
}

export function appendTooLarge(bytesMax: number): Refusal {
  return new Refusal(
    status.INVALID_ARGUMENT,
    `Maximum Append Size of ${bytesMax} Exceeded.`,
    trailers('maximum-append-size-exceeded', { 'maximum-append-size': String(bytesMax) }),
  );
}

/** Names the first property that is missing in the text, and all that are required in the trailers. */
export function requiredMetadataMissing(property: string): Refusal {
  return new Refusal(
    status.INVALID_ARGUMENT,
    `Required Metadata Property '${property}' is missing`,
    trailers('missing-required-metadata-property', {
      'required-metadata-properties': 'type,content-type',
    }),
  );
}

/** Answers the same in a batch append, where a real node does not look for the property first. */
export function keyNotPresent(): Refusal {
  return invalidArgument('The given key was not present in the dictionary.');
}

/** Refuses an argument of an event that must not be empty, in the words of a real node. */
export function emptyArgument(name: string): Refusal {
  return invalidArgument(`Empty ${name} provided. (Parameter '${name}')`);
}

export function tooManyUnfinished(): Refusal {
  return new Refusal(status.RESOURCE_EXHAUSTED, 'Too many unfinished appends on one call.');
}

export interface WireStatus {
  readonly code: status;
  readonly details: string;
  readonly metadata: Metadata;
}

/** Anything that is not a refusal is a failure of the disk or a bug. */
export function toStatus(error: unknown): WireStatus {
  const metadata = new Metadata();
  const message = error instanceof Error ? error.message : String(error);
  // gRPC encodes this text by itself, and cannot encode one half of a character.
  const details = message.slice(0, trailerCharactersMax).toWellFormed();
  if (!(error instanceof Refusal)) return { code: status.UNAVAILABLE, details, metadata };
  for (const [key, value] of Object.entries(error.trailers)) metadata.set(key, printable(value));
  return { code: error.code, details, metadata };
}

function trailers(exception: string, others: Readonly<Record<string, string>>) {
  return { exception, ...others };
}

/**
 * Trailing metadata takes printable ASCII only, and not much of it. Everything else is percent-encoded, so that two
 * names stay two: EventStoreDB breaks the call instead.
 */
function printable(text: string): string {
  let encoded = '';
  for (const character of text.toWellFormed()) {
    const part = /[\u0020-\u007e]/.test(character) ? character : encodeURIComponent(character);
    if (encoded.length + part.length > trailerCharactersMax) break;
    encoded += part;
  }
  return encoded;
}

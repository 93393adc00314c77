import { Fault } from '@sluice/errors';
import {
  comparePositions,
  type EventStore,
  type EventToAppend,
  type ExpectedRevision,
  type Position,
  type RecordedEvent,
  type SubscriptionMessage,
} from '@sluice/es';
import { checkSignature, hasOurForm, isSigned, signEvent } from './signature.ts';

export interface SigningOptions {
  /** If undefined, events are not signed, and an installation that signs takes none of them. */
  readonly key: string | undefined;
  /** The name on disk of the stream that names the installation. */
  readonly installationStream: string;
}

/** Milliseconds between looks at an installation that does not require signatures. */
const lookAgainMs = 5_000;
const required = 'SignaturesRequired';

export interface SignatureState {
  /** Resolves with true if the installation signs its events and this process has no key to check them with. */
  lacksEventKey(): Promise<boolean>;
}

/**
 * Signs the events that are appended. Marks events of our form as forged when their signature is wrong, or when they
 * have none although the installation requires one. An installation that was named with a key requires signatures from
 * there on, any other from an event `SignaturesRequired` on.
 */
export function signedEventStore<Store extends EventStore>(
  store: Store,
  options: SigningOptions,
): Store & SignatureState {
  const signing = new Signing(store, options);
  return {
    ...store,
    lacksEventKey: () => signing.lacksKey(),
    async append(stream, events, expected, signal) {
      const signed = await signing.sign(stream, events, expected);
      const appended = await store.append(stream, signed, expected, signal);
      signing.noteAppended(stream);
      requireSignedPlace(expected, events.length, appended.revision, options);
      return appended;
    },
    async *read(...asked) {
      await signing.loadRequirement();
      for await (const event of store.read(...asked)) yield signing.checked(event);
    },
    async *subscribe(subscription) {
      await signing.loadRequirement();
      for await (const batch of store.subscribe(subscription)) {
        // Nothing may be read for hours. What a projection applies stays, so a cached answer is not enough.
        if (options.key !== undefined && batch.some(hasUnsigned))
          await signing.loadRequirement(performance.now());
        yield batch.map((message) =>
          message.kind === 'event'
            ? { ...message, event: signing.checked(message.event) }
            : message,
        );
      }
    },
  };
}

class Signing {
  readonly #store: Pick<EventStore, 'read'>;
  readonly #options: SigningOptions;
  /** If undefined, unsigned events of our form are taken. */
  #requiredFrom: Position | undefined;
  #isSigning = false;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #loading: Promise<void> | undefined;

  constructor(store: Pick<EventStore, 'read'>, options: SigningOptions) {
    this.#store = store;
    this.#options = options;
  }

  async sign(
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedRevision,
  ): Promise<readonly EventToAppend[]> {
    const { key } = this.#options;
    if (key === undefined) {
      if (!events.some(({ metadata }) => hasOurForm(metadata))) return events;
      await this.loadRequirement();
      if (this.#isSigning) throw wrongKey('its events are signed, and SLUICE_EVENT_KEY is not set');
      return events;
    }
    const first = firstRevision(expected);
    return events.map((event, index) =>
      signEvent(key, stream, first === undefined ? undefined : first + BigInt(index), event),
    );
  }

  noteAppended(stream: string): void {
    if (stream === this.#options.installationStream) this.#lookedAtMs = Number.NEGATIVE_INFINITY;
  }

  checked(event: RecordedEvent): RecordedEvent {
    const { key } = this.#options;
    if (key === undefined || event.type.startsWith('$') || !hasOurForm(event.metadata))
      return event;
    const signature = checkSignature(key, event);
    const isForged = signature === 'wrong' || (signature === 'none' && this.#requires(event));
    return isForged ? { ...event, metadata: null, leftOut: 'forged' } : event;
  }

  #requires({ position }: RecordedEvent): boolean {
    const from = this.#requiredFrom;
    return from !== undefined && comparePositions(position, from) >= 0;
  }

  /**
   * Reads what the installation requires, unless it was read since then. Once it requires signatures, it is never read
   * again. Throws for another key.
   */
  async loadRequirement(sinceMs = performance.now() - lookAgainMs): Promise<void> {
    // A look that is under way may have begun too early.
    while (this.#requiredFrom === undefined && this.#lookedAtMs < sinceMs) {
      this.#loading ??= this.#look().finally(() => {
        this.#loading = undefined;
      });
      await this.#loading;
    }
  }

  async lacksKey(): Promise<boolean> {
    if (this.#options.key !== undefined) return false;
    await this.loadRequirement();
    return this.#isSigning;
  }

  async #look(): Promise<void> {
    const { key, installationStream } = this.#options;
    const startedMs = performance.now();
    for await (const event of this.#store.read(installationStream)) {
      const isFirst = event.revision === 0n;
      if (!isSigned(event) || (!isFirst && event.type !== required)) continue;
      if (key === undefined) {
        this.#isSigning = true;
        break;
      }
      const isValid = checkSignature(key, event) === 'valid';
      if (isFirst && !isValid)
        throw wrongKey('its events are signed with another key than SLUICE_EVENT_KEY');
      if (!isValid) continue;
      this.#requiredFrom = event.position;
      break;
    }
    this.#lookedAtMs = startedMs;
  }
}

function hasUnsigned(message: SubscriptionMessage): boolean {
  return message.kind === 'event' && hasOurForm(message.event.metadata) && !isSigned(message.event);
}

function firstRevision(expected: ExpectedRevision): bigint | undefined {
  if (typeof expected === 'bigint') return expected + 1n;
  return expected === 'no_stream' ? 0n : undefined;
}

/** A stream that was deleted goes on at a later revision than its first. The signed events are not valid there. */
function requireSignedPlace(
  expected: ExpectedRevision,
  count: number,
  revision: bigint,
  { key }: SigningOptions,
): void {
  const first = firstRevision(expected);
  if (key === undefined || first === undefined) return;
  if (revision !== first + BigInt(count) - 1n) throw new Fault('stream_gone');
}

function wrongKey(reason: string): Fault {
  const message = `The event store is that of an installation with another key: ${reason}`;
  return new Fault('event_store_unavailable', { message });
}

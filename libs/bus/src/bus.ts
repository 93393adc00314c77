/** One message as it came. */
export interface BusMessage {
  readonly subject: string;
  /** The business id it was published under; undefined when it has none. */
  readonly id: string | undefined;
  /** The JSON of the message, parsed at each access. It is undefined if the bytes are not UTF-8 JSON text. */
  readonly data: unknown;
  readonly bytes: Uint8Array;
  /** True when it was handed out before and not acknowledged. */
  readonly redelivered: boolean;
}

/** A durable stream: what is published on its subjects is kept until it is `ageMsMax` old; 0: for ever. */
export interface StreamDefinition {
  /** Upper case, without dots and spaces. */
  readonly name: string;
  readonly subjects: readonly string[];
  readonly ageMsMax: number;
  /** A stream with more bytes takes no message. No bound when absent. */
  readonly bytesMax?: number;
  /** True: of each subject only the last message is kept. */
  readonly keepsLastOnly?: boolean;
  /** Within this time a second message of the same id is not stored. */
  readonly duplicateWindowMs: number;
  /** Copies in a cluster; what an existing stream has is kept when absent. */
  readonly replicas?: number;
}

export interface ConsumeOptions<Read = BusMessage> {
  readonly stream: string;
  /** Consumers of the same name share the messages; their place survives restarts. */
  readonly durable: string;
  readonly filter: string;
  /** Messages in a batch; of several batches so many may be with the consumers of a name at one time. */
  readonly batchMax: number;
  /** A batch of several messages has no more bytes of data than this. No bound when absent. */
  readonly batchBytesMax?: number;
  /** Batches begin at least so far apart, unless a full one waits. A first message waits for nothing. 0 if absent. */
  readonly batchEveryMs?: number;
  readonly signal: AbortSignal;
  /** Reads each message as it comes, for the batch. Never throws. Absent: the batch holds messages. */
  readonly read?: (message: BusMessage) => Read;
  /**
   * Resolves: the whole batch is acknowledged. Throws: the whole batch comes again, after a pause
   * that grows to some seconds. Called for one batch after the other.
   */
  readonly handle: (batch: readonly Read[]) => Promise<void>;
}

export interface SubscribeOptions {
  readonly signal: AbortSignal;
}

/** The place of a fact in a stream. */
export interface StoredFact {
  readonly stream: string;
  readonly sequence: number;
}

/** The progress of a durable consumer in its stream. */
export interface ConsumerPlace {
  /** Names the stream: one that a broker made anew has another name. */
  readonly created: string;
  /** The newest message of the stream. A broker that lost messages gives their numbers again. */
  readonly lastSequence: number;
  /** Number of messages that the consumer has not handled. */
  readonly pending: number;
}

/** A place in the stream of notices, and what is needed to notice that the stream is another one since. */
export interface NoticeMark {
  readonly created: string;
  readonly sequence: number;
  /** When the message at the place was stored; empty: not known. */
  readonly at: string;
}

export interface NoticesRead {
  readonly mark: NoticeMark;
  readonly notices: readonly BusMessage[];
  /** True when there were no more at the time of the question. */
  readonly isEnd: boolean;
  /** False when notices between the two marks may be lost, or no mark was given. */
  readonly isContinued: boolean;
}

export interface PublishNoticeOptions {
  /** 10 minutes when absent. */
  readonly timeoutMs?: number;
}

/** Messages between processes: at most once (publish) and at least once (publishFact). */
export interface Bus {
  /** Best effort: while the broker is away some are kept, then they are lost. Never throws for that. */
  publish(subject: string, message: object): void;
  /**
   * Resolves when a stream has stored it, or had stored its id before; throws bus_unavailable. A message that
   * is bytes is the JSON text of one.
   */
  publishFact(subject: string, id: string, message: object): Promise<StoredFact>;
  /**
   * Publishes on a subject of `noticeStream`. Resolves when the stream has stored the notice, and sends it again until
   * then. Throws bus_unavailable when it is not stored in time, too many wait, or the bus stops.
   */
  publishNotice(subject: string, message: object, options?: PublishNoticeOptions): Promise<void>;
  /**
   * Reads some of the notices behind the mark; without a mark none, only where the stream ends. Throws bus_unavailable.
   */
  readNotices(after: NoticeMark | undefined): Promise<NoticesRead>;
  /** True while the stream has the fact of this id at its place. Throws bus_unavailable. */
  holdsFact(id: string, stored: StoredFact): Promise<boolean>;
  /**
   * Resolves when the broker delivers; ends with the signal. Whatever the handler throws is logged.
   */
  subscribe(
    subject: string,
    handler: (message: BusMessage) => void | Promise<void>,
    options: SubscribeOptions,
  ): Promise<void>;
  /** Runs until the signal aborts; the batch in hand is finished first. Survives lost connections. */
  consume<Read = BusMessage>(options: ConsumeOptions<Read>): Promise<void>;
  /** Returns undefined while the broker has no such stream or consumer. Throws bus_unavailable. */
  placeOf(consumer: Pick<ConsumeOptions, 'stream' | 'durable'>): Promise<ConsumerPlace | undefined>;
  /** Makes the stream or brings it to the definition. Throws bus_unavailable. */
  ensureStream(definition: StreamDefinition): Promise<void>;
  /**
   * Resolves when the broker has taken all that was published before; throws bus_unavailable when it does not say
   * so within two seconds.
   */
  flush(): Promise<void>;
  isConnected(): boolean;
  /**
   * True while what others publish arrives: the broker has answered within the last two seconds. A connection
   * alone says nothing of a broker that is frozen, or of a network that forwards nothing.
   */
  isReceiving(): boolean;
  /**
   * Called each time a lost connection is back, or a silent broker answers again: what was published meanwhile
   * may be missed. The answer takes the callback off again.
   */
  onReconnect(callback: () => void): () => void;
  /**
   * Throws when the broker says that it acknowledges before its data is on disk. `unknown` when it
   * cannot be asked: its monitoring address is not configured.
   */
  assertDurable(): Promise<'durable' | 'unknown'>;
  /** Ends consumers and subscriptions, hands over what is still to be sent, disconnects. */
  stop(): Promise<void>;
}

/** Logs of the bus. The service logger fits. */
export interface BusLogger {
  info(message: string, fields?: BusLogFields): void;
  warn(message: string, fields?: BusLogFields): void;
  error(message: string, fields?: BusLogFields): void;
}

export interface BusLogFields {
  readonly address?: string;
  readonly stream?: string;
  readonly count?: number;
  readonly error?: unknown;
}

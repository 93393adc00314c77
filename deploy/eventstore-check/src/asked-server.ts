import { Metadata, status, type ChannelCredentials, type ServiceError } from '@grpc/grpc-js';
import { GossipClient, type ClusterInfo } from '@sluice/protos/event_store/client/gossip';
import {
  ServerFeaturesClient,
  type SupportedMethods,
} from '@sluice/protos/event_store/client/server_features';
import {
  StreamsClient,
  type DeleteReq,
  type DeleteResp,
  type ReadResp,
} from '@sluice/protos/event_store/client/streams';
import { BatchCall } from './batch-call.ts';
import { appendFact, refusalFact, type Fact, type ReadFact, type RefusedFact } from './facts.ts';
import {
  deleteRequest,
  expectedRevision,
  identified,
  readRequest,
  type Expected,
  type Proposed,
  type ReadOptions,
} from './requests.ts';

/** The address of a server and the user that asks it. */
export interface Access {
  /** `host:port`. */
  readonly address: string;
  readonly channel: ChannelCredentials;
  readonly user?: { readonly username: string; readonly password: string } | undefined;
}

export interface ReadWindow {
  /** Ends the read after so long; 3 s when absent. */
  readonly ms?: number;
  /** Ends the read when it holds. */
  readonly until?: (messages: readonly ReadResp[]) => boolean;
}

/** A read that goes on: `fact` when it is over, `live` when it has caught up or is over. */
export interface OpenRead {
  readonly fact: Promise<ReadFact>;
  readonly live: Promise<void>;
}

const messageBytesMax = 64 * 1024 * 1024;
const answerMs = 5_000;
const readMs = 3_000;
const channelOptions = {
  'grpc.max_receive_message_length': messageBytesMax,
  'grpc.max_send_message_length': messageBytesMax,
};

/** The wire of a server without a client library: each call gives what the server really answered. */
export class AskedServer {
  readonly #access: Access;
  readonly #patience: number;
  readonly #streams: StreamsClient;
  readonly #features: ServerFeaturesClient;
  readonly #gossip: GossipClient;
  readonly #metadata = new Metadata();
  readonly #others: AskedServer[] = [];

  /** `patience` multiplies how long each call waits: for servers, networks and machines that are slow. */
  constructor(access: Access, patience: number) {
    const { address, channel, user } = access;
    this.#access = access;
    this.#patience = patience;
    this.#streams = new StreamsClient(address, channel, channelOptions);
    this.#features = new ServerFeaturesClient(address, channel, channelOptions);
    this.#gossip = new GossipClient(address, channel, channelOptions);
    if (!user) return;
    const basic = Buffer.from(`${user.username}:${user.password}`).toString('base64');
    this.#metadata.set('authorization', `Basic ${basic}`);
  }

  /** Opens a connection of its own to the same server, for another user or for none. */
  as(user: Access['user']): AskedServer {
    const other = new AskedServer({ ...this.#access, user }, this.#patience);
    this.#others.push(other);
    return other;
  }

  close(): void {
    for (const other of this.#others) other.close();
    this.#streams.close();
    this.#features.close();
    this.#gossip.close();
  }

  /** Returns why a read is not served, in the words of the transport or of the server; undefined when it is. */
  async problem(options: ReadOptions): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const within = this.#within(answerMs);
    const call = this.#streams.read(readRequest(options), this.#metadata, within);
    call.on('data', () => {});
    call.on('error', ({ code, details }: ServiceError) => {
      const text = details.replace(/\.? Resolution note: \.?$/, '');
      resolve(`${status[code]}, ${text}`);
    });
    call.on('end', () => resolve(undefined));
    return await promise;
  }

  async features(): Promise<SupportedMethods | RefusedFact> {
    return await answerOf<SupportedMethods>((done) =>
      this.#features.getSupportedMethods({}, this.#metadata, this.#within(answerMs), done),
    );
  }

  async gossip(): Promise<ClusterInfo | RefusedFact> {
    return await answerOf<ClusterInfo>((done) =>
      this.#gossip.read({}, this.#metadata, this.#within(answerMs), done),
    );
  }

  async remove(stream: string, expected: Expected): Promise<Fact> {
    const request = deleteRequest(stream, expected);
    return await this.#remove(request, (...call) => this.#streams.delete(...call));
  }

  async tombstone(stream: string, expected: Expected): Promise<Fact> {
    const request = deleteRequest(stream, expected);
    return await this.#remove(request, (...call) => this.#streams.tombstone(...call));
  }

  /** One call of its own for one append. */
  async append(
    stream: string | Buffer,
    expected: Expected,
    events: readonly Proposed[],
  ): Promise<Fact> {
    const { promise, resolve } = Promise.withResolvers<Fact>();
    const call = this.#streams.append(this.#metadata, this.#within(answerMs), (error, answer) =>
      resolve(error ? refusalFact(error) : appendFact(answer)),
    );
    call.on('error', () => {});
    const expectedStreamRevision = expectedRevision(expected, 'revision');
    const streamIdentifier = identified(stream);
    call.write({
      content: { $case: 'options', value: { streamIdentifier, expectedStreamRevision } },
    });
    for (const value of events) call.write({ content: { $case: 'proposedMessage', value } });
    call.end();
    return await promise;
  }

  /** Opens one call for many appends, lets `work` use it, and closes it. */
  async batch<Answer>(work: (call: BatchCall) => Promise<Answer>): Promise<Answer> {
    const call = new BatchCall(this.#streams.batchAppend(this.#metadata), this.#patience);
    try {
      return await work(call);
    } finally {
      call.close();
    }
  }

  async read(options: ReadOptions, window: ReadWindow = {}): Promise<ReadFact> {
    return await this.open(options, window).fact;
  }

  /** Collects messages until the read ends, `until` holds or its time is over. */
  open(options: ReadOptions, { ms = readMs, until }: ReadWindow = {}): OpenRead {
    const { promise: fact, resolve } = Promise.withResolvers<ReadFact>();
    const { promise: live, resolve: resolveLive } = Promise.withResolvers<void>();
    const call = this.#streams.read(readRequest(options), this.#metadata);
    const messages: ReadResp[] = [];
    let isOver = false;
    const finish = (how: ReadFact['how']) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      call.cancel();
      resolve({ messages, how });
      resolveLive();
    };
    const timer = setTimeout(() => finish({ open: true }), ms * this.#patience);
    call.on('data', (message: ReadResp) => {
      if (isOver) return;
      messages.push(message);
      if (message.content?.$case === 'caughtUp') resolveLive();
      if (until?.(messages)) finish({ open: true });
    });
    call.on('error', (error: ServiceError) => finish(refusalFact(error)));
    call.on('end', () => finish({ end: true }));
    return { fact, live };
  }

  async #remove(
    request: DeleteReq,
    call: (
      request: DeleteReq,
      metadata: Metadata,
      options: { deadline: number },
      done: (error: ServiceError | null, answer: DeleteResp) => void,
    ) => unknown,
  ): Promise<Fact> {
    const answer = await answerOf<DeleteResp>((done) =>
      call(request, this.#metadata, this.#within(answerMs), done),
    );
    if ('refused' in answer) return answer;
    return { position: answer.positionOption?.$case === 'position' ? 'given' : 'none' };
  }

  #within(ms: number): { deadline: number } {
    return { deadline: Date.now() + ms * this.#patience };
  }
}

async function answerOf<Answer extends object>(
  call: (done: (error: ServiceError | null, answer: Answer) => void) => unknown,
): Promise<Answer | RefusedFact> {
  const { promise, resolve } = Promise.withResolvers<Answer | RefusedFact>();
  call((error, answer) => resolve(error ? refusalFact(error) : answer));
  return await promise;
}

import { EventStoreDBClient } from '@eventstore/db-client';
import type { CallOptions, Channel, Metadata } from '@grpc/grpc-js';
import { StreamsClient } from '@sluice/protos/event_store/client/streams';

export type SubscriptionCall = ReturnType<StreamsClient['read']>;

/** The methods that `StoreClient` puts its own in front of: they are properties, which `super` does not reach. */
class OfficialClient extends EventStoreDBClient {
  protected readonly officialResolveUri = this.resolveUri;
  protected readonly officialGetChannel = this.getChannel;
}

/**
 * The official client, with calls of our own over its connection. It finds the node, presents the credentials
 * and connects anew after a failure. The parts that these methods use are those that it gives to subclasses.
 */
export class StoreClient extends OfficialClient {
  #node: string | undefined;
  #channel: Promise<Channel> | undefined;
  readonly #subscriptions = new Set<SubscriptionCall>();

  protected override resolveUri = async (): Promise<string> => {
    this.#node = await this.officialResolveUri();
    return this.#node;
  };

  protected override getChannel = async (): Promise<Channel> => {
    this.#channel = this.officialGetChannel();
    return await this.#channel;
  };

  /** The host and the port of the node that calls went to last. */
  get node(): string | undefined {
    return this.#node;
  }

  /** Runs a call. When it fails as a node that is gone does, the next call connects anew. */
  async run<Result>(
    name: string,
    call: (streams: StreamsClient) => Promise<Result>,
  ): Promise<Result> {
    return await this.execute(StreamsClient, name, call);
  }

  async subscribe(call: (streams: StreamsClient) => SubscriptionCall): Promise<SubscriptionCall> {
    const subscription = await this.GRPCStreamCreator(StreamsClient, 'subscribeToAll', call)();
    this.#subscriptions.add(subscription);
    return subscription.once('close', () => this.#subscriptions.delete(subscription));
  }

  /** The credentials and the deadline of a call. */
  argumentsUntil(deadline: Date | number): [Metadata, CallOptions] {
    return this.callArguments({}, { deadline });
  }

  /** Ends all calls and closes the connection. `dispose` alone leaves the connection open. */
  async close(): Promise<void> {
    await this.dispose();
    await this.#closeChannel();
  }

  /**
   * Cancels the subscriptions and lets the connection close when the other calls on it have ended. Those must not
   * be canceled: a read of the client that is canceled ends without an error, as a whole one does.
   */
  async leave(): Promise<void> {
    for (const subscription of this.#subscriptions) subscription.cancel();
    await this.#closeChannel();
  }

  /** Calls that are on their way go on. */
  async #closeChannel(): Promise<void> {
    try {
      (await this.#channel)?.close();
    } catch {
      // No node was found: there is nothing to close.
    }
  }
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type ChannelCredentials,
  type ClientReadableStream,
  credentials,
  Metadata,
  type ServiceError,
} from '@grpc/grpc-js';
import { onTestFinished } from 'vitest';
import type { BatchAppendReq, BatchAppendResp } from '@sluice/protos/event_store/client/streams';
import { StreamsClient } from '@sluice/protos/event_store/client/streams';
import { startEventStoreServer, type EventStoreServerOptions } from '../server.ts';
import { scratchDirectory } from './scratch.ts';

/** A node of the running test, and a bare client that sends what no proper client would. */
export async function aNode(options: Partial<EventStoreServerOptions> = {}) {
  const directory = options.directory ?? (await scratchDirectory());
  const server = await startEventStoreServer({ port: 0, ...options, directory });
  onTestFinished(() => server.stop());
  const { username, password } = new URL(server.url);
  const address = `127.0.0.1:${server.port}`;
  const authority = await readFile(
    join(options.secretsDirectory ?? join(directory, 'secrets'), 'ca.crt'),
  );
  /** Over TLS, with this header or, as when it is left out, with the right one. */
  const channelFor = (authorization: string | undefined): ChannelCredentials => {
    const channel = credentials.createSsl(authority);
    if (authorization === undefined) return channel;
    const metadata = new Metadata();
    metadata.set('authorization', authorization);
    const generate = credentials.createFromMetadataGenerator((_options, done) =>
      done(null, metadata),
    );
    return credentials.combineChannelCredentials(channel, generate);
  };
  const basic = (user: string) => `Basic ${Buffer.from(user).toString('base64')}`;
  const clientAs = (authorization: string | undefined): StreamsClient => {
    const made = new StreamsClient(address, channelFor(authorization));
    onTestFinished(() => made.close());
    return made;
  };
  const client = clientAs(basic(`${username}:${password}`));
  return { server, client, clientAs, channelFor, basic, address, directory, username, password };
}

/** A bare client of a node in a process of its own. */
export async function clientFor(node: { readonly url: string; readonly secretsDirectory: string }) {
  const { username, password, host } = new URL(node.url);
  const authority = await readFile(join(node.secretsDirectory, 'ca.crt'));
  const metadata = new Metadata();
  const user = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  metadata.set('authorization', `Basic ${Buffer.from(user).toString('base64')}`);
  const generate = credentials.createFromMetadataGenerator((_options, done) =>
    done(null, metadata),
  );
  const channel = credentials.combineChannelCredentials(credentials.createSsl(authority), generate);
  const client = new StreamsClient(host, channel);
  onTestFinished(() => client.close());
  return client;
}

export const streamIdentifier = (name: string) => ({ streamName: Buffer.from(name) });

/** All messages of a call, or the error that ended it. */
export async function collect<Message>(
  call: ClientReadableStream<Message>,
): Promise<readonly Message[]> {
  return await Array.fromAsync(call as AsyncIterable<Message>);
}

/** The error of a call that fails. */
export function failureOf(call: {
  on(event: 'error', listener: (error: ServiceError) => void): unknown;
}): Promise<ServiceError> {
  return new Promise((resolve) => call.on('error', resolve));
}

/** One batch append on a call of its own: all chunks, then the answer. */
export async function batchAppend(
  client: StreamsClient,
  chunks: readonly BatchAppendReq[],
): Promise<BatchAppendResp> {
  const call = client.batchAppend();
  const answer = new Promise<BatchAppendResp>((resolve, reject) => {
    call.once('data', resolve);
    call.once('error', reject);
  });
  for (const chunk of chunks) call.write(chunk);
  const response = await answer;
  call.end();
  return response;
}

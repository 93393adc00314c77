import { ChannelCredentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import {
  type ClusterInfo,
  GossipClient,
  MemberInfo_VNodeState,
} from '@sluice/protos/event_store/client/gossip';
import {
  ServerFeaturesClient,
  type SupportedMethods,
} from '@sluice/protos/event_store/client/server_features';
import type { StoreAddress, StoreHost } from '../store-address.ts';

export interface Member extends StoreHost {
  /** The state in the store's own word: `Leader`, `Follower`. */
  readonly state: string;
  readonly isAlive: boolean;
}

/** Everything that a call to one node needs. */
export interface NodeAccess {
  readonly address: string;
  readonly channel: ChannelCredentials;
  readonly metadata: Metadata;
}

const deadlineMs = 5_000;

export function inTime(): { readonly deadline: number } {
  return { deadline: Date.now() + deadlineMs };
}

/** Sends a user and a password over TLS only, as the official client does. */
export function accessTo(
  { host, port }: StoreHost,
  { tls, credentials }: StoreAddress,
  authority: string | undefined,
): NodeAccess {
  const metadata = new Metadata();
  metadata.set('requires-leader', 'true');
  if (tls && credentials) {
    const pair = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64');
    metadata.set('authorization', `Basic ${pair}`);
  }
  const ca = authority === undefined ? null : Buffer.from(authority);
  const channel = tls ? ChannelCredentials.createSsl(ca) : ChannelCredentials.createInsecure();
  return { address: `${host}:${port}`, channel, metadata };
}

/** The version that the node says of itself. Throws a ServiceError. */
export async function askVersion({ address, channel, metadata }: NodeAccess): Promise<string> {
  const client = new ServerFeaturesClient(address, channel);
  try {
    const answer = await new Promise<SupportedMethods>((resolve, reject) => {
      client.getSupportedMethods({}, metadata, inTime(), (error, methods) =>
        error ? reject(error) : resolve(methods),
      );
    });
    return answer.eventStoreServerVersion;
  } finally {
    client.close();
  }
}

/** The members of the cluster as the node knows them; none where it does not say. */
export async function askMembers(access: NodeAccess): Promise<readonly Member[]> {
  const client = new GossipClient(access.address, access.channel);
  try {
    const { members } = await new Promise<ClusterInfo>((resolve, reject) => {
      client.read({}, access.metadata, inTime(), (error, cluster) =>
        error ? reject(error) : resolve(cluster),
      );
    });
    return members.flatMap(({ httpEndPoint, state, isAlive }) =>
      httpEndPoint ? [{ host: httpEndPoint.address, port: httpEndPoint.port, state, isAlive }] : [],
    );
  } catch {
    return [];
  } finally {
    client.close();
  }
}

export function leaderOf(members: readonly Member[]): Member | undefined {
  return members.find(({ state, isAlive }) => isAlive && state === MemberInfo_VNodeState.Leader);
}

/** The outcome of one call: the operation is allowed, refused, or unknown. */
export type Answer =
  | { readonly kind: 'granted' }
  | { readonly kind: 'no_right' }
  | { readonly kind: 'wrong_credentials' }
  | { readonly kind: 'failed'; readonly reason: string };

/** The store refuses unknown users in one way and known ones without the right in another. */
export function refusalOf(error: unknown): Answer {
  const { code, details } = error as Partial<ServiceError>;
  if (code === status.UNAUTHENTICATED) return { kind: 'wrong_credentials' };
  if (code === status.PERMISSION_DENIED) return { kind: 'no_right' };
  return { kind: 'failed', reason: details || 'no answer' };
}

import { readFileSync } from 'node:fs';
import { requireUsableAddress } from '../require-usable-address.ts';
import type { StoreAddress } from '../store-address.ts';
import {
  accessTo,
  askMembers,
  askVersion,
  leaderOf,
  type Member,
  refusalOf,
} from './node-calls.ts';
import { reachHost, type ReachedHost } from './reach-host.ts';
import { type Rights, tryRights } from './try-rights.ts';

export interface StoreExamination {
  /** The user that the connection string names; undefined when it names none or TLS is off. */
  readonly user: string | undefined;
  readonly tls: boolean;
  readonly caFile: string | undefined;
  /** Each host of the connection string. */
  readonly hosts: readonly ReachedHost[];
  /** Undefined when no host could be asked. */
  readonly asked: AskedNode | undefined;
}

export interface AskedNode {
  readonly address: string;
  /** If undefined, the node does not answer questions as an event store does. */
  readonly version: string | undefined;
  readonly reason: string | undefined;
  readonly members: readonly (Member & { readonly reached: ReachedHost | undefined })[];
  /** Undefined when the node was not worth asking. */
  readonly rights: Rights | undefined;
}

/**
 * Asks a store everything that the services need of it, as a user of the connection string. It appends one event to
 * `stream` and changes nothing else. Throws event_store_unavailable for a string that cannot be used at all.
 */
export async function examineStore(url: string, stream: string): Promise<StoreExamination> {
  const address = requireUsableAddress(url);
  const { tls, caFile, credentials } = address;
  const authority = tls && caFile !== undefined ? readFileSync(caFile, 'utf8') : undefined;
  const reach = { tls, authority };
  const hosts = await Promise.all(address.hosts.map((host) => reachHost(host, reach)));
  const first = hosts.find(({ problem }) => problem === undefined);
  return {
    user: tls ? credentials?.username : undefined,
    tls,
    caFile,
    hosts,
    asked: first && (await examineNode(first, { address, authority, stream })),
  };
}

interface Asking {
  readonly address: StoreAddress;
  readonly authority: string | undefined;
  readonly stream: string;
}

/** The first node says who leads; the rights are tried there, as the services do. */
async function examineNode(first: ReachedHost, asking: Asking): Promise<AskedNode> {
  const { address, authority, stream } = asking;
  const access = accessTo(first, address, authority);
  const said = await askVersion(access).then(
    (version) => ({ version, reason: undefined }),
    (error: unknown) => ({ version: undefined, reason: reasonOf(error) }),
  );
  const members = said.version === undefined ? [] : await askMembers(access);
  const leader = leaderOf(members) ?? first;
  const target = address.discovers ? accessTo(leader, address, authority) : access;
  const canAsk = said.version !== undefined;
  return {
    address: access.address,
    ...said,
    members: await Promise.all(
      members.map(async (member) => ({
        ...member,
        reached: address.discovers
          ? await reachHost(member, { tls: address.tls, authority })
          : undefined,
      })),
    ),
    rights: canAsk ? await tryRights(target, stream) : undefined,
  };
}

function reasonOf(error: unknown): string {
  const refusal = refusalOf(error);
  return refusal.kind === 'failed' ? refusal.reason : refusal.kind;
}

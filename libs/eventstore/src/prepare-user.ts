import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { Fault } from '@sluice/errors';
import { requireUsableAddress } from './require-usable-address.ts';
import type { StoreAddress } from './store-address.ts';
import { toFault } from './failure.ts';

export interface PrepareUserOptions {
  /** The connection string of an administrator. */
  readonly adminUrl: string;
  /** The connection string that the services will use: it holds the user and the password to be made. */
  readonly userUrl: string;
  /** True: of all users, only this one and administrators read and write streams. */
  readonly isExclusive: boolean;
}

type Credentials = NonNullable<StoreAddress['credentials']>;

const timeoutMs = 10_000;
const created = 201;
const ok = 200;
const conflict = 409;
const admins = '$admins';

/**
 * Makes a user without groups, or sets the password of one that exists, and lets it read `$all`. It may be
 * done again. Throws event_store_unavailable with a sentence.
 */
export async function prepareUser(options: PrepareUserOptions): Promise<{ readonly user: string }> {
  const admin = requireUsableAddress(options.adminUrl);
  const { credentials: user } = requireUsableAddress(options.userUrl);
  if (!admin.tls) throw refused('An event store without TLS has no users');
  if (!admin.credentials) throw refused('The administrator’s URL names no user');
  if (!user) throw refused('The URL of the services names no user');
  if (user.username === admin.credentials.username)
    throw refused('The user of the services is the administrator: give it a name of its own');
  await makeUser(admin, admin.credentials, user);
  const client = EventStoreDBClient.connectionString(options.adminUrl);
  try {
    await letReadAll(client, user.username);
    if (options.isExclusive) await closeToOthers(client, user.username);
    return { user: user.username };
  } catch (error) {
    throw toFault(error);
  } finally {
    await client.dispose();
  }
}

async function makeUser(admin: StoreAddress, by: Credentials, user: Credentials): Promise<void> {
  const { username: loginName, password } = user;
  const body = { loginName, fullName: loginName, groups: [], password };
  const status = await post(admin, by, { path: '/users/', body });
  if (status === created) return;
  if (status !== conflict) throw refused(`The event store does not make the user (${status})`);
  const path = `/users/${encodeURIComponent(loginName)}/command/reset-password`;
  const reset = await post(admin, by, { path, body: { newPassword: password } });
  if (reset !== ok) throw refused(`The event store does not set the password (${reset})`);
}

/** Users are managed over HTTP: the client has no call for it. Returns the status. */
async function post(
  { hosts, caFile }: StoreAddress,
  { username, password }: Credentials,
  { path, body }: { readonly path: string; readonly body: object },
): Promise<number> {
  const [node] = hosts;
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const options = {
    host: node?.host,
    port: node?.port,
    path,
    method: 'POST',
    auth: `${username}:${password}`,
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(timeoutMs),
    ...(caFile === undefined ? {} : { ca: readFileSync(caFile) }),
  };
  const sent = request(options, (response) => {
    response.resume().on('end', () => resolve(response.statusCode ?? 0));
  });
  sent.on('error', (error: NodeJS.ErrnoException) => {
    const reason = error.code ?? error.message;
    reject(refused(`The event store does not answer at ${node?.host}:${node?.port} (${reason})`));
  });
  sent.end(JSON.stringify(body));
  return await promise;
}

async function letReadAll(client: EventStoreDBClient, user: string): Promise<void> {
  const { metadata = {} } = await client.getStreamMetadata('$all');
  const acl = typeof metadata.acl === 'object' ? metadata.acl : {};
  const readRoles = withReader(acl.readRoles, user);
  if (readRoles === undefined) return;
  await client.setStreamMetadata('$all', { ...metadata, acl: { ...acl, readRoles } });
}

/** The roles that may read, with one more; undefined when it is there. Administrators stay. */
export function withReader(
  roles: string | readonly string[] | undefined,
  user: string,
): string[] | undefined {
  const present = typeof roles === 'string' ? [roles] : (roles ?? [admins]);
  if (present.includes(user)) return undefined;
  return [...new Set([...present, admins, user])];
}

/** The default for streams of users. Streams with an ACL of their own keep it. */
async function closeToOthers(client: EventStoreDBClient, user: string): Promise<void> {
  const both = [admins, user];
  const onlyAdmins = { $r: admins, $w: admins, $d: admins, $mr: admins, $mw: admins };
  const data = {
    $userStreamAcl: { ...onlyAdmins, $r: both, $w: both, $mr: both },
    $systemStreamAcl: onlyAdmins,
  };
  await client.appendToStream('$settings', jsonEvent({ type: 'update-default-acl', data }));
}

function refused(message: string): Fault {
  return new Fault('event_store_unavailable', { message });
}

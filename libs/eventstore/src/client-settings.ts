import { readFileSync } from 'node:fs';
import {
  FOLLOWER,
  LEADER,
  RANDOM,
  READ_ONLY_REPLICA,
  type ChannelCredentialOptions,
  type DNSClusterOptions,
  type NodePreference,
} from '@eventstore/db-client';
import { Fault } from '@sluice/errors';
import type { StoreAddress } from './store-address.ts';

/** The settings of the client that say nothing about the place of the store. */
export type ClientSettings = Omit<DNSClusterOptions, 'discover'>;

/** The preferences of the client, by their names in lower case, without `_` and `-`. */
const preferences: Readonly<Record<string, NodePreference>> = {
  leader: LEADER,
  follower: FOLLOWER,
  random: RANDOM,
  readonlyreplica: READ_ONLY_REPLICA,
};
const wholeNumber = /^-?\d{1,9}$/;

/** Reads the settings in a connection string as the official client does. Throws event_store_unavailable. */
export function clientSettings({ options }: StoreAddress): ClientSettings {
  const number = (name: keyof ClientSettings) => {
    const text = options.get(name.toLowerCase());
    if (text === undefined) return {};
    if (!wholeNumber.test(text)) throw unusable(name, 'is no whole number');
    return { [name]: Number(text) };
  };
  const preference = options.get('nodepreference');
  const nodePreference = preferences[flat(preference ?? '')];
  if (preference !== undefined && nodePreference === undefined)
    throw unusable('nodePreference', `is none of ${Object.keys(preferences).join(', ')}`);
  const connectionName = options.get('connectionname');
  return {
    ...number('maxDiscoverAttempts'),
    ...number('discoveryInterval'),
    ...number('gossipTimeout'),
    ...number('keepAliveInterval'),
    ...number('keepAliveTimeout'),
    ...number('defaultDeadline'),
    ...(nodePreference && { nodePreference }),
    ...(connectionName !== undefined && { connectionName }),
  };
}

/** Reads the files that the connection string names. */
export function channelCredentials({
  tls,
  caFile,
  options,
}: StoreAddress): ChannelCredentialOptions {
  if (!tls) return { insecure: true };
  const [userCert, userKey] = [options.get('usercertfile'), options.get('userkeyfile')];
  if ((userCert === undefined) !== (userKey === undefined))
    throw unusable('userCertFile', 'goes with userKeyFile');
  return {
    ...(caFile !== undefined && { rootCertificate: readFileSync(caFile) }),
    ...(userCert !== undefined && { userCertFile: fileOf('userCertFile', userCert) }),
    ...(userKey !== undefined && { userKeyFile: fileOf('userKeyFile', userKey) }),
  };
}

function fileOf(name: string, path: string): Buffer {
  try {
    return readFileSync(path);
  } catch {
    throw unusable(name, `cannot be read at ${path}`);
  }
}

function flat(text: string): string {
  return text.toLowerCase().replaceAll(/[_-]/g, '');
}

/** The string itself is a secret. */
function unusable(name: string, problem: string): Fault {
  const message = `${name} of the event store URL ${problem}`;
  return new Fault('event_store_unavailable', { message });
}

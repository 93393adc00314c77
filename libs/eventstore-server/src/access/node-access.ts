import { join, resolve } from 'node:path';
import { keptSecret, makePrivateDirectory, readPrivateFile } from '@sluice/private-files';
import { authorityFileName, keepCertificates, type KeyPair } from './certificates.ts';

/** The one user that there is: EventStoreDB calls its administrator so. */
export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The key pair that proves the node to clients, and the credentials that prove a client to the node. */
export interface NodeAccess extends KeyPair {
  readonly credentials: Credentials;
}

const username = 'admin';
const passwordFileName = 'password';
/** Clients on the machine of the node use one of these. */
const ownHosts = ['localhost', '127.0.0.1', '::1'];
export const everywhere: readonly string[] = ['0.0.0.0', '::'];

/** Reads the password, the authority and the certificate of the directory. Creates those that are missing. */
export async function keepNodeAccess(
  directory: string,
  host: string,
  nowMs: number,
): Promise<NodeAccess> {
  await makePrivateDirectory(directory);
  const password = await keptSecret(join(directory, passwordFileName));
  const hosts = [...new Set([...ownHosts, ...(everywhere.includes(host) ? [] : [host])])];
  const keyPair = await keepCertificates({ directory, hosts, nowMs });
  return { ...keyPair, credentials: { username, password } };
}

export interface NodeAddress {
  /** The directory of the node's password and authority. */
  readonly secretsDirectory: string;
  /** localhost when absent. */
  readonly host?: string;
  readonly port: number;
}

/** The connection string of a node that has been started once. It holds the password: never log it. */
export async function nodeUrl(address: NodeAddress): Promise<string> {
  const { secretsDirectory, host = 'localhost', port } = address;
  const kept = await readPrivateFile(join(secretsDirectory, passwordFileName));
  if (kept === undefined) throw new Error(`${secretsDirectory} holds no password of a node.`);
  const credentials = { username, password: kept.trim() };
  const authorityFile = authorityFileIn(secretsDirectory);
  return connectionString({ credentials, host, port, authorityFile });
}

/** The certificate by which clients know the node. */
export function authorityFileIn(secretsDirectory: string): string {
  return resolve(secretsDirectory, authorityFileName);
}

/** `authorityFile` is undefined for a node whose certificate clients trust already. */
export function connectionString(node: {
  readonly credentials: Credentials;
  readonly host: string;
  readonly port: number;
  readonly authorityFile: string | undefined;
}): string {
  const { credentials, host, port, authorityFile } = node;
  const user = `${credentials.username}:${encodeURIComponent(credentials.password)}`;
  const authority =
    authorityFile === undefined ? '' : `&tlsCAFile=${encodeURIComponent(authorityFile)}`;
  return `esdb://${user}@${nameOf(host)}:${port}?tls=true${authority}`;
}

/** The connection string of a node without TLS and without a user. */
export function insecureConnectionString(node: { readonly host: string; readonly port: number }) {
  return `esdb://${node.host === '::1' ? '[::1]' : node.host}:${node.port}?tls=false`;
}

/** Throws unless only this machine reaches a node that listens there. */
export function requireLoopback(host: string): void {
  if (ownHosts.includes(host)) return;
  throw new Error(
    `A node without TLS and without a user may listen on 127.0.0.1 only, not ${host}.`,
  );
}

/** TLS knows a server by its name; of an address Node warns that it is none. */
function nameOf(host: string): string {
  return host === '127.0.0.1' || everywhere.includes(host) ? 'localhost' : host;
}

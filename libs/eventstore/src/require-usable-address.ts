import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Fault } from '@sluice/errors';
import { parseStoreAddress, type StoreAddress } from './store-address.ts';

/**
 * Returns the parts of a connection string. Throws event_store_unavailable for a string that is none, and one that
 * names the CA file when that cannot be read. No message shows the string, which holds a password.
 */
export function requireUsableAddress(url: string): StoreAddress {
  const address = parseStoreAddress(url);
  if (address === undefined) throw unusable('The event store URL is not valid');
  if (address.tls && address.caFile !== undefined) requireCertificates(address.caFile);
  return address;
}

function requireCertificates(path: string): void {
  let pem: string;
  try {
    pem = readFileSync(path, 'utf8');
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    throw unusable(`The CA file ${path} of the event store URL cannot be read (${code})`);
  }
  try {
    void new X509Certificate(pem);
  } catch {
    throw unusable(`The CA file ${path} of the event store URL holds no certificate`);
  }
}

function unusable(message: string): Fault {
  return new Fault('event_store_unavailable', { message });
}

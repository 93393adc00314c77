import { X509Certificate, createPrivateKey, type KeyObject } from 'node:crypto';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { readPrivateFile, writePrivateFile } from '@sluice/private-files';
import type { SelfsignedOptions } from 'selfsigned';

/** A certificate and its key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly privateKey: string;
}

export interface CertificateOptions {
  /** Private, and there. */
  readonly directory: string;
  /** Names and addresses that clients call the node by. */
  readonly hosts: readonly string[];
  readonly nowMs: number;
}

export const authorityFileName = 'ca.crt';

const yearMs = 365 * 24 * 3_600_000;
/** The authority is renewed at a start when less than a third of this time is left. */
const authorityYears = 30;
const nodeYears = 9;
const renewedFrom = 1 / 3;
/** A machine whose clock lost its battery still accepts them. */
const notBeforeDate = new Date('2020-01-01T00:00:00Z');

/**
 * The certificate of the node, signed by an authority of its own. Both are made at the first start and renewed
 * at a later one long before they expire. Clients trust the authority, so that a new certificate changes nothing
 * for them.
 */
export async function keepCertificates(options: CertificateOptions): Promise<KeyPair> {
  const authority = await keepAuthority(options);
  const { directory, hosts, nowMs } = options;
  const kept = await readKeyPair(directory, 'node');
  if (kept && isLasting(kept, nowMs, nodeYears) && serves(kept, authority, hosts)) return kept;
  const made = await makeKeyPair('eventstore-node', nowMs + nodeYears * yearMs, {
    ca: { key: authority.privateKey, cert: authority.certificate },
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      { name: 'subjectAltName', altNames: hosts.map(alternativeName) },
    ],
  });
  await writeKeyPair(directory, 'node', made);
  return made;
}

async function keepAuthority({ directory, nowMs }: CertificateOptions): Promise<KeyPair> {
  const kept = await readKeyPair(directory, 'ca');
  if (kept && isLasting(kept, nowMs, authorityYears)) return kept;
  const made = await makeKeyPair('Sluice event store', nowMs + authorityYears * yearMs, {
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, critical: true },
    ],
  });
  await writeKeyPair(directory, 'ca', made);
  return made;
}

/** Loaded when something is made, which few starts do. */
async function makeKeyPair(
  commonName: string,
  expiresMs: number,
  options: SelfsignedOptions,
): Promise<KeyPair> {
  const { generate } = await import('selfsigned');
  const { cert, private: privateKey } = await generate(
    [{ name: 'commonName', value: commonName }],
    {
      keyType: 'ec',
      curve: 'P-256',
      algorithm: 'sha256',
      notBeforeDate,
      notAfterDate: new Date(expiresMs),
      ...options,
    },
  );
  return { certificate: cert, privateKey };
}

/** The key before the certificate: what a crash leaves half written does not fit together. */
async function writeKeyPair(directory: string, name: string, pair: KeyPair): Promise<void> {
  await writePrivateFile(join(directory, `${name}.key`), pair.privateKey);
  await writePrivateFile(join(directory, `${name}.crt`), pair.certificate);
}

/** Undefined when one of the two is missing, unreadable as such, or does not belong to the other. */
async function readKeyPair(directory: string, name: string): Promise<KeyPair | undefined> {
  const certificate = await readPrivateFile(join(directory, `${name}.crt`));
  const privateKey = await readPrivateFile(join(directory, `${name}.key`));
  if (certificate === undefined || privateKey === undefined) return undefined;
  const parsed = parse(certificate, privateKey);
  return parsed?.certificate.checkPrivateKey(parsed.key) ? { certificate, privateKey } : undefined;
}

function parse(certificate: string, key: string) {
  try {
    return { certificate: new X509Certificate(certificate), key: createPrivateKey(key) };
  } catch {
    return undefined;
  }
}

function isLasting({ certificate }: KeyPair, nowMs: number, years: number): boolean {
  const expiresMs = new X509Certificate(certificate).validToDate.getTime();
  return expiresMs - nowMs > years * yearMs * renewedFrom;
}

function serves(node: KeyPair, authority: KeyPair, hosts: readonly string[]): boolean {
  const certificate = new X509Certificate(node.certificate);
  const issuer: KeyObject = new X509Certificate(authority.certificate).publicKey;
  const names = (host: string) =>
    isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host);
  return certificate.verify(issuer) && hosts.every((host) => names(host) !== undefined);
}

function alternativeName(host: string) {
  return isIP(host) === 0 ? ({ type: 2, value: host } as const) : ({ type: 7, ip: host } as const);
}

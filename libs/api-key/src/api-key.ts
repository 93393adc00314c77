import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62 } from './base62.ts';

/** Regular keys do inference, management keys administer; neither does the other's work. */
export type ApiKeyKind = 'regular' | 'management';

export interface InspectedApiKey {
  readonly kind: ApiKeyKind;
  /** SHA-256 of the whole key, lower-case hex: the public handle. */
  readonly hash: string;
}

const prefixes: Readonly<Record<ApiKeyKind, string>> = {
  regular: 'sk-sluice-v1-',
  management: 'mk-sluice-v1-',
};
const randomBytesCount = 32;
/** 62^43 is the first power of 62 above 2^256, 62^6 the first above 2^32. */
const randomLength = 43;
const checksumLength = 6;
const pattern = /^([sm]k)-sluice-v1-[0-9A-Za-z]{49}$/;
const shownLength = 3;

/** A new secret from 32 bytes of `randomBytes`, which must be cryptographically random. */
export function mintApiKey(kind: ApiKeyKind, randomBytes: (size: number) => Uint8Array): string {
  const random = BigInt(`0x${Buffer.from(randomBytes(randomBytesCount)).toString('hex')}`);
  const unchecked = prefixes[kind] + base62(random, randomLength);
  return unchecked + checksum(unchecked);
}

/** Kind and public hash of a well-formed key; undefined when form or checksum is wrong. */
export function inspectApiKey(text: string): InspectedApiKey | undefined {
  const prefix = pattern.exec(text)?.[1];
  if (prefix === undefined) return undefined;
  const unchecked = text.slice(0, -checksumLength);
  if (checksum(unchecked) !== text.slice(-checksumLength)) return undefined;
  return {
    kind: prefix === 'mk' ? 'management' : 'regular',
    hash: hash('sha256', text),
  };
}

/** Returns the part of a well-formed key that may be shown: its prefix, the next three characters, the last three. */
export function maskApiKey(secret: string): string {
  const shown = prefixes.regular.length + shownLength;
  return `${secret.slice(0, shown)}...${secret.slice(-shownLength)}`;
}

function checksum(text: string): string {
  return base62(crc32(text), checksumLength);
}

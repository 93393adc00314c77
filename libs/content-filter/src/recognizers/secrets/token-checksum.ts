import { crc32 } from 'node:zlib';

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Checks the last six characters of a token, which are the CRC-32 of the part behind its prefix in base 62. */
export function passesChecksum(token: string): boolean {
  const body = token.slice(token.indexOf('_') + 1, -6);
  return checksumOf(body) === token.slice(-6);
}

/** The checksum of the random part of a token. */
export function checksumOf(body: string): string {
  let rest = crc32(body);
  let written = '';
  while (rest > 0) {
    written = (digits[rest % 62] ?? '') + written;
    rest = Math.floor(rest / 62);
  }
  return written.padStart(6, '0');
}

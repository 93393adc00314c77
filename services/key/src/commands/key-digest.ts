import { ok } from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '@sluice/boot';
import type { KeyDigest } from '../domain/api-key/events.ts';

/** The server-side secrets that digests are made under; older ones are kept to verify old keys. */
export interface Peppers {
  readonly currentVersion: number;
  readonly byVersion: ReadonlyMap<number, Secret>;
}

/**
 * Without the pepper, stolen events say nothing about the keys. The keys are 256 random bits, so a fast
 * function is enough: there is nothing to guess.
 */
export function keyDigest(peppers: Peppers, secret: string): KeyDigest {
  const pepperVersion = peppers.currentVersion;
  return { pepperVersion, hmacSha256: hmac(peppers, pepperVersion, secret).toString('hex') };
}

/** Compares in constant time. A digest under a pepper that is not configured is a bug of operation. */
export function isKeyOf(peppers: Peppers, digest: KeyDigest, secret: string): boolean {
  const expected = Buffer.from(digest.hmacSha256, 'hex');
  const given = hmac(peppers, digest.pepperVersion, secret);
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function hmac(peppers: Peppers, version: number, secret: string): Buffer {
  const pepper = peppers.byVersion.get(version);
  ok(pepper, `pepper version ${version} is not configured`);
  return createHmac('sha256', pepper.reveal()).update(secret).digest();
}

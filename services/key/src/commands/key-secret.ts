import { ok } from 'node:assert/strict';
import {
  hashOfSuppliedKey,
  inspectApiKey,
  isSuppliedKey,
  maskApiKey,
  maskSuppliedKey,
  mintApiKey,
} from '@sluice/api-key';
import { invalidValue } from '@sluice/errors';
import type { Secret } from '@sluice/boot';
import type { ApiKeyKind } from '../domain/api-key/events.ts';

/** A secret with its visible part. */
export interface KeySecret {
  readonly secret: string;
  readonly hash: string;
  readonly label: string;
  /** The caller has it already: it is not answered. */
  readonly isSupplied: boolean;
}

export function mintKeySecret(
  kind: ApiKeyKind,
  randomBytes: (size: number) => Uint8Array,
): KeySecret {
  return mintedKeySecret(mintApiKey(kind, randomBytes));
}

/** Returns a minted secret with its visible part. */
export function mintedKeySecret(secret: string): KeySecret {
  const inspected = inspectApiKey(secret);
  ok(inspected, 'a minted key is well-formed');
  return { secret, hash: inspected.hash, label: maskApiKey(secret), isSupplied: false };
}

/** Throws invalid_request for one that could be guessed, and for a management key. */
export function suppliedKeySecret(kind: ApiKeyKind, supplied: Secret): KeySecret {
  const secret = supplied.reveal();
  const message =
    kind === 'management'
      ? 'is not for management keys'
      : isSuppliedKey(secret)
        ? undefined
        : 'must have 32 to 512 printable characters, random enough and not in the form of our own keys';
  if (message !== undefined) throw invalidValue('external.api_key', message);
  return {
    secret,
    hash: hashOfSuppliedKey(secret),
    label: maskSuppliedKey(secret),
    isSupplied: true,
  };
}

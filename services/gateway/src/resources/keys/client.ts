import { Fault } from '@sluice/errors';
import {
  KeyKind,
  type IssueKeyRequest,
  type Key,
  type KeyServiceService,
  type ListKeysRequest,
  type UpdateKeyRequest,
} from '@sluice/protos/sluice/key/v1/key';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type { Calls } from '@sluice/rpc';
import type { PresentedKey } from '../../keys/principal-cache.ts';
import { KeyCaller } from '../../caller/key-caller.ts';
import { sharedTexts } from '../../keys/shared-texts.ts';
import { present } from '../../clients/present.ts';

/** The calls of the gateway to the key service. */
export type KeyCalls = Pick<
  Calls<KeyServiceService>,
  'resolveKey' | 'issueKey' | 'confirmDelivery' | 'listKeys' | 'getKey' | 'updateKey' | 'deleteKey'
>;

export interface KeyClient {
  /** Returns undefined for an unknown or deleted key, and for another secret. */
  resolveKey(
    presented: PresentedKey & { readonly atLeastRevision?: bigint | undefined },
  ): Promise<KeyCaller | undefined>;
  issueKey(request: Omit<IssueKeyRequest, 'kind'>): Promise<{ key: Key; secret: string }>;
  /** Reports that the answer with a key's secret has reached the client, so that the secret is erased. */
  confirmDelivery(accountId: string, commandId: string): Promise<void>;
  /** One page of at most 100, newest first. */
  listKeys(request: ListKeysRequest): Promise<readonly Key[]>;
  /** Returns a key, as it is or as it was at an instant. Throws not_found for keys of others and management keys. */
  findKey(accountId: string, hash: string, at?: string): Promise<Key>;
  updateKey(request: UpdateKeyRequest): Promise<Key>;
  deleteKey(context: CommandContext, hash: string): Promise<void>;
}

export function keyClient(calls: KeyCalls): KeyClient {
  const shared = sharedTexts();
  return {
    async resolveKey(presented) {
      try {
        const { key, revision } = await calls.resolveKey(presented);
        // With the hash that it was asked for by: the same text twice would be kept twice.
        const options = { revision: Number(revision), shared };
        return key && new KeyCaller({ ...key, hash: presented.hash }, options);
      } catch (error) {
        if (error instanceof Fault && error.code === 'not_found') return undefined;
        throw error;
      }
    },
    async issueKey(request) {
      const kind = KeyKind.KEY_KIND_REGULAR;
      const { key, secret } = await calls.issueKey({ ...request, kind });
      return { key: present(key), secret };
    },
    async confirmDelivery(accountId, commandId) {
      await calls.confirmDelivery({ accountId, commandId });
    },
    async listKeys(request) {
      const { keys } = await calls.listKeys(request);
      return keys;
    },
    async findKey(accountId, hash, at) {
      const { key } = await calls.getKey({ accountId, hash, at });
      const found = present(key);
      if (found.kind !== KeyKind.KEY_KIND_REGULAR) throw new Fault('not_found');
      return found;
    },
    async updateKey(request) {
      const { key } = await calls.updateKey(request);
      return present(key);
    },
    async deleteKey(context, hash) {
      await calls.deleteKey({ context, hash });
    },
  };
}

import { Fault, invalidValue } from '@sluice/errors';
import type { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import type { AccountReads, Queryable } from '@sluice/read-model';
import type { implement } from '@sluice/rpc';
import type { Directory } from '../commands/directory.ts';
import { findWorkspace } from '../commands/find-workspace.ts';
import type { Peppers } from '../commands/key-digest.ts';
import { resolveApiKey } from '../commands/resolve-api-key.ts';
import { findApiKey } from '../queries/find-api-key.ts';
import { findApiKeys } from '../queries/find-api-keys.ts';
import { listApiKeys } from '../queries/list-api-keys.ts';
import { listManagementKeys } from '../queries/list-management-keys.ts';
import { fromRow, fromState } from './key-message.ts';
import type { FindPastKey } from './past-key.ts';

export interface KeyQuestionDependencies {
  readonly readModel: AccountReads & Queryable;
  readonly directory: Directory;
  readonly peppers: Peppers;
  /** False while the read model has never held all keys. */
  readonly isComplete: () => boolean;
}

type Handlers = Parameters<typeof implement<typeof KeyServiceService>>[1];

const askedMax = 100;

/** Answers the questions of other services about the keys of an account. */
export function keyQuestions(
  dependencies: KeyQuestionDependencies & { readonly findPastKey: FindPastKey },
) {
  const { readModel, directory } = dependencies;
  return {
    async getKey({ accountId, hash, at }) {
      if (at !== undefined) return { key: await dependencies.findPastKey({ accountId, hash, at }) };
      const row = await findApiKey(readModel, { accountId, hash });
      if (!row) throw new Fault('not_found');
      return { key: fromRow(row) };
    },
    async listKeys({ accountId, workspaceId: sent, includeDisabled, offset }) {
      const workspaceId = await findWorkspace(directory, accountId, sent);
      const page = { accountId, workspaceId, includeDisabled, offset };
      return { keys: (await listApiKeys(readModel, page)).map(fromRow) };
    },
    async listManagementKeys({ accountId, offset }) {
      const { keys, totalCount } = await listManagementKeys(readModel, { accountId, offset });
      return { keys: keys.map(fromRow), totalCount };
    },
    async getKeys({ accountId, hashes }) {
      if (hashes.length === 0 || hashes.length > askedMax)
        throw invalidValue('hashes', `must be 1 to ${askedMax}`);
      return { keys: (await findApiKeys(readModel, { accountId, hashes })).map(fromRow) };
    },
    async resolveKey(presented) {
      const found = await resolveApiKey(dependencies, presented);
      if (!found) throw new Fault('not_found');
      return { key: fromState(found.key), revision: found.revision };
    },
  } satisfies Partial<Handlers>;
}

import { Fault, invalidRequest, rejectionToFault } from '@sluice/errors';
import type { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import type { AccountReads, Queryable } from '@sluice/read-model';
import type { implement } from '@sluice/rpc';
import type { Directory } from '../commands/directory.ts';
import { findWorkspace } from '../commands/find-workspace.ts';
import type { Peppers } from '../commands/key-digest.ts';
import { resolveApiKey } from '../commands/resolve-api-key.ts';
import { countApiKeys } from '../queries/count-api-keys.ts';
import { findApiKey } from '../queries/find-api-key.ts';
import { findApiKeys } from '../queries/find-api-keys.ts';
import { listApiKeys } from '../queries/list-api-keys.ts';
import { listManagementKeys } from '../queries/list-management-keys.ts';
import { fromRow, fromState } from './key-message.ts';

export interface KeyQuestionDependencies {
  readonly readModel: AccountReads & Queryable;
  readonly directory: Directory;
  readonly peppers: Peppers;
  /** False while the read model has never held all keys. */
  readonly isComplete: () => boolean;
}

type Handlers = Parameters<typeof implement<typeof KeyServiceService>>[1];

const uuidPattern = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const askedMax = 100;

/** Answers the questions of other services about the keys of an account. */
export function keyQuestions(dependencies: KeyQuestionDependencies) {
  const { readModel, directory } = dependencies;
  return {
    async getKey({ accountId, hash }) {
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
        throw refused('hashes', `must be 1 to ${askedMax}`);
      return { keys: (await findApiKeys(readModel, { accountId, hashes })).map(fromRow) };
    },
    async countKeys({ accountId, workspaceId: sent, creatorUserIds }) {
      const workspaceId = sent.toLowerCase();
      if (!uuidPattern.test(workspaceId)) throw refused('workspace_id', 'must be a UUID');
      if (creatorUserIds.length > askedMax)
        throw refused('creator_user_ids', `must be at most ${askedMax}`);
      return { count: await countApiKeys(readModel, { accountId, workspaceId, creatorUserIds }) };
    },
    async resolveKey(presented) {
      const found = await resolveApiKey(dependencies, presented);
      if (!found) throw new Fault('not_found');
      return { key: fromState(found.key), revision: found.revision };
    },
  } satisfies Partial<Handlers>;
}

function refused(path: string, message: string): Fault {
  return rejectionToFault(invalidRequest([{ path, message }]));
}

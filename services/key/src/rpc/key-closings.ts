import { isUuid } from '@sluice/clock-and-ids';
import { invalidValue } from '@sluice/errors';
import type { KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import type { AccountReads } from '@sluice/read-model';
import type { implement } from '@sluice/rpc';
import { countApiKeys } from '../queries/count-api-keys.ts';
import type { Closings } from '../store/closings.ts';

export interface KeyClosingDependencies {
  readonly readModel: AccountReads;
  readonly closings: Closings;
}

type Handlers = Parameters<typeof implement<typeof KeyServiceService>>[1];

const creatorsMax = 100;

/** Answers the service that deletes workspaces and removes their members. */
export function keyClosings({ readModel, closings }: KeyClosingDependencies) {
  return {
    async beginClosing({ accountId, workspaceId: sent, creatorUserIds }) {
      const workspaceId = uuidOf(sent, 'workspace_id');
      if (creatorUserIds.length > creatorsMax)
        throw invalidValue('creator_user_ids', `must be at most ${creatorsMax}`);
      const closed = { accountId, workspaceId, creatorUserIds };
      // The order decides: an IssueKey that does not see the closing has a key that the count sees.
      const token = await closings.begin(closed);
      const keyCount = await countApiKeys(readModel, closed);
      if (keyCount > 0n) await closings.end({ accountId, token });
      return { keyCount, token };
    },
    async endClosing({ accountId, token }) {
      await closings.end({ accountId, token: uuidOf(token, 'token') });
      return {};
    },
  } satisfies Partial<Handlers>;
}

function uuidOf(sent: string, path: string): string {
  const id = sent.toLowerCase();
  if (!isUuid(id)) throw invalidValue(path, 'must be a UUID');
  return id;
}

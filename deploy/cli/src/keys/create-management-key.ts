import { KeyKind } from '@sluice/protos/sluice/key/v1/key';
import { operatorContext } from '../operator-context.ts';
import type { CreateManagementKey } from './command.ts';
import type { KeySurroundings } from './operator-keys.ts';

/** Issues a management key and shows its secret. Throws the fault of the service. */
export async function createManagementKey(
  { keyName: name, expiresAt, json }: CreateManagementKey,
  { keys, accountId, output, ids }: KeySurroundings,
): Promise<void> {
  const { key, secret } = await keys.issueKey({
    context: operatorContext(accountId, ids.next()),
    kind: KeyKind.KEY_KIND_MANAGEMENT,
    name,
    workspaceId: '',
    limitNanoUsd: undefined,
    limitReset: '',
    includeByokInLimit: false,
    expiresAt,
    creatorUserId: '',
    externalUser: '',
    externalApiKey: '',
    source: '',
  });
  const { hash = '', label = '' } = key ?? {};
  if (json)
    return output.line(JSON.stringify({ hash, label, name, expires_at: expiresAt, key: secret }));
  output.line(
    `Management key ${label} of ${accountId}, until ${expiresAt}. It is shown this once:`,
  );
  output.line(secret);
}

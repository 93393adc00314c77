import { KeyKind, KeyServiceService } from '@sluice/protos/sluice/key/v1/key';
import type { Ids } from '@sluice/service';
import { asking } from '../asking.ts';
import type { Output } from '../output.ts';
import type { KeyAddress } from '../service-addresses.ts';
import type { CreateManagementKey } from './command.ts';

export interface KeySurroundings {
  readonly service: KeyAddress;
  readonly accountId: string;
  readonly output: Output;
  readonly ids: Ids;
}

/** Returns the exit code. Throws the fault of the service. */
export async function createManagementKey(
  { name, expiresAt, json }: CreateManagementKey,
  { service, accountId, output, ids }: KeySurroundings,
): Promise<number> {
  const commandId = ids.next();
  const { key, secret } = await asking(
    KeyServiceService,
    { address: service.keyAddress, rpcToken: service.rpcToken },
    (client) =>
      client.issueKey({
        context: {
          commandId,
          requestId: `cli-${commandId}`,
          accountId,
          actorType: 'system',
          actorId: 'cli',
          traceparent: '',
        },
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
      }),
  );
  const { hash = '', label = '' } = key ?? {};
  if (json) output.line(JSON.stringify({ hash, label, name, expires_at: expiresAt, key: secret }));
  else {
    output.line(
      `Management key ${label} of ${accountId}, until ${expiresAt}. It is shown this once:`,
    );
    output.line(secret);
  }
  return 0;
}

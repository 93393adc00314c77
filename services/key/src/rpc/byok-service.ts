import { Fault, invalidValue } from '@sluice/errors';
import { ByokServiceService } from '@sluice/protos/sluice/key/v1/byok';
import type { CredentialsChanged } from '@sluice/protos/sluice/key/v1/key_events';
import { isWellFormedSlug } from '@sluice/provider-registry';
import type { Shown } from '@sluice/read-model';
import { commandContext, implement, type RpcService } from '@sluice/rpc';
import { Secret } from '@sluice/boot';
import { type Clock, isUuid } from '@sluice/clock-and-ids';
import { byokCommands, type ByokCommandDependencies } from '../commands/byok/byok-commands.ts';
import { findWorkspace } from '../commands/find-workspace.ts';
import { findByokCredential } from '../queries/find-byok-credential.ts';
import { listByokCredentials } from '../queries/list-byok-credentials.ts';
import { changesOf, fromCredential, fromCredentialRow, settingsOf } from './byok-message.ts';

export interface ByokRpcDependencies extends ByokCommandDependencies {
  readonly clock: Clock;
  /** Notifies the other processes, best effort. */
  readonly publishChange: (change: CredentialsChanged) => void;
  /** Waits until the read model holds a position and the replaced secrets are erased. */
  readonly shown: { readonly credentials: Shown };
}

type Handlers = Parameters<typeof implement<typeof ByokServiceService>>[1];

const pageRowsMax = 100;

export function byokRpc(dependencies: ByokRpcDependencies): RpcService {
  return implement(ByokServiceService, { ...writing(dependencies), ...reading(dependencies) });
}

function writing(dependencies: ByokRpcDependencies) {
  const { clock, shown, publishChange } = dependencies;
  const commands = byokCommands(dependencies);
  return {
    async addCredential({ context: sent, provider, secret, workspaceId, settings }) {
      const context = commandContext(sent, clock.now());
      const wanted = { provider, secret: new Secret(secret), workspaceId };
      const added = await commands.add({ ...wanted, settings: settingsOf(settings) }, context);
      await shown.credentials(added.position);
      publishChange({ accountId: context.accountId, isRevoked: false });
      return { credential: fromCredential(added.credential) };
    },
    async updateCredential(request) {
      const context = commandContext(request.context, clock.now());
      const secret = request.secret === undefined ? undefined : new Secret(request.secret);
      const { credentialId } = request;
      const wanted = { credentialId, settings: changesOf(request), secret };
      const changed = await commands.change(wanted, context);
      await shown.credentials(changed.position);
      const isRevoked = secret !== undefined || changed.credential.settings.disabled;
      publishChange({ accountId: context.accountId, isRevoked });
      return { credential: fromCredential(changed.credential) };
    },
    async deleteCredential({ context: sent, credentialId }) {
      const context = commandContext(sent, clock.now());
      const position = await commands.remove(credentialId, context);
      await shown.credentials(position);
      publishChange({ accountId: context.accountId, isRevoked: true });
      return {};
    },
  } satisfies Partial<Handlers>;
}

function reading({ database, directory }: ByokRpcDependencies) {
  return {
    async getCredential({ accountId, credentialId }) {
      const row = isUuid(credentialId)
        ? await findByokCredential(database, { accountId, credentialId })
        : undefined;
      if (!row) throw new Fault('not_found');
      return { credential: fromCredentialRow(row) };
    },
    async listCredentials({ accountId, workspaceId: sent, provider = null, offset, limit }) {
      if (limit < 1 || limit > pageRowsMax)
        throw invalidValue('limit', `must be 1 to ${pageRowsMax}`);
      if (provider !== null && !isWellFormedSlug(provider))
        throw invalidValue('provider', 'must be the slug of a provider');
      const workspaceId = await findWorkspace(directory, accountId, sent);
      const asked = { accountId, workspaceId, provider, offset, limit };
      const { rows, totalCount } = await listByokCredentials(database, asked);
      return { credentials: rows.map(fromCredentialRow), totalCount: BigInt(totalCount) };
    },
  } satisfies Partial<Handlers>;
}

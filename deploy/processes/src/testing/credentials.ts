import { type Bus, subjects } from '@sluice/bus';
import { Fault } from '@sluice/errors';
import { CredentialSettings } from '@sluice/protos/sluice/key/v1/byok';
import { ByokUseServiceService } from '@sluice/protos/sluice/key/v1/byok_use';
import { implement, type RpcService } from '@sluice/rpc';

/** The credentials of the key service, without their log: one per account, of one provider. */
export interface KeptCredentials {
  readonly rpc: RpcService;
  /** The account has it from now on; undefined: it has none. All processes are notified. */
  set(accountId: string, secret: string | undefined): void;
}

const credentialId = '0190a000-0000-7000-8000-0000000000c1';
const settings = CredentialSettings.create();

export function keptCredentials(bus: Pick<Bus, 'publish'>): KeptCredentials {
  const secrets = new Map<string, string>();
  return {
    rpc: implement(ByokUseServiceService, {
      listUsable: async ({ accountId, workspaceId }) => {
        if (!secrets.has(accountId)) return { credentials: [] };
        const place = { credentialId, accountId, workspaceId, provider: 'openai', label: '...' };
        const credential = { ...place, settings, sortOrder: 0, createdAt: '' };
        return { credentials: [{ credential, secretId: credentialId }] };
      },
      openSecret: async ({ accountId }) => {
        const secret = secrets.get(accountId);
        if (secret === undefined) throw new Fault('not_found');
        return { secret };
      },
    }),
    set(accountId, secret) {
      if (secret === undefined) secrets.delete(accountId);
      else secrets.set(accountId, secret);
      bus.publish(subjects.credentialsChanged(accountId), { accountId });
    },
  };
}

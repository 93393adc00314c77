import { randomUUID } from 'node:crypto';
import { Fault } from '@sluice/errors';
import type { CommandContext } from '@sluice/protos/sluice/context/v1/context';
import type { BootstrapOptions } from '../bootstrap/bootstrap.ts';

type Calls = Pick<BootstrapOptions, 'accounts' | 'workspaces' | 'keys' | 'ledger'>;

/**
 * The services that the bootstrap talks to, in memory and by the same rules: a command is carried out
 * once, a key is shown once. Crashes after any number of calls, when the work is done and the answer lost, or
 * fails some of them so.
 */
export class OrganizationRegistry {
  readonly organizations = new Set<string>();
  readonly workspaces = new Set<string>();
  readonly grantsNanoUsd = new Map<string, bigint>();
  readonly keys = new Map<string, { readonly commandId: string; readonly secret: string }>();
  /** Hashes of all keys by the command that issued them, those of deleted ones included. */
  readonly #issued = new Map<string, string>();
  crashesAfterCalls = Number.POSITIVE_INFINITY;
  /** The faults of the next calls, each after the work was done; undefined: the call is answered. */
  readonly faults: (Fault | undefined)[] = [];

  readonly calls: Calls = {
    accounts: {
      openAccount: ({ context }) => {
        this.organizations.add(context?.accountId ?? '');
        return this.#answer({ account: undefined });
      },
      grantCredits: ({ grantId, amountNanoUsd }) => {
        this.grantsNanoUsd.set(grantId, amountNanoUsd);
        return this.#answer({});
      },
    },
    workspaces: {
      createWorkspace: ({ workspaceId }) => {
        this.workspaces.add(workspaceId);
        return this.#answer({ workspace: undefined });
      },
    },
    keys: {
      issueKey: ({ context }) => this.#issueKey(context),
      deleteKey: ({ hash }) => {
        if (!this.keys.delete(hash)) throw new Fault('not_found');
        return this.#answer({});
      },
    },
    ledger: {
      getCredits: () =>
        this.#answer({
          totalCreditsNanoUsd: [...this.grantsNanoUsd.values()].reduce((a, b) => a + b, 0n),
          totalUsageNanoUsd: 0n,
          hasPurchased: false,
          purchasedNanoUsd: 0n,
          freeRequestsToday: undefined,
        }),
    },
  };

  #issueKey(context: CommandContext | undefined) {
    const commandId = context?.commandId ?? '';
    const before = this.#issued.get(commandId);
    if (before !== undefined) throw new Fault('conflict', { metadata: { hash: before } });
    const [hash, secret] = [randomUUID(), randomUUID()];
    this.keys.set(hash, { commandId, secret });
    this.#issued.set(commandId, hash);
    return this.#answer({ key: undefined, secret });
  }

  async #answer<Answer>(answer: Answer): Promise<Answer> {
    this.crashesAfterCalls -= 1;
    if (this.crashesAfterCalls < 0) throw new Error('crashed');
    const fault = this.faults.shift();
    if (fault) throw fault;
    return answer;
  }
}

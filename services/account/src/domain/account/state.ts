import type { AccountEvent, AccountOpened } from './events.ts';

export type Account =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'open';
      readonly opened: AccountOpened['data'];
      /** The amount of each grant that was made, by its id. */
      readonly grantsNanoUsd: ReadonlyMap<string, bigint>;
    };

export const initial: Account = { kind: 'none' };

export function evolve(account: Account, event: AccountEvent): Account {
  switch (event.type) {
    case 'AccountOpened':
      return { kind: 'open', opened: event.data, grantsNanoUsd: new Map() };
    case 'CreditsGranted': {
      if (account.kind === 'none') return account;
      const { grantId, amountNanoUsd } = event.data;
      const granted = [grantId, BigInt(amountNanoUsd)] as const;
      return { ...account, grantsNanoUsd: new Map([...account.grantsNanoUsd, granted]) };
    }
  }
}

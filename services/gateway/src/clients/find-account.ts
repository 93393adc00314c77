import type { Account } from '@sluice/protos/sluice/account/v1/account';
import type { AccountCalls } from './calls.ts';
import { present } from './present.ts';

export async function findAccount(
  accounts: Pick<AccountCalls, 'getAccount'>,
  accountId: string,
): Promise<Account> {
  return present((await accounts.getAccount({ accountId })).account);
}

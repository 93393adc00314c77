import type { Running } from '../shared/setup.ts';
import { walkedAccount, type WalkedAccount } from './account.ts';
import { type Operation, readDescription } from './description.ts';
import { walker, type Walker } from './walker.ts';

export interface Walk {
  readonly operations: readonly Operation[];
  readonly walk: Walker;
  readonly account: WalkedAccount;
}

/** These operations need a workspace that broadcasts and a receiver: `delivery.spec.ts` has them. */
const isOfDelivery = ({ path }: Operation) =>
  path.startsWith('/v1/observability/destinations/{id}/');

/** Prepares the account of an instance without rate limits, so that each wanted operation can be tried on it. */
export async function startWalk(
  sluice: Pick<Running, 'bootstrap'>,
  wanted: (operation: Operation) => boolean,
): Promise<Walk> {
  const description = await readDescription(sluice);
  const operations = description.operations.filter((one) => wanted(one) && !isOfDelivery(one));
  const walk = walker(sluice.bootstrap, description.error);
  return { operations, walk, account: await walkedAccount(sluice, operations, walk) };
}

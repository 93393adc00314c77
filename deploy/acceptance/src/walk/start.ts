import { type Instance, startInstance } from '../instance.ts';
import { walkedAccount, type WalkedAccount } from './account.ts';
import { type Operation, readDescription } from './description.ts';
import { walker, type Walker } from './walker.ts';

const noLimit = '1000000';

export interface Walk {
  readonly sluice: Instance;
  readonly operations: readonly Operation[];
  readonly walk: Walker;
  readonly account: WalkedAccount;
}

/** Starts an instance without rate limits, and an account in it on which each wanted operation can be tried. */
export async function startWalk(wanted: (operation: Operation) => boolean): Promise<Walk> {
  const sluice = await startInstance({
    SLUICE_KEY_REQUESTS_PER_MINUTE: noLimit,
    SLUICE_MANAGEMENT_REQUESTS_PER_MINUTE: noLimit,
    SLUICE_INFERENCE_REQUESTS_PER_MINUTE: noLimit,
  });
  try {
    const description = await readDescription(sluice);
    const operations = description.operations.filter(wanted);
    const walk = walker(sluice.bootstrap, description.error);
    return { sluice, operations, walk, account: await walkedAccount(sluice, operations, walk) };
  } catch (error) {
    await sluice.dispose();
    throw error;
  }
}

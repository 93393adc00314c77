import { inject } from 'vitest';
import { inSecondOrganization } from '../organization.ts';
import type { Running, Started } from './setup.ts';

const creditsOfFirstStart = '100';

/**
 * Returns the instance that files share, for a new organization with keys and credits of its own. Files use it at the
 * same time: a test that restarts Sluice, needs settings, or reads what all organizations did starts its own.
 */
export async function sharedInstance(creditsUsd = creditsOfFirstStart): Promise<Running> {
  return await inSecondOrganization(await firstOrganization(), creditsUsd);
}

/** The same for the organization of the first start, which commands take when they are told no other. */
export async function firstOrganization(): Promise<Running> {
  const response = await fetch(inject('sharedInstanceUrl'));
  const started = (await response.json()) as Started;
  if ('failure' in started) throw new Error(started.failure);
  return started;
}

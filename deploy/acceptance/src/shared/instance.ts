import { inject } from 'vitest';
import { inSecondOrganization } from '../organization.ts';
import type { Running, SharedKind, Started } from './setup.ts';

const creditsOfFirstStart = '100';

interface Wanted {
  readonly creditsUsd?: string;
  readonly kind?: SharedKind;
}

/**
 * Returns an instance that files share, for a new organization with keys and credits of its own. Files use it at the
 * same time: a test that restarts Sluice, needs settings, or reads what all organizations did starts its own.
 */
export async function sharedInstance({
  creditsUsd = creditsOfFirstStart,
  kind = 'ordinary',
}: Wanted = {}): Promise<Running> {
  return await inSecondOrganization(await firstOrganization(kind), creditsUsd);
}

/** The same for the organization of the first start, which commands take when they are told no other. */
export async function firstOrganization(kind: SharedKind = 'ordinary'): Promise<Running> {
  const response = await fetch(new URL(kind, inject('sharedInstanceUrl')));
  const started = (await response.json()) as Started;
  if ('failure' in started) throw new Error(started.failure);
  return started;
}

import type { Cell } from './cell.ts';

/** Returns why an agent cannot do the job on a dialect; undefined: it must. */
export function cannotBe({ agent }: Cell): string | undefined {
  if (agent.door === 'messages') return `there is no POST /${agent.door} yet`;
  return undefined;
}

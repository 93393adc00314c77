import type { Cell } from './cell.ts';

/** Returns why an agent cannot do the job on a dialect; undefined: it must. */
export function cannotBe({ agent, dialect }: Cell): string | undefined {
  if (agent.door !== 'responses') return `there is no POST /${agent.door} yet`;
  if (agent.name === 'codex')
    return `Codex sends web_search and namespace tools, which ${dialect} does not take yet`;
  return undefined;
}

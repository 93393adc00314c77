import { type Dialect, modelOf, type Outcome, tryCell } from './cell.ts';
import type { Agent } from './programs/agent.ts';
import { type Installed, install } from './programs/install.ts';
import { searches, trySearch } from './searches/try-search.ts';
import { troubles } from './troubles/table.ts';
import { tryTrouble } from './troubles/try-trouble.ts';
import type { Stage } from './world/stage.ts';

/** One thing to try: a cell of the matrix, an agent that searches the web, or an agent in trouble. */
export interface Trial {
  readonly name: string;
  readonly kind: 'cell' | 'search' | 'trouble';
  run(stage: Stage): Promise<Outcome>;
}

/** Returns whether a name was asked for. */
export type Chosen = (setting: 'DIALECTS' | 'TROUBLES', name: string) => boolean;

/** Returns the trials of an agent, which is fetched with the first. */
export function trialsOf(
  agent: Agent,
  isChosen: Chosen,
  onProgress: (line: string) => void,
): readonly Trial[] {
  let installed: Promise<Installed> | undefined;
  const program = async () => await (installed ??= install(agent, onProgress));
  const title = `${agent.name} ${agent.version}`;
  const dialects = (Object.keys(modelOf) as readonly Dialect[]).filter((dialect) =>
    isChosen('DIALECTS', dialect),
  );
  const cells = dialects.map((dialect) => ({
    name: `${title} on ${dialect} by /${agent.door}`,
    kind: 'cell' as const,
    run: async (stage: Stage) => await tryCell(stage, await program(), { agent, dialect }),
  }));
  const searching = (agent.searches ? dialects : []).flatMap((dialect) =>
    searches.map((search) => ({
      name: `${title} ${search.name} on ${dialect} by /${agent.door}`,
      kind: 'search' as const,
      run: async (stage: Stage) =>
        await trySearch(stage, await program(), { agent, dialect }, search),
    })),
  );
  const inTrouble = troubles
    .filter(({ name }) => isChosen('TROUBLES', name))
    .map((trouble) => ({
      name: `${title} in trouble: ${trouble.name}`,
      kind: 'trouble' as const,
      run: async (stage: Stage) => await tryTrouble(stage, await program(), agent, trouble),
    }));
  return [...cells, ...searching, ...inTrouble];
}

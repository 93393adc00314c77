import type { Prompt, Script } from '@sluice/simulator';
import { play } from '../job/play.ts';
import type { AgentName } from '../programs/agent.ts';
import type { RunKey } from '../world/key.ts';

/** Something that goes wrong in the middle of a job. */
export interface Trouble {
  readonly name: string;
  /** Returns the model of one run. */
  script(key: RunKey): Script;
  /** The most that the key may spend, in USD. Absent: no limit. */
  readonly limitUsd?: number;
  /** An agent that recovers does the job all the same. One that is named here stops, and says these words. */
  readonly stops: Readonly<Partial<Record<AgentName, RegExp>>>;
}

/** Returns a script that gives a directive once, to the first prompt with so many outputs of tools. */
export function once(outputsMin: number, directive: string): () => Script {
  return () => {
    let hasFailed = false;
    return (prompt) => {
      const played = play(prompt);
      if (hasFailed || !played || outputsOf(prompt) < outputsMin) return played;
      hasFailed = true;
      return { ...played, directives: [directive] };
    };
  };
}

/** Returns the number of outputs of tools. */
export function outputsOf({ turns }: Prompt): number {
  return turns.filter(({ role }) => role === 'tool').length;
}

/** Prints what has been done to the terminal, one line for each thing. */
export interface Progress {
  say(line: string): void;
  /** Does the work and says how long it took. */
  step<Result>(what: string, work: () => Promise<Result>): Promise<Result>;
}

export function createProgress(print: (line: string) => void): Progress {
  return {
    say: print,
    async step(what, work) {
      const startedMs = performance.now();
      const result = await work();
      print(`  ${what} (${((performance.now() - startedMs) / 1000).toFixed(1)} s)`);
      return result;
    },
  };
}

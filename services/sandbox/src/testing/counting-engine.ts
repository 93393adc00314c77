import type { Box, BoxOptions, Command, Engine, Ran } from '../engine/engine.ts';

/** An engine without isolation: it notes what is asked of it, and a command ends when the test says so. */
export class CountingEngine implements Engine {
  readonly name = 'counting';
  readonly description = 'notes what is asked of it';
  readonly opened: BoxOptions[] = [];
  readonly closed: string[] = [];
  readonly started: string[] = [];
  /** Ends the commands that run, in the order of their start. */
  readonly ending: (() => void)[] = [];
  readonly losing = new Map<string, (sentence: string) => void>();

  async open(options: BoxOptions): Promise<Box> {
    this.opened.push(options);
    const { promise: lost, resolve } = Promise.withResolvers<string>();
    this.losing.set(options.id, resolve);
    return {
      run: (command) => this.#run(command),
      close: async () => {
        this.closed.push(options.id);
      },
      lost,
    };
  }

  async stop(): Promise<void> {
    this.opened.length = 0;
  }

  #run(command: Command): Promise<Ran> {
    this.started.push(command.argv.at(-1) as string);
    const { promise, resolve } = Promise.withResolvers<Ran>();
    const outcome = { type: 'exited', exitCode: 0 } as const;
    const stdout = Buffer.from('');
    this.ending.push(() =>
      resolve({ stdout, stderr: stdout, isCut: false, outcome, durationMs: 1 }),
    );
    return promise;
  }
}

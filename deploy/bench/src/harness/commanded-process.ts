import { startWatchedProcess } from '@sluice/embedded';

/** A child process of the bench that runs commands one after the other. */
export interface CommandedProcess<Command, Answer> {
  readonly pid: number;
  /** Rejects with what went wrong there, or when it ends. */
  ask(command: Command): Promise<Answer>;
  stop(): Promise<void>;
}

type Reply<Answer> = { readonly answer: Answer } | { readonly problem: string };

/** Starts a program that answers commands; it does not outlive this process. */
export async function startCommanded<Command, Answer>(
  name: string,
  program: string,
): Promise<CommandedProcess<Command, Answer>> {
  const running = await startWatchedProcess({
    name,
    command: process.execPath,
    // Threads that collect garbage would share one processor with the thread that waits for them.
    args: ['--single-threaded-gc', program],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    stopSignal: 'SIGTERM',
  });
  const { child, pid, exited } = running;
  return {
    pid,
    ask(command) {
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      child.once('message', (message) => {
        const reply = message as Reply<Answer>;
        if ('answer' in reply) resolve(reply.answer);
        else reject(new Error(`${name}: ${reply.problem}`));
      });
      void exited.then((sentence) => reject(new Error(sentence)));
      child.send(command as object | string);
      return promise;
    },
    stop: () => running.stop(),
  };
}

/** The other side of it: each command gets what this resolves with. */
export function answerCommands(carryOut: (command: never) => Promise<unknown>): void {
  process.on('message', (command) => {
    carryOut(command as never).then(
      (answer) => process.send?.({ answer }),
      (error: unknown) => process.send?.({ problem: String(error) }),
    );
  });
  process.on('SIGTERM', () => process.exit(0));
}

import { startWatchedProcess } from '@sluice/embedded';

/** Functions that another process runs, one call after the other. */
export type Functions<Names extends string> = Readonly<
  Record<Names, (argument: never) => Promise<unknown>>
>;

/** The functions of a child process. A call rejects with its problem there, or when the process ends. */
export type CommandedProcess<Of extends Functions<string>> = Of & {
  readonly pid: number;
  stop(): Promise<void>;
};

interface Call {
  readonly name: string;
  readonly argument: unknown;
}
type Reply = { readonly answer: unknown } | { readonly problem: string };

/** Starts a program that calls `answerCommands`. It does not outlive this process. */
export async function startCommanded<Of extends Functions<string>>(
  name: string,
  program: string,
  functions: readonly (keyof Of & string)[],
): Promise<CommandedProcess<Of>> {
  const running = await startWatchedProcess({
    name,
    command: process.execPath,
    // Threads that collect garbage would share one processor with the thread that waits for them.
    args: ['--single-threaded-gc', program],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    // Hands on buffers, and numbers that are none.
    serialization: 'advanced',
    stopSignal: 'SIGTERM',
  });
  const { child, pid, exited } = running;
  const ask = (call: Call) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    child.once('message', (message) => {
      const reply = message as Reply;
      if ('answer' in reply) resolve(reply.answer);
      else reject(new Error(`${name}: ${reply.problem}`));
    });
    void exited.then((sentence) => reject(new Error(sentence)));
    child.send(call);
    return promise;
  };
  const own = { pid, stop: () => running.stop() };
  const called = functions.map((one) => [one, (argument: unknown) => ask({ name: one, argument })]);
  return Object.assign(own, Object.fromEntries(called)) as CommandedProcess<Of>;
}

/** Runs in the child process: answers each call with the result of that function. */
export function answerCommands(functions: Functions<string>): void {
  process.on('message', ({ name, argument }: Call) => {
    const run = async () => await functions[name]?.(argument as never);
    run().then(
      (answer) => process.send?.({ answer }),
      (error: unknown) => process.send?.({ problem: String(error) }),
    );
  });
  process.on('SIGTERM', () => process.exit(0));
}

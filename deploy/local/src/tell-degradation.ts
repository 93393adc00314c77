import type { Lifecycle } from '@sluice/boot';
import type { Progress } from './progress.ts';

const askEachMs = 1_000;

export interface DegradationOptions {
  /** Returns the reasons for which only a part is served; empty if everything is. */
  readonly ask: () => Promise<readonly string[]>;
  readonly progress: Pick<Progress, 'say'>;
  /** Ends it. */
  readonly lifecycle: Pick<Lifecycle, 'add'>;
}

/** Reports at the terminal when and why only a part is served, and when everything is again. Ends with Sluice. */
export function tellDegradation({ ask, progress, lifecycle }: DegradationOptions): void {
  let known = new Map<string, string>();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    const now = new Map((await ask()).map((reason) => [subjectOf(reason), reason]));
    for (const [subject, reason] of now)
      if (!known.has(subject)) progress.say(`Degraded: ${reason}`);
    if (known.size > 0 && now.size === 0) progress.say('Everything is served again');
    known = now;
  };
  const again = () => {
    if (isStopped) return;
    timer = setTimeout(() => void round(), askEachMs).unref();
  };
  const round = async () => {
    await look().catch(() => undefined);
    again();
  };
  const stop = async () => {
    isStopped = true;
    clearTimeout(timer);
  };
  again();
  lifecycle.add({ name: 'degradation', stop });
}

/** Returns a reason without its times and last failures, which change. */
function subjectOf(reason: string): string {
  return reason.split(/ since |: | \(/, 1)[0] ?? reason;
}

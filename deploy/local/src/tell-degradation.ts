import type { Lifecycle } from '@sluice/service';
import type { Progress } from './progress.ts';

const askEachMs = 1_000;

export interface DegradationOptions {
  /** Why only a part is served; empty when everything is. */
  readonly ask: () => Promise<readonly string[]>;
  readonly progress: Pick<Progress, 'say'>;
  /** Ends it. */
  readonly lifecycle: Pick<Lifecycle, 'add'>;
}

/** Tells at the terminal, until Sluice stops, when only a part is served and why, and when everything is again. */
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

/** The part of a reason that stays the same while times and last failures in it change. */
function subjectOf(reason: string): string {
  return reason.split(/ since |: | \(/, 1)[0] ?? reason;
}

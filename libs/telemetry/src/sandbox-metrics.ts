import { requestBoundaries } from './boundaries.ts';
import type { Instruments } from './instruments.ts';

/** Returns the metrics of the sandbox. */
export function sandboxMetrics(instruments: Instruments) {
  return {
    /** `outcome` is made or failed. */
    sandboxStarts: instruments.counter<'outcome'>(
      'sandbox.containers.starts',
      'Number of containers that were started.',
      { outcome: ['made', 'failed'] },
    ),
    /** `reason` is rate_limited: too many containers or commands, or conflict: another network policy. */
    sandboxRefusals: instruments.counter<'reason'>(
      'sandbox.refusals',
      'Number of calls that the sandbox refused.',
      { reason: ['conflict', 'rate_limited'] },
    ),
    /** `outcome` is exited, timed_out or killed. */
    sandboxCommandDuration: instruments.histogram<'outcome'>(
      'sandbox.command.duration',
      's',
      'Seconds from the start of a command to its end, which are the metered seconds.',
      requestBoundaries,
    ),
  };
}

import type { Meter } from '@opentelemetry/api';
import { requestBoundaries } from './boundaries.ts';
import { instrumentsOf } from './instruments.ts';

/** Returns the metrics of the sandbox. */
export function sandboxMetrics(meter: Meter) {
  const { counter, histogram } = instrumentsOf(meter);
  return {
    /** `outcome` is made or failed. */
    sandboxStarts: counter<'outcome'>(
      'sandbox.containers.starts',
      'Number of containers that were started.',
      { outcome: ['made', 'failed'] },
    ),
    /** `reason` is rate_limited: too many containers or commands, or conflict: another network policy. */
    sandboxRefusals: counter<'reason'>(
      'sandbox.refusals',
      'Number of calls that the sandbox refused.',
      { reason: ['conflict', 'rate_limited'] },
    ),
    /** `outcome` is exited, timed_out or killed. */
    sandboxCommandDuration: histogram<'outcome'>(
      'sandbox.command.duration',
      's',
      'Seconds from the start of a command to its end, which are the metered seconds.',
      requestBoundaries,
    ),
  };
}

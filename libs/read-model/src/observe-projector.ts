import type { GaugeName, Telemetry } from '@sluice/telemetry';
import type { ProjectionId } from './checkpoint.ts';
import type { ProjectorStatus } from './projector-status.ts';

/**
 * The gauges of a projector. `projection.active` summed over all processes must be 1;
 * `projection.lag.seconds` means something in the process that is active or has failed.
 */
export function observeProjector(
  telemetry: Pick<Telemetry, 'metrics' | 'observe'>,
  { projection, version }: ProjectionId,
  status: () => ProjectorStatus,
): void {
  const attributes = { projection, version };
  const gauge = (name: GaugeName, read: () => number) => telemetry.observe(name, read, attributes);
  gauge('projection.active', () => (status().active ? 1 : 0));
  gauge('projection.stopped', () => {
    const { stopped, streamsSetAside } = status();
    return Math.max(stopped ? 1 : 0, streamsSetAside);
  });
  gauge('projection.lag.seconds', () => status().lagSeconds);
  gauge('projection.position', () => Number(status().position?.commit ?? 0n));
  gauge('projection.rebuilds', () => status().rebuilds);
  // From 0 on, so that alerts see the first one.
  telemetry.metrics.projectionFailures.add(0, { projection });
  telemetry.metrics.projectionForeignEvents.add(0, { projection });
}

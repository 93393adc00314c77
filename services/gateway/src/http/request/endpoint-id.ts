import { derivedId } from '@sluice/clock-and-ids';

/** Usage from before endpoints had ids gets one of its model and provider: the same each time. */
export function endpointIdOf(usage: {
  readonly endpointId: string;
  readonly model: string;
  readonly provider: string;
}): string {
  return usage.endpointId === ''
    ? derivedId('endpoint', usage.model, usage.provider)
    : usage.endpointId;
}

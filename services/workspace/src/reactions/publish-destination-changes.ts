import { type Bus, type PublishNoticeOptions, subjects } from '@sluice/bus';
import { DestinationsChanged } from '@sluice/protos/sluice/workspace/v1/workspace_events';

/** A notice to the processes that cache destinations of an account: these have changed. */
export interface DestinationChange {
  readonly accountId: string;
  /** One of them was deleted or disabled, or has another config. */
  readonly isRevoked: boolean;
}

/** Notifies the processes that cache destinations. Resolves when the notice is stored. Throws bus_unavailable. */
export async function publishDestinationChange(
  bus: Pick<Bus, 'publishNotice'>,
  change: DestinationChange,
  options?: PublishNoticeOptions,
): Promise<void> {
  const message = DestinationsChanged.toJSON(change) as object;
  await bus.publishNotice(subjects.destinationsChanged(change.accountId), message, options);
}

import { questionDeadlineMs, requiredClients } from '@sluice/gateway/service';
import { AnalyticsServiceService } from '@sluice/protos/sluice/analytics/v1/analytics';
import { ExportServiceService } from '@sluice/protos/sluice/analytics/v1/export';
import { ObserverServiceService } from '@sluice/protos/sluice/observer/v1/observer';
import { FileServiceService } from '@sluice/protos/sluice/workspace/v1/file';
import type { Parts } from './parts.ts';

export type Clients = ReturnType<typeof connectClients>;

/** The end of an upload may send the whole content to a bucket. */
const fileDeadlineMs = 120_000;

/** Makes the clients before the services, since services call each other in circles. */
export function connectClients({ client }: Pick<Parts, 'client'>) {
  return {
    ...requiredClients(client),
    files: client(FileServiceService, 'workspace', fileDeadlineMs),
    analytics: client(AnalyticsServiceService, 'analytics', questionDeadlineMs),
    exports: client(ExportServiceService, 'analytics'),
    observer: client(ObserverServiceService, 'observer', questionDeadlineMs),
  };
}

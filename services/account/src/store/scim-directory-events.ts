import { aggregateEvents } from '@sluice/boot/aggregate-events';
import { scimDirectory } from '../domain/scim-directory/decide.ts';
import { scimDirectoryStream } from '../domain/scim-directory/events.ts';

/** The events of directories, each under its account id. */
export const scimDirectoryEvents = aggregateEvents(scimDirectory, scimDirectoryStream);

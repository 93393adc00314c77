import { eventCodec } from '@sluice/es';
import { scimDirectoryStream } from '../domain/scim-directory/events.ts';

/** The storage format of the events of a directory. */
export const scimDirectoryEvents = eventCodec(scimDirectoryStream);

import { event, type EventOf, instant } from '@sluice/es';
import { Type } from 'typebox';

/** Names the account of the workspace. Each event has it, so that no event needs another one to be understood. */
const file = {
  accountId: Type.String(),
  workspaceId: Type.String(),
  fileId: Type.String(),
};

/** The events of the files of a workspace. Names and shapes are the storage format. */
export const workspaceFilesStream = {
  category: 'workspaceFiles',
  id: '<workspace id>',
  description: 'The files of a workspace. Their contents lie in the store of files.',
  events: {
    FileUploadBegun: event('A content may be stored under the id of the file from now on.', {
      ...file,
      begunAt: instant,
    }),
    FileAdded: event('The content is stored: the file is there.', {
      ...file,
      name: Type.String(),
      mediaType: Type.String({ description: 'The type that the sender gave to the content.' }),
      bytes: Type.Integer({ description: 'The size of the content.' }),
      sha256: Type.String({ description: 'SHA-256 of the content, hex.' }),
      addedAt: instant,
    }),
    FileUploadAbandoned: event('The upload has ended without a file. Its content is removed.', {
      ...file,
      abandonedAt: instant,
    }),
    FileDeleted: event('The file is gone. Its content is removed.', {
      ...file,
      deletedAt: instant,
    }),
    WorkspaceFilesClosed: event('The workspace was deleted: it gets no file any more.', {
      accountId: Type.String(),
      workspaceId: Type.String(),
      closedAt: instant,
    }),
  },
};
export type WorkspaceFilesEvent = EventOf<typeof workspaceFilesStream>;
export type FileAdded = EventOf<typeof workspaceFilesStream, 'FileAdded'>;

import { deepEqual } from 'node:assert/strict';
import { specification } from '@sluice/es/testing';
import { describe, test } from 'vitest';
import type { AddFile, BeginUpload, ClearFiles, DeleteFile } from './commands.ts';
import { uploadsMax, workspaceFiles } from './decide.ts';
import type { WorkspaceFilesEvent } from './events.ts';

const { given } = specification(workspaceFiles);
const of = { accountId: 'org_1', workspaceId: 'w1' };
const occurredAt = '2026-01-02T03:04:05.678Z';
const limits = { filesMax: 2, bytesMax: 10 };
const begin = (fileId: string, more: Partial<BeginUpload> = {}): BeginUpload => {
  return { type: 'BeginUpload', ...of, fileId, limits, occurredAt, ...more };
};
const values = { name: 'a.txt', mediaType: 'text/plain', sha256: 'ab' };
const add = (fileId: string, bytes: number, more: Partial<AddFile> = {}): AddFile => {
  return { type: 'AddFile', ...of, fileId, ...values, bytes, limits, occurredAt, ...more };
};
const remove = (fileId: string): DeleteFile => {
  return { type: 'DeleteFile', ...of, fileId, occurredAt };
};
const begun = (fileId: string, begunAt = occurredAt): WorkspaceFilesEvent => {
  return { type: 'FileUploadBegun', data: { ...of, fileId, begunAt } };
};
const added = (fileId: string, bytes: number): WorkspaceFilesEvent => {
  return { type: 'FileAdded', data: { ...of, fileId, ...values, bytes, addedAt: occurredAt } };
};
const abandoned = (fileId: string): WorkspaceFilesEvent => {
  return { type: 'FileUploadAbandoned', data: { ...of, fileId, abandonedAt: occurredAt } };
};
const deleted = (fileId: string): WorkspaceFilesEvent => {
  return { type: 'FileDeleted', data: { ...of, fileId, deletedAt: occurredAt } };
};
const closed: WorkspaceFilesEvent = {
  type: 'WorkspaceFilesClosed',
  data: { ...of, closedAt: occurredAt },
};
const abandon = (fileId: string) => {
  return { type: 'AbandonUpload', ...of, fileId, occurredAt } as const;
};

describe('beginning an upload', () => {
  test('begins it', () => given().when(begin('f1')).then(begun('f1')));
  test('again changes nothing', () => given(begun('f1')).when(begin('f1')).thenNothing());
  test('of a file that is there changes nothing', () =>
    given(begun('f1'), added('f1', 1)).when(begin('f1')).thenNothing());
  test('is rejected where there are as many files as may be', () =>
    given(added('f1', 1), added('f2', 1)).when(begin('f3')).thenRejected('conflict'));
  test('is rejected where no byte is left', () =>
    given(added('f1', 10)).when(begin('f2')).thenRejected('conflict'));
  test('is rejected while too many others go on', () => {
    const others = Array.from({ length: uploadsMax }, (_, index) => begun(`u${index}`));
    given(...others)
      .when(begin('f1'))
      .thenRejected('conflict');
  });
  test('abandons what a process has left that died', () =>
    given(begun('old', '2026-01-02T02:00:00.000Z'), begun('young'))
      .when(begin('f1'))
      .then(abandoned('old'), begun('f1')));
  test('in a workspace that is gone is not found', () =>
    given(closed).when(begin('f1')).thenRejected('not_found'));
});

describe('adding a file', () => {
  test('adds it', () => given(begun('f1')).when(add('f1', 10)).then(added('f1', 10)));
  test('again changes nothing', () =>
    given(begun('f1'), added('f1', 10)).when(add('f1', 10)).thenNothing());
  test('whose upload has ended is not found', () =>
    given(begun('f1'), abandoned('f1')).when(add('f1', 1)).thenRejected('not_found'));
  test('that does not fit is rejected, though its upload has begun', () =>
    given(begun('f1'), begun('f2'), added('f2', 6)).when(add('f1', 5)).thenRejected('conflict'));
  test('that fits to the byte adds it', () =>
    given(begun('f1'), begun('f2'), added('f2', 6)).when(add('f1', 4)).then(added('f1', 4)));
  test('beside others that came before it is rejected', () =>
    given(begun('f1'), added('f2', 1), added('f3', 1)).when(add('f1', 1)).thenRejected('conflict'));
  test('in a workspace that is gone is not found', () =>
    given(begun('f1'), closed).when(add('f1', 1)).thenRejected('not_found'));
  test.each(['', 'a/b', 'a\\b', '..', 'a\nb', 'x'.repeat(256)])(
    'with a name that is none is rejected: %o',
    (name) =>
      given(begun('f1'))
        .when(add('f1', 1, { name }))
        .thenRejected('invalid_request'),
  );
  test('with a type that is none is rejected', () =>
    given(begun('f1'))
      .when(add('f1', 1, { mediaType: 'text' }))
      .thenRejected('invalid_request'));
});

describe('abandoning an upload', () => {
  test('abandons it', () => given(begun('f1')).when(abandon('f1')).then(abandoned('f1')));
  test('that is none changes nothing', () =>
    given(begun('f1'), added('f1', 1)).when(abandon('f1')).thenNothing());
});

describe('deleting a file', () => {
  test('deletes it', () => given(added('f1', 1)).when(remove('f1')).then(deleted('f1')));
  test('again is not found', () =>
    given(added('f1', 1), deleted('f1')).when(remove('f1')).thenRejected('not_found'));
  test('makes room for another one', () =>
    given(added('f1', 10), deleted('f1'), begun('f2')).when(add('f2', 10)).then(added('f2', 10)));
});

describe('clearing the files of a workspace that is gone', () => {
  const clear = (most: number): ClearFiles => {
    return { type: 'ClearFiles', ...of, most, occurredAt };
  };
  test('closes it, and deletes some of them', () =>
    given(begun('f1'), added('f2', 1)).when(clear(2)).then(closed, abandoned('f1')));
  test('goes on with the rest', () =>
    given(added('f2', 1), added('f3', 1), closed, deleted('f2'))
      .when(clear(3))
      .then(deleted('f3')));
  test('where nothing is left changes nothing', () => given(closed).when(clear(3)).thenNothing());
});

test('an event changes no state that came before it', () => {
  const before = workspaceFiles.evolve(workspaceFiles.initial, begun('f1'));
  workspaceFiles.evolve(before, added('f1', 5));
  deepEqual([before.bytes, before.files.size, before.uploads.size], [0, 0, 1]);
  deepEqual(workspaceFiles.initial.uploads.size, 0);
});

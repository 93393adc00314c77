import { createHash } from 'node:crypto';
import { derivedId, type Clock } from '@sluice/clock-and-ids';
import { Fault, invalidValue } from '@sluice/errors';
import type { File } from '@sluice/protos/sluice/workspace/v1/file';
import type { FileCalls } from '../file-calls.ts';

interface Kept {
  readonly accountId: string;
  readonly name: string;
  readonly workspaceId: string;
  readonly mediaType: string;
  readonly parts: Buffer[];
  file?: File;
}

export interface InMemoryFiles extends FileCalls {
  /** The ids of uploads that were abandoned. */
  readonly abandoned: readonly string[];
}

/** The files of workspaces over a map. An account has no default workspace here. */
export function inMemoryFiles(clock: Clock): InMemoryFiles {
  const all = new Map<string, Kept>();
  const abandoned: string[] = [];
  const find = (asked: { accountId: string; workspaceId: string; fileId: string }) => {
    const kept = all.get(asked.fileId);
    const isTheirs = kept?.accountId === asked.accountId && kept.workspaceId === asked.workspaceId;
    if (!isTheirs || kept.file === undefined) throw new Fault('not_found');
    return { file: kept.file, content: Buffer.concat(kept.parts) };
  };
  const upload = (fileId: string): Kept => {
    const kept = all.get(fileId);
    if (!kept) throw new Fault('not_found');
    return kept;
  };
  return {
    abandoned,
    async beginUpload({ context, workspaceId, name, mediaType }) {
      const { accountId = '', commandId = '' } = context ?? {};
      if (name === '') throw invalidValue('filename', 'must not be empty');
      const fileId = `svc_file_${derivedId('file', commandId).replaceAll('-', '')}`;
      all.set(fileId, { accountId, workspaceId, name, mediaType, parts: [] });
      return { fileId };
    },
    async writePart({ fileId, content }) {
      upload(fileId).parts.push(Buffer.from(content));
      return {};
    },
    async completeUpload({ fileId }) {
      const kept = upload(fileId);
      const content = Buffer.concat(kept.parts);
      if (content.length === 0) throw invalidValue('file', 'must not be empty');
      const { workspaceId, name, mediaType } = kept;
      const sha256 = createHash('sha256').update(content).digest('hex');
      const createdAt = clock.now().toISOString();
      const bytes = BigInt(content.length);
      kept.file = { fileId, workspaceId, name, mediaType, bytes, sha256, createdAt };
      return { file: kept.file };
    },
    async abandonUpload({ fileId }) {
      abandoned.push(fileId);
      all.delete(fileId);
      return {};
    },
    async listFiles({ accountId, workspaceId, namePart, offset, limit }) {
      const files = [...all.values()].flatMap(({ file, ...of }) =>
        file &&
        of.accountId === accountId &&
        of.workspaceId === workspaceId &&
        of.name.includes(namePart)
          ? [file]
          : [],
      );
      return { files: files.slice(offset, offset + limit), totalCount: files.length };
    },
    getFile: async (asked) => ({ file: find(asked).file }),
    async readFile({ offset, length, ...asked }) {
      const { file, content } = find(asked);
      const from = Number(offset);
      return { content: content.subarray(from, from + length), bytes: file.bytes };
    },
    async deleteFile({ context, workspaceId, fileId }) {
      find({ accountId: context?.accountId ?? '', workspaceId, fileId });
      all.delete(fileId);
      return {};
    },
  };
}

import { createHash } from 'node:crypto';
import type { Clock } from '@sluice/clock-and-ids';
import { Fault, invalidValue } from '@sluice/errors';
import type { File } from '@sluice/protos/sluice/workspace/v1/file';
import type { FileRef } from '../content-of.ts';
import type { FileCalls } from '../file-calls.ts';
import { fileIdOf, isExportId } from '../file-id.ts';

interface Arriving extends Pick<File, 'workspaceId' | 'name' | 'mediaType'> {
  readonly accountId: string;
  readonly commandId: string;
  readonly isExport: boolean;
  readonly parts: Buffer[];
}

interface Kept {
  readonly accountId: string;
  readonly file: File;
  readonly content: Buffer;
}

/** The files of workspaces over a map. An account has no default workspace here. */
export function inMemoryFiles(clock: Clock): FileCalls {
  const all = new Map<string, Kept>();
  const find = (asked: FileRef): Kept => {
    const kept =
      isExportId(asked.fileId) && !asked.includesExports ? undefined : all.get(asked.fileId);
    if (kept?.accountId !== asked.accountId || kept.file.workspaceId !== asked.workspaceId)
      throw new Fault('not_found');
    return kept;
  };
  return {
    async uploadFile(messages) {
      let kept: Arriving | undefined;
      let isWhole = false;
      for await (const { context, content, isLast, ...described } of messages) {
        const { workspaceId, name, mediaType, isExport = false } = described;
        if (context && name === '') throw invalidValue('filename', 'must not be empty');
        if (context) kept = { ...context, workspaceId, name, mediaType, isExport, parts: [] };
        kept?.parts.push(Buffer.from(content));
        isWhole = isLast;
      }
      if (!kept || !isWhole) throw new Fault('unavailable');
      const { accountId, commandId, workspaceId, name, mediaType, isExport, parts } = kept;
      const content = Buffer.concat(parts);
      if (content.length === 0) throw invalidValue('file', 'must not be empty');
      const fileId = fileIdOf(commandId, { isExport });
      if (all.has(fileId)) throw new Fault('conflict');
      const sha256 = createHash('sha256').update(content).digest('hex');
      const createdAt = clock.now().toISOString();
      const bytes = BigInt(content.length);
      const file = { fileId, workspaceId, name, mediaType, bytes, sha256, createdAt };
      all.set(fileId, { accountId, content, file });
      return { file };
    },
    async listFiles({
      accountId,
      workspaceId,
      namePart,
      offset,
      limit,
      after,
      isAscending,
      includesExports,
    }) {
      const kept = isAscending ? [...all.values()] : [...all.values()].toReversed();
      const files = kept.flatMap(({ file, ...of }) =>
        of.accountId === accountId &&
        file.workspaceId === workspaceId &&
        (includesExports === true || !isExportId(file.fileId)) &&
        file.name.includes(namePart)
          ? [file]
          : [],
      );
      const from = after === '' ? offset : files.findIndex(({ fileId }) => fileId === after) + 1;
      if (after !== '' && from === 0) throw invalidValue('after', 'is no file of the workspace');
      return {
        files: files.slice(from, from + limit),
        totalCount: files.length,
        hasMore: files.length > from + limit,
      };
    },
    getFile: async (asked) => ({ file: find(asked).file }),
    async readFile({ offset, length, ...asked }) {
      const { file, content } = find(asked);
      const from = Number(offset);
      return { content: content.subarray(from, from + length), bytes: file.bytes };
    },
    async deleteFile({ context, ...file }) {
      find({ accountId: context?.accountId ?? '', ...file });
      all.delete(file.fileId);
      return {};
    },
  };
}

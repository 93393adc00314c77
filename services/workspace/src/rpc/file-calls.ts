import { Fault, invalidValue, requireAccepted } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import type { FileStore } from '@sluice/file-store';
import type { Logger } from '@sluice/logging';
import {
  type File as FileMessage,
  FileServiceService,
} from '@sluice/protos/sluice/workspace/v1/file';
import type { AccountReads, Shown } from '@sluice/read-model';
import { commandContext, implement, type RpcService } from '@sluice/rpc';
import type { Clock } from '@sluice/clock-and-ids';
import { fileIdForm, isExportId } from '@sluice/workspace-files';
import { asFault, uploadFile } from '../commands/upload-file.ts';
import type { FileLimits } from '../domain/workspace-files/commands.ts';
import { anyMediaType } from '../domain/workspace-files/name.ts';
import type { FileRow } from '../queries/file-row.ts';
import { type FileReference, findFile } from '../queries/find-file.ts';
import { countFiles, listFiles } from '../queries/list-files.ts';
import { workspaceFilesHandler } from '../store/workspace-files-events.ts';
import { requirePage } from './page.ts';
import { workspaceOrDefault } from './require-workspace.ts';
import { arriving, partBytesMax } from './uploaded-content.ts';

export interface FileRpcDependencies {
  readonly eventStore: EventStore;
  readonly readModel: AccountReads;
  readonly clock: Clock;
  readonly store: FileStore;
  readonly limits: FileLimits;
  readonly logger: Pick<Logger, 'warn'>;
  /** Waits until the list of files holds a position. */
  readonly shown: Shown;
}

type Handlers = Parameters<typeof implement<typeof FileServiceService>>[1];

/** Uploads of this process. Each content rests on the disk until its hash is known. */
const uploadsMax = 64;
const namePartForm = /^[^\p{Cc}\p{Cs}]{0,255}$/u;

export function fileRpc(dependencies: FileRpcDependencies): RpcService {
  return implement(FileServiceService, { ...changing(dependencies), ...reading(dependencies) });
}

function changing(dependencies: FileRpcDependencies) {
  const { eventStore, readModel, clock, shown } = dependencies;
  const handle = workspaceFilesHandler(eventStore, readModel);
  const upload = uploadFile({ ...dependencies, handle });
  let uploads = 0;
  return {
    async uploadFile(messages) {
      if (uploads >= uploadsMax) throw new Fault('unavailable', { retryAfterSeconds: 1 });
      uploads += 1;
      try {
        const { first, content } = await arriving(messages);
        const { context: sent, workspaceId: named, name, mediaType, isExport = false } = first;
        const context = commandContext(sent, clock.now());
        const workspaceId = await workspaceOrDefault(readModel, context.accountId, named);
        const described = { workspaceId, name, mediaType: mediaType || anyMediaType, isExport };
        const { added, position } = await upload(described, content, context);
        await shown(position, context.signal);
        const { addedAt: createdAt, bytes, ...file } = added;
        return { file: { ...file, bytes: BigInt(bytes), createdAt } };
      } finally {
        uploads -= 1;
      }
    },
    async deleteFile({ context: sent, workspaceId: named, fileId, includesExports }) {
      const context = commandContext(sent, clock.now());
      const { accountId, occurredAt } = context;
      const workspaceId = await workspaceOrDefault(readModel, accountId, named);
      if (!isVisible({ fileId, includesExports })) throw new Fault('not_found');
      const command = { type: 'DeleteFile', accountId, workspaceId, fileId, occurredAt } as const;
      const handled = requireAccepted(await handle(workspaceId, command, context));
      await shown(handled.position, context.signal);
      return {};
    },
  } satisfies Partial<Handlers>;
}

type Visible = Pick<FileReference, 'fileId'> & { readonly includesExports?: boolean | undefined };

/** Returns false for a text that is no id, and for an export where the caller may not see exports. */
function isVisible({ fileId, includesExports = false }: Visible): boolean {
  return fileIdForm.test(fileId) && (includesExports || !isExportId(fileId));
}

function reading({ readModel, store, logger }: FileRpcDependencies) {
  const find = async (asked: FileReference & Visible) =>
    isVisible(asked) ? await findFile(readModel, asked) : undefined;
  async function requireFile(asked: FileReference & Visible): Promise<FileRow> {
    const workspaceId = await workspaceOrDefault(readModel, asked.accountId, asked.workspaceId);
    const row = await find({ ...asked, workspaceId });
    if (!row) throw new Fault('not_found');
    return row;
  }
  /** The file was deleted meanwhile, or its content lies on the disk of another process. */
  async function withoutContent(asked: FileReference & Visible): Promise<Fault> {
    const { fileId } = await requireFile(asked);
    logger.warn('the store has no content of a file', { error: new Error(fileId) });
    return new Fault('unavailable', { retryAfterSeconds: 1 });
  }
  return {
    async listFiles({
      accountId,
      workspaceId: named,
      namePart,
      offset,
      limit,
      after,
      isAscending,
      includesExports = false,
    }) {
      requirePage({ offset, limit });
      if (!namePartForm.test(namePart))
        throw invalidValue('name_part', 'must be a part of a name of a file');
      const workspaceId = await workspaceOrDefault(readModel, accountId, named);
      const of = { accountId, workspaceId, namePart, includesExports };
      if (after !== '' && !(await find({ ...of, fileId: after })))
        throw invalidValue('after', 'is no file of the workspace');
      const [rows, totalCount] = await Promise.all([
        listFiles(readModel, { ...of, offset, limit: limit + 1, after, isAscending }),
        countFiles(readModel, of),
      ]);
      const files = rows.slice(0, limit).map(message);
      return { files, totalCount, hasMore: rows.length > limit };
    },
    async getFile(asked) {
      return { file: message(await requireFile(asked)) };
    },
    async readFile({ offset, length, ...asked }) {
      if (offset < 0n) throw invalidValue('offset', 'must be 0 or more');
      if (length < 1 || length > partBytesMax)
        throw invalidValue('length', `must be from 1 to ${partBytesMax}`);
      const file = await requireFile(asked);
      const { bytes } = file;
      if (offset >= bytes) return { content: Buffer.alloc(0), bytes };
      const range = { offset: Number(offset), length };
      const stream = await store.open(file, range).catch(asFault);
      if (!stream) throw await withoutContent(asked);
      const chunks = await stream.toArray().catch((error: unknown) => {
        throw new Fault('unavailable', { cause: error });
      });
      const content = Buffer.concat(chunks as Uint8Array[]);
      const isWhole = BigInt(content.length) === smaller(BigInt(length), bytes - offset);
      if (!isWhole) throw new Fault('unavailable', { retryAfterSeconds: 1 });
      return { content, bytes };
    },
  } satisfies Partial<Handlers>;
}

const smaller = (one: bigint, other: bigint) => (one < other ? one : other);

function message({ createdAt, ...row }: FileRow): FileMessage {
  return { ...row, createdAt: createdAt.toISOString() };
}

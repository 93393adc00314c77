import { Fault, invalidValue, requireAccepted } from '@sluice/errors';
import type { EventStore } from '@sluice/es';
import type { FileStore } from '@sluice/file-store';
import {
  type File as FileMessage,
  FileServiceService,
} from '@sluice/protos/sluice/workspace/v1/file';
import type { AccountReads, Shown } from '@sluice/read-model';
import { commandContext, implement, type RpcService } from '@sluice/rpc';
import type { Clock } from '@sluice/clock-and-ids';
import { abandonUpload, asFault, beginUpload, completeUpload } from '../commands/upload-file.ts';
import type { FileLimits } from '../domain/workspace-files/commands.ts';
import { anyMediaType } from '../domain/workspace-files/name.ts';
import type { FileRow } from '../queries/file-row.ts';
import { findFile } from '../queries/find-file.ts';
import { countFiles, listFiles } from '../queries/list-files.ts';
import { listWorkspaces } from '../queries/list-workspaces.ts';
import { workspaceFilesHandler } from '../store/workspace-files-handler.ts';
import type { OpenUploads } from '../commands/open-uploads.ts';
import { requirePage } from './page.ts';
import { requireWorkspace } from './require-workspace.ts';

export interface FileRpcDependencies {
  readonly eventStore: EventStore;
  readonly readModel: AccountReads;
  readonly clock: Clock;
  readonly store: FileStore;
  readonly limits: FileLimits;
  readonly uploads: OpenUploads;
  /** Waits until the list of files holds a position. */
  readonly shown: Shown;
}

type Handlers = Parameters<typeof implement<typeof FileServiceService>>[1];

const partBytesMax = 1_048_576;
const namePartForm = /^[^\p{Cc}\p{Cs}]{0,255}$/u;
const fileIdForm = /^svc_file_[0-9a-f]{32}$/;

export function fileRpc(dependencies: FileRpcDependencies): RpcService {
  return implement(FileServiceService, { ...uploading(dependencies), ...reading(dependencies) });
}

function uploading(dependencies: FileRpcDependencies) {
  const { eventStore, readModel, clock, uploads, shown } = dependencies;
  const handle = workspaceFilesHandler(eventStore);
  const parts = { ...dependencies, handle };
  const begin = beginUpload(parts);
  const complete = completeUpload(parts);
  const abandon = abandonUpload(parts);
  return {
    async beginUpload({ context: sent, workspaceId: named, name, mediaType }) {
      const context = commandContext(sent, clock.now());
      const workspaceId = await workspaceOf(readModel, context.accountId, named);
      const wanted = { workspaceId, name, mediaType: mediaType || anyMediaType };
      return { fileId: await begin(wanted, context) };
    },
    async writePart({ accountId, fileId, offset, content }) {
      if (content.length > partBytesMax)
        throw invalidValue('content', `must be at most ${partBytesMax} bytes`);
      await uploads.write({ accountId, fileId }, { offset, content }).catch(asFault);
      return {};
    },
    async completeUpload({ context: sent, fileId }) {
      const context = commandContext(sent, clock.now());
      const { added, position } = await complete(fileId, context);
      await shown(position, context.signal);
      const { addedAt: createdAt, bytes, ...file } = added;
      return { file: { ...file, bytes: BigInt(bytes), createdAt } };
    },
    async abandonUpload({ context: sent, fileId }) {
      const context = commandContext(sent, clock.now());
      const file = uploads.abandon({ accountId: context.accountId, fileId });
      if (file) await abandon(file, context);
      return {};
    },
    async deleteFile({ context: sent, workspaceId: named, fileId }) {
      const context = commandContext(sent, clock.now());
      const { accountId, occurredAt } = context;
      const workspaceId = await workspaceOf(readModel, accountId, named);
      if (!fileIdForm.test(fileId)) throw new Fault('not_found');
      const command = { type: 'DeleteFile', accountId, workspaceId, fileId, occurredAt } as const;
      const handled = requireAccepted(await handle(workspaceId, command, context));
      await shown(handled.position, context.signal);
      return {};
    },
  } satisfies Partial<Handlers>;
}

function reading({ readModel, store }: FileRpcDependencies) {
  async function requireFile(asked: {
    readonly accountId: string;
    readonly workspaceId: string;
    readonly fileId: string;
  }): Promise<FileRow> {
    const { accountId, fileId } = asked;
    if (!fileIdForm.test(fileId)) throw new Fault('not_found');
    const workspaceId = await workspaceOf(readModel, accountId, asked.workspaceId);
    const row = await findFile(readModel, { accountId, workspaceId, fileId });
    if (!row) throw new Fault('not_found');
    return row;
  }
  return {
    async listFiles({ accountId, workspaceId: named, namePart, offset, limit }) {
      requirePage({ offset, limit });
      if (!namePartForm.test(namePart))
        throw invalidValue('name_part', 'must be a part of a name of a file');
      const workspaceId = await workspaceOf(readModel, accountId, named);
      const of = { accountId, workspaceId, namePart };
      const [rows, totalCount] = await Promise.all([
        listFiles(readModel, { ...of, offset, limit }),
        countFiles(readModel, of),
      ]);
      return { files: rows.map(message), totalCount };
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
      // Its deletion is under way.
      if (!stream) throw new Fault('not_found');
      const chunks = await stream.toArray().catch((error: unknown) => {
        throw new Fault('unavailable', { cause: error });
      });
      return { content: Buffer.concat(chunks as Uint8Array[]), bytes };
    },
  } satisfies Partial<Handlers>;
}

/** Returns the id of a workspace of the account: of its default one if none is named. Throws not_found. */
async function workspaceOf(
  readModel: AccountReads,
  accountId: string,
  named: string,
): Promise<string> {
  if (named !== '') return (await requireWorkspace(readModel, accountId, named)).workspaceId;
  const [first] = await listWorkspaces(readModel, { accountId, offset: 0, limit: 1 });
  if (!first?.isDefault) throw new Fault('not_found');
  return first.workspaceId;
}

function message({ createdAt, ...row }: FileRow): FileMessage {
  return { ...row, createdAt: createdAt.toISOString() };
}

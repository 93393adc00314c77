import { Readable } from 'node:stream';
import type { Ids } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import { contentOf, type FileCalls, uploadFile } from '@sluice/workspace-files';
import type { FastifyRequest } from 'fastify';
import { present } from '../../clients/present.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf, commandContextOf } from '../../http/caller.ts';
import { limitDefault } from '../../http/schemas/page.ts';
import { keepConnection } from '../../http/server/connection.ts';
import type { GatewaySettings } from '../../settings.ts';
import { receiveFile } from './receive-file.ts';
import {
  fileDeletedReply,
  fileListReply,
  fileParams,
  fileView,
  listFilesQuery,
  uploadBody,
} from './schema.ts';
import { workspaceFileView } from './view.ts';

export interface FilesDependencies {
  readonly files: FileCalls;
  readonly ids: Ids;
  readonly settings: Pick<GatewaySettings, 'uploadTimeoutMs'>;
}

const config = { auth: 'any', errors: [] } as const;
/** A file of 100,000,000 bytes, and the form around it. */
const uploadBytesMax = 100_065_536;
/** The most that is listed at once. */
const limitMax = 100;

/** Serves the files of the key's workspace: of the default one for a key without a workspace. */
export function filesRoutes(app: App, dependencies: FilesDependencies): void {
  listFiles(app, dependencies);
  // The content type of uploads is that of no other route.
  app.register(async (uploads) => createFile(uploads, dependencies));
  readFile(app, dependencies);
  readContent(app, dependencies);
  deleteFile(app, dependencies);
}

function listFiles(app: App, { files }: FilesDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/files',
    config: { ...config, errors: [400, 404] },
    schema: {
      operationId: 'listFiles',
      summary: 'List the files of the workspace, the latest first',
      querystring: listFilesQuery,
      response: { 200: fileListReply },
    },
    handler: async (request) => {
      const { offset: skipped, limit, after = '', order } = request.query;
      const {
        files: found,
        totalCount,
        hasMore,
      } = await files.listFiles({
        ...placeOf(request),
        namePart: '',
        after,
        isAscending: order === 'asc',
        offset: Number(skipped ?? 0),
        limit: Math.min(Number(limit ?? limitDefault), limitMax),
      });
      return {
        object: 'list' as const,
        data: found.map(workspaceFileView),
        total_count: totalCount,
        has_more: hasMore,
        first_id: found[0]?.fileId ?? null,
        last_id: found.at(-1)?.fileId ?? null,
      };
    },
  });
}

function createFile(app: App, { files, ids, settings }: FilesDependencies): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('multipart/form-data', (request, payload, done) => {
    if (Number(request.headers['content-length'] ?? 0) > uploadBytesMax)
      return done(new Fault('payload_too_large'));
    done(null, payload);
  });
  const message = 'The Content-Type must be multipart/form-data';
  app.addContentTypeParser('*', (_request, _payload, done) =>
    done(new Fault('invalid_request', { message })),
  );
  app.route({
    method: 'POST',
    url: '/v1/files',
    bodyLimit: uploadBytesMax,
    config: { ...config, body: 'streamed', errors: [404, 409] },
    schema: {
      operationId: 'createFile',
      summary: 'Upload a file to the workspace',
      consumes: ['multipart/form-data'],
      body: uploadBody,
      response: { 201: fileView },
    },
    validatorCompiler: () => () => true,
    handler: async (request, reply) => {
      // The store may take longer than a connection may rest.
      keepConnection(request);
      const { workspaceId } = placeOf(request);
      const context = commandContextOf(request, ids);
      const file = await receiveFile(request, settings.uploadTimeoutMs, (sent) =>
        uploadFile(
          files,
          { context, workspaceId, name: sent.name, mediaType: sent.mediaType },
          sent.content,
        ),
      );
      return reply.code(201).send(workspaceFileView(file));
    },
  });
}

function readFile(app: App, { files }: FilesDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/files/:id',
    config,
    schema: {
      operationId: 'getFile',
      summary: 'Read the name, the size and the time of a file',
      params: fileParams,
      response: { 200: fileView },
    },
    handler: async (request) => {
      const asked = { ...placeOf(request), fileId: request.params.id };
      return workspaceFileView(present((await files.getFile(asked)).file));
    },
  });
}

function readContent(app: App, { files }: FilesDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/files/:id/content',
    config,
    schema: {
      operationId: 'getFileContent',
      summary: 'Read the bytes of a file',
      params: fileParams,
      produces: ['application/octet-stream'],
      response: { 200: {} },
    },
    handler: async (request, reply) => {
      const asked = { ...placeOf(request), fileId: request.params.id };
      const file = present((await files.getFile(asked)).file);
      const parts = contentOf(files, asked);
      // A content that cannot be read is an error, and not the beginning of an answer.
      const first = await parts.next();
      async function* all() {
        if (!first.done) yield first.value;
        yield* parts;
      }
      return reply
        .header('content-type', 'application/octet-stream')
        .header('content-length', String(file.bytes))
        .header('content-disposition', 'attachment')
        .header('content-security-policy', 'sandbox')
        .send(Readable.from(all()));
    },
  });
}

function deleteFile(app: App, { files, ids }: FilesDependencies): void {
  app.route({
    method: 'DELETE',
    url: '/v1/files/:id',
    config: { ...config, errors: [409] },
    schema: {
      operationId: 'deleteFile',
      summary: 'Delete a file and its content',
      params: fileParams,
      response: { 200: fileDeletedReply },
    },
    handler: async (request) => {
      const { workspaceId, includesExports } = placeOf(request);
      const context = commandContextOf(request, ids);
      const { id } = request.params;
      await files.deleteFile({ context, workspaceId, fileId: id, includesExports });
      return { id, type: 'file_deleted' as const, object: 'file' as const, deleted: true };
    },
  });
}

function placeOf(request: FastifyRequest) {
  const { accountId, principal, isManagement } = callerOf(request);
  // An export has usage of the whole account, which only a management key may read.
  return { accountId, workspaceId: principal.workspaceId, includesExports: isManagement };
}

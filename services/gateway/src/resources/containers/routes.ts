import { Readable } from 'node:stream';
import type { Ids } from '@sluice/clock-and-ids';
import { Fault } from '@sluice/errors';
import { type FileCalls, uploadFile } from '@sluice/workspace-files';
import type { FastifyRequest } from 'fastify';
import type { SandboxCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf, commandContextOf } from '../../http/caller.ts';
import { fileView as workspaceFile } from '../files/schema.ts';
import { workspaceFileView } from '../files/view.ts';
import { containerFileReply, containerFilesReply, containerParams, fileParams } from './schema.ts';

export interface ContainersDependencies {
  /** Undefined where there is no sandbox: then no container is known. */
  readonly sandbox: SandboxCalls | undefined;
  readonly files: FileCalls;
  readonly ids: Ids;
}

const config = { auth: 'any', errors: [400] } as const;
const partBytes = 1_048_576;
const prefix = 'cfile_';

/** Serves the files of a warm container of the key's workspace. */
export function containersRoutes(app: App, { sandbox, files, ids }: ContainersDependencies): void {
  app.route({
    method: 'GET',
    url: '/v1/containers/:container_id/files',
    config,
    schema: {
      operationId: 'listContainerFiles',
      summary: 'List the files in the home of a warm container, the latest first',
      params: containerParams,
      response: { 200: containerFilesReply },
    },
    handler: async (request) => {
      const { sandbox: calls, container } = containerOf(
        request,
        request.params.container_id,
        sandbox,
      );
      const { files } = await calls.listFiles({ container });
      return {
        data: files.map((file) => fileView(container.containerId, { ...file, size: file.bytes })),
      };
    },
  });
  app.route({
    method: 'GET',
    url: '/v1/containers/:container_id/files/:file_id',
    config,
    schema: {
      operationId: 'getContainerFile',
      summary: 'Read the size and the time of a file of a container',
      params: fileParams,
      response: { 200: containerFileReply },
    },
    handler: async (request) => {
      const { container_id: id, file_id: fileId } = request.params;
      const { sandbox: calls, container } = containerOf(request, id, sandbox);
      const path = pathOf(fileId);
      const { size, changedAtMs } = await calls.readFile({
        container,
        path,
        offset: 0n,
        length: 0,
      });
      return { data: fileView(id, { path, size, changedAtMs }) };
    },
  });
  contentRoute(app, { sandbox });
  promoteRoute(app, { sandbox, files, ids });
}

function contentRoute(app: App, { sandbox }: Pick<ContainersDependencies, 'sandbox'>): void {
  app.route({
    method: 'GET',
    url: '/v1/containers/:container_id/files/:file_id/content',
    config,
    schema: {
      operationId: 'getContainerFileContent',
      summary: 'Read the bytes of a file of a container',
      params: fileParams,
      produces: ['application/octet-stream'],
      response: { 200: {} },
    },
    handler: async (request, reply) => {
      const { container_id: id, file_id: fileId } = request.params;
      const { sandbox: calls, container } = containerOf(request, id, sandbox);
      const parts = await openContent(calls, container, pathOf(fileId));
      return reply
        .header('content-type', 'application/octet-stream')
        .header('content-disposition', 'attachment')
        .header('content-security-policy', 'sandbox')
        .send(Readable.from(parts));
    },
  });
}

function promoteRoute(app: App, { sandbox, files, ids }: ContainersDependencies): void {
  app.route({
    method: 'POST',
    url: '/v1/containers/:container_id/files/:file_id/promote',
    config: { ...config, body: 'none', errors: [400, 409] },
    schema: {
      operationId: 'promoteContainerFile',
      summary: 'Copy a file of a container to the files of the workspace',
      params: fileParams,
      response: { 201: workspaceFile },
    },
    handler: async (request, reply) => {
      const { container_id: id, file_id: fileId } = request.params;
      const { sandbox: calls, container } = containerOf(request, id, sandbox);
      const path = pathOf(fileId);
      const content = await openContent(calls, container, path);
      const { workspaceId } = container;
      const context = commandContextOf(request, ids);
      const named = { context, workspaceId, name: path.split('/').at(-1) ?? path, mediaType: '' };
      const file = await uploadFile(files, named, content);
      return reply.code(201).send(workspaceFileView(file));
    },
  });
}

type Container = ReturnType<typeof containerOf>['container'];

/** Returns the bytes of a file in parts. Throws not_found when there is no such file. */
async function openContent(calls: SandboxCalls, container: Container, path: string) {
  const asked = { container, path, length: partBytes };
  const first = await calls.readFile({ ...asked, offset: 0n });
  return (async function* () {
    let offset = BigInt(first.content.length);
    yield first.content;
    while (offset < first.size) {
      const { content } = await calls.readFile({ ...asked, offset });
      // The file was cut meanwhile.
      if (content.length === 0) throw new Fault('unavailable');
      yield content;
      offset += BigInt(content.length);
    }
  })();
}

function containerOf(
  request: FastifyRequest,
  containerId: string,
  sandbox: SandboxCalls | undefined,
) {
  const { accountId, principal } = callerOf(request);
  const { workspaceId } = principal;
  if (!sandbox || workspaceId === '') throw new Fault('not_found');
  return { sandbox, container: { accountId, workspaceId, containerId } };
}

/** Returns the path that an id stands for. Throws not_found for a text that is none. */
function pathOf(fileId: string): string {
  const path = Buffer.from(fileId.slice(prefix.length), 'base64url').toString();
  if (idOf(path) !== fileId) throw new Fault('not_found');
  return path;
}

const idOf = (path: string) => `${prefix}${Buffer.from(path).toString('base64url')}`;

function fileView(
  containerId: string,
  file: { readonly path: string; readonly size: bigint; readonly changedAtMs: bigint },
) {
  return {
    id: idOf(file.path),
    container_id: containerId,
    path: file.path,
    bytes: Number(file.size),
    created_at: new Date(Number(file.changedAtMs)).toISOString(),
  };
}

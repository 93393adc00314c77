import { Fault } from '@sluice/errors';
import type { PresetFormat } from '@sluice/client-schemas/presets';
import type { Ids } from '@sluice/clock-and-ids';
import type { Caller } from '../../caller/caller.ts';
import type { WorkspaceCalls } from '../../clients/calls.ts';
import type { App } from '../../http/app-types.ts';
import { callerOf, commandContextOf } from '../../http/caller.ts';
import { parseJsonBody } from '../../http/request/json-body.ts';
import { AccountRoutes } from '../../http/routes/account-routes.ts';
import { pageOf } from '../../http/schemas/page.ts';
import {
  listPresetsQuery,
  presetBodyOf,
  presetListReply,
  presetParams,
  presetQuery,
  presetReply,
  presetVersionListReply,
  presetVersionParams,
  presetVersionReply,
  updatePresetBody,
} from './schema.ts';
import { presetReplyOf, presetVersionView, presetView } from './view.ts';

export interface PresetsDependencies {
  readonly workspaces: WorkspaceCalls;
  readonly ids: Ids;
}

const url = '/v1/presets/:slug';

/** Presets are read with any key, those of the workspace of the key. Management keys change them. */
export function presetsRoutes(app: App, { workspaces, ids }: PresetsDependencies): void {
  readRoutes(app, { workspaces, ids });
  saveRoutes(app, { workspaces, ids });
  new AccountRoutes(app, ids, { auth: 'management', errors: [400, 404] }).change('PATCH', url, {
    operationId: 'updatePreset',
    summary: 'Change the name, the status or the designated version of a preset',
    params: presetParams,
    query: presetQuery,
    body: updatePresetBody,
    answer: presetReply,
    handle: async ({ context, params: { slug }, query, body }) => {
      const saved = await workspaces.updatePreset({
        context,
        workspaceRef: query.workspace_id ?? '',
        slug,
        name: body.name,
        description: body.description === null ? '' : body.description,
        status: body.status,
        designatedVersion: body.designated_version,
      });
      return presetReplyOf(saved);
    },
  });
}

function readRoutes(app: App, { workspaces, ids }: PresetsDependencies): void {
  const routes = new AccountRoutes(app, ids, { auth: 'any', errors: [400, 404] });
  routes.get('/v1/presets', {
    operationId: 'listPresets',
    summary: 'List the presets of a workspace, the last changed one first',
    query: listPresetsQuery,
    answer: presetListReply,
    handle: async ({ caller, query }) => {
      const place = placeOf(caller, query.workspace_id);
      const found = await workspaces.listPresets({ ...place, ...pageOf(query) });
      return { data: found.presets.map(presetView), total_count: found.totalCount };
    },
  });
  routes.get(url, {
    operationId: 'getPreset',
    summary: 'Read a preset with its designated version',
    params: presetParams,
    query: presetQuery,
    answer: presetReply,
    handle: async ({ caller, params: { slug }, query }) => {
      const place = placeOf(caller, query.workspace_id);
      return presetReplyOf(await workspaces.getPreset({ ...place, slug, version: undefined }));
    },
  });
  routes.get(`${url}/versions`, {
    operationId: 'listPresetVersions',
    summary: 'List the versions of a preset, the newest first',
    params: presetParams,
    query: listPresetsQuery,
    answer: presetVersionListReply,
    handle: async ({ caller, params: { slug }, query }) => {
      const asked = { ...placeOf(caller, query.workspace_id), slug, ...pageOf(query) };
      const found = await workspaces.listPresetVersions(asked);
      return { data: found.versions.map(presetVersionView), total_count: found.totalCount };
    },
  });
  routes.get(`${url}/versions/:version`, {
    operationId: 'getPresetVersion',
    summary: 'Read a version of a preset',
    params: presetVersionParams,
    query: presetQuery,
    answer: presetVersionReply,
    handle: async ({ caller, params: { slug, version }, query }) => {
      const place = placeOf(caller, query.workspace_id);
      const asked = { ...place, slug, version: Number(version) };
      return { data: presetVersionView((await workspaces.getPreset(asked)).version) };
    },
  });
}

const formats: readonly (readonly [string, PresetFormat, string])[] = [
  ['chat/completions', 'chat-completions', 'savePresetOfChatCompletion'],
  ['messages', 'messages', 'savePresetOfMessage'],
  ['responses', 'responses', 'savePresetOfResponse'],
];

/** A body of each format makes a preset. The workspace service checks it, and tells problems in its words. */
function saveRoutes(app: App, { workspaces, ids }: PresetsDependencies): void {
  for (const [path, format, operationId] of formats)
    app.route({
      method: 'POST',
      url: `${url}/${path}`,
      config: { auth: 'management', body: 'raw', errors: [400, 404] },
      schema: {
        operationId,
        summary: `Make a preset, or a new version of it, of a body of POST /${path}; no model is asked`,
        params: presetParams,
        querystring: presetQuery,
        body: presetBodyOf(format),
        response: { 200: presetReply },
      },
      validatorCompiler: () => () => true,
      handler: async (request) => {
        const { slug } = request.params as { readonly slug: string };
        const { workspace_id: named } = request.query as { readonly workspace_id?: unknown };
        const saved = await workspaces.savePreset({
          context: commandContextOf(request, ids),
          workspaceRef: typeof named === 'string' ? named : '',
          slug,
          format,
          body: textOf(request.body),
          creatorUserId: callerOf(request).userId,
        });
        return presetReplyOf(saved);
      },
    });
}

/** Returns a body whose texts can be stored unchanged. Throws invalid_request. */
function textOf(body: unknown): string {
  const bytes = body instanceof Uint8Array ? body : new Uint8Array();
  parseJsonBody(bytes);
  return Buffer.from(bytes).toString();
}

/** A regular key sees the presets of its workspace alone. */
function placeOf({ accountId, principal, isManagement }: Caller, named: string | undefined) {
  if (isManagement) return { accountId, workspaceRef: named ?? '' };
  const { workspaceId } = principal;
  if (named !== undefined && named !== workspaceId) throw new Fault('not_found');
  return { accountId, workspaceRef: workspaceId };
}

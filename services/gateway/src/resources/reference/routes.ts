import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { Fault } from '@sluice/errors';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { App } from '../../http/app-types.ts';
import { text } from '../../http/schemas/fields.ts';

export interface ReferenceDependencies {
  /** The API's description, as JSON. */
  readonly describe: () => Promise<Uint8Array>;
}

const config = { auth: 'public', errors: [] } as const;

/** Allows only files of this server, no script inside the page, and no frame around it. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sluice API</title>
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="reference"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/page.js"></script>
</body>
</html>
`;

const script = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
`;

interface Asset {
  readonly type: string;
  readonly read: () => Promise<Uint8Array>;
}

const installed = (path: string) => {
  let content: Promise<Uint8Array> | undefined;
  return () => (content ??= readFile(path));
};
const assets: ReadonlyMap<string, Asset> = new Map([
  ['page.js', { type: 'text/javascript', read: async () => Buffer.from(script) }],
  [
    'swagger-ui-bundle.js',
    {
      type: 'text/javascript',
      read: installed(
        createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui-bundle.js'),
      ),
    },
  ],
  [
    'swagger-ui.css',
    {
      type: 'text/css',
      read: installed(createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui.css')),
    },
  ],
]);

const root = JSON.stringify({
  name: 'Sluice',
  version: 'v1',
  api: '/v1',
  docs: '/docs',
  openapi: '/openapi.json',
});

/** The API's description, and a page to read it by: for everybody, with nothing of anybody else's. */
export function referenceRoutes(app: App, { describe }: ReferenceDependencies): void {
  // Some agents ask for their base URL before they send a request.
  for (const [url, operationId] of [
    ['/', 'getRoot'],
    ['/v1', 'getBaseUrl'],
  ] as const)
    app.route({
      method: 'GET',
      url,
      config,
      schema: {
        operationId,
        summary: 'Read which service this is, and where its description is',
        response: { 200: Type.Unknown() },
      },
      handler: async (_request, reply) => safe(reply, 'application/json; charset=utf-8').send(root),
    });
  app.route({
    method: 'GET',
    url: '/openapi.json',
    config,
    schema: {
      operationId: 'getApiDescription',
      summary: 'Read this description',
      response: { 200: Type.Unknown() },
    },
    handler: async (_request, reply) =>
      safe(reply, 'application/json; charset=utf-8').send(await describe()),
  });
  app.route({
    method: 'GET',
    url: '/docs',
    config,
    schema: {
      operationId: 'getReferencePage',
      summary: 'Read this description in a browser',
      produces: ['text/html'],
      response: { 200: Type.Unknown() },
    },
    handler: async (_request, reply) => safe(reply, 'text/html; charset=utf-8').send(page),
  });
  app.route({
    method: 'GET',
    url: '/docs/:file',
    config: { ...config, errors: [404] },
    schema: {
      operationId: 'getReferenceFile',
      summary: 'Read a script or a style of the reference page',
      params: Type.Object({ file: text('Name of the file.', 'page.js') }),
      produces: ['text/javascript', 'text/css'],
      response: { 200: Type.Unknown() },
    },
    handler: async ({ params }, reply) => {
      const asset = assets.get(params.file);
      if (asset === undefined) throw new Fault('not_found');
      return safe(reply, `${asset.type}; charset=utf-8`).send(await asset.read());
    },
  });
}

function safe(reply: FastifyReply, type: string): FastifyReply {
  return reply
    .type(type)
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'public, max-age=300');
}

import { invalidRequest, rejectionToFault } from '@sluice/errors';
import type { UpdateWorkspaceBody } from './schema.ts';

const sentence = 'has no effect yet: leave it out, or send its default';

type Body = Readonly<UpdateWorkspaceBody>;

/** Settings that nothing reads yet, and whether a value is the default, which changes nothing. */
const unbuilt: readonly (readonly [keyof UpdateWorkspaceBody, (body: Body) => boolean])[] = [
  ['default_image_model', (body) => body.default_image_model === null],
  [
    'is_observability_io_logging_enabled',
    (body) => body.is_observability_io_logging_enabled === false,
  ],
  ['io_logging_sampling_rate', (body) => body.io_logging_sampling_rate === 1],
  ['io_logging_api_key_ids', (body) => body.io_logging_api_key_ids === null],
  [
    'is_observability_broadcast_enabled',
    (body) => body.is_observability_broadcast_enabled === false,
  ],
  ['is_data_discount_logging_enabled', (body) => body.is_data_discount_logging_enabled === false],
  ['disabled_server_tools', (body) => (body.disabled_server_tools ?? []).length === 0],
];

/** Throws invalid_request for values that would change something if their feature was there. */
export function assertBuilt(body: Body): void {
  const issues = unbuilt
    .filter(([name, isDefault]) => body[name] !== undefined && !isDefault(body))
    .map(([path]) => ({ path, message: sentence }));
  if (issues.length > 0) throw rejectionToFault(invalidRequest(issues));
}

import type { Fields } from './fields.ts';

/** Tools that one dialect alone has: forwarded as they are to endpoints that speak it. */
const nativeTools = {
  namespace: ['name', 'description', 'tools'],
  file_search: ['vector_store_ids'],
  computer_use_preview: ['display_width', 'display_height', 'environment'],
  code_interpreter: ['container'],
  mcp: ['server_label'],
  image_generation: [],
  local_shell: [],
  apply_patch: [],
} as const satisfies Readonly<Record<string, readonly string[]>>;
type NativeToolType = keyof typeof nativeTools;

export function isNativeTool(type: unknown): type is NativeToolType {
  return typeof type === 'string' && Object.hasOwn(nativeTools, type);
}

/** Notes which fields of a native tool are missing; the endpoint judges the rest. */
export function checkNativeTool(type: NativeToolType, fields: Fields): void {
  for (const name of nativeTools[type]) if (!fields.has(name)) fields.refuse(name, 'is required');
  if (type === 'mcp' && !fields.has('server_url') && !fields.has('connector_id'))
    fields.refuse('server_url', 'is required, or connector_id');
}

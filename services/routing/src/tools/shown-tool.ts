import type { JsonObject } from '@sluice/client-schemas';
import type { FunctionTool, Tool } from '@sluice/inference';
import type { ServerTool } from './tool.ts';

/** A server tool of a request, as the model sees it. */
export interface ShownTool {
  readonly tool: ServerTool;
  /** The kind in `tools` of the request. */
  readonly kind: string;
  /** The place among the tools of this type, from 0. */
  readonly instance: number;
  readonly settings: JsonObject;
  readonly shown: FunctionTool;
  /** Tools that the model does not see before it has found them. */
  readonly deferred: readonly Tool[];
  /** The functions of the client. */
  readonly functions: readonly FunctionTool[];
}

/** The server tools of a request by the names that the model calls. */
export type ShownTools = ReadonlyMap<string, ShownTool>;

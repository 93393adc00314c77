import type { CanonicalCall } from '../../request/call.ts';
import { showTools } from '../../tools/show-tools.ts';
import type { ShownTools } from '../../tools/shown-tool.ts';
import type { ReadCall } from './read-call.ts';

/** A request whose server tools are functions for the model. */
export interface Asked {
  readonly asked: CanonicalCall;
  /** The server tools of the request. If undefined, there are none. */
  readonly serverTools: ShownTools | undefined;
}

/** Shows the model the server tools of a request, and their earlier calls. Filters read these like all else. */
export function showServerTools({ pipeline, parsed: { call } }: ReadCall): Asked {
  const { request, tools } = showTools(call.inference, pipeline.tools);
  const asked = request === call.inference ? call : { ...call, inference: request };
  return { asked, serverTools: tools };
}

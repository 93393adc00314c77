import type { Rejection } from '@sluice/errors';
import type { ReadCall } from './read-call.ts';
import type { ShownTools } from '../../tools/shown-tool.ts';
import type { Asked } from './show-server-tools.ts';

/** Lets each server tool refuse the request for its settings, before a model is called. */
export function checkServerTools({
  call,
  serverTools,
}: ReadCall & Asked): object | Promise<Rejection | object> {
  return serverTools ? check(serverTools, call) : {};
}

async function check(
  tools: ShownTools,
  { principal }: ReadCall['call'],
): Promise<Rejection | object> {
  for (const { tool, settings } of tools.values()) {
    const refusal = await tool.check?.(settings, { principal });
    if (refusal) return refusal;
  }
  return {};
}

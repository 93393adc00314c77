import type { Settlement } from '../../dialect.ts';
import { finalResponse, type ResponseState } from './events.ts';
import type { OutputItem } from './output-item.ts';
import type { RequestEcho } from '../echo/request-echo.ts';
import { wireUsage } from './wire-usage.ts';
import { usualEcho } from '../echo/usual-echo.ts';

/** Returns the whole response as JSON. A response with one text, the usual case, is built without an object. */
export function responseText(state: ResponseState, settlement: Settlement): string {
  const [item] = state.items;
  const isOne = item !== undefined && state.items.length === 1;
  return isOne && state.outcome?.status === 'completed' && !settlement.serviceMetadata
    ? (messageText(state, item, settlement) ?? anyText(state, settlement))
    : anyText(state, settlement);
}

function anyText(state: ResponseState, settlement: Settlement): string {
  return JSON.stringify(finalResponse(state, settlement));
}

/** Returns undefined if the response has more than one text. */
function messageText(
  { head: { id, model, createdAt, echo } }: ResponseState,
  item: OutputItem,
  { usage, completedAt, serviceTier }: Settlement,
): string | undefined {
  if (item.kind !== 'text' || item.status !== 'completed') return undefined;
  if (item.annotations.length > 0 || item.logprobs.length > 0) return undefined;
  const text = JSON.stringify(item.text);
  return (
    `{"id":"${id}","object":"response","created_at":${String(createdAt)},` +
    `"completed_at":${String(completedAt)},"status":"completed","model":${JSON.stringify(model)},` +
    `"output":[{"id":"${item.id}","type":"message","role":"assistant","status":"completed",` +
    `"content":[{"type":"output_text","text":${text},"annotations":[],"logprobs":[]}]}],` +
    `"error":null,"incomplete_details":null,` +
    `"usage":${usage ? JSON.stringify(wireUsage(usage)) : 'null'},${echoText(echo)},` +
    `"truncation":"disabled","service_tier":${JSON.stringify(serviceTier ?? null)},` +
    `"previous_response_id":null,"store":false,"background":false,"output_text":${text}}`
  );
}

const usualText = fieldsText(usualEcho);

function echoText(echo: RequestEcho): string {
  return echo === usualEcho ? usualText : fieldsText(echo);
}

function fieldsText(echo: RequestEcho): string {
  return JSON.stringify(echo).slice(1, -1);
}

import {
  type CallBody,
  type InputItemBody,
  inputItemProblems,
  type JsonObject,
  type ResponsesBody,
} from '@sluice/client-schemas';
import type { Issues } from '../../body/issues.ts';
import { checkTools } from './check-tools.ts';
import { resolvedItems } from '../read/read-input.ts';

/** Checks the rules for the input that its schema cannot express. */
export function checkInput({ input, instructions, prompt }: ResponsesBody, issues: Issues): void {
  const isEmpty = input === undefined || input === null || input.length === 0;
  const saysElse = typeof input === 'string' || (instructions ?? prompt ?? null) !== null;
  if (isEmpty && !saysElse) issues.add('input', 'is required', 'invalid_prompt');
  if (!Array.isArray(input)) return;
  const items = resolvedItems(input);
  refuseUnresolved(items, issues);
  refuseAdjacentUpdates(items, issues);
  items.forEach((item, index) => {
    if (item.type === 'additional_tools')
      checkTools(item.tools, `input[${String(index)}].tools`, issues);
    else if (item.type === 'function_call')
      checkWorkerCall(item, `input[${String(index)}]`, { items, issues });
  });
}

interface Within {
  readonly items: readonly InputItemBody[];
  readonly issues: Issues;
}

/** The call of a worker names the item of its subagent, and brings the conversation of the worker. */
function checkWorkerCall(
  { subagent_id: id, subagent_items: transcript }: Extract<CallBody, { type: 'function_call' }>,
  path: string,
  { items, issues }: Within,
): void {
  if (transcript && typeof id !== 'string')
    return issues.add(`${path}.subagent_id`, 'is required', 'invalid_prompt');
  if (typeof id !== 'string') return;
  const isKnown = items.some(
    (item: JsonObject) => item['type'] === 'service:subagent' && item['call_id'] === id,
  );
  if (!isKnown)
    issues.add(`${path}.subagent_id`, 'names no item service:subagent', 'invalid_prompt');
  if (transcript) issues.addAll(inputItemProblems(transcript, `${path}.subagent_items`));
}

/** Checks references. Sluice stores no items, so a reference must name another item of the same request. */
function refuseUnresolved(items: readonly InputItemBody[], issues: Issues): void {
  items.forEach(({ type }, index) => {
    if (type === 'item_reference')
      issues.add(
        `input[${String(index)}].id`,
        'names no item of this request: nothing is stored, send the item itself',
      );
  });
}

function refuseAdjacentUpdates(items: readonly InputItemBody[], issues: Issues): void {
  let isAfterUpdate = false;
  items.forEach(({ type }, index) => {
    if (type === 'additional_tools') return;
    const isUpdate = type === 'configuration_update';
    if (isUpdate && isAfterUpdate)
      issues.add(`input[${String(index)}]`, 'follows another configuration_update');
    isAfterUpdate = isUpdate;
  });
}

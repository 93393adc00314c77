import type { InputItemBody, ResponsesBody } from '@sluice/client-schemas';
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
  for (const [index, item] of items.entries()) {
    const path = `input[${String(index)}]`;
    if (item.type === 'additional_tools') checkTools(item.tools, `${path}.tools`, issues);
    else if (item.type === 'function_call' && typeof item.subagent_id === 'string')
      issues.addUnbuilt(`${path}.subagent_id`, 'the tool service:subagent');
  }
}

/** Checks references. Sluice stores no items, so a reference must name another item of the same request. */
function refuseUnresolved(items: readonly InputItemBody[], issues: Issues): void {
  for (const [index, item] of items.entries())
    if (item.type === 'item_reference')
      issues.add(
        `input[${String(index)}].id`,
        'names no item of this request: nothing is stored, send the item itself',
      );
}

function refuseAdjacentUpdates(items: readonly InputItemBody[], issues: Issues): void {
  let isAfterUpdate = false;
  for (const [index, { type }] of items.entries()) {
    if (type === 'additional_tools') continue;
    const isUpdate = type === 'configuration_update';
    if (isUpdate && isAfterUpdate)
      issues.add(`input[${String(index)}]`, 'follows another configuration_update');
    isAfterUpdate = isUpdate;
  }
}

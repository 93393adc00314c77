import type { Fields } from './fields.ts';
import type { Issues } from './issues.ts';
import { stopConditionsMax } from './limits.ts';
import { integer, kindOf, listOf, number, text } from './shape.ts';

const conditions = listOf(
  kindOf({
    step_count_is: { 'step_count*': integer(1) },
    has_tool_call: { 'tool_name*': text({ min: 1 }) },
    max_tokens_used: { 'max_tokens*': integer(1) },
    max_cost: { 'max_cost_in_dollars*': number(0) },
    finish_reason_is: { 'reason*': text({ min: 1 }) },
  }),
  { min: 1, max: stopConditionsMax },
);

/** `stop_server_tools_when` ends a loop of the service's own tools: without such a tool there is nothing to end. */
export function checkStopConditions(body: Fields, issues: Issues): void {
  const value = body.value('stop_server_tools_when');
  if (value !== undefined) conditions(value, { path: body.path('stop_server_tools_when'), issues });
}

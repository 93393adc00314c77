import { isObject, type JsonObject } from './fields.ts';
import {
  type Check,
  flag,
  formed,
  inside,
  integer,
  listOf,
  nth,
  number,
  objectOf,
  oneOf,
  type Place,
  refuse,
  type Shape,
  text,
} from './shape.ts';

const callsMax = 25;

/** How much a model that is called beside the request is to think. */
export const innerReasoning = objectOf({
  effort: oneOf('max', 'xhigh', 'high', 'medium', 'low', 'minimal', 'none'),
  max_tokens: integer(0),
});

const agentName: Check = (value, place) => {
  const told = 'must be 1 to 64 of the characters A-Z a-z 0-9 _ - and space';
  formed(/^[A-Za-z0-9 _-]{1,64}$/, told)(typeof value === 'string' ? value.trim() : value, place);
};

const inner: Shape = {
  name: agentName,
  model: text({ min: 1 }),
  instructions: text(),
  max_completion_tokens: integer(1),
  reasoning: innerReasoning,
  temperature: number(0, 2),
};

const ofService: Check = (value, place) => {
  if (value === 'service:subagent') refuse(place, 'cannot be the subagent itself');
  else formed(/^service:./, 'must be a tool of the service')(value, place);
};

const subagent: Shape = {
  ...inner,
  max_tool_calls: integer(1, callsMax),
  tools: listOf(objectOf({ 'type*': ofService, parameters: objectOf({}) })),
  inherit_functions: flag,
  inherited_function_names: listOf(formed(/\S/, 'must not be empty')),
};

/** Tools that may stand in a request several times, each under its own name. */
export const agentTools: readonly (readonly [type: string, check: Check])[] = [
  [
    'service:advisor',
    objectOf({ parameters: objectOf({ ...inner, forward_transcript: flag, stream: flag }) }),
  ],
  ['service:subagent', objectOf({ parameters: objectOf(subagent) })],
];

/** Names of agents are used once, and at most one of a kind has none; a subagent inherits what there is. */
export function checkAgents(
  tools: readonly unknown[],
  functionNames: ReadonlySet<string>,
  place: Place,
): void {
  for (const [type] of agentTools) {
    const seen = new Set<string | undefined>();
    for (const [index, tool] of tools.entries()) {
      if (!isObject(tool) || tool['type'] !== type) continue;
      const at = inside(nth(place, index), 'parameters');
      const parameters = isObject(tool['parameters']) ? tool['parameters'] : {};
      const name = nameOf(parameters);
      if (seen.has(name)) refuse(inside(at, 'name'), repeated(type, name));
      seen.add(name);
      if (type === 'service:subagent') checkInherited(parameters, functionNames, at);
    }
  }
}

function nameOf({ name }: JsonObject): string | undefined {
  return typeof name === 'string' ? name.trim() : undefined;
}

function repeated(type: string, name: string | undefined): string {
  return name === undefined
    ? `is required: there is another ${type} without a name`
    : `repeats the name ${name}`;
}

function checkInherited(parameters: JsonObject, known: ReadonlySet<string>, place: Place): void {
  const names = parameters['inherited_function_names'];
  if (!Array.isArray(names) || parameters['inherit_functions'] === true) return;
  for (const [index, name] of names.entries())
    if (typeof name === 'string' && name.trim() !== '' && !known.has(name.trim()))
      refuse(
        nth(inside(place, 'inherited_function_names'), index),
        'names a function that is not in tools',
      );
}

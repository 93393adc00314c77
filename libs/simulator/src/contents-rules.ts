import { fieldsOf, refuseUnknown } from './known-fields.ts';
import { BadRequest, isObject, type JsonObject } from './prompt.ts';
import { checkToolNames } from './tool-name-rules.ts';

const fields = fieldsOf(`
  contents systemInstruction tools toolConfig safetySettings generationConfig cachedContent labels serviceTier store
  $model $stream $batch
`);
const settings = fieldsOf(`
  temperature topP topK candidateCount maxOutputTokens stopSequences responseLogprobs logprobs presencePenalty
  frequencyPenalty seed responseMimeType responseSchema responseJsonSchema responseModalities mediaResolution
  speechConfig audioTimestamp enableAffectiveDialog thinkingConfig imageConfig routingConfig
`);
const unknown = (name: string): string =>
  `Invalid JSON payload received. Unknown name "${name}": Cannot find field.`;

/** Refuses a request as the real API does. Throws BadRequest. */
export function checkContents(body: JsonObject, contents: readonly unknown[]): void {
  refuseUnknown(body, fields, unknown);
  if (isObject(body['generationConfig']))
    refuseUnknown(body['generationConfig'], settings, unknown);
  checkTurns(contents.filter(isObject));
  checkDeclarations(body['tools']);
}

const namePattern = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,63}$/;

function checkDeclarations(tools: unknown): void {
  const declarations = (Array.isArray(tools) ? tools : [])
    .filter(isObject)
    .flatMap(({ functionDeclarations: list }) =>
      Array.isArray(list) ? list.filter(isObject) : [],
    );
  checkToolNames(
    declarations.map(({ name }) => name),
    namePattern,
    {
      place: (index) => `tools[0].function_declarations[${index}].name`,
      repeated: 'Duplicate function declaration found.',
    },
  );
}

const unequalParts =
  'Please ensure that the number of function response parts is equal to the number of function call ' +
  'parts of the function call turn.';

/** The user speaks first, and each turn of calls is followed by a turn of as many answers. */
function checkTurns(contents: readonly JsonObject[]): void {
  let calls = 0;
  for (const [index, content] of contents.entries()) {
    const answers = count(content, 'functionResponse');
    if (answers !== calls) throw new BadRequest(unequalParts);
    calls = count(content, 'functionCall');
    if (index === 0 && content['role'] === 'model')
      throw new BadRequest(
        'Please ensure that function call turn comes immediately after a user turn or after a function response turn.',
      );
  }
  if (calls > 0) throw new BadRequest(unequalParts);
}

function count(content: JsonObject, kind: 'functionCall' | 'functionResponse'): number {
  const parts = Array.isArray(content['parts']) ? content['parts'] : [];
  return parts.filter((part) => isObject(part) && isObject(part[kind])).length;
}

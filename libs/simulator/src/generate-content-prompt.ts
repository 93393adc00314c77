import { checkContents } from './contents-rules.ts';
import { likeliestCountOf } from './logprobs.ts';
import {
  BadRequest,
  isObject,
  mediaTokensText,
  outputTokensMaxOf,
  stopsOf,
  type JsonObject,
  type Prompt,
  type Tool,
  type Turn,
} from './prompt.ts';

/** The names under which the facts of the path are put into the body. The real API does not have them. */
export const pathFields = { model: '$model', stream: '$stream', batch: '$batch' } as const;

/** Throws BadRequest for what the real API refuses. */
export function readContentsPrompt(body: JsonObject): Prompt {
  const { contents, systemInstruction, tools, toolConfig } = body;
  if (!Array.isArray(contents) || contents.length === 0)
    throw new BadRequest('contents is not specified');
  const config = isObject(body['generationConfig']) ? body['generationConfig'] : {};
  checkContents(body, contents);
  const declared = Array.isArray(tools) ? tools.flatMap(declarationsOf) : [];
  const thinking = config['thinkingConfig'];
  return {
    model: String(body[pathFields.model]),
    turns: [...systemTurns(systemInstruction), ...contents.flatMap(readContent)],
    tools: declared,
    toolChoice: choiceOf(toolConfig, declared),
    parallelToolCalls: true,
    outputTokensMax: outputTokensMaxOf(config['maxOutputTokens']),
    streamed: body[pathFields.stream] === true,
    includeUsage: true,
    isStored: false,
    answerSchema: schemaOf(config),
    wantsJson: config['responseMimeType'] === 'application/json',
    ...stopsOf(config['stopSequences']),
    ...likeliestCountOf(config, config['responseLogprobs'] === true, 'logprobs'),
    isReasoning: isObject(thinking) && thinking['thinkingBudget'] !== 0,
    drawsPicture: isPicture(config['responseModalities']),
  };
}

function isPicture(modalities: unknown): boolean {
  return Array.isArray(modalities) && modalities.includes('IMAGE');
}

function schemaOf(config: JsonObject): unknown {
  const { responseJsonSchema: schema, responseMimeType: type } = config;
  if (schema !== undefined && type !== 'application/json')
    throw new BadRequest('responseJsonSchema needs responseMimeType application/json');
  return schema;
}

function systemTurns(instruction: unknown): readonly Turn[] {
  const parts = isObject(instruction) ? instruction['parts'] : undefined;
  return partsOf(parts).map(({ text }) => ({
    role: 'system',
    text: typeof text === 'string' ? text : '',
  }));
}

function readContent(content: unknown, index: number): readonly Turn[] {
  if (!isObject(content) || (content['role'] !== 'user' && content['role'] !== 'model'))
    throw new BadRequest(`contents[${index}].role: Please use a valid role: user, model.`);
  const parts = partsOf(content['parts']);
  if (parts.length === 0)
    throw new BadRequest(`contents[${index}].parts: contents.parts must not be empty.`);
  const role = content['role'] === 'model' ? 'assistant' : 'user';
  return parts.map((part) => readPart(part, role, index));
}

function readPart(part: JsonObject, role: 'user' | 'assistant', index: number): Turn {
  if (typeof part['text'] === 'string') return { role, text: part['text'] };
  if (isObject(part['inlineData']) || isObject(part['fileData']))
    return { role, text: mediaTokensText };
  const { functionCall: call, functionResponse: response } = part;
  if (isObject(call) && role === 'assistant')
    return { role, text: JSON.stringify(call['args'] ?? {}) };
  if (isObject(response) && isObject(response['response']))
    return { role: 'tool', text: outputOf(response['response']) };
  throw new BadRequest(`contents[${index}].parts: required oneof field 'data' must be initialized`);
}

function outputOf(response: JsonObject): string {
  const { output, ...others } = response;
  const isAlone = typeof output === 'string' && Object.keys(others).length === 0;
  return isAlone ? output : JSON.stringify(response);
}

function partsOf(parts: unknown): readonly JsonObject[] {
  return Array.isArray(parts) ? parts.filter(isObject) : [];
}

function declarationsOf(tool: unknown): readonly Tool[] {
  const declarations = isObject(tool) ? tool['functionDeclarations'] : undefined;
  return partsOf(declarations).map((declaration) => {
    const { name, parametersJsonSchema: parameters } = declaration;
    if (typeof name !== 'string') throw new BadRequest('function_declarations: a name is required');
    return { name, parameters, definition: JSON.stringify({ name, parameters }) };
  });
}

function choiceOf(toolConfig: unknown, tools: readonly Tool[]): Prompt['toolChoice'] {
  const calling = isObject(toolConfig) ? toolConfig['functionCallingConfig'] : undefined;
  if (!isObject(calling)) return 'auto';
  const allowed = Array.isArray(calling['allowedFunctionNames'])
    ? (calling['allowedFunctionNames'] as readonly unknown[])
    : [];
  if (allowed.some((name) => !tools.some((tool) => tool.name === name)))
    throw new BadRequest('allowed_function_names: names a function that is not declared');
  if (calling['mode'] === 'NONE') return 'none';
  if (calling['mode'] !== 'ANY') return 'auto';
  return allowed.length === 1 ? { name: String(allowed[0]) } : 'required';
}

/** Returns the texts of the parts of something to embed: a medium counts as one of some length. */
export function readContentParts(parts: unknown): readonly string[] {
  return partsOf(parts).map((part) => readPart(part, 'user', 0).text);
}

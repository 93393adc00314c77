import type { Part, ResponsesBody } from '@sluice/client-schemas';
import { rewriteFile } from '../../../stages/content-filter/request-texts.ts';
import { readPart } from '../read/read-content.ts';
import type { RequestEcho } from './request-echo.ts';

/**
 * Returns the repeated fields as they went to the model: with the texts that a guardrail left, and without hosted
 * tools that were left out.
 */
export function rewriteEcho(
  given: RequestEcho,
  rewrite: (text: string) => string,
  leftOut: readonly string[],
): RequestEcho {
  const echo = leftOut.length === 0 ? given : withoutTools(given, leftOut);
  const { instructions } = echo;
  const prompt = echo.prompt as ResponsesBody['prompt'];
  const changed = instructions === null ? null : rewrite(instructions);
  if (changed === instructions && !prompt?.variables) return echo;
  return {
    ...echo,
    instructions: changed,
    prompt: prompt?.variables
      ? { ...prompt, variables: rewriteVariables(prompt.variables, rewrite) }
      : prompt,
  };
}

function withoutTools(echo: RequestEcho, kinds: readonly string[]): RequestEcho {
  return { ...echo, tools: echo.tools.filter(({ type }) => !kinds.includes(String(type))) };
}

type Variables = NonNullable<NonNullable<ResponsesBody['prompt']>['variables']>;

function rewriteVariables(variables: Variables, rewrite: (text: string) => string): object {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      if (typeof value === 'string') return [name, rewrite(value)];
      if (value.type === 'input_file') return [name, rewriteFileBody(value, name, rewrite)];
      if (value.type !== 'input_text') return [name, value];
      return [name, { ...value, text: rewrite(value.text) }];
    }),
  );
}

function rewriteFileBody(
  body: Extract<Part, { type: 'input_file' }>,
  place: string,
  rewrite: (text: string) => string,
): object {
  const file = readPart(body);
  if (file.type !== 'file') return body;
  const group = { isUserText: true, place };
  const { filename, source } = rewriteFile(file, group, ({ texts }) => texts.map(rewrite));
  return {
    ...body,
    ...(filename !== undefined && { filename }),
    ...(source.type === 'data' && {
      file_data: `data:${source.mediaType};base64,${source.base64}`,
    }),
  };
}

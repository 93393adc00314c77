import type { Part, ResponsesBody } from '@sluice/client-schemas';
import type { ContentPart, InferenceRequest, InputItem } from '@sluice/inference';
import type { RequestEcho } from './request-echo.ts';

export interface SentRequest {
  /** The request as it was parsed. */
  readonly asked: InferenceRequest;
  /** The request as the stages left it. */
  readonly sent: InferenceRequest;
  /** Kinds of hosted tools that were left out. */
  readonly leftOut: readonly string[];
}

/** Returns the repeated fields as they went to the model: each text as it stands at its place in the sent request. */
export function rewriteEcho(
  given: RequestEcho,
  { asked, sent, leftOut }: SentRequest,
): RequestEcho {
  const echo = leftOut.length === 0 ? given : withoutTools(given, leftOut);
  if (sent === asked) return echo;
  const prompt = echo.prompt as ResponsesBody['prompt'];
  const variables = prompt?.variables && sentVariables(prompt.variables, asked, sent);
  return {
    ...echo,
    // The parser makes the instructions the first item.
    instructions: echo.instructions === null ? null : textOf(sent.items[0]),
    prompt: variables ? { ...prompt, variables } : prompt,
  };
}

function withoutTools(echo: RequestEcho, kinds: readonly string[]): RequestEcho {
  return { ...echo, tools: echo.tools.filter(({ type }) => !kinds.includes(String(type))) };
}

function textOf(item: InputItem | undefined): string {
  const [part] = item?.type === 'message' ? item.content : [];
  return part?.type === 'text' ? part.text : '';
}

type Variables = NonNullable<NonNullable<ResponsesBody['prompt']>['variables']>;

function sentVariables(
  variables: Variables,
  { prompt: before }: InferenceRequest,
  { prompt: after }: InferenceRequest,
): object {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      const changed = after?.variables[name];
      const isSame = changed === undefined || changed === before?.variables[name];
      return [name, isSame ? value : asSent(value, changed)];
    }),
  );
}

/** Returns a variable in the form of the client with the texts that were sent. */
function asSent(value: string | Part, sent: string | ContentPart): string | object {
  if (typeof value === 'string' || typeof sent === 'string') return sent;
  if (sent.type === 'text') return { ...value, text: sent.text };
  if (sent.type !== 'file') return value;
  const { filename, source } = sent;
  return {
    ...value,
    ...(filename !== undefined && { filename }),
    ...(source.type === 'data' && {
      file_data: `data:${source.mediaType};base64,${source.base64}`,
    }),
  };
}

import type { ResponsesBody } from '@sluice/client-schemas';
import type { RequestEcho } from './request-echo.ts';

/** Returns the repeated fields with the texts that went to the model: what a guardrail redacted is not told again. */
export function rewriteEcho(echo: RequestEcho, rewrite: (text: string) => string): RequestEcho {
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

type Variables = NonNullable<NonNullable<ResponsesBody['prompt']>['variables']>;

function rewriteVariables(variables: Variables, rewrite: (text: string) => string): object {
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => {
      if (typeof value === 'string') return [name, rewrite(value)];
      if (value.type !== 'input_text') return [name, value];
      return [name, { ...value, text: rewrite(value.text) }];
    }),
  );
}

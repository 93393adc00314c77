import type { Answer } from './http.ts';

const lastEvent = /^event: response\.(?:completed|incomplete)\ndata: (.*)$/m;

/** Returns the number of calls of `service:shell` that an answer shows as completed. 0: it has no end. */
export function commandsOf({ status, text }: Pick<Answer, 'status' | 'text'>): number {
  if (status !== 200 || !text.includes('"service:shell"')) return 0;
  const [, told] = lastEvent.exec(text) ?? [];
  if (told === undefined && !text.startsWith('{')) return 0;
  const { output } = responseOf(JSON.parse(told ?? text) as Told);
  return output.filter((item) => item.type === 'service:shell' && item.status === 'completed')
    .length;
}

interface Told {
  readonly response?: Response;
  readonly output?: Response['output'];
}
interface Response {
  readonly output: readonly { readonly type: string; readonly status?: string }[];
}

/** A stream has the response in its last event. */
const responseOf = ({ response, output = [] }: Told): Response => response ?? { output };

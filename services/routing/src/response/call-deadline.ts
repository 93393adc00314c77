import { errorResult, type ToolContext, type ToolResult } from '../tools/tool.ts';

/** The result of a call that was stopped. */
export const late = errorResult('the tool did not end in time');

/** Returns `late` if the call does not end before its signal is aborted. */
export async function withDeadline(
  run: () => Promise<ToolResult>,
  { signal, deadlineMs }: Pick<ToolContext, 'signal' | 'deadlineMs'>,
  controller: AbortController,
): Promise<ToolResult> {
  const { promise: stopped, resolve } = Promise.withResolvers<ToolResult>();
  const stop = () => resolve(late);
  const timer = setTimeout(
    () => controller.abort(new Error('the tool took too long')),
    Math.max(0, deadlineMs - performance.now()),
  );
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([stopped, run()]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

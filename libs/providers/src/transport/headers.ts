import type { Headers } from './conversation.ts';

/** Returns the first value of a header. */
export function headerOf(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Returns true if a reply is an event stream. Some servers send a whole body to a request for a stream. */
export function isEventStream(request: { readonly stream: boolean }, headers: Headers): boolean {
  const contentType = headerOf(headers, 'content-type') ?? '';
  if (contentType.includes('text/event-stream')) return true;
  return request.stream && !contentType.includes('json');
}

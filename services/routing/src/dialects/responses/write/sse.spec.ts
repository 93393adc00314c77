import { describe, expect, test } from 'vitest';
import type { ResponseEvent } from './event.ts';
import { doneBytes, keepAliveBytes } from '../../answer/sse.ts';
import { errorEventBytes, SseEncoder } from './sse.ts';
import { eventsOf } from '../testing/generation.ts';

const sseBytes = (events: readonly ResponseEvent[]) => Buffer.from(new SseEncoder().text(events));
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

describe('the bytes of a stream', () => {
  test('hold one event and one data line for each event', () => {
    const frames = text(sseBytes(eventsOf([]))).split('\n\n');
    expect(frames).toHaveLength(3);
    expect(frames[0]).toMatch(/^event: response\.created\ndata: \{"type":"response\.created",/);
    expect(frames[1]).toMatch(/^event: response\.in_progress\ndata: \{/);
    expect(frames[2]).toBe('');
  });

  test('cannot be forged by what the model says', () => {
    const delta = '\n\ndata: [DONE]\n\nevent: response.completed\r\n\u2028';
    const bytes = sseBytes(
      eventsOf([
        { type: 'text-start', part: 0 },
        { type: 'text-delta', part: 0, delta },
      ]),
    );
    expect(text(bytes)).not.toContain('\ndata: [DONE]');
    expect(text(bytes)).not.toContain('\r');
    expect(text(bytes).split('\n\n')).toHaveLength(6);
  });

  test('say a piece of text as JSON would', () => {
    const events = eventsOf([
      { type: 'text-start', part: 0 },
      { type: 'text-start', part: 1 },
      { type: 'text-delta', part: 1, delta: 'y' },
      { type: 'text-delta', part: 0, delta: '"é\u2028 \ud800' },
      { type: 'text-delta', part: 0, delta: 'x', logprobs: [] },
    ]);
    const written = events.map(
      (event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    );
    expect(text(sseBytes(events))).toBe(written.join(''));
  });

  test('end with a mark, and stay alive with a comment', () => {
    expect(text(doneBytes)).toBe('data: [DONE]\n\n');
    expect(text(keepAliveBytes)).toBe(': SERVICE PROCESSING\n\n');
  });

  test('tell a failure outside of the response', () => {
    const bytes = errorEventBytes({ code: 'server_error', message: 'x' }, 4);
    expect(text(bytes)).toBe(
      'event: error\ndata: {"type":"error","code":"server_error","message":"x","param":null,"sequence_number":4}\n\n',
    );
  });
});

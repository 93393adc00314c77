import type { InputItem } from '@sluice/inference';
import { countItems, middleOut } from '@sluice/routing/testing';
import { type Measure, measured } from '../measure.ts';
import { processorMsOf } from './processor-time.ts';

const messages = 1_000;
const runs = { runs: 50, warmUps: 10 };
const sentence = 'The committee met in the morning to discuss how the new system should work. ';

/** Measures the shortening of a conversation of 1,000 messages to half of its tokens. */
export function measureCompression(): readonly Measure[] {
  const items = Array.from({ length: messages }, (_, index): InputItem => ({
    type: 'message',
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: [{ type: 'text', text: `${index}: ${sentence.repeat(1 + (index % 5))}` }],
  }));
  const work = () => middleOut(items, countItems(items), messages * 25);
  const left = work()?.items.length ?? 0;
  if (left === 0 || left === messages) throw new Error(`${left} of ${messages} messages are left`);
  return [
    measured('compression of 1,000 messages', processorMsOf(work, runs), 'ms', {
      atMost: 10,
      note: `leaves ${left}`,
    }),
  ];
}

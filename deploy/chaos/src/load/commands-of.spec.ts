import { expect, test } from 'vitest';
import { commandsOf } from './commands-of.ts';

const ran = { type: 'service:shell', status: 'completed' };
const response = {
  output: [ran, { type: 'service:shell', status: 'failed' }, ran, { type: 'message' }],
};
const whole = JSON.stringify(response);
const streamed = [
  `event: response.output_item.done\ndata: ${JSON.stringify({ item: ran })}`,
  `event: response.completed\ndata: ${JSON.stringify({ response })}`,
  'data: [DONE]',
];

test('counts the commands that ran, of answers with an end', () => {
  expect(commandsOf({ status: 200, text: whole })).toBe(2);
  expect(commandsOf({ status: 200, text: streamed.join('\n\n') })).toBe(2);
  expect(commandsOf({ status: 200, text: streamed.slice(0, 1).join('\n\n') })).toBe(0);
  expect(commandsOf({ status: 500, text: whole })).toBe(0);
  expect(commandsOf({ status: 200, text: JSON.stringify({ output: [] }) })).toBe(0);
});

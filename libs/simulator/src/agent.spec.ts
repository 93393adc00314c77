import { describe, expect, test } from 'vitest';
import { agentScript } from './agent.ts';
import type { Prompt, Turn } from './prompt.ts';

const user = (text: string): Turn => ({ role: 'user', text });
const called: readonly Turn[] = [
  { role: 'assistant', text: '' },
  { role: 'tool', text: 'answer' },
];
const scripted = (turns: readonly Turn[], changes: Partial<Prompt> = {}) =>
  agentScript({
    model: 'echo',
    turns,
    tools: [],
    toolChoice: 'auto',
    parallelToolCalls: true,
    outputTokensMax: undefined,
    streamed: false,
    includeUsage: false,
    isStored: false,
    ...changes,
  });

describe('a model that plays a script', () => {
  const script = user(
    'agent: say hi and call f {"a":"} then"} and call g then call f then (error-500)',
  );

  test('takes a step for each turn of answers', () => {
    expect(scripted([script])?.parts).toEqual([
      { type: 'text', name: '', text: 'hi' },
      { type: 'tool-call', name: 'f', text: '{"a":"} then"}' },
      { type: 'tool-call', name: 'g', text: '{}' },
    ]);
    const twice: readonly Turn[] = [...called, { role: 'tool', text: 'another' }];
    expect(scripted([script, ...twice])?.parts).toMatchObject([{ name: 'f', text: '{}' }]);
    expect(scripted([script, ...twice, ...called])).toEqual({ directives: ['error-500'] });
    expect(scripted([script, ...twice, ...called, ...called])).toBeUndefined();
  });

  test('begins anew with each text of the user', () => {
    expect(scripted([script, ...called, script])?.parts).toHaveLength(3);
  });

  test('may call for ever, and with arguments that are no JSON', () => {
    const turns = [user('agent: call f <<{>> forever'), ...called, ...called];
    expect(scripted(turns)?.parts).toMatchObject([{ name: 'f', text: '{' }]);
  });

  test('is not played for other texts, or if no tool may be called', () => {
    expect(scripted([user('call f')])).toBeUndefined();
    expect(scripted([user('call f')], { model: 'agent' })?.parts).toHaveLength(1);
    expect(scripted([script], { toolChoice: 'none' })).toBeUndefined();
  });

  test('makes up the arguments that it is not given', () => {
    const parameters = { properties: { a: { type: 'string', default: 'noon' } } };
    const changes = { model: 'agent', tools: [{ name: 'f', parameters, definition: '' }] };
    const turns = [user('call f and call f {"a":"dusk"}')];
    expect(scripted(turns, changes)?.parts).toMatchObject([
      { text: '{"a":"noon"}' },
      { text: '{"a":"dusk"}' },
    ]);
    expect(scripted([user('agent: call f')], { ...changes, model: 'echo' })?.parts).toMatchObject([
      { text: '{}' },
    ]);
  });
});

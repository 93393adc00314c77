import type { ContentPart, InferenceRequest, InputItem } from '@sluice/inference';
import { describe, expect, test } from 'vitest';
import { prepareCall } from '../prepare-request.ts';
import { googleGeminiTranslator } from './google-gemini.ts';

const endpoint = {
  provider: 'google',
  dialect: 'google-gemini',
  baseUrl: 'https://a.example/v1beta',
  apiKey: undefined,
  upstreamModel: 'gemini',
} as const;
const text = (value: string): ContentPart => ({ type: 'text', text: value });
const said = (role: 'system' | 'developer' | 'user' | 'assistant', ...content: ContentPart[]) =>
  ({ type: 'message', role, content }) as const;
const requestOf = (fields: Partial<InferenceRequest>): InferenceRequest => ({
  items: [said('user', text('hi'))],
  tools: [],
  toolChoice: { type: 'auto' },
  parallelToolCalls: undefined,
  maxOutputTokens: 10_000,
  temperature: undefined,
  topP: undefined,
  stream: false,
  ...fields,
});
const wire = (fields: Partial<InferenceRequest>): Record<string, unknown> =>
  JSON.parse(
    JSON.stringify(prepareCall(googleGeminiTranslator, endpoint, requestOf(fields)).body),
  ) as Record<string, unknown>;
const config = (fields: Partial<InferenceRequest>): unknown => wire(fields)['generationConfig'];
const tool = {
  type: 'function',
  name: 'f',
  description: 'd',
  parameters: { type: 'object' },
  strict: true,
} as const;

describe('a generateContent request', () => {
  test('has no field that the client omitted', () => {
    expect(wire({})).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      generationConfig: { maxOutputTokens: 10_000 },
    });
  });

  test('has the method and the model in its path', () => {
    const path = (stream: boolean) => googleGeminiTranslator.path(endpoint, requestOf({ stream }));
    expect(path(false)).toBe('/models/gemini:generateContent');
    expect(path(true)).toBe('/models/gemini:streamGenerateContent?alt=sse');
    const hostile = { ...endpoint, upstreamModel: 'a/../b?c' };
    expect(googleGeminiTranslator.path(hostile, requestOf({}))).not.toContain('?');
    expect(googleGeminiTranslator.headers?.('k', [])).toEqual({ 'x-goog-api-key': 'k' });
  });

  test('separates system texts, and alternates user and model', () => {
    const items: readonly InputItem[] = [
      said('system', text('be brief')),
      said('user', text('a')),
      said('user', text('b'), text('')),
      said('assistant', text('c')),
    ];
    expect(wire({ items })).toMatchObject({
      systemInstruction: { parts: [{ text: 'be brief' }] },
      contents: [
        { role: 'user', parts: [{ text: 'a' }, { text: 'b' }] },
        { role: 'model', parts: [{ text: 'c' }] },
      ],
    });
    const alone = wire({ items: [said('developer', text('say hi'))] });
    expect(alone).toMatchObject({ contents: [{ role: 'user', parts: [{ text: 'say hi' }] }] });
    expect(alone).not.toHaveProperty('systemInstruction');
  });

  test('has a note in the turn of a user who says nothing', () => {
    const silence = [{ text: '(The user says nothing.)' }];
    const silent = said('user', text(''));
    expect(wire({ items: [said('system', text('s')), silent] })).toMatchObject({
      systemInstruction: { parts: [{ text: 's' }] },
      contents: [{ role: 'user', parts: silence }],
    });
    const turns = [said('user', text('a')), said('assistant', text('b')), silent];
    expect(wire({ items: turns })['contents']).toHaveLength(3);
    const spoken = [silent, said('user', text('a')), silent];
    expect(wire({ items: spoken })['contents']).toEqual([{ role: 'user', parts: [{ text: 'a' }] }]);
  });

  test('sends calls with the signature of their thought, and answers with the function name', () => {
    const thought = {
      type: 'reasoning',
      id: 'rs',
      summary: ['hm'],
      content: [],
      encrypted: undefined,
      signature: 'sig',
      format: 'google-gemini-v1',
    } as const;
    const items: readonly InputItem[] = [
      said('user', text('a')),
      thought,
      { type: 'function-call', callId: '1', name: 'f', arguments: '{"a":1}' },
      { ...thought, format: 'anthropic-claude-v1' },
      { type: 'custom-tool-call', callId: '2', name: 'sql', input: 'SELECT' },
      { type: 'function-call-output', callId: '1', output: '{"ok":true}' },
      { type: 'custom-tool-call-output', callId: '2', output: [text('two')] },
    ];
    expect(wire({ items })['contents']).toEqual([
      { role: 'user', parts: [{ text: 'a' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'sig' },
          { functionCall: { name: 'sql', args: { input: 'SELECT' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { name: 'f', response: { ok: true } } },
          { functionResponse: { name: 'sql', response: { output: 'two' } } },
        ],
      },
    ]);
  });

  test.each(['{"schema":{"$ref":"#/$defs/a"}}', '{"a":[{"\\u0024ref":1}]}', '[{"a":1}]', '{"a":1'])(
    'tells an answer as text that Gemini would refuse as an object: %s',
    (output) => {
      const items: InferenceRequest['items'] = [
        { type: 'function-call', callId: 'a', name: 'f', arguments: '{}' },
        { type: 'function-call-output', callId: 'a', output },
      ];
      const contents = wire({ items })['contents'] as readonly { readonly parts: object[] }[];
      expect(contents.at(-1)?.parts).toEqual([
        { functionResponse: { name: 'f', response: { output } } },
      ]);
    },
  );

  describe('has the signatures that the model demands', () => {
    const format = 'google-gemini-v1';
    const picture: ContentPart = {
      type: 'image',
      source: { type: 'data', mediaType: 'image/png', base64: 'aGk=' },
      detail: 'auto',
    };
    const thought = (signature: string): InputItem => ({
      type: 'reasoning',
      id: 'rs',
      summary: [],
      content: [],
      encrypted: undefined,
      signature,
      format,
    });
    const call: InputItem = { type: 'function-call', callId: '1', name: 'f', arguments: '{}' };
    /** Returns what the parts of the model are signed with. */
    const signedWith = (upstreamModel: string, ...items: readonly InputItem[]) => {
      const all = [said('user', text('hi')), ...items, said('user', text('go on'))];
      const asked = { ...endpoint, upstreamModel };
      const call = prepareCall(googleGeminiTranslator, asked, requestOf({ items: all }));
      const { contents } = call.body as {
        readonly contents: readonly { readonly role: string; readonly parts: readonly object[] }[];
      };
      return contents
        .filter(({ role }) => role === 'model')
        .flatMap(({ parts }) => parts)
        .map((part) => ('thoughtSignature' in part ? part.thoughtSignature : undefined));
    };
    const none = undefined;
    const placeholder = 'skip_thought_signature_validator';

    test.each<[string, readonly InputItem[], readonly unknown[]]>([
      ['gemini-2.5-flash-image', [said('assistant', text('a'), picture), call], [none, none, none]],
      ['gemini-3-pro', [said('assistant', text('a'), picture), call], [none, none, placeholder]],
      [
        'gemini-3-pro-image',
        [said('assistant', text('a')), said('assistant', picture)],
        [placeholder, placeholder],
      ],
      [
        'gemini-3-pro-image',
        [said('assistant', text('a'), text('b'), picture), call],
        [placeholder, none, placeholder, placeholder],
      ],
      ['gemini-3-pro-image', [thought('A'), said('assistant', text('a'))], ['A']],
      [
        'gemini-3-pro-image',
        [thought('A'), said('assistant', text('a'), picture)],
        [placeholder, 'A'],
      ],
      [
        'gemini-3-pro-image',
        [
          said('assistant', text('a')),
          thought('A'),
          said('assistant', picture),
          thought('B'),
          said('assistant', picture),
        ],
        [placeholder, 'A', 'B'],
      ],
      [
        'gemini-3-pro-image',
        [thought('A'), thought('B'), said('assistant', picture, picture, picture)],
        ['A', 'B', placeholder],
      ],
      ['gemini-3-pro', [thought('A'), call, call], ['A', none]],
    ])('%s, case %#', (model, items, signatures) => {
      expect(signedWith(model, ...items)).toEqual(signatures);
    });
  });

  test.each<[ContentPart, object]>([
    [
      {
        type: 'image',
        source: { type: 'data', mediaType: 'image/png', base64: 'aGk=' },
        detail: 'low',
      },
      { inlineData: { mimeType: 'image/png', data: 'aGk=' } },
    ],
    [
      { type: 'video', source: { type: 'url', url: 'https://a' } },
      { fileData: { fileUri: 'https://a' } },
    ],
    [
      { type: 'file', source: { type: 'id', id: 'files/1' }, filename: undefined },
      { fileData: { fileUri: 'files/1' } },
    ],
    [
      { type: 'audio', data: 'aGk=', format: 'mp3' },
      { inlineData: { mimeType: 'audio/mp3', data: 'aGk=' } },
    ],
  ])('sends every medium: %o', (part, expected) => {
    expect(wire({ items: [said('user', part)] })['contents']).toEqual([
      { role: 'user', parts: [expected] },
    ]);
  });

  test.each<[InferenceRequest['toolChoice'], object]>([
    [{ type: 'auto' }, { mode: 'AUTO' }],
    [{ type: 'none' }, { mode: 'NONE' }],
    [{ type: 'required' }, { mode: 'ANY' }],
    [
      { type: 'function', name: 'f' },
      { mode: 'ANY', allowedFunctionNames: ['f'] },
    ],
    [
      { type: 'allowed', mode: 'required', tools: [{ name: 'f' }, { name: 'x' }] },
      { mode: 'ANY', allowedFunctionNames: ['f'] },
    ],
  ])('sends tools and the tool choice: %o', (toolChoice, functionCallingConfig) => {
    const parametersJsonSchema = { type: 'object' };
    expect(wire({ tools: [tool], toolChoice })).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'f', description: 'd', parametersJsonSchema }] }],
      toolConfig: { functionCallingConfig },
    });
  });

  test('sends the answer format, image output and log probabilities', () => {
    const schema = { type: 'object' };
    const format = {
      type: 'json-schema',
      name: 'a',
      description: undefined,
      schema,
      strict: true,
    } as const;
    expect(config({ options: { format } })).toMatchObject({
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
    });
    expect(config({ options: { format: { type: 'json-object' } } })).not.toHaveProperty(
      'responseJsonSchema',
    );
    expect(config({ options: { modalities: ['text', 'image'] } })).toMatchObject({
      responseModalities: ['TEXT', 'IMAGE'],
    });
    expect(config({ options: { topLogprobs: 2, topK: 3 } })).toMatchObject({
      responseLogprobs: true,
      logprobs: 2,
      topK: 3,
    });
  });

  test.each([
    [{ effort: 'none' }, { thinkingBudget: 0 }],
    [{ isEnabled: false }, { thinkingBudget: 0 }],
    [{ tokensMax: 0 }, { thinkingBudget: 0 }],
    [{ effort: 'medium' }, { thinkingBudget: 5_000, includeThoughts: true }],
    [{ effort: 'minimal' }, { thinkingBudget: 1_024, includeThoughts: true }],
    // The limit leaves room for an answer.
    [{ tokensMax: 50_000 }, { thinkingBudget: 9_999, includeThoughts: true }],
  ] as const)('thinks as much as is asked for: %o', (reasoning, thinkingConfig) => {
    expect(config({ options: { reasoning } })).toMatchObject({ thinkingConfig });
  });
});

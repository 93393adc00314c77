const cached = { cache_control: { type: 'ephemeral', ttl: '1h' } };
const weather = {
  name: 'get_weather',
  description: 'The weather',
  input_schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const picture = { type: 'base64', media_type: 'image/png', data: 'aGk=' };

/** Bodies of `POST /messages` that together say most of what the contract knows. */
export const sampleMessages = [
  { model: 'sim/echo', max_tokens: 10, messages: [{ role: 'user', content: 'hello' }] },
  {
    model: 'sim/messages',
    max_tokens: 4_000,
    stream: true,
    system: [{ type: 'text', text: 'Be brief.', ...cached }],
    thinking: { type: 'enabled', budget_tokens: 1_024 },
    messages: [
      {
        role: 'user',
        content: [
          { type: 'image', source: picture },
          { type: 'image', source: { type: 'url', url: 'https://a.example/a.png' } },
          { type: 'image', source: { type: 'file', file_id: 'file-1' } },
          {
            type: 'document',
            source: { type: 'text', media_type: 'text/plain', data: 'x' },
            title: 't',
            context: 'c',
            citations: { enabled: true },
          },
          { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'x' }] } },
          { type: 'document', source: { ...picture, media_type: 'application/pdf' } },
          {
            type: 'search_result',
            source: 's',
            title: 't',
            content: [{ type: 'text', text: 'x' }],
          },
          { type: 'text', text: 'x', ...cached },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'redacted_thinking', data: 'd' },
          { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'q' } },
          { type: 'web_search_tool_result', tool_use_id: 'srv_1', content: [] },
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'call_1', name: 'get_weather', input: { city: 'Ulm' } },
          { type: 'tool_use', id: 'call_2', name: 'get_weather', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: 'sunny', ...cached },
          {
            type: 'tool_result',
            tool_use_id: 'call_2',
            is_error: true,
            content: [
              { type: 'text', text: 'no' },
              { type: 'image', source: picture },
            ],
          },
        ],
      },
      { role: 'system', content: 'kindly' },
      { role: 'user', content: 'go on' },
    ],
    tools: [weather, { ...weather, type: 'custom', name: 'other', strict: true, ...cached }],
    tool_choice: { type: 'auto', disable_parallel_tool_use: true },
  },
  {
    model: 'sim/gemini',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'everything' }],
    temperature: 0.5,
    top_k: 3,
    top_p: 0.9,
    stop_sequences: ['END'],
    tools: [
      weather,
      { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
      { type: 'bash_20250124', name: 'bash' },
      { type: 'text_editor_20250728', name: 'str_replace_based_edit_tool' },
    ],
    tool_choice: { type: 'tool', name: 'get_weather' },
    thinking: { type: 'adaptive' },
    output_config: {
      effort: 'high',
      format: { type: 'json_schema', schema: { type: 'object', properties: {} } },
    },
    metadata: { user_id: 'u' },
    speed: 'standard',
    service_tier: 'auto',
    fallbacks: [{ model: 'sim/chat' }],
    context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
    container: 'c',
    mcp_servers: [],
    provider: { order: ['simulator'], allow_fallbacks: true, max_price: { prompt: 1 } },
    plugins: [{ id: 'web' }],
    session_id: 's',
    user: 'u',
    trace: { trace_id: 't' },
    ...cached,
  },
  {
    model: 'sim/chat',
    models: ['sim/echo'],
    max_tokens: 10,
    thinking: { type: 'disabled' },
    tool_choice: { type: 'none' },
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'begins' },
    ],
  },
] as const;

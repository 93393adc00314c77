import { describe, expect, test } from 'vitest';
import { call, message, output, refused, tool, type Body } from './testing/request-body.ts';

describe('what is not built yet is refused, never ignored:', () => {
  test.each<[Body, string]>([
    [{ plugins: [{ id: 'web' }] }, 'plugins'],
    [{ models: ['a'] }, 'models'],
    [{ model: undefined, models: ['a'] }, 'models'],
    [{ provider: { order: ['a'] } }, 'provider'],
    [{ reasoning: { effort: 'high' } }, 'reasoning'],
    [{ image_config: { size: '1' } }, 'image_config'],
    [{ trace: { trace_id: 't' } }, 'trace'],
    [{ cache_control: { type: 'ephemeral' } }, 'cache_control'],
    [{ prompt: { id: 'p' } }, 'prompt'],
    [{ prompt_cache_key: 'k' }, 'prompt_cache_key'],
    [{ prompt_cache_options: {} }, 'prompt_cache_options'],
    [{ preset: 'p' }, 'preset'],
    [{ route: 'sort' }, 'route'],
    [{ stop_server_tools_when: [] }, 'stop_server_tools_when'],
    [{ include: ['reasoning.encrypted_content'] }, 'include'],
    [{ modalities: ['text', 'image'] }, 'modalities'],
    [{ n: 2 }, 'n'],
    [{ frequency_penalty: 0.1 }, 'frequency_penalty'],
    [{ presence_penalty: -1 }, 'presence_penalty'],
    [{ top_k: 0 }, 'top_k'],
    [{ top_logprobs: 2 }, 'top_logprobs'],
    [{ service_tier: 'flex' }, 'service_tier'],
    [{ truncation: 'auto' }, 'truncation'],
    [{ debug: { echo_upstream_body: true } }, 'debug.echo_upstream_body'],
    [{ text: { verbosity: 'low' } }, 'text.verbosity'],
    [{ text: { format: { type: 'json_object' } } }, 'text.format.type'],
    [{ text: { format: { type: 'json_schema', name: 'a', schema: {} } } }, 'text.format.type'],
    [{ tools: [{ type: 'web_search' }] }, 'tools[0].type'],
    [{ tools: [{ type: 'service:bash' }] }, 'tools[0].type'],
    [{ tools: [tool('f', { async: true })] }, 'tools[0].async'],
    [{ tools: [tool('f', { defer_loading: true })] }, 'tools[0].defer_loading'],
    [{ tool_choice: { type: 'allowed_tools' } }, 'tool_choice.type'],
    [{ input: [message([{ type: 'input_image', image_url: 'x' }])] }, 'input[0].content[0].type'],
    [{ input: [{ type: 'item_reference', id: 'x' }] }, 'input[0].type'],
    [{ input: [{ type: 'service:datetime' }] }, 'input[0].type'],
    [{ input: [{ ...message('', 'assistant'), phase: 'commentary' }] }, 'input[0].phase'],
    [{ input: [{ ...call('a'), namespace: 'n' }, output('a')] }, 'input[0].namespace'],
  ])('%o', (fields, path) => {
    expect(refused(fields)).toMatchObject({
      rejected: 'invalid_request',
      message: `Invalid request: ${path}: is not supported yet`,
    });
  });
});

import OpenAI from 'openai';
const client = new OpenAI({
  baseURL: process.env.BASE_URL,
  apiKey: process.env.API_KEY,
  maxRetries: 0,
});
// This model's API has these tools itself, and the simulator calls none.
if (model === 'sim/echo') return;
const seen = ({ type }) => type !== 'reasoning';
async function both(body) {
  const whole = await client.responses.create(body);
  const streamed = await client.responses.stream(body).finalResponse();
  for (const { output, output_text: text, usage } of [whole, streamed])
    print(
      output.filter(seen).map(({ type, status }) => [type, status]),
      text,
      usage.input_tokens > 0 && usage.output_tokens > 0,
      usage.total_tokens === usage.input_tokens + usage.output_tokens,
    );
  return [whole, streamed].map(({ output }) => output.filter(seen));
}
const drawing = { type: 'image_generation', quality: 'low', size: '1024x1024' };
for (const [{ result }] of await both({ model, input: inputs.drawing, tools: [drawing] }))
  print(Buffer.from(result, 'base64').subarray(1, 4).toString());
const shell = { type: 'shell', environment: { type: 'container_auto' } };
for (const [call, answer] of await both({ model, input: inputs.running, tools: [shell] }))
  print(call.action.commands, answer.call_id === call.call_id, answer.output);
const patch = { model, tools: [{ type: 'apply_patch' }] };
for (const [call] of await both({ ...patch, input: inputs.patching })) {
  print(call.operation, call.call_id.length > 0);
  const answer = { type: 'apply_patch_call_output', call_id: call.call_id, status: 'completed' };
  const said = (content) => ({ role: 'user', content });
  const input = [said(inputs.patching), call, answer, said('agent: say applied')];
  await both({ ...patch, input });
}

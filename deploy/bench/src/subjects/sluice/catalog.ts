/** The model that the bench asks for. */
export const benchModel = 'bench/echo';
/** The model that makes vectors. */
export const vectorsModel = 'bench/vectors';

/** A catalog with the upstream of the bench as its one provider, and a price. */
export function benchCatalog(upstreamPort: number): string {
  return `
providers:
  - slug: bench
    name: Upstream of the bench
    dialect: openai-responses
    base_url: 'http://127.0.0.1:${upstreamPort}/v1'
    api_key_env: BENCH_UPSTREAM_KEY
models:
  - id: ${benchModel}
    context_length: 1000000
    max_output_tokens: 4096
    provider: bench
    upstream_model: echo
    pricing: { prompt: '0.00000005', completion: '0.0000004' }
  - id: ${vectorsModel}
    context_length: 8192
    endpoints:
      - provider: bench
        upstream_model: vectors
        output_modalities: [embeddings]
        pricing: { prompt: '0.00000002', completion: '0' }
`;
}

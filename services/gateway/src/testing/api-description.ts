import { gatewayWorld } from './gateway-world.ts';

/** Returns the API's description, OpenAPI 3.1, as a running gateway answers it. */
export async function apiDescription(): Promise<object> {
  const { request } = await gatewayWorld();
  return (await request('GET /openapi.json')).json;
}

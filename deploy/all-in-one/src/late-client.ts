/** A client that is looked up with each call; `find` throws while there is none. */
export function lateClient<Client extends object>(find: () => Client): Client {
  return new Proxy<Client>(Object.create(null) as Client, {
    get: (_nothing, method) => Reflect.get(find(), method) as unknown,
  });
}

import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

const faults: Readonly<Record<'down' | 'hanging' | 'garbage', RequestListener>> = {
  down: (request) => void request.socket.destroy(),
  hanging: () => undefined,
  garbage: (_request, response) => void response.end('{"results":[{"flagged":"perhaps"}]}'),
};

/** Starts a moderation endpoint that gives no verdicts. */
export async function openHostileServer(
  fault: keyof typeof faults,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer(faults[fault]);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

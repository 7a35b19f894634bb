import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request to a scripted control plane. */
export interface Call {
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly body: string;
  /** Number of earlier calls of this method and path. */
  readonly before: number;
  /** Ends the connection instead of answering. */
  cut(): void;
}

/** An answer: a status, and a body that is sent as JSON. */
export type Answer = readonly [status: number, body: unknown];

/** A control plane that answers by a script, for behaviour that the simulator does not have. */
export interface ScriptedPlane extends AsyncDisposable {
  readonly url: string;
  readonly calls: readonly Call[];
}

/** A token with its expiry time, in seconds since the epoch. */
export function tokenUntil(exp: number): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ exp })}.x`;
}

/** Starts one; tokens are handed out unless the script answers `/oauth/token` itself. */
export async function startScriptedPlane(script: (call: Call) => Answer | undefined): Promise<ScriptedPlane> {
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = '', url = '' } = request;
    const path = url.replace(/\?.*/, '');
    const before = calls.filter((one) => one.method === method && one.path === path).length;
    const call = {
      method,
      path,
      before,
      body: Buffer.concat(chunks).toString(),
      cut: () => void request.socket.destroy(),
    };
    calls.push(call);
    const token = { access_token: tokenUntil(Date.now() / 1000 + 3_600), expires_in: 3_600 };
    const fallback: Answer = path === '/oauth/token' ? [200, token] : [404, {}];
    const [status, body] = script(call) ?? fallback;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

import type { ServerResponse } from 'node:http';

/** A response: JSON, bytes or nothing. */
export interface Reply {
  readonly status: number;
  readonly body?: unknown;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A 204 response. */
export const noContent: Reply = { status: 204 };

/** The bytes of a response's body. */
export function bytesOf({ bytes, body }: Reply): Buffer {
  return Buffer.from(bytes ?? (body === undefined ? '' : JSON.stringify(body)));
}

/** Sets the status and headers of a response whose body has this length. */
export function writeHead(response: ServerResponse, { status, body, headers = {} }: Reply, length: number): void {
  response.statusCode = status;
  if (status !== 204) response.setHeader('content-length', length);
  if (body !== undefined) response.setHeader('content-type', 'application/json');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
}

/** Sends a response. */
export function send(response: ServerResponse, reply: Reply): void {
  const bytes = bytesOf(reply);
  writeHead(response, reply, bytes.length);
  response.end(bytes);
}

/** Returns a path parameter of a request; empty when its route does not have it. */
export function param(request: { readonly params: Readonly<Record<string, string>> }, name: string): string {
  return request.params[name] ?? '';
}

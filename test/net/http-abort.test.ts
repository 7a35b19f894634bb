import { expect, test } from 'vitest';
import { CliError } from '../../src/errors.ts';
import { client, failed } from './http-peers.ts';

// The only test of its file: a loaded library leaves no time in which the command could end.
test('requests of a command that ends while the HTTP library is loaded fail with its reason, and nothing else does', async () => {
  const { http, deadline } = client();
  const stop = new CliError(130, 'stop');
  const request = { method: 'GET', url: 'http://127.0.0.1:1/' } as const;
  const works = [http.request(request), http.stream(request)].map(failed);
  setImmediate(() => deadline.abort(stop));
  for (const work of works) expect((await work).error).toBe(stop);
});

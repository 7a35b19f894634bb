import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, test } from 'vitest';
import { openStage } from './transcripts/stage.ts';
import { run, temporaryDirectory } from './world.ts';

/** The most files between the command and the socket, both included. */
const mostFiles = 9;

/** One request of a command, and the files that it passes on its way to the socket. */
interface Way {
  readonly line: string;
  readonly service: string;
  readonly request: string;
  /** From the command to the file that hands the request to the socket, in the order in which they are passed. */
  readonly files: readonly string[];
}

// Before them come src/main.ts, cli/program.ts (which command?) and cli/run.ts (parse, plan, ask, run, print).
test.each<Way>([
  {
    line: 'cluster config set log_retention_ms 1000 --api admin --yes',
    service: 'admin',
    request: 'PUT /v1/cluster_config',
    files: [
      'commands/cluster/config/set-property.ts',
      'commands/cluster/config/apply.ts',
      'admin/config.ts',
      'net/json-api/client.ts',
      'net/http.ts',
    ],
  },
  {
    line: 'registry subject list',
    service: 'registry',
    request: 'GET /subjects',
    files: [
      'commands/registry/subject/list.ts',
      'commands/registry/chosen-subjects.ts',
      'registry/subjects.ts',
      'net/json-api/client.ts',
      'net/http.ts',
    ],
  },
  {
    line: 'cloud cluster list',
    service: 'cloud',
    request: 'GET /v1/clusters?page_size=100',
    files: ['commands/cloud/cluster/list.ts', 'cloud/api/api.ts', 'net/json-api/client.ts', 'net/http.ts'],
  },
  {
    line: 'cloud cluster list',
    service: 'cloud',
    request: 'POST /oauth/token',
    files: [
      'commands/cloud/cluster/list.ts',
      'cloud/api/api.ts',
      'net/json-api/client.ts',
      'net/json-api/credentials.ts',
      'sign-in/control-plane/token-source.ts',
      'sign-in/tokens/stored-tokens.ts',
      'sign-in/control-plane/token-requests.ts',
      'net/retry.ts',
      'net/http.ts',
    ],
  },
])('the way of $request in "$line" can be read file by file', async ({ line, service, request, files }) => {
  const ways = await waysOf(line, service);
  for (const way of ways.values()) expect(way.length, way.join('\n')).toBeLessThanOrEqual(mostFiles);
  expect(ways.get(request)).toEqual(files);
});

/** Runs a command on a simulated service, and returns the files that each of its requests passes. */
async function waysOf(line: string, service: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const ways = new Map<string, readonly string[]>();
  const onRequest = (message: unknown): void => {
    const { request } = message as { readonly request: { readonly method: string; readonly path: string } };
    ways.set(`${request.method} ${request.path}`, filesOf(new Error('a request').stack ?? ''));
  };
  const stage = await openStage([service]);
  const { stackTraceLimit } = Error;
  // Published where a request is handed over, before the connection that it gets is known.
  subscribe('undici:request:create', onRequest);
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  try {
    expect(await run(line, { env: stage.env, home: temporaryDirectory() })).toMatchObject({ exitCode: 0, stderr: '' });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    unsubscribe('undici:request:create', onRequest);
    await stage.close();
  }
  return ways;
}

/** The files of weir on a stack, from the command on, each at its first place; a callback's own frames count once. */
function filesOf(stack: string): readonly string[] {
  const frames = stack.split('\n').flatMap((line) => /\/src\/([\w/.-]+\.ts):/.exec(line)?.[1] ?? []);
  const files = [...new Set(frames.reverse())];
  return files.slice(files.indexOf('cli/run.ts') + 1);
}

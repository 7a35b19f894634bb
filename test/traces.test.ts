import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { layouts } from './services/layouts.ts';
import { openStage } from './transcripts/stage.ts';
import { run, temporaryDirectory } from './world.ts';

/** The most files between the command and the socket, both included. */
const mostFiles = 9;

/** One request of a command, and the files that it passes on its way to the socket. */
interface Way {
  /** Commands that are run before. */
  readonly before?: readonly string[];
  readonly line: string;
  readonly service: string;
  readonly request: string;
  /**
   * From the command to the file that hands the request to the socket, in the order in which they are passed; by default as
   * docs/project/architecture.md describes the command.
   */
  readonly files?: readonly string[] | undefined;
}

/** A file of a way in docs/project/architecture.md. */
interface Stop {
  readonly file: string;
  /** Whether it only hands on, so that it is on no stack: it stands in brackets. */
  readonly isUnseen: boolean;
}

/** The ways in docs/project/architecture.md, by the words before them. */
const described = waysIn(readFileSync('docs/project/architecture.md', 'utf8'));

/** A name without a folder is beside the one before it; what is in parentheses says what is done there. */
function waysIn(page: string): ReadonlyMap<string, readonly Stop[]> {
  const lines = page.replace(/ →\n +/g, ' → ').matchAll(/^(\w+ \w+) +(\S+ → .* → net\/http|\S+ → .* → socket-link)$/gm);
  return new Map([...lines].map(([, words = '', way = '']) => [words, stopsOf(way.replace(/ \([^)]*\)/g, ''))]));
}

function stopsOf(way: string): readonly Stop[] {
  let folder = '';
  let isUnseen = false;
  return way.split(' → ').map((part) => {
    const name = part.replace(/[[\]]/g, '');
    const file = /^[^.].*\//.test(name) ? `${name}.ts` : `${join(folder, name)}.ts`;
    folder = dirname(file);
    isUnseen ||= part.startsWith('[');
    const stop = { file, isUnseen };
    isUnseen &&= !part.endsWith(']');
    return stop;
  });
}

/** The way of a line that the page describes. */
function describedWay(line: string): readonly Stop[] {
  for (const [words, stops] of described) if (line.includes(words)) return stops;
  throw new Error(`docs/project/architecture.md describes no way of "${line}"`);
}

/** The files that a request passes on the stack. @throws if the page names more than can be read, or none that exist */
function expectedFiles({ line, files }: Pick<Way, 'line' | 'files'>): readonly string[] {
  const stops = files?.map((file) => ({ file, isUnseen: false })) ?? describedWay(line);
  expect(stops.length).toBeLessThanOrEqual(mostFiles);
  expect(stops.filter(({ file }) => !existsSync(join('src', file)))).toEqual([]);
  return stops.filter(({ isUnseen }) => !isUnseen).map(({ file }) => file);
}

// Before them come src/main.ts, cli/program.ts (which command?) and cli/run.ts (parse, plan, ask, run, print).
test.each<Way>([
  {
    line: 'cluster config set log_retention_ms 1000 --api admin --yes',
    service: 'admin',
    request: 'PUT /v1/cluster_config',
  },
  {
    line: 'registry subject list',
    service: 'registry',
    request: 'GET /subjects',
  },
  {
    line: 'cloud cluster list',
    service: 'cloud',
    request: 'GET /v1/clusters?page_size=100',
  },
  {
    line: 'cloud cluster list',
    service: 'cloud',
    request: 'POST /oauth/token',
    files: [
      'commands/cloud/resource-verbs.ts',
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
])('the way of $request in "$line" can be read file by file', async ({ request, files, ...way }) => {
  const ways = await waysOf(way);
  for (const passed of ways.values()) expect(passed.length, passed.join('\n')).toBeLessThanOrEqual(mostFiles);
  expect(ways.get(request)).toEqual(expectedFiles({ ...way, files }));
});

// A request of a stream begins where the stream sends it. The first one of all also passes pool.ts, which dials.
test.each<Way>([
  {
    line: 'topic create foo',
    service: 'brokers',
    request: 'CreateTopics',
  },
  {
    before: ['topic create foo', 'topic produce foo'],
    line: 'topic consume foo --offset :end',
    service: 'brokers',
    request: 'Fetch',
  },
  {
    before: ['topic create foo'],
    line: 'group seek readers --to start --topics foo --allow-new-group',
    service: 'brokers',
    request: 'OffsetCommit',
    files: [
      'cli/forms/change.ts',
      'commands/group/seek.ts',
      'kafka/open.ts',
      'kafka/cluster/groups/seek.ts',
      'kafka/protocol/client/ask.ts',
      'kafka/protocol/client/router.ts',
      'kafka/protocol/transport/connection.ts',
      'kafka/protocol/transport/wire.ts',
      'kafka/protocol/transport/socket-link.ts',
    ],
  },
])('the way of $request in "$line" can be read file by file', async ({ request, files, ...way }) => {
  const ways = await waysOf(way);
  expect(ways.get(request)).toEqual(expectedFiles({ ...way, files }));
});

/** Runs a command on a simulated service, and returns the files that each of its requests passes. */
async function waysOf({
  before = [],
  line,
  service,
}: Pick<Way, 'before' | 'line' | 'service'>): Promise<ReadonlyMap<string, readonly string[]>> {
  const ways = new Map<string, readonly string[]>();
  const stage = await openStage([service]);
  const world = { env: stage.env, home: temporaryDirectory() };
  for (const earlier of before) await run(earlier, { ...world, stdin: 'a\n' });
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  const unwatch = watchRequests((request) => ways.set(request, filesOf(new Error('a request').stack ?? '')));
  try {
    expect(await run(line, world)).toMatchObject({ exitCode: 0, stderr: '' });
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    unwatch();
    await stage.close();
  }
  return ways;
}

/** Calls back where a request is handed over: to undici, before the connection is known, or to the socket of a broker. */
function watchRequests(onRequest: (request: string) => void): () => void {
  const onHttp = (message: unknown): void => {
    const { request } = message as { readonly request: { readonly method: string; readonly path: string } };
    onRequest(`${request.method} ${request.path}`);
  };
  subscribe('undici:request:create', onHttp);
  const { write } = Socket.prototype;
  const spy = vi.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket, ...args) {
    const [bytes] = args as unknown[];
    // The header of a request is a piece of its own: length, API, version, correlation id, client id.
    const isHeader = Buffer.isBuffer(bytes) && bytes.length > 14 && bytes.readInt16BE(12) === bytes.length - 14;
    const api = isHeader ? layouts.find(({ key }) => key === bytes.readInt16BE(4)) : undefined;
    if (api !== undefined) onRequest(api.name);
    return Reflect.apply(write, this, args);
  } as typeof write);
  return () => {
    unsubscribe('undici:request:create', onHttp);
    spy.mockRestore();
  };
}

/** The files of weir on a stack, from the command on, each at its first place; a callback's own frames count once. */
function filesOf(stack: string): readonly string[] {
  const frames = stack.split('\n').flatMap((line) => /\/src\/([\w/.-]+\.ts):/.exec(line)?.[1] ?? []);
  const files = [...new Set(frames.reverse())];
  return files.slice(files.indexOf('cli/run.ts') + 1);
}

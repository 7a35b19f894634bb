import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parse } from 'yaml';
import { temporaryDirectory } from '../world.ts';
import { git, type Host, type Job, type Project, runScript } from './host.ts';

type Variables = Readonly<Record<string, string>>;

interface PipelineJob {
  readonly rules: readonly { readonly if: string }[];
  readonly variables: Variables;
  readonly script: readonly string[];
  readonly artifacts?: { readonly paths: readonly string[] };
}

const notJobs: ReadonlySet<string> = new Set(['variables', 'default', 'stages']);

/**
 * GitLab CI, as far as the example needs it: the jobs with a rule that holds run in one bash each. Comments and artifacts go
 * over the paths of its API.
 */
export async function gitlab(pipelineText: string, { origin, settings, machine }: Project): Promise<Host> {
  const { variables, default: common, ...rest } = parse(pipelineText);
  const jobs = Object.entries(rest).filter(([name]) => !notJobs.has(name)) as [string, PipelineJob][];
  const artifacts = temporaryDirectory();
  let comment = '';

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://gitlab');
    const file = /^\/projects\/7\/jobs\/artifacts\/([^/]+)\/raw\/(.*)$/.exec(pathname);
    if (request.headers['private-token'] !== settings.API_TOKEN) response.writeHead(401).end();
    else if (request.method === 'POST' && pathname === '/projects/7/merge_requests/3/notes') {
      comment = new URLSearchParams(await text(request)).get('body') ?? '';
      response.writeHead(201).end('{}');
    } else if (file !== null) {
      const ref = decodeURIComponent(file[1] ?? '').replaceAll('/', '-');
      response.end(readFileSync(join(artifacts, ref, searchParams.get('job') ?? '', file[2] ?? '')));
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  /** A rule is comparisons with && between them. */
  const holds = (rule: string, env: Variables): boolean =>
    rule.split(' && ').every((part) => {
      const [left = '', right = ''] = part.split(' == ').map((side) => side.replaceAll('"', ''));
      return valued(left, env) === valued(right, env);
    });

  async function runJob([name, job]: [string, PipelineJob], sha: string, given: Variables): Promise<Job> {
    const cwd = temporaryDirectory();
    await git(cwd, 'clone', '--quiet', origin, '.');
    await git(cwd, 'checkout', '--quiet', '--detach', sha);
    const env: Record<string, string> = { ...machine, ...settings, ...given };
    for (const [key, value] of Object.entries<string>({ ...variables, ...job.variables }))
      env[key] = valued(value, env);
    const outcome = await runScript([...common.before_script, ...job.script].join('\n'), cwd, env);
    for (const path of outcome.exitCode === 0 ? (job.artifacts?.paths ?? []) : []) {
      const folder = join(artifacts, (given.CI_MERGE_REQUEST_REF_PATH ?? '').replaceAll('/', '-'), name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, path), readFileSync(join(cwd, path)));
    }
    return { name, ...outcome };
  }

  async function happened(sha: string, given: Variables): Promise<readonly Job[]> {
    const env = { CI_API_V4_URL: api, CI_PROJECT_ID: '7', CI_DEFAULT_BRANCH: 'main', ...given };
    const due = jobs.filter(([, { rules }]) => rules.some((rule) => holds(rule.if, env)));
    const done: Job[] = [];
    for (const job of due) done.push(await runJob(job, sha, env));
    return done;
  }

  const main = async () => await git(origin, 'rev-parse', 'main');
  return {
    comment: () => comment,
    async opened(branch) {
      const sha = await git(origin, 'rev-parse', branch);
      const ref = 'refs/merge-requests/3/head';
      await git(origin, 'update-ref', ref, sha);
      const about = { CI_MERGE_REQUEST_IID: '3', CI_MERGE_REQUEST_REF_PATH: ref };
      return await happened(sha, { CI_PIPELINE_SOURCE: 'merge_request_event', ...about });
    },
    pushed: async () => await happened(await main(), { CI_PIPELINE_SOURCE: 'push', CI_COMMIT_BRANCH: 'main' }),
    scheduled: async () => await happened(await main(), { CI_PIPELINE_SOURCE: 'schedule', CI_COMMIT_BRANCH: 'main' }),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A value, or that of the variable that it names. */
function valued(text: string, env: Variables): string {
  return text.startsWith('$') ? (env[text.slice(1)] ?? '') : text;
}

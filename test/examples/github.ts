import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { temporaryDirectory } from '../world.ts';
import { git, type Host, type Job, type Project, runScript } from './host.ts';

type Variables = Readonly<Record<string, string>>;

interface Step {
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Variables;
  readonly run?: string;
}

interface WorkflowJob {
  readonly if: string;
  readonly env?: Variables;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly env: Variables;
  readonly jobs: Readonly<Record<string, WorkflowJob>>;
}

/** What an event is about. */
interface Event {
  readonly name: string;
  readonly sha: string;
  readonly pullRequest?: number;
}

/**
 * GitHub Actions, as far as the example needs it: the jobs whose condition names the event run their steps in bash. Its
 * program gh is a script that keeps comments, runs and artifacts in files.
 */
export function github(workflowText: string, { origin, settings, machine }: Project): Host {
  const workflow: Workflow = parse(workflowText);
  const state = temporaryDirectory();
  const bin = join(state, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'gh'), gh);
  chmodSync(join(bin, 'gh'), 0o755);

  /** Replaces expressions: settings, and the few values of the context that the example uses. */
  const evaluated = (variables: Variables, { sha, pullRequest = 0 }: Event): Record<string, string> => {
    const values: Record<string, string> = {
      'github.token': 'the-token',
      'github.repository': 'shop/kafka',
      'github.sha': sha,
      'github.event.pull_request.number': String(pullRequest),
    };
    for (const [name, value] of Object.entries(settings)) {
      values[`vars.${name}`] = value;
      values[`secrets.${name}`] = value;
    }
    const replaced = (text: string) =>
      text.replace(/\$\{\{ (\S+) \}\}/g, (_, path: string) => {
        const value = values[path];
        if (value === undefined) throw new Error(`no value for ${path}`);
        return value;
      });
    return Object.fromEntries(Object.entries(variables).map(([name, text]) => [name, replaced(String(text))]));
  };

  async function runStep(step: Step, cwd: string, env: Variables, { sha }: Event): Promise<Omit<Job, 'name'>> {
    if (step.run !== undefined) return await runScript(step.run, cwd, env);
    const done = { exitCode: 0, text: '' };
    if (step.uses?.startsWith('actions/checkout@')) {
      await git(cwd, 'clone', '--quiet', origin, '.');
      await git(cwd, 'checkout', '--quiet', '--detach', sha);
    } else if (step.uses?.startsWith('actions/upload-artifact@')) {
      // Runs have the ids of their commits here.
      const { name = '', path = '' } = step.with ?? {};
      mkdirSync(join(state, 'artifacts', sha, name), { recursive: true });
      copyFileSync(join(cwd, path), join(state, 'artifacts', sha, name, path));
    } else throw new Error(`the example uses ${step.uses}`);
    return done;
  }

  async function runJob(name: string, job: WorkflowJob, event: Event): Promise<Job> {
    const cwd = temporaryDirectory();
    const own = { GITHUB_SHA: event.sha, STATE: state, ORIGIN: origin, PATH: `${bin}:${machine.PATH}` };
    const env = { ...machine, ...own, ...evaluated(workflow.env, event), ...evaluated(job.env ?? {}, event) };
    let text = '';
    let exitCode = 0;
    for (const step of job.steps) {
      const [, needed] = /^always\(\) && hashFiles\('(.+)'\) != ''$/.exec(step.if ?? '') ?? [];
      if (step.if !== undefined && needed === undefined) throw new Error(`the example has the condition ${step.if}`);
      if (needed === undefined ? exitCode !== 0 : !existsSync(join(cwd, needed))) continue;
      const outcome = await runStep(step, cwd, env, event);
      text += outcome.text;
      exitCode ||= outcome.exitCode;
    }
    return { name, exitCode, text };
  }

  async function happened(event: Event): Promise<readonly Job[]> {
    if (!Object.hasOwn(workflow.on, event.name)) throw new Error(`nothing runs on ${event.name}`);
    const jobs: Job[] = [];
    for (const [name, job] of Object.entries(workflow.jobs))
      if (job.if === `github.event_name == '${event.name}'`) jobs.push(await runJob(name, job, event));
    return jobs;
  }

  const comment = join(state, 'comment.md');
  return {
    comment: () => (existsSync(comment) ? readFileSync(comment, 'utf8') : ''),
    async opened(branch) {
      const sha = await git(origin, 'rev-parse', branch);
      await git(origin, 'update-ref', 'refs/pull/12/head', sha);
      return await happened({ name: 'pull_request', sha, pullRequest: 12 });
    },
    pushed: async () => await happened({ name: 'push', sha: await git(origin, 'rev-parse', 'main') }),
    scheduled: async () => await happened({ name: 'schedule', sha: await git(origin, 'rev-parse', 'main') }),
    close: async () => undefined,
  };
}

/** The stand-in for gh: it knows the four lines of the example, and refuses others. */
const gh = `#!/bin/bash
set -eu
case "$*" in
  "pr comment 12 --body-file "*" --edit-last --create-if-none") cp "$5" "$STATE/comment.md" ;;
  "api repos/shop/kafka/commits/$GITHUB_SHA/pulls --jq .[0].head.sha") git -C "$ORIGIN" rev-parse refs/pull/12/head ;;
  "run list --workflow kafka.yml --event pull_request --commit "*" --limit 1 --json databaseId --jq .[0].databaseId") echo "$8" ;;
  "run download "*" --name plan") cp "$STATE/artifacts/$3/plan/"* . ;;
  *) echo "gh: unknown: $*" >&2; exit 1 ;;
esac
`;

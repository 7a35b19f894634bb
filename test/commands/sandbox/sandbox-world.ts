import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type BrokerState, kafkaState } from '../../../src/sandbox/kafka/state.ts';
import { atEndOfFile } from '../../at-end.ts';
import { keptCode } from '../../kept-code.ts';
import { withoutSlowLines } from '../../slow-lines.ts';
import { type Outcome, run, temporaryDirectory, type World } from '../../world.ts';

/** Java with the quick compiler only, also for brokers with TLS: starting them takes a third of the processor time. */
export const quickJava = { JAVA_TOOL_OPTIONS: '-XX:TieredStopAtLevel=1' };

/** A person with separate directories who shares this machine's Java, Maven and downloaded Kafka. */
export interface Person {
  readonly home: string;
  readonly state: string;
  run(line: string | readonly string[], more?: World): Promise<Outcome>;
  /** Writes a profile file with one profile, which is current. */
  haveProfile(name: string): Promise<void>;
  profileFile(): Promise<string>;
  /** Writes the state file of a sandbox with one broker, as if it had been started. */
  haveStopped(broker: Pick<BrokerState, 'process'>): Promise<void>;
  json(line: string): Promise<Record<string, unknown>>;
}

/** Makes a person. Their sandboxes are purged at the end of the test file. */
export function newPerson(): Person {
  const home = temporaryDirectory();
  const own = Object.entries(process.env).filter(([name]) => !/^(WEIR_|XDG_|CI$)/.test(name));
  const env = {
    ...Object.fromEntries(own),
    XDG_CONFIG_HOME: join(home, 'config'),
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    ...quickJava,
    ...keptCode,
  };
  const weir = async (line: string | readonly string[], more: World = {}): Promise<Outcome> => {
    const outcome = await run(line, { home, ...more, env: { ...env, ...more.env } });
    return { ...outcome, stderr: withoutSlowLines(outcome.stderr) };
  };
  const json = async (line: string): Promise<Record<string, unknown>> => {
    const outcome = await weir(`${line} --format json`);
    if (outcome.stdout === '') throw new Error(outcome.stderr);
    return JSON.parse(outcome.stdout);
  };
  const file = join(home, 'config/weir/weir.yaml');
  const haveProfile = async (name: string): Promise<void> => {
    await mkdir(join(home, 'config/weir'), { recursive: true });
    await writeFile(file, `version: 1\ncurrent_profile: ${name}\nprofiles:\n  - name: ${name}\n`, { mode: 0o600 });
  };
  const profileFile = (): Promise<string> => readFile(file, 'utf8');
  const haveStopped = async ({ process }: Pick<BrokerState, 'process'>): Promise<void> => {
    const ports = { port: 9092, internalPort: 20_001, controllerPort: 30_001 };
    await kafkaState.write(join(home, 'state/weir/sandbox/sandbox/kafka'), {
      kafkaVersion: '4.1.1',
      engine: 'java',
      clusterId: 'id',
      security: { tls: false, mtls: false, sasl: null },
      user: null,
      brokers: [{ id: 1, ...ports, process, container: null }],
    });
  };
  atEndOfFile(async () => {
    const { stdout } = await weir('sandbox list --format json');
    for (const { name } of JSON.parse(stdout || '[]')) await weir(`sandbox purge --name ${name} --yes`);
  });
  return {
    home,
    state: join(home, 'state', 'weir', 'sandbox'),
    run: weir,
    haveProfile,
    profileFile,
    haveStopped,
    json,
  };
}

/** The processes of a sandbox as `status` shows it, in the order of the brokers. */
export function pidsOf(row: Record<string, unknown>): readonly number[] {
  return (row.members as readonly { readonly pid: number }[]).map(({ pid }) => pid);
}

/** The first of them. */
export function firstPid(row: Record<string, unknown>): number {
  return pidsOf(row)[0] ?? 0;
}

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findJava, findProgram } from '../../src/sandbox/java.ts';
import { defaultKafkaVersion, resolveLibraries } from '../../src/sandbox/kafka/libraries.ts';
import { stop } from '../../src/sandbox/process.ts';
import { startSingle, testMachine } from '../services/brokers.ts';
import { clients, type OpenId, startOpenId } from '../services/openid.ts';
import { finish, linesOf, startWeir, type WeirProcess } from './weir-process.ts';

const usage = 'usage: npm run soak -- tokens [--minutes N] [--lifetime SECONDS] [--rate RECORDS]';
const topic = 'soak-tokens';

/**
 * `npm run soak -- tokens …`: produces and consumes for a long time with OAuth tokens that live for a short one, from a
 * real OpenID provider, and checks that each record arrives once. Returns the exit code.
 */
export async function main(words: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...words],
    options: {
      minutes: { type: 'string', default: '30' },
      lifetime: { type: 'string', default: '60' },
      rate: { type: 'string', default: '20' },
    },
  });
  const [minutes, lifetime, rate] = [Number(values.minutes), Number(values.lifetime), Number(values.rate)];
  if (!(minutes > 0) || !(lifetime > 0) || !(rate > 0)) throw new Error(usage);
  const directory = await mkdtemp(join(tmpdir(), 'weir-soak-'));
  const machine = testMachine(new AbortController().signal);
  const java = await findJava(machine);
  if (java === undefined) throw new Error('the soak needs Java');
  const libraries = await resolveLibraries(machine, defaultKafkaVersion, await findProgram(machine, 'mvn'));
  const broker = await startSingle(directory, { java: java.file, libraries }, machine);
  const openid = await startOpenId(Number(new URL(broker.issuer).port));
  openid.lifetime(lifetime);
  try {
    return await watch({ brokers: broker.oauth, openid, state: directory }, Math.ceil(minutes * 60 * rate), rate);
  } finally {
    await openid[Symbol.asyncDispose]();
    await stop(broker.broker.process, { graceMs: 0 });
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Place {
  readonly brokers: string;
  readonly openid: OpenId;
  /** The directory for the kept tokens. */
  readonly state: string;
}

async function watch(place: Place, records: number, rate: number): Promise<number> {
  const { openid } = place;
  const start = (args: readonly string[], stdin: 'pipe' | 'ignore' = 'ignore'): WeirProcess =>
    startWeir(place.brokers, [...args, ...options(openid)], {
      stdin,
      stdout: 'pipe',
      env: { XDG_STATE_HOME: place.state },
    });
  await finish('topic create', start(['topic', 'create', topic, '-p', '3']));
  const writer = start(['topic', 'produce', topic, '-f', '%k %v\\n', '-o', ''], 'pipe');
  const readers = {
    consume: start(['topic', 'consume', topic, '-o', 'start', '-n', String(records), '-f', '%v\\n']),
    'consume in a group': start(['topic', 'consume', topic, '-g', 'soak-tokens', '-n', String(records), '-f', '%v\\n']),
  };
  const found = Object.entries(readers).map(async ([name, reader]) => {
    const seen = await countsOf(reader, records);
    const once = seen.filter((times) => times === 1).length;
    say(await finish(name, reader));
    say(`${name}: ${once} of ${records} records once, ${seen.filter((times) => times > 1).length} more than once`);
    return once === records;
  });
  await write(writer, { records, rate, said: () => tokensOf(openid) });
  say(await finish('produce', writer));
  const all = await Promise.all(found);
  say(`${tokensOf(openid)} tokens`);
  return all.every(Boolean) ? 0 : 1;
}

function options({ issuer }: OpenId): readonly string[] {
  const pairs = {
    'sasl.mechanism': 'OAUTHBEARER',
    'oauth.issuer': issuer,
    'oauth.client_id': clients.basic.id,
    'oauth.client_secret': clients.basic.secret,
  };
  return Object.entries(pairs).flatMap(([key, value]) => ['-X', `${key}=${value}`]);
}

interface Writing {
  readonly records: number;
  /** Records a second. */
  readonly rate: number;
  said(): number;
}

/** Writes records at a steady rate. */
async function write({ child }: WeirProcess, { records, rate, said }: Writing): Promise<void> {
  const began = performance.now();
  for (let written = 0; written < records && child.exitCode === null; ) {
    const due = Math.min(records, Math.ceil(((performance.now() - began) / 1000) * rate));
    for (; written < due; written++) {
      child.stdin?.write(`${written % 100} ${written}\n`);
      if (written > 0 && written % (rate * 60) === 0) say(`${written} records written, ${said()} tokens`);
    }
    await delay(1000 / rate);
  }
  child.stdin?.end();
}

/** How often each record arrives. */
async function countsOf({ child }: WeirProcess, records: number): Promise<readonly number[]> {
  const seen = Array.from({ length: records }, () => 0);
  if (child.stdout === null) throw new Error('stdout is no pipe');
  for await (const line of linesOf(child.stdout)) seen[Number(line)] = (seen[Number(line)] ?? 0) + 1;
  return seen;
}

function tokensOf({ asked }: OpenId): number {
  return asked.filter(({ path }) => path === '/token').length;
}

function say(line: string): void {
  process.stdout.write(`  ${line}\n`);
}

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { realClock } from '../../src/clock.ts';
import type { Client } from '../../src/kafka/protocol/client/client.ts';
import { openClient } from '../../src/kafka/protocol/client/open-client.ts';
import type { KafkaOptions } from '../../src/kafka/protocol/options.ts';
import { createTopics } from '../../src/kafka/protocol/wire/apis/create-topics.ts';
import { fetch } from '../../src/kafka/protocol/wire/apis/fetch.ts';
import { joinGroup } from '../../src/kafka/protocol/wire/apis/join-group.ts';
import { startFullListener } from '../services/full-listener.ts';
import { handshakeAnswer } from '../services/scripted-answers.ts';
import { type Script, type ScriptedOptions, startScriptedBroker } from '../services/scripted-broker.ts';
import { clientOf, deadlineOf, failureOf, type TestLimits } from '../services/scripted-client.ts';
import type { Report } from './compare.ts';
import { markdown } from './markdown.ts';
import { spreadOf } from './measure.ts';

/** One rule, and how it is measured. */
interface Rule {
  readonly name: string;
  /** Its parts, for example `1s + 500ms`. */
  readonly sum: string;
  readonly expectedMs: number;
  /** Milliseconds that it took. */
  measure(): Promise<number>;
}

const rounds = 5;
const overhead = 500;
const inside = 1_000;

const tls = { ca: undefined, cert: undefined, key: undefined, insecureSkipVerify: true, keyPrefix: 'tls' };
const sasl = { mechanism: 'PLAIN', username: 'user', password: 'pass' } as const;

const join = {
  groupId: 'g',
  sessionTimeoutMs: 10_000,
  rebalanceTimeoutMs: inside,
  memberId: '',
  protocolType: 'consumer',
  protocols: [],
};
const topics = { topics: [], timeoutMs: inside, validateOnly: false };
const fetching = { maxWaitMs: inside, minBytes: 1, maxBytes: 1, isolationLevel: 0, topics: [] };

/** What one measurement is made of. */
interface Setting {
  readonly script?: Script;
  readonly peer?: ScriptedOptions;
  readonly limits?: TestLimits;
  readonly options?: Partial<KafkaOptions>;
}

/** How long a request takes to fail against a peer that does not answer, and that it dials once. */
function failing(setting: Setting, send: (client: Client) => Promise<unknown>): () => Promise<number> {
  return async () => {
    await using broker = await startScriptedBroker(setting.script, setting.peer);
    await using client = clientOf([broker.address], { overhead, retry: 0, ...setting.limits }, setting.options);
    const from = performance.now();
    await failureOf(send(client));
    const took = performance.now() - from;
    if (broker.connections !== 1) throw new Error(`${broker.connections} connections were made instead of one`);
    return took;
  };
}

const ask = (client: Client): Promise<unknown> => client.metadata([]);

/** A listener whose queue is full, so that the kernel drops the request for a connection. */
async function measureDial(): Promise<number> {
  await using listener = await startFullListener();
  await using client = clientOf([listener.address], { dial: 700, retry: 0 });
  const from = performance.now();
  await failureOf(client.metadata([]));
  return performance.now() - from;
}

/** Refused connections without jitter: attempts at 0, 250, 750 and 1750 ms. */
async function measureRetry(): Promise<number> {
  const broker = await startScriptedBroker();
  await broker.close();
  const deadline = deadlineOf({ retry: 1_000 }, { ...realClock, random: () => 0.5 });
  const options = { brokers: [broker.address], tls: undefined, sasl: undefined, clientId: 'bench', deadline };
  const client = openClient(options);
  const from = performance.now();
  await failureOf(client.metadata([]));
  const took = performance.now() - from;
  client.close();
  deadline.dispose();
  return took;
}

/** From the command timeout to the end of a process that waits for a silent broker. */
async function measureEnd(): Promise<number> {
  await using broker = await startScriptedBroker();
  const child = fileURLToPath(new URL('../services/deadline-child.ts', import.meta.url));
  const args = [child, broker.address.host, String(broker.address.port), '300'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const [code, took] = stdout.split('\n');
  if (code !== 'COMMAND_TIMEOUT') throw new Error(`the process ended with ${code}`);
  return Number(took);
}

const rules: readonly Rule[] = [
  { name: 'Metadata', sum: 'overhead', expectedMs: overhead, measure: failing({}, ask) },
  {
    name: 'JoinGroup',
    sum: 'rebalance timeout 1s + overhead',
    expectedMs: inside + overhead,
    measure: failing({}, (client) => client.request(joinGroup, join, 'any')),
  },
  {
    name: 'CreateTopics',
    sum: 'request timeout 1s + overhead',
    expectedMs: inside + overhead,
    measure: failing({}, (client) => client.request(createTopics, topics, 'any')),
  },
  {
    name: 'Fetch',
    sum: 'fetch max wait 1s + overhead',
    expectedMs: inside + overhead,
    measure: failing({}, (client) => client.request(fetch, fetching, 'any')),
  },
  {
    name: 'SaslAuthenticate',
    sum: 'overhead',
    expectedMs: overhead,
    measure: failing({ script: { SaslHandshake: handshakeAnswer(0, ['PLAIN']) }, options: { sasl } }, ask),
  },
  { name: 'dialing, TCP never answers', sum: 'dial timeout', expectedMs: 700, measure: measureDial },
  {
    name: 'dialing, TLS never answers',
    sum: 'dial timeout',
    expectedMs: 700,
    measure: failing({ peer: { onConnect: 'silent' }, limits: { dial: 700 }, options: { tls } }, ask),
  },
  {
    name: 'retries, connection refused',
    sum: 'retry timeout 1s: attempts at 0, 250, 750, 1750 ms',
    expectedMs: 1_750,
    measure: measureRetry,
  },
  {
    name: 'command, while a request waits',
    sum: 'command timeout',
    expectedMs: 600,
    measure: failing({ limits: { command: 600, overhead: 60_000 } }, ask),
  },
  {
    name: 'command, while it dials',
    sum: 'command timeout',
    expectedMs: 600,
    measure: failing({ peer: { onConnect: 'silent' }, limits: { command: 600 }, options: { tls } }, ask),
  },
  { name: 'end of the process after that', sum: 'at once', expectedMs: 0, measure: measureEnd },
];

/** Measures every limit against a scripted peer, one after another. */
export async function run(): Promise<Report> {
  const rows: string[][] = [];
  for (const rule of rules) {
    const measured: number[] = [];
    for (let round = 0; round < rounds; round += 1) measured.push(await rule.measure());
    const { median, max } = spreadOf(measured);
    const times = [median, max].map((milliseconds) => `${milliseconds.toFixed(1)} ms`);
    rows.push([rule.name, rule.sum, `${rule.expectedMs} ms`, ...times]);
  }
  const page = markdown(['', 'limit', 'expected', 'median', 'longest'], rows, 2);
  return { results: [], text: page, page };
}

import { globSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { startDeadline } from '../src/deadline.ts';
import { CliError } from '../src/errors.ts';
import { dialTimeout } from '../src/net/dial-error.ts';
import { writeLicense } from '../src/sandbox/admin/config/license.ts';
import { quickJava } from './commands/sandbox/sandbox-world.ts';
import { type Block, type Page, readPage, stepsOf } from './guides/blocks.ts';
import { type Machine, newMachine, type Reader } from './guides/machine.ts';
import { settled, threeBrokers } from './guides/moved-topic.ts';
import { replay } from './guides/replay.ts';
import { weirLinesOf } from './guides/shell-line.ts';
import { parsedPath } from './parsed-path.ts';
import { registry } from './services/registry.ts';
import { services } from './services/services.ts';
import { createVirtualClock } from './simulation/virtual-clock.ts';
import { splitLine } from './world.ts';

const generated = /docs\/options/;
const pages = ['README.md', 'docs/llms.txt', ...globSync('docs/{*,guides/*,project/*}.md').sort()]
  .filter((path) => !generated.test(path))
  .map(readPage);

/** What needs no command. */
const early = /^(-X (list|help)\b|help\b|--help$|--version$|.*--format schema$)/;

interface WeirLine {
  /** The number of its line in the page. */
  readonly at: number;
  readonly words: readonly string[];
}

/** The command lines of weir in a page: those of blocks, and complete ones in the text. */
function weirLines(page: Page): readonly WeirLine[] {
  const inBlocks = page.blocks.flatMap((block) =>
    stepsOf(page, block).flatMap(({ at, command }) => weirLinesOf(command).map((words) => ({ at: at + 1, words }))),
  );
  const isInBlock = (at: number) => page.blocks.some(({ from, to }) => at >= from && at < to);
  const inText = page.lines.flatMap((line, at) =>
    isInBlock(at)
      ? []
      : [...line.matchAll(/`(weir [^`…]+)`/g)].flatMap(([, text = '']) =>
          weirLinesOf(text).map((words) => ({ at: at + 1, words })),
        ),
  );
  return [...inBlocks, ...inText];
}

describe('every command line of the docs', () => {
  test.each(pages)('parses in $path', async (page) => {
    const wrong: string[] = [];
    for (const { at, words } of weirLines(page)) {
      if (early.test(words.join(' '))) continue;
      await parsedPath(words).catch((error) => wrong.push(`${page.path}:${at}: weir ${words.join(' ')}: ${error}`));
    }
    expect(wrong).toEqual([]);
  });
});

test.each([
  ['an unknown flag', 'topic create orders --partition-count 3', '--partition-count'],
  ['a missing argument', 'topic create -p 3', 'TOPIC'],
  ['an invalid value', 'topic create orders -p many', '--partitions'],
  ['an unknown command', 'topic make orders', 'make'],
])('%s in the docs is found', async (_, line, reason) => {
  await expect(parsedPath(splitLine(line))).rejects.toThrow(reason);
});

test('the timeouts guide quotes the messages of the code', async () => {
  const guide = readFileSync('docs/guides/timeouts.md', 'utf8');
  const peer = { name: 'broker b1.example:9092', host: 'b1.example', server: 'broker', keyPrefix: 'tls' };
  expect(guide).toContain(`\n${dialTimeout('TCP', { ...peer, addressHint: '' }, 3_000_000_000n).message}\n`);
  const clock = createVirtualClock();
  const [dial, requestOverhead, retry, fetchMaxWait] = [3n, 10n, 30n, 5n];
  const times = { dial, requestOverhead, retry, command: 30_000_000_000n, fetchMaxWait };
  const deadline = startDeadline(times, undefined, undefined, clock);
  deadline.failed(new CliError(5, 'unable to connect to broker localhost:9092: TCP: connection refused'));
  deadline.waitingFor('attempt 14 of Metadata');
  await clock.runFor(30_000);
  expect(guide).toContain(`\n${deadline.signal.reason.message}\n`);
});

/** Blocks that cannot be run; the reason is in the page. Add one only if there is no other way. */
const notRun = [
  'docs/guides/access.md: weir security acl create --allow-principal: needs the registry of Redpanda; test/commands/security/acl has these commands',
  'docs/guides/admin.md: weir debug remote-bundle download -o: the checksums differ each time; test/commands/debug/download.test.ts does the same',
  'docs/guides/byoc.md: weir cloud cluster delete first: the cluster is deleted step by step below; test/commands/cloud/resume-world.ts has this line',
  'docs/guides/cloud.md: weir cloud cluster list: needs an account',
  'docs/guides/cloud.md: weir cloud login -X cloud.client_id=ID: needs an account',
  'docs/guides/cluster-config.md: weir cluster config edit: needs a person; test/commands/cluster/config/config-edit.test.ts does the same',
  'docs/guides/cluster-config.md: weir cluster config lint --dry-run: needs the files of a broker; test/commands/cluster/config/config-local.test.ts does the same',
  'docs/guides/credentials.md: weir profile set pass --keychain: needs a keychain; test/sign-in/secrets/keychain.test.ts does the same',
  'docs/guides/managed-kafka.md: weir profile create confluent --from: needs the file',
  'docs/guides/produce-consume.md: weir topic create shop: needs jq',
  'docs/guides/profiles.md: weir: needs a store',
  'docs/guides/profiles.md: weir profile prompt --shell bash: these lines belong in the start-up files of shells',
  'docs/guides/sandbox.md: weir sandbox start: needs Java or a container engine; test/commands/sandbox/sandbox.test.ts does the same',
  'docs/guides/sandbox.md: weir sandbox start --brokers 3: most need Java or a container engine; test/commands/sandbox has a test for each',
  'docs/guides/schema-registry.md: weir sandbox start --registry: needs Java and Maven; test/commands/sandbox/registry.test.ts does the same',
  'docs/guides/schema-registry.md: weir registry schema get shop.Ticket: the subject is that of your producers',
  'docs/guides/transforms.md: weir transform list: a transform takes a moment to start; test/commands/transform does the same',
  'docs/guides/transforms.md: weir transform logs redact --tail: the simulator does not run modules; test/commands/transform/logs.test.ts does the same',
];

test('the blocks that are not run are these', () => {
  const found = pages.flatMap((page) =>
    page.blocks
      .filter((block) => block.notRun !== undefined)
      .map((block) => `${page.path}: ${firstWords(page, block)}: ${block.notRun}`),
  );
  expect(found).toEqual(notRun);
});

/** The first command of a block, as far as it is needed to tell it from others. */
function firstWords(page: Page, block: Block): string {
  const words = stepsOf(page, block).flatMap(({ command }) => weirLinesOf(command))[0] ?? [];
  return ['weir', ...words.slice(0, 4)].join(' ');
}

const sandbox = 'weir sandbox start --engine simulated';
const rpk = 'version: 6\nprofiles:\n  - name: rpk\n    kafka_api: {brokers: [b:9092]}\n';

const licenseUntil = (year: number) =>
  writeLicense({ organization: 'acme', type: 'enterprise', expires: Date.UTC(year, 0) / 1000 });

/** What the reader of a guide has before the first command. */
const readers: Readonly<Record<string, Reader>> = {
  'README.md': {},
  // The simulated engine has no users and ACLs. No other test has these names.
  'docs/agents.md': { before: [sandbox] },
  'docs/guides/access.md': { env: () => ({ WEIR_BROKERS: services().plaintext }) },
  'docs/guides/admin.md': {
    files: {
      'password.txt': 'secret\n',
      'redpanda.license': licenseUntil(2050),
      'old.license': licenseUntil(2040),
    },
    before: [
      `${sandbox} --admin --brokers 3`,
      'weir topic create orders -p 3 -r 1',
      'weir cluster license set --file old.license',
    ],
  },
  'docs/guides/byoc.md': {},
  'docs/guides/cloud.md': {},
  'docs/guides/cluster-config.md': { before: [`${sandbox} --admin --brokers 3`] },
  'docs/guides/cluster-files.md': {
    files: { 'clusters/prod/topics.yaml': 'weir: 1\ntopics: {orders: {partitions: 6}}\n' },
    before: [sandbox],
  },
  'docs/guides/completion.md': {},
  'docs/guides/configuration.md': { files: { 'password.txt': 'secret\n' } },
  'docs/guides/copy.md': {},
  'docs/guides/credentials.md': {},
  'docs/guides/find.md': { before: [sandbox] },
  // The simulated engine has no schema registry.
  'docs/guides/getting-started.md': {
    env: () => ({
      PATH: process.env.PATH ?? '',
      XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
      ...quickJava,
    }),
  },
  'docs/guides/groups.md': { before: [sandbox] },
  'docs/guides/managed-kafka.md': {},
  'docs/guides/output.md': { before: [sandbox] },
  'docs/guides/produce-consume.md': { before: [sandbox] },
  'docs/guides/profiles.md': {
    files: {
      'password.txt': 'secret\n',
      'rpk.yaml': rpk.replace('rpk', 'old'),
      '../.config/rpk/rpk.yaml': rpk,
      'client.properties': 'bootstrap.servers=b:9092\n',
      '../.config/kcat.conf': 'metadata.broker.list=b:9092\n',
    },
  },
  'docs/guides/redrive.md': { before: [sandbox] },
  // The simulated engine moves no replicas.
  'docs/guides/reassign.md': { env: threeBrokers },
  'docs/guides/records.md': { before: [sandbox] },
  'docs/guides/sandbox.md': {},
  // No other test has this topic.
  'docs/guides/schema-registry.md': {
    env: () => ({ WEIR_BROKERS: services().plaintext, WEIR_REGISTRY_HOSTS: registry().url }),
  },
  'docs/guides/scripting.md': {
    files: { 'password.txt': 'secret\n' },
    before: [
      sandbox,
      'weir topic create payments',
      'weir topic produce payments < password.txt',
      'weir topic consume payments -g billing -n 1 -o start',
    ],
  },
  'docs/guides/search-topic.md': { before: [sandbox] },
  'docs/guides/timeouts.md': { before: [sandbox] },
  'docs/guides/shadow-links.md': { before: [`${sandbox} --admin --brokers 3`] },
  'docs/guides/transforms.md': {
    files: { 'redact.wasm': `\0asm\x01\0\0\0${'\0'.repeat(41_992)}` },
    before: [`${sandbox} --admin --brokers 3`, 'weir topic create orders orders-redacted -p 3'],
  },
};

/** Waits until every broker has learned of a move. */
async function untilMoved(command: string): Promise<void> {
  if (/reassign (wait|execute .*--wait)/.test(command)) await settled();
}

describe('the commands of a guide, run in order on a new machine,', () => {
  let machine: Machine | undefined;
  afterEach(async () => {
    if (machine === undefined) return;
    const { text } = await machine.runLine('weir sandbox list --format json');
    for (const { name } of JSON.parse(text)) await machine.runLine(`weir sandbox purge --name ${name} --yes --quiet`);
    rmSync(machine.home, { recursive: true, force: true });
  });

  test.each(Object.entries(readers))('print what %s shows', async (path, reader) => {
    machine = await newMachine(reader);
    for (const line of reader.before ?? []) expect(await machine.runLine(line)).toMatchObject({ exitCode: 0 });
    const { text, failures, commands } = await replay(readPage(path), machine, untilMoved);
    expect(failures).toEqual([]);
    expect(commands).toBeGreaterThan(2);
    await expect(text).toMatchFileSnapshot(join('..', path));
  });
});

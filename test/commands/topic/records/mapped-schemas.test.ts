import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import '../../../services/services.ts';
import { type Answer, type Call, refusal, startScriptedRegistry } from '../../../registry/scripted-registry.ts';
import { testMachine } from '../../../services/brokers.ts';
import { endAll } from '../../../services/leftovers.ts';
import { registry } from '../../../services/registry.ts';
import { services } from '../../../services/services.ts';
import { startRegistry } from '../../../services/start-registry.ts';
import { run, temporaryDirectory } from '../../../world.ts';
import { createMemoryRegistry } from '../../registry/memory-registry.ts';
import { fill, newTopic, weir } from '../records-world.ts';

/** Registries that answer by a script. */
async function scriptedRegistries() {
  const state = { refuses: false, isCircular: false };
  const [source, target] = [createMemoryRegistry(), createMemoryRegistry()];
  const registries = [
    await startScriptedRegistry((call) => (state.isCircular ? circular(call, source(call)) : source(call))),
    await startScriptedRegistry((call) =>
      state.refuses && call.method === 'POST' ? refusal(40901, 'it is not compatible') : target(call),
    ),
  ];
  const end = async (): Promise<void> => {
    for (const registry of registries) await registry[Symbol.asyncDispose]();
  };
  return Object.assign(state, { urls: registries.map(({ url }) => url), end });
}

/** Makes the first version of a subject refer to the second one of the next, which `references` of no honest registry do. */
function circular({ path }: Call, answer: Answer): Answer {
  const [, subject] = /^\/subjects\/(.*)\/versions\/1\b/.exec(path) ?? [];
  if (subject === undefined || answer === undefined) return answer;
  const references = [{ name: 'next', subject, version: 2 }];
  return [answer[0], { ...(answer[1] as object), references }];
}

/** The registry of the tests, and another one like it. */
async function realRegistries() {
  const { url, log } = registry();
  // In the directory of the services, so that it ends with them at the latest.
  const directory = join(dirname(dirname(log)), randomUUID());
  const second = await startRegistry(directory, testMachine(new AbortController().signal));
  return { urls: [url, second.url], end: () => endAll(directory) };
}

/** Two profiles with a registry each, on the same brokers. */
async function openSides<Registries extends { readonly urls: readonly string[]; end(): Promise<void> }>(
  registries: Registries,
) {
  const cwd = temporaryDirectory();
  const home = temporaryDirectory();
  mkdirSync(join(home, '.config/weir'), { recursive: true });
  const profiles = registries.urls.map(
    (url, at) =>
      `  - name: ${at === 0 ? 'a' : 'b'}\n    options: {brokers: ${services().plaintext}, registry.hosts: ${url}}\n`,
  );
  writeFileSync(
    join(home, '.config/weir/weir.yaml'),
    `version: 1\ncurrent_profile: a\nprofiles:\n${profiles.join('')}`,
    {
      mode: 0o600,
    },
  );
  const line = async (text: string, stdin = '') =>
    await run(text, { cwd, env: { WEIR_CONFIG: join(home, '.config/weir/weir.yaml') }, stdin });
  const must = async (text: string, stdin = ''): Promise<string> => {
    const { stdout, stderr, exitCode } = await line(text, stdin);
    if (exitCode !== 0) throw new Error(stderr);
    return stdout;
  };
  return Object.assign(registries, {
    cwd,
    line,
    must,
    write: (name: string, text: string) => writeFileSync(join(cwd, name), text),
    [Symbol.asyncDispose]: registries.end,
  });
}

it.each([
  ['that is scripted', scriptedRegistries],
  ['that is real', realRegistries],
])(
  'registers schemas with their references and histories in a registry of the destination %s',
  async (_what, open) => {
    await using sides = await openSides(await open());
    const { must, line, write } = sides;
    const [source, target, money] = [await newTopic(), await newTopic(), `money-${randomUUID()}`];
    write('money.proto', 'syntax = "proto3";\nmessage Money { int64 cents = 1; }\n');
    write(
      'bill.proto',
      'syntax = "proto3";\nimport "money.proto";\nmessage Other {}\nmessage Bill { Money sum = 1; string status = 2; }\n',
    );
    write('old.avsc', '{"type":"record","name":"Key","fields":[{"name":"id","type":"int"}]}');
    write(
      'new.avsc',
      '{"type":"record","name":"Key","fields":[{"name":"id","type":"int"},{"name":"x","type":"int","default":0}]}',
    );
    // The destination has given away the first ids.
    for (const name of ['one', 'two', 'three']) {
      write('filler.avsc', `{"type":"record","name":"${name}","fields":[]}`);
      await must(`registry schema create ${name} --schema filler.avsc --profile b`);
    }
    await must(`registry schema create ${money} --schema money.proto`);
    await must(`registry schema create ${source}-value --schema bill.proto --references money.proto:${money}:1`);
    await must(`registry schema create ${source}-key --schema old.avsc`);
    await must(`registry schema create ${source}-key --schema new.avsc`);
    const records = [1, 2]
      .map((id) => `{"key":{"id":${id},"x":0},"value":{"sum":{"cents":"${id}"},"status":"S${id}"}}\n`)
      .join('');
    await must(
      `topic produce ${source} --format json --schema-id topic --schema-key-id topic --schema-type Bill -o ""`,
      records,
    );
    await must(`topic copy a:${source} b:${target} --map-schemas`);
    const read = (topic: string, profile: string) =>
      must(`topic consume ${topic} --profile ${profile} -o :end --use-schema-registry -f "%k %v\\n"`);
    expect(await read(target, 'b')).toBe(await read(source, 'a'));
    expect(await must('registry schema list --profile b --format json').then((text) => JSON.parse(text))).toMatchObject(
      [
        { subject: money, version: 1, id: 6 },
        { subject: 'one' },
        { subject: `${target}-key`, version: 1, id: 4 },
        { subject: `${target}-key`, version: 2, id: 5 },
        { subject: `${target}-value`, version: 1, id: 7 },
        { subject: 'three' },
        { subject: 'two' },
      ],
    );
    // A group goes on at the record with the other id.
    await must(`topic consume ${source} -g ${source} -n 1 -o start`);
    const [{ offsets }] = JSON.parse(
      await must(`topic copy a:${source} b:${target} --map-schemas --offsets ${source} --format json`),
    );
    expect(offsets).toMatchObject([{ source_offset: 1, offset: 1, error: null }]);
    // A condition on a field of a decoded value.
    const chosen = await newTopic();
    await must(
      `topic copy a:${source} b:${chosen} --map-schemas --use-schema-registry=value --where 'value.status == "S2"'`,
    );
    expect(await read(chosen, 'b')).toBe((await read(source, 'a')).split('\n').slice(1).join('\n'));
    const decoded = `--use-schema-registry=value --where 'value.status == "S2"'`;
    const rows = await must(`topic redrive ${source} --to ${await newTopic()} ${decoded} --format json`);
    expect(JSON.parse(rows)).toMatchObject([{ records: 1, first: { offset: 1 }, error: null }]);
    const refused = await line(`topic copy ${source} ${chosen} --map-schemas`);
    expect(refused).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--map-schemas needs two registries'),
    });
  },
  120_000,
);

it('names the profile of a topic in errors, hints and the result', async () => {
  await using sides = await openSides(await scriptedRegistries());
  const [source, target] = [await newTopic(), await newTopic()];
  expect((await sides.line(`topic copy ${source} b:missing`)).stderr).toBe(
    [
      'weir: unable to use topic "b:missing": UNKNOWN_TOPIC_OR_PARTITION (3): the broker has no such topic or partition',
      'hint: create it like the source with: --create',
      '',
    ].join('\n'),
  );
  await fill(target, ['x']);
  expect((await sides.line(`topic copy ${source} b:${target}`)).stderr).toContain(`topic "b:${target}" is not empty`);
  expect(await sides.must(`topic copy ${source} b:${target} --append`)).toContain(` b:${target} `);
  const made = await sides.line(`topic copy ${source} b:${target}-new --create`);
  expect(made.stderr).toBe(`created "b:${target}-new" with the partitions and configs of "${source}"\n`);
});

it('names the record with a schema that the source does not have, or the destination does not take', async () => {
  await using sides = await openSides(await scriptedRegistries());
  const { must, line, write } = sides;
  const [source, target] = [await newTopic(), await newTopic()];
  await fill(
    source,
    ['no schema', '\\x00\\x00\\x00\\x00\\x63!'].map((text) => Buffer.from(text).toString('hex')),
    '-f',
    '%v{hex}\\n',
  );
  await fill(source, ['0000000063ff'], '-f', '%v{hex}\\n');
  const unknown = await line(`topic copy a:${source} b:${target} --map-schemas=value`);
  expect(unknown).toMatchObject({ exitCode: 3 });
  expect(unknown.stderr).toContain(
    `unable to map schema 99 of the value of topic "${source}" partition 0 at offset 2: the source's registry has no schema 99 (2 records were copied before that)`,
  );
  // Keys alone: nothing is mapped, the copy goes on where it stopped.
  expect(await line(`topic copy a:${source} b:${target} --map-schemas=key`)).toMatchObject({ exitCode: 0 });
  expect((await weir(`topic consume ${target} -o :end -f "%v{hex}\\n"`)).stdout).toContain('0000000063ff');

  const [other, there] = [await newTopic(), await newTopic()];
  write('a.avsc', '{"type":"string"}');
  await must(`registry schema create ${other}-value --schema a.avsc`);
  sides.refuses = true;
  await must(`topic produce ${other} --schema-id topic -o ""`, '"x"\n');
  const unmapped = (to: string) => line(`topic copy a:${other} ${to}:${other}-${to} --create`);
  const doubt = `warning: the values of topic "${other}" seem to start with schema ids`;
  expect((await unmapped('b')).stderr).toContain(`${doubt}, which another registry does not know: map them with`);
  expect((await unmapped('a')).stderr).not.toContain(doubt);
  const refused = await line(`topic copy a:${other} b:${there} --map-schemas=value`);
  expect(refused.exitCode).toBe(6);
  expect(refused.stderr).toContain(`of the value of topic "${other}" partition 0 at offset 0: `);
});

it("maps a schema under the topic's own subject, also if it was deleted there and another one has it", async () => {
  await using sides = await openSides(await scriptedRegistries());
  const { must, write } = sides;
  const [source, target] = [await newTopic(), await newTopic()];
  write('a.avsc', '{"type":"string"}');
  for (const subject of ['another', `${source}-value`]) await must(`registry schema create ${subject} --schema a.avsc`);
  await must(`topic produce ${source} --schema-id topic -o ""`, '"x"\n');
  await must(`registry subject delete ${source}-value --yes`);
  await must(`topic copy a:${source} b:${target} --map-schemas=value`);
  expect(JSON.parse(await must('registry schema list --profile b --format json'))).toMatchObject([
    { subject: `${target}-value`, version: 1 },
  ]);
});

it('refuses schemas whose references go in a circle, also through the versions before them', async () => {
  await using sides = await openSides(await scriptedRegistries());
  const { must, line, write } = sides;
  const [source, target] = [await newTopic(), await newTopic()];
  write('a.avsc', '{"type":"string"}');
  write('b.avsc', '{"type":"bytes"}');
  for (const name of ['a', 'b']) await must(`registry schema create ${source}-value --schema ${name}.avsc`);
  await fill(source, ['0000000002026f'], '-f', '%v{hex}\\n');
  sides.isCircular = true;
  expect(await line(`topic copy a:${source} b:${target} --map-schemas=value`)).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(`the references of the subject "${source}-value" have no end`),
  });
});

it('copies the topics that match a pattern', async () => {
  await using sides = await openSides(await scriptedRegistries());
  const [source] = [await newTopic(), await newTopic()];
  // Both profiles are of the same cluster, where a topic cannot be copied to itself.
  const own = await sides.line(`topic copy -r 'a:(?:${source.slice(0, -1)}.|x)' b:`);
  expect(own).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(`unable to copy topic "${source}": source and`),
  });
  expect(await sides.line(`topic copy -r nothing.like.it b:`)).toMatchObject({
    exitCode: 3,
    stderr: expect.stringContaining('unable to copy topics: no topic matches nothing.like.it'),
  });
  expect((await sides.line(`topic copy -r '.*' b:x`)).stderr).toContain('the last argument is PROFILE: alone');
  const named = (await sides.line(`topic copy '.*' b:`)).stderr;
  expect(named).toContain('invalid topic name ".*": it contains "*"');
  expect(named).toContain('hint: copy the topics that match a regular expression with: --regex');
});

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import '../../services/services.ts';
import { refusal, startScriptedRegistry } from '../../registry/scripted-registry.ts';
import { services } from '../../services/services.ts';
import { run, temporaryDirectory } from '../../world.ts';
import { createMemoryRegistry } from '../registry/memory-registry.ts';
import { fill, newTopic, weir } from './records-world.ts';

/** Two profiles with a registry each, on the same brokers. */
async function openSides() {
  const state = { refuses: false };
  const target = createMemoryRegistry();
  const registries = [
    await startScriptedRegistry(createMemoryRegistry()),
    await startScriptedRegistry((call) =>
      state.refuses && call.method === 'POST' ? refusal(40901, 'it is not compatible') : target(call),
    ),
  ];
  const cwd = temporaryDirectory();
  const home = temporaryDirectory();
  mkdirSync(join(home, '.config/weir'), { recursive: true });
  const profiles = registries.map(
    ({ url }, at) =>
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
  return Object.assign(state, {
    cwd,
    line,
    must,
    write: (name: string, text: string) => writeFileSync(join(cwd, name), text),
    [Symbol.asyncDispose]: async () => {
      for (const registry of registries) await registry[Symbol.asyncDispose]();
    },
  });
}

it('registers schemas with their references and histories in the registry of the destination', async () => {
  await using sides = await openSides();
  const { must, line, write } = sides;
  const [source, target] = [await newTopic(), await newTopic()];
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
  await must('registry schema create money --schema money.proto');
  await must(`registry schema create ${source}-value --schema bill.proto --references money.proto:money:1`);
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
  expect(await must('registry schema list --profile b --format json').then((text) => JSON.parse(text))).toMatchObject([
    { subject: 'money', version: 1, id: 6 },
    { subject: 'one' },
    { subject: `${target}-key`, version: 1, id: 4 },
    { subject: `${target}-key`, version: 2, id: 5 },
    { subject: `${target}-value`, version: 1, id: 7 },
    { subject: 'three' },
    { subject: 'two' },
  ]);
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
  expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('--map-schemas needs two registries') });
});

it('names the profile of a topic in errors, hints and the result', async () => {
  await using sides = await openSides();
  const [source, target] = [await newTopic(), await newTopic()];
  expect((await sides.line(`topic copy ${source} b:missing`)).stderr).toBe(
    [
      'weir: unable to use topic "b:missing": UNKNOWN_TOPIC_OR_PARTITION (3): the broker has no such topic or partition',
      'hint: create it like the source with: --create',
      'hint: list topics with "weir topic list --profile b"',
      'hint: create it with "weir topic create missing --profile b"',
      '',
    ].join('\n'),
  );
  await fill(target, ['x']);
  expect((await sides.line(`topic copy ${source} b:${target}`)).stderr).toContain(`topic "b:${target}" is not empty`);
  expect(await sides.must(`topic copy ${source} b:${target} --append`)).toContain(` b:${target} `);
  const made = await sides.line(`topic copy ${source} b:${target}-new --create`);
  expect(made.stderr).toBe(`topic "b:${target}-new" does not exist: --create makes it like "${source}"\n`);
});

it('names the record with a schema that the source does not have, or the destination does not take', async () => {
  await using sides = await openSides();
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
  const refused = await line(`topic copy a:${other} b:${there} --map-schemas=value`);
  expect(refused.exitCode).toBe(6);
  expect(refused.stderr).toContain(`of the value of topic "${other}" partition 0 at offset 0: `);
});

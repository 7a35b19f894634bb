import { expect, it } from 'vitest';
import '../../services/services.ts';
import { fill, newTopic, weir } from './records-world.ts';

/** What a topic holds, as CSV without the columns that differ from run to run. */
async function keysAndValues(topic: string): Promise<string> {
  const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '-f', 'csv']);
  return stdout.replaceAll(new RegExp(`^${topic},\\d+,\\d+,\\d+,`, 'gm'), '');
}

it('-f csv reads quotes, line breaks and a header line; each line is a JSON object of texts', async () => {
  const topic = await newTopic();
  const csv = '\ufeffid,name\r\n007,"Smith, ""J"""\r\n\r\n2,"two\nlines"\r\n3,';
  await fill(topic, csv.split('\n'), '-f', 'csv');
  const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '-f', '%v\n']);
  expect(
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { id: '007', name: 'Smith, "J"' },
    { id: '2', name: 'two\nlines' },
    { id: '3', name: '' },
  ]);
});

it('CSV that consume writes is read again, and columns named after parts of a record are these parts', async () => {
  const topic = await newTopic();
  await fill(topic, ['Key,VALUE,Header.src', 'k,"a,b",x', ',"",', '"",c,'], '-f', 'csv');
  const all = 'k,"a,b"\n,""\n"",c\n';
  expect(await keysAndValues(topic)).toBe(`topic,partition,offset,timestamp,key,value\n${all}`);
  const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '-f', 'csv']);
  const copy = await newTopic();
  await weir(['topic', 'produce', copy, '-f', 'csv'], { stdin: stdout });
  expect(await keysAndValues(copy)).toBe(`topic,partition,offset,timestamp,key,value\n${all}`);
  const header = await weir(['topic', 'consume', topic, '-n', '1', '-f', '%h{%k=%v}']);
  expect(header.stdout).toBe('src=x');
});

it('CSV keeps carriage returns, which many programs read as the end of a line', async () => {
  const topic = await newTopic();
  await weir(['topic', 'produce', topic, '-o', '', '--value', 'a\rb\r']);
  const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '-f', 'csv']);
  expect(stdout).toMatch(/,"a\rb\r"\n$/);
  const copy = await newTopic();
  await weir(['topic', 'produce', copy, '-f', 'csv'], { stdin: stdout });
  expect((await weir(['topic', 'consume', copy, '-o', ':end', '-f', '%v'])).stdout).toBe('a\rb\r');
});

it.each([
  ['a,b\n1,2\n3\n', 'line 3 of the CSV input: it has 1 field, and the header line has 2', 1],
  ['a\n1\n"x\n', 'line 3 of the CSV input: a quote is not closed', 1],
  ['value,zz\n1,2\n', 'line 1 of the CSV input: the column "zz" is no part of a record', 0],
  ['key;value\na;b\n', 'line 1 of the CSV input: semicolons separate its columns', 0],
  ['key\tvalue\na\tb\n', 'line 1 of the CSV input: tabs separate its columns', 0],
  ['partition,value\nx,2\n', 'line 2 of the CSV input: the partition "x" is no number', 0],
])('CSV that is wrong (%j) is refused with its line, after the records before it', async (stdin, reason, written) => {
  const topic = await newTopic();
  const { stderr, stdout, exitCode } = await weir(['topic', 'produce', topic, '-f', 'csv', '-o', '%v\n'], { stdin });
  expect([exitCode, stdout.split('\n').length - 1]).toEqual([1, written]);
  expect(stderr).toContain(reason);
});

it('--value writes one record, also an empty one, and reads no input', async () => {
  const topic = await newTopic();
  for (const words of [['{"id": 1}', '-k', 'a'], [''], ['', '-Z', '-k', 'b']])
    expect(await weir(['topic', 'produce', topic, '-o', '', '--value', ...words])).toMatchObject({ exitCode: 0 });
  expect((await keysAndValues(topic)).split('\n').slice(1)).toEqual(['a,"{""id"": 1}"', ',""', 'b,', '']);
});

it('--parse-json prints objects and arrays as JSON and all else as strings, and produce reads it again', async () => {
  const topic = await newTopic();
  await fill(topic, ['{"id": 12345678901234567890}', '[1, 2]', '42', '{broken', '"a"']);
  const { stdout } = await weir(['topic', 'consume', topic, '-o', ':end', '--parse-json']);
  const values = stdout.split('\n').flatMap((line) => /"value":(.*),"timestamp"/.exec(line)?.[1] ?? []);
  expect(values).toEqual(['{"id":12345678901234567890}', '[1,2]', '"42"', '"{broken"', '"\\"a\\""']);
  const copy = await newTopic();
  expect(await weir(['topic', 'produce', copy, '-f', 'json', '-o', ''], { stdin: stdout })).toMatchObject({
    exitCode: 0,
  });
  const copied = await weir(['topic', 'consume', copy, '-o', ':end', '-f', '%v\n']);
  expect(copied.stdout).toBe('{"id":12345678901234567890}\n[1,2]\n42\n{broken\n"a"\n');
});

it('-f csv -Z keeps tombstones apart from empty values, and text that is not UTF-8 is refused', async () => {
  const csv = 'key,value\ngone,\nempty,""\n';
  const topic = await newTopic();
  expect(await weir(['topic', 'produce', topic, '-f', 'csv', '-Z', '-o', ''], { stdin: csv })).toMatchObject({
    exitCode: 0,
  });
  expect((await keysAndValues(topic)).split('\n').slice(1)).toEqual(['gone,', 'empty,""', '']);
  const stdin = Buffer.from('a,b\n1,M\u00fc\n', 'latin1');
  const { stderr, exitCode } = await weir(['topic', 'produce', topic, '-f', 'csv'], { stdin });
  expect(exitCode).toBe(1);
  expect(stderr).toContain('unable to read the CSV input: it is not UTF-8');
});

import { describe, expect, test } from 'vitest';
import { startRegistryWorld } from './registry-world.ts';

/** A line for each command that takes a subject, in a working order. */
const linesAbout: readonly string[] = [
  'schema create SUBJECT --schema order.avsc',
  'schema create SUBJECT --schema order2.avsc',
  'schema check-compatibility SUBJECT --schema order.avsc',
  'schema get SUBJECT',
  'schema get SUBJECT --id 1',
  'schema get SUBJECT --schema order.avsc',
  'schema list SUBJECT',
  'schema diff SUBJECT 1 2',
  'compatibility-level set SUBJECT --level FULL',
  'compatibility-level get SUBJECT',
  'compatibility-level reset SUBJECT',
  'mode set SUBJECT --mode READONLY',
  'mode get SUBJECT',
  'mode reset SUBJECT',
  'schema delete SUBJECT --schema-version 2',
  'schema list SUBJECT --deleted',
  'subject delete SUBJECT',
  'subject delete SUBJECT --permanent',
];

describe('a subject with an odd name', () => {
  const names = [
    ...[
      'a/b',
      '50%',
      'a%2Fb',
      'x:y',
      'two words',
      ' ',
      '日本 é😀',
      '?deleted=true&x#y',
      'a+b',
      '...',
      '"\\',
      '{GLOBAL}',
      '*',
    ],
    ...[':.ctx:a/b', ':.ctx:..', ':.ctx:', ':.50%/x y:a:b', '__proto__'],
  ];

  test.each(names)('%j is that subject in every command', async (subject) => {
    await using made = await startRegistryWorld();
    for (const line of linesAbout) {
      const words = line.split(' ').map((word) => (word === 'SUBJECT' ? subject : word));
      const { stdout, stderr, exitCode } = await made.registry([...words, '--format', 'json']);
      expect({ line, stderr, exitCode }).toEqual({
        line,
        stderr: '',
        exitCode: 0,
      });
      const rows: unknown = JSON.parse(stdout);
      expect(new Set([rows].flat().map((row) => (row as { subject: string }).subject)), line).toEqual(
        new Set([subject]),
      );
    }
    expect((await made.registry('subject list --deleted --format json')).stdout).toBe('[]\n');
    await made.registry(['schema', 'create', subject, '--schema', 'order.avsc']);
    expect(JSON.parse((await made.registry('subject list --format json')).stdout)).toEqual([subject]);
    expect((await made.registry(['schema', 'example', subject])).stdout).toContain('"id"');
    expect((await made.registry(['schema', 'references', subject])).exitCode).toBe(0);
  });

  test.each(['.', '..'])('%j cannot be in a URL, and nothing is asked about it', async (subject) => {
    await using made = await startRegistryWorld();
    // An id is asked for without a subject.
    for (const line of linesAbout.filter((one) => !one.includes('--id'))) {
      const words = line.split(' ').map((word) => (word === 'SUBJECT' ? subject : word));
      const { exitCode, stdout, stderr } = await made.registry(words);
      expect({ line, exitCode }).toEqual({ line, exitCode: 2 });
      expect(stdout + stderr).toContain(`invalid name "${subject}": it cannot be part of a URL`);
    }
    expect(made.server.calls).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { kafkaErrorName } from '../../src/kafka/protocol/errors.ts';
import { skipPauses } from '../skipped-pauses.ts';
import { act, coded, scenes } from './operator-scenes.ts';

const cases = scenes.flatMap((scene) =>
  scene.codes.map((code) => ({ ...scene, code, name: `${scene.line}, ${code}` })),
);

/** One for each role: what the client does about the rest is the same for all commands (test/kafka/protocol/client/ask.test.ts). */
const oneOfEach = cases.filter(({ line }) => /^(topic add-partitions|topic trim-prefix|group delete) /.test(line));

describe('a change whose broker loses its role', () => {
  test.each(cases)('goes on at the new one after the first answer: $name', async (scene) => {
    skipPauses();
    const { exitCode, sent } = await act(scene, [coded(scene, scene.code), coded(scene, 0)]);
    expect({ exitCode, sent }).toEqual({ exitCode: 0, sent: 2 });
  });

  test.each(oneOfEach)('and after the second: $name', async (scene) => {
    skipPauses();
    const moved = coded(scene, scene.code);
    const { exitCode, sent } = await act(scene, [moved, moved, coded(scene, 0)]);
    expect({ exitCode, sent }).toEqual({ exitCode: 0, sent: 3 });
  });

  test.each(oneOfEach)('gives up and names the limit: $name', async (scene) => {
    skipPauses();
    const { exitCode, sent, stdout, stderr } = await act(scene, [coded(scene, scene.code)]);
    expect(exitCode).toBe(5);
    expect(sent).toBeGreaterThan(2);
    expect(`${stdout}${stderr}`).toContain('globals.retry_timeout=2s');
  });

  test.each(oneOfEach)('reports a lost answer as such, not the refusal before it: $name', async (scene) => {
    skipPauses();
    const { exitCode, stdout, stderr } = await act(scene, [coded(scene, scene.code), 'drop']);
    expect(exitCode).toBe(5);
    expect(`${stdout}${stderr}`).toMatch(/lost broker .* during /);
    expect(stdout).not.toContain(kafkaErrorName(scene.code));
  });
});

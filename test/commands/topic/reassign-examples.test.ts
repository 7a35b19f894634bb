import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { leavesOf, walkTree } from '../../../src/cli/help/tree.ts';
import { commands } from '../../../src/commands/index.ts';
import { cluster3 } from '../../services/services.ts';
import { knownEverywhere, leadersEverywhere } from '../../services/visibility.ts';
import { run, splitLine, temporaryDirectory } from '../../world.ts';

const examples = leavesOf(await walkTree(commands))
  .filter(({ path }) => path.join(' ').startsWith('topic reassign'))
  .flatMap(({ command }) => command.examples.map(([, line]) => line));

describe('the examples of topic reassign, on three brokers', () => {
  const cwd = temporaryDirectory();
  let brokers = '';
  const weir = (words: readonly string[]) => run(words, { cwd, env: { WEIR_BROKERS: brokers } });

  beforeAll(async () => {
    ({ brokers } = await cluster3());
    await weir(splitLine('topic create orders payments -p 1 -r 2'));
    for (const name of ['orders', 'payments']) await knownEverywhere(brokers, name);
  });
  afterAll(() => weir(splitLine('topic delete orders payments')));

  test.each(examples)('weir %s', async (line) => {
    await weir(splitLine('topic reassign wait orders payments'));
    // A broker that has not heard yet that a move has ended still counts its old replicas.
    for (const name of ['orders', 'payments'])
      await leadersEverywhere(brokers, name, ({ replicas }) => replicas.length === 2);
    for (const name of ['plan.json', 'undo.json']) rmSync(join(cwd, name), { force: true });
    const partitions = [{ topic: 'orders', partition: 0, replicas: [1, 2] }];
    if (line.includes('execute')) writeFileSync(join(cwd, 'plan.json'), JSON.stringify({ version: 1, partitions }));
    const result = await weir([...splitLine(line), '--yes']);
    expect(result, result.stderr).toMatchObject({ exitCode: 0 });
  });
});

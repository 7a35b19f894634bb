import { describe, expect, it } from 'vitest';
import { run, temporaryDirectory } from '../../world.ts';

const home = temporaryDirectory();
const nowhere = { home, cwd: home, env: { WEIR_BROKERS: '127.0.0.1:1' } };

describe('the input of topic reassign', () => {
  it.each([
    ['', 'it has no list of partitions'],
    [
      'TOPIC  PARTITION  OLD-REPLICAS  NEW-REPLICAS\nr1     0          [1 2]         [2 3]\n',
      'plan TOPIC --out FILE\n',
    ],
    ['[]', 'it names no partition'],
    ['[{"topic":"a","partition":0,"replicas":[1,2],"adding":[2]}]', 'the replicas are not a list of broker ids'],
    ['{"version":2,"partitions":[]}', 'its version is 2, not 1'],
    ['{"version":1,"partitions":[]}', 'it names no partition'],
    ['{"partitions":[{"partition":0,"replicas":[1]}]}', 'item 1 of the partitions: the topic is missing'],
    ['{"partitions":[{"topic":"a","partition":-1,"replicas":[1]}]}', 'the partition is not a whole number'],
    ['{"partitions":[{"topic":"a","partition":0,"replicas":["1"]}]}', 'the replicas are not a list of broker ids'],
    ['{"partitions":[{"topic":"a","partition":0,"replicas":[]}]}', 'the list of replicas is empty'],
    ['{"partitions":[{"topic":"a","partition":0,"replicas":[1,1]}]}', 'the list of replicas names a broker twice'],
    ['partitions: [{topic: a, partition: 0, replicas: [1], log_dirs: [/data]}]', 'use "any" in log_dirs'],
    [
      'partitions: [{topic: a, partition: 0, replicas: [1]}, {topic: a, partition: 0, replicas: [2]}]',
      'it names topic a partition 0 twice',
    ],
  ])('refuses the file %s', async (text, message) => {
    const { stdout, stderr, exitCode } = await run('topic reassign execute - --yes', { ...nowhere, stdin: text });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 2 });
    expect(stderr).toContain(message);
  });

  it.each([
    ['topic reassign execute', 2, 'FILE'],
    ['topic reassign execute nope.json', 2, 'unable to read nope.json'],
    ['topic reassign execute x --throttle 0', 2, '--throttle'],
    ['topic reassign execute x --wait-timeout 1m', 2, '--wait-timeout needs --wait'],
    ['topic reassign execute x --wait-timeout 1m --yes', 2, '--wait-timeout needs --wait'],
    ['topic reassign wait --wait-timeout soon', 2, '--wait-timeout'],
    ['topic reassign plan', 2, 'TOPIC'],
    ['topic reassign cancel', 2, 'missing argument TOPIC'],
    ['topic reassign cancel a --all', 2, '--all cannot be combined with TOPIC'],
    ['topic reassign list a/b', 2, 'it contains "/"'],
  ])('%s exits with %i', async (line, code, message) => {
    const { stdout, stderr, exitCode } = await run(line, nowhere);
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: code });
    expect(stderr).toContain(message);
  });
});

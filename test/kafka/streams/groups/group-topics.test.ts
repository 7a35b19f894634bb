import { expect, it } from 'vitest';
import { committedOffsets } from '../../../../src/kafka/streams/groups/commits.ts';
import { quickIntervals } from '../../../quick-intervals.ts';
import { clientOf } from '../../../services/scripted-client.ts';
import { services } from '../../../services/services.ts';
import { run } from '../../../world.ts';

const env = () => ({ WEIR_BROKERS: services().plaintext });

function weir(words: readonly string[], world: Parameters<typeof run>[1] = {}) {
  return run(words, { ...world, env: env() });
}

function produce(topic: string, value: string) {
  return weir(['topic', 'produce', topic, '-o', ''], { stdin: `${value}\n` });
}

quickIntervals();

it.each(['classic', 'consumer'])(
  'a %s group waits for topics that match, and outlives one that is deleted',
  async (protocol) => {
    const name = `topics-${protocol}-${process.pid}`;
    const [first, second] = [`${name}-a`, `${name}-b`];
    let printed = '';
    let stop = (): void => undefined;
    const words = ['topic', 'consume', '-r', `${name}-.*`, '-g', name, '--group-protocol', protocol, '-f', '%v '];
    const reading = weir([...words, '--fetch-max-wait', '500ms'], {
      onStart(kill) {
        stop = () => kill('SIGINT');
      },
      onStdout(text) {
        printed += text;
      },
    });
    const until = (value: string) => expect.poll(() => printed).toContain(value);
    await weir(['topic', 'create', first, second, '-p', '1']);
    await Promise.all([produce(first, 'one'), produce(second, 'two')]);
    await Promise.all([until('one'), until('two')]);
    await weir(['topic', 'delete', second]);
    await produce(first, 'three');
    await until('three');
    // The commit that names both topics commits what it can.
    await using client = clientOf([services().plaintext]);
    const committed = async () => (await committedOffsets(client, name, [{ topic: first, partition: 0 }]))[0]?.offset;
    await expect.poll(committed).toBe(2n);
    stop();
    expect(await reading).toMatchObject({ exitCode: 130 });
    expect(printed.trim().split(' ').sort()).toEqual(['one', 'three', 'two']);
    await weir(['topic', 'delete', first]);
  },
);

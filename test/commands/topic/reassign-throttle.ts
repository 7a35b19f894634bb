import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createAcls } from '../../../src/kafka/cluster/access/acls.ts';
import type { User } from '../../../src/sandbox/kafka/properties.ts';
import { clientOf } from '../../services/scripted-client.ts';
import type { Cluster3 } from '../../services/services.ts';
import { run, temporaryDirectory } from '../../world.ts';
import { type ReassignWorld, reassignWorld } from './reassign-world.ts';

/** Users who may not alter the configs of brokers, and of the topic. */
export const throttleUsers: readonly User[] = ['no-brokers', 'no-topic'].map((name) => ({
  ...{ name, password: 'secret', limited: true },
}));

const [sent, received] = ['leader.replication.throttled.rate', 'follower.replication.throttled.rate'] as const;
const [senders, receivers] = ['leader.replication.throttled.replicas', 'follower.replication.throttled.replicas'];

/** Sets rates, and waits until throttles are as expected. */
function observing({ nodes }: Cluster3, { topic, weir }: ReassignWorld) {
  /** Resolves when a broker shows this rate of its own. */
  async function shows(broker: number, key: string, value: string | undefined): Promise<void> {
    const read = async (): Promise<unknown> => {
      const { stdout } = await weir(`cluster config list --broker ${broker} --format json`);
      const rows: { key: string; value: string; source: string }[] = JSON.parse(stdout);
      return rows.find((row) => row.key === key && row.source === 'DYNAMIC_BROKER_CONFIG')?.value;
    };
    await expect.poll(read, { interval: 20 }).toBe(value);
  }
  return {
    shows,
    /** Sets the rate of a broker to a value, or with `--reset` to none. */
    async setRate(broker: number, key: string, value: string): Promise<void> {
      const set = await weir(`cluster config set ${key} ${value} --broker ${broker} --force`);
      expect(set).toMatchObject({ exitCode: 0 });
      await shows(broker, key, value === '--reset' ? undefined : value);
    },
    /** Resolves when every broker shows this list of the topic. */
    async listShows(key: string | undefined, value: string): Promise<void> {
      for (const { address } of nodes) {
        const read = async (): Promise<unknown> => {
          const { stdout } = await run(`topic describe ${topic} -c --format json`, { env: { WEIR_BROKERS: address } });
          const [{ configs }]: [{ configs: { key: string; value: string }[] }] = JSON.parse(stdout);
          return configs.find((config) => config.key === key)?.value;
        };
        await expect.poll(read, { interval: 20 }).toBe(value);
      }
    },
  };
}

/** Tests what becomes of throttles that were there before, and of a principal who may not set one. */
export function throttleTests(at: () => Cluster3): void {
  const make = async (contents = {}) => {
    const world = await reassignWorld(at(), contents);
    return { ...world, ...observing(at(), world) };
  };

  it('removes the throttle if the undo file cannot be written, and writes none if nothing moves', async () => {
    const { home, weir, plan, brokers } = await reassignWorld(at());
    const [mine, other] = await brokers();
    writeFileSync(join(home, 'kept.json'), 'kept');
    const kept = await weir('topic reassign execute - --throttle 1 --undo-file kept.json --yes', plan(other));
    expect(kept).toMatchObject({ exitCode: 6, stderr: expect.stringContaining('unable to write kept.json') });
    expect(readdirSync(join(home, '.local/state/weir/throttles'))).toEqual([]);
    expect(await brokers()).toEqual([mine, other]);
    const same = await weir('topic reassign execute - --undo-file none.json --yes', plan(mine));
    expect(same).toMatchObject({ stderr: 'there is nothing to undo: none.json is not written\n', exitCode: 0 });
    expect(existsSync(join(home, 'none.json'))).toBe(false);
  });

  it('restores the rates and the list that were there before', async () => {
    const { topic, home, weir, plan, brokers, setRate, shows, listShows } = await make();
    const [mine, other] = await brokers();
    await setRate(mine, sent, '5000000');
    await setRate(other, received, '6000000');
    // A replica that another tool throttles, on a broker that does not exist.
    await weir(`topic alter-config ${topic} --set ${senders}=0:9`);
    await listShows(senders, '0:9');
    const done = await weir('topic reassign execute - --throttle 100000000 --wait --yes', plan(other));
    expect(done).toMatchObject({
      exitCode: 0,
      stderr:
        `removed the throttle of ${topic}\nrestored the earlier throttled rate of broker ` +
        `${[mine, other].toSorted().join(', ')}\nwarning: the throttle of ${topic} was not set by weir on this machine ` +
        `and is kept; remove it with: weir topic alter-config ${topic} --delete ${senders},${receivers}\n`,
    });
    await shows(mine, sent, '5000000');
    await shows(mine, received, undefined);
    await shows(other, received, '6000000');
    await shows(other, sent, undefined);
    await listShows(senders, '0:9');
    await listShows(receivers, '');
    expect(readdirSync(join(home, '.local/state/weir/throttles'))).toEqual([]);
    await setRate(mine, sent, '--reset');
    await setRate(other, received, '--reset');
    await weir(`topic alter-config ${topic} --delete ${senders}`);
    await listShows(senders, '');
  });

  it('gives up after --wait-timeout; removes only what it has set; leaves a rate that was changed since', async () => {
    const { topic, person, weir, plan, brokers, setRate, shows, listShows } = await make({ isLarge: true });
    const [mine, other] = await brokers();
    const begun = await weir('topic reassign execute - --throttle 1 --yes', plan(other));
    expect(begun).toMatchObject({ exitCode: 0 });
    expect(await weir(`topic reassign wait ${topic} --wait-timeout 1ms`)).toMatchObject({
      ...{ exitCode: 5, stdout: '' },
      stderr: expect.stringMatching(
        new RegExp(
          '^weir: 1 reassignment was not done within 1ms \\(--wait-timeout\\); the brokers continue, and the throttle stays\n' +
            `hint: raise the limit with --wait-timeout DURATION\nhint: .* weir topic reassign wait ${topic}\n`,
        ),
      ),
    });
    await setRate(mine, sent, '777');
    // Somebody else cancels it, who does not know of the throttle.
    const elsewhere = { ...person, home: temporaryDirectory() };
    const canceled = await run('topic reassign cancel --all', elsewhere);
    expect(canceled).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(
        `^warning: the throttle of ${topic} was not set by weir on this machine and is kept;`,
      ),
    });
    await listShows(receivers, `0:${other}`);
    expect(await weir('topic reassign wait')).toMatchObject({
      exitCode: 0,
      stderr:
        `no reassignment is in progress\nremoved the throttle of ${topic}\n` +
        `warning: the throttled rate of broker ${mine} was changed by somebody else and is kept; ` +
        `remove it with: weir cluster config set ${sent} --reset --broker ${mine}\n`,
    });
    await shows(mine, sent, '777');
    await shows(mine, received, undefined);
    await shows(other, received, undefined);
    await listShows(receivers, '');
    await setRate(mine, sent, '--reset');
  });

  it('remembers the first rate when a second command replaces the throttle, and ignores a damaged record', async () => {
    const { topic, home, weir, plan, brokers, setRate, shows, listShows } = await make({ isLarge: true });
    const [mine, other] = await brokers();
    await setRate(mine, sent, '5000000');
    await weir('topic reassign execute - --throttle 1 --yes', plan(other));
    const faster = await weir('topic reassign execute - --throttle 2 --additional --yes', plan(other));
    expect(faster).toMatchObject({ exitCode: 0 });
    await shows(mine, sent, '2');
    expect(await weir(`topic reassign cancel ${topic}`)).toMatchObject({
      exitCode: 0,
      stderr: `removed the throttle of ${topic}\nrestored the earlier throttled rate of broker ${mine}\n`,
    });
    await shows(mine, sent, '5000000');
    await setRate(mine, sent, '--reset');
    await weir('topic reassign execute - --throttle 1 --yes', plan(other));
    const directory = join(home, '.local/state/weir/throttles');
    const file = join(directory, String(readdirSync(directory).find((name) => name.endsWith('.json'))));
    writeFileSync(file, '{"rates":[{}],"lists":[]}');
    expect(await weir(`topic reassign cancel ${topic}`)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining(`warning: ignoring ${file}: it is not a valid record of throttles\n`),
    });
    await weir(`topic alter-config ${topic} --delete ${senders},${receivers}`);
    for (const broker of [mine, other]) for (const key of [sent, received]) await setRate(broker, key, '--reset');
    await listShows(receivers, '');
    expect(existsSync(file)).toBe(false);
  });

  it.each([
    ['no-brokers', 'CLUSTER', 'CLUSTER_AUTHORIZATION_FAILED: the principal lacks alter_configs on the cluster'],
    ['no-topic', 'TOPIC', 'TOPIC_AUTHORIZATION_FAILED: the principal lacks alter_configs on topic'],
  ])('moves nothing for %s, who may not set the throttle', async (user, type, message) => {
    const { topic, home, person, weir, plan, brokers, shows } = await make();
    const [mine, other] = await brokers();
    const name = type === 'TOPIC' ? topic : 'kafka-cluster';
    const pattern = { resource_type: type, resource_name: name, resource_pattern_type: 'LITERAL', host: '*' };
    await using client = clientOf(at().brokers.split(','));
    const acls = [
      { ...pattern, principal: 'User:*', operation: 'ALL', permission: 'ALLOW' },
      { ...pattern, principal: `User:${user}`, operation: 'ALTER_CONFIGS', permission: 'DENY' },
    ];
    for (const { error } of await createAcls(client, acls)) expect(error).toBe(null);
    const env = { WEIR_USER: user, WEIR_PASS: 'secret', WEIR_SASL_MECHANISM: 'PLAIN' };
    const limited = { ...person, env: { ...env, WEIR_BROKERS: at().sasl } };
    const probe =
      type === 'TOPIC' ? `topic alter-config ${topic} --set retention.ms=1` : 'cluster config set x 1 --force';
    // Brokers learn of a rule one after the other, and those of the move are asked.
    for (const address of at().sasl.split(',')) {
      const there = { ...limited, env: { ...env, WEIR_BROKERS: address } };
      await expect.poll(async () => (await run(`${probe} --dry-run`, there)).exitCode, { interval: 20 }).toBe(4);
    }
    for (const flag of ['--undo-file undo-refused.json', '--dry-run']) {
      const line = `topic reassign execute - --throttle 1 ${flag} --yes`;
      const refused = await run(line, { ...limited, stdin: plan(other) });
      expect(refused).toMatchObject({ stdout: '', exitCode: 4 });
      expect(refused.stderr).toContain(`weir: unable to set the throttle, no replica was moved: ${message}`);
    }
    expect(existsSync(join(home, 'undo-refused.json'))).toBe(false);
    expect(await brokers()).toEqual([mine, other]);
    expect((await weir(`topic reassign list ${topic}`)).stderr).toBe('no reassignment is in progress\n');
    for (const broker of [mine, other]) for (const key of [sent, received]) await shows(broker, key, undefined);
    expect(readdirSync(join(home, '.local/state/weir/throttles'))).toEqual([]);
  });
}

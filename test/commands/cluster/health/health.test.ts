import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { healthText } from '../../../../src/commands/cluster/health-text.ts';
import { plainView } from '../../../../src/format/view.ts';
import { showHostPort } from '../../../../src/net/address.ts';
import { metadataAnswer } from '../../../services/scripted-answers.ts';
import { type ScriptedBroker, startScriptedBroker } from '../../../services/scripted-broker.ts';
import '../../../services/services.ts';
import { run } from '../../../world.ts';
import { adminWorld } from '../limited-world.ts';

const topic = `health-${process.pid}`;
function withoutController({ address }: ScriptedBroker): Buffer {
  return metadataAnswer({ brokers: [{ id: 1, ...address }], controller: -1 });
}

beforeAll(async () => {
  await run(`topic create ${topic} -p 2`, adminWorld());
});

afterAll(async () => {
  await run(`topic delete ${topic}`, adminWorld());
});

describe('cluster health', () => {
  it('prints names and values under a title, exit code 0', async () => {
    const { stdout, stderr, exitCode } = await run('cluster health', adminWorld());
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout.replace(/ +/g, ' ').replace(/checked: \d+/, 'checked: N')).toBe(
      [
        'CLUSTER HEALTH OVERVIEW',
        '=======================',
        'Healthy: true',
        'Unhealthy reasons: []',
        'Controller ID: 1',
        'All nodes: [1]',
        'Nodes down: []',
        'Partitions checked: N',
        'Offline partitions (0): []',
        'Leaderless partitions (0): []',
        'Under-replicated partitions (0): []',
        '',
      ].join('\n'),
    );
  });

  it('counts the partitions that it has checked', async () => {
    const { stdout } = await run('cluster health --format json', adminWorld());
    expect(JSON.parse(stdout).partition_count).toBeGreaterThanOrEqual(2);
  });

  it.each(['--until-healthy', '-e', '--exit-when-healthy', '-w -e'])('%s ends at a healthy state', async (flags) => {
    const { stdout, exitCode } = await run(`cluster health ${flags} --format json`, adminWorld());
    expect(JSON.parse(stdout)).toMatchObject({ is_healthy: true });
    expect(exitCode).toBe(0);
  });

  it('--watch prints the state and continues until interrupted', async () => {
    let stop = (): void => undefined;
    const { stdout, exitCode } = await run('cluster health --watch --format json', {
      ...adminWorld(),
      onStart: (kill) => {
        stop = () => kill('SIGINT');
      },
      onStdout: () => stop(),
    });
    expect(JSON.parse(stdout)).toMatchObject({ is_healthy: true });
    expect(exitCode).toBe(130);
  });

  it('exits with 10 when the cluster is unhealthy', async () => {
    await using broker = await startScriptedBroker({ Metadata: () => withoutController(broker) });
    const env = { WEIR_BROKERS: showHostPort(broker.address) };
    const { stdout, stderr, exitCode } = await run('cluster health --format json', { env });
    expect(JSON.parse(stdout)).toMatchObject({ unhealthy_reasons: ['no_elected_controller'], controller_id: null });
    expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 10 });
  });

  it('exits with 5 when no broker can be reached', async () => {
    const env = { WEIR_BROKERS: '127.0.0.1:1', WEIR_GLOBALS_RETRY_TIMEOUT: '0s' };
    for (const flags of ['', '--watch']) {
      const { stdout, exitCode } = await run(`cluster health ${flags}`, { env });
      expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
    }
  });

  it('--wait-timeout limits --until-healthy, also while no broker answers', async () => {
    const env = { WEIR_BROKERS: '127.0.0.1:1' };
    const { stdout, stderr, exitCode } = await run('cluster health -e --wait-timeout 1s --format json --quiet', {
      env,
    });
    expect({ stdout, exitCode }).toEqual({ stdout: '', exitCode: 5 });
    const { error } = JSON.parse(stderr);
    expect(error.code).toBe('WAIT_TIMEOUT');
    expect(error.message).toMatch(
      /^the cluster was not healthy within 1s \(--wait-timeout\): the last reading failed: /,
    );
    expect(await run('cluster health --watch --wait-timeout 1s', { env })).toMatchObject({
      stderr: expect.stringContaining('weir: --wait-timeout needs --until-healthy\n'),
      exitCode: 2,
    });
  });

  it('truncates long lists in text', () => {
    const names = Array.from({ length: 200 }, (_, at) => `t/${at}`);
    const text = healthText(
      {
        ...{ is_healthy: false, unhealthy_reasons: ['leaderless_partitions'], controller_id: null, all_nodes: [1] },
        ...{
          nodes_down: [],
          nodes_in_recovery_mode: null,
          high_disk_usage_nodes: null,
          partition_count: 200,
          offline_partitions: [],
          offline_count: 0,
        },
        ...{ leaderless_partitions: names, leaderless_count: 200 },
        ...{ under_replicated_partitions: [], under_replicated_count: 0 },
      },
      plainView,
    );
    expect(text).toMatch(/^Controller ID: +-$/m);
    expect(text).toMatch(/^Leaderless partitions \(200\): +\[t\/0 t\/1 .* t\/127 \.\.\.truncated\]$/m);
  });
});

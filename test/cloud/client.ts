import { type Cloud, openCloud } from '../../src/cloud/open.ts';
import type { CliError } from '../../src/errors.ts';
import type { HttpTrace } from '../../src/net/http.ts';
import type { RetryWorld } from '../../src/net/retry.ts';
import type { CloudOptions } from '../../src/sign-in/control-plane/options.ts';
import { admin, type Plane } from '../sandbox/cloud/plane.ts';
import { deadlineOf, type TestLimits } from '../services/scripted-client.ts';

/** A client of a simulator, and what it did. */
export interface TestCloud extends Disposable {
  readonly cloud: Cloud;
  readonly warnings: readonly string[];
  readonly requests: readonly HttpTrace[];
  /** How long the client would have slept each time, in milliseconds. */
  readonly sleeps: readonly number[];
  abort(reason: Error): void;
}

/** A client whose pauses take no real time; `onSleep` may advance the simulator's clock. */
export function cloudOf(
  plane: Pick<Plane, 'url'>,
  options: Partial<CloudOptions> = {},
  { limits = {}, onSleep }: { limits?: TestLimits; onSleep?: (ms: number) => Promise<void> } = {},
): TestCloud {
  const warnings: string[] = [];
  const requests: HttpTrace[] = [];
  const sleeps: number[] = [];
  let clock = 0;
  const world: RetryWorld = {
    now: () => clock,
    async sleep(ms, signal) {
      signal.throwIfAborted();
      sleeps.push(Math.round(ms));
      clock += ms;
      await onSleep?.(ms);
      signal.throwIfAborted();
    },
    random: () => 0.5,
  };
  const deadline = deadlineOf(limits);
  const { url } = plane;
  const cloud = openCloud(
    {
      insecureHttp: false,
      addresses: { apiUrl: url, authUrl: url, legacyUrl: url, audience: 'cloudv2-sandbox.example' },
      credentials: { token: undefined, clientId: admin.clientId, clientSecret: admin.clientSecret },
      deviceClientId: undefined,
      stateDirectory: undefined,
      uid: undefined,
      proxy: { option: '', env: {} },
      userAgent: 'weir-test',
      deadline,
      warn: (line) => void warnings.push(line),
      trace: (event) => void requests.push(event),
      ...options,
    },
    world,
  );
  return {
    cloud,
    warnings,
    requests,
    sleeps,
    abort: deadline.abort,
    [Symbol.dispose]() {
      cloud.close();
      deadline.dispose();
    },
  };
}

/** The error of work that must fail. */
export async function failure(work: Promise<unknown>): Promise<CliError> {
  return await work.then(
    () => {
      throw new Error('it did not fail');
    },
    (error: CliError) => error,
  );
}

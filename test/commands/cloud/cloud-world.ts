import { afterAll, beforeAll, beforeEach } from 'vitest';
import { admin, type Plane, type PlaneOptions, startPlane } from '../../sandbox/cloud/plane.ts';
import { type Outcome, run, temporaryDirectory, type World } from '../../world.ts';

/** A control plane, and the command line that uses it. */
export interface CloudWorld {
  readonly plane: Plane;
  /** A new home directory for each test, without a login. */
  readonly home: string;
  /** The environment of a pipeline: where the control plane is, and the admin's credentials. */
  env(more?: Readonly<Record<string, string>>): Readonly<Record<string, string>>;
  /** `weir cloud LINE`, with the admin's credentials. */
  cloud(line: string | readonly string[], world?: World): Promise<Outcome>;
  /** The same with `--format json`, which must succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: a test reads output as a script would, without our types
  json(line: string | readonly string[], world?: World): Promise<any>;
}

/** Starts a control plane for a test file, with `options`, and resets it before each test. */
export function cloudWorld(options: PlaneOptions = {}): CloudWorld {
  let plane: Plane | undefined;
  let home = '';
  const started = (): Plane => {
    if (plane === undefined) throw new Error('the control plane has not started');
    return plane;
  };
  beforeAll(async () => {
    plane = await startPlane(options);
  });
  beforeEach(async () => {
    await started().reset();
    home = temporaryDirectory();
  });
  afterAll(() => started().stop());

  const env = (more = {}) => ({
    WEIR_CLOUD_API_URL: started().url,
    WEIR_CLOUD_AUTH_URL: started().url,
    WEIR_CLOUD_LEGACY_URL: started().url,
    WEIR_CLOUD_AUDIENCE: 'cloudv2-sandbox.example',
    WEIR_CLOUD_CLIENT_ID: admin.clientId,
    WEIR_CLOUD_CLIENT_SECRET: admin.clientSecret,
    ...more,
  });
  const words = (line: string | readonly string[]) => (typeof line === 'string' ? `cloud ${line}` : ['cloud', ...line]);
  return {
    get plane() {
      return started();
    },
    get home() {
      return home;
    },
    env,
    cloud: (line, world = {}) => run(words(line), { home, ...world, env: { ...env(), ...world.env } }),
    async json(line, world = {}) {
      const all = typeof line === 'string' ? `cloud ${line} --format json` : ['cloud', ...line, '--format', 'json'];
      const outcome = await run(all, { home, ...world, env: { ...env(), ...world.env } });
      if (outcome.exitCode !== 0) throw new Error(`exit ${outcome.exitCode}: ${outcome.stderr}`);
      return JSON.parse(outcome.stdout);
    },
  };
}

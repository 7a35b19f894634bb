import { type Outcome, temporaryDirectory, type World } from '../../world.ts';
import { type AdminWorld, adminWorld } from '../cluster/admin-world.ts';

/** The id of a job. */
export const job = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

/** A simulator of three brokers, and an empty directory. */
export interface BundleWorld extends AdminWorld {
  readonly cwd: string;
  /** `weir debug remote-bundle LINE` in that directory. */
  bundle(line: string, world?: World): Promise<Outcome>;
}

/** Starts one, until the test ends. A bundle takes ten seconds of its virtual clock, each request 0.4 s. */
export async function bundleWorld(parts: Parameters<typeof adminWorld>[0] = {}): Promise<BundleWorld> {
  const world = await adminWorld({
    cluster: { brokers: [1, 2, 3].map((id) => ({ id, rack: null, alive: true })), topics: [] },
    ...parts,
  });
  const cwd = temporaryDirectory();
  const bundle: BundleWorld['bundle'] = (line, more) =>
    world.weir(`debug remote-bundle ${line}`, { cwd, now: Date.UTC(2030, 0, 2), ...more });
  return { ...world, cwd, bundle };
}

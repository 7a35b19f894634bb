import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Outcome, temporaryDirectory, type World } from '../../../world.ts';
import type { AdminWorld } from '../admin-world.ts';

/** The route that changes the configuration. */
export const put = 'PUT /v1/cluster_config';

/** A world with a file `cluster.yaml` in its working directory. */
export function withFile(text: string, more: World = {}): World & { readonly cwd: string } {
  const cwd = temporaryDirectory();
  writeFileSync(join(cwd, 'cluster.yaml'), text);
  return { ...more, cwd };
}

/** Imports a text. */
export function imported(world: AdminWorld, text: string, flags = '', more: World = {}): Promise<Outcome> {
  return world.cluster(`config import --file cluster.yaml ${flags}`, withFile(text, more));
}

/** The properties that are set. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads responses like a foreign client, without our types
export function setIn(world: AdminWorld): Promise<any> {
  return world.ok('GET /v1/cluster_config?include_defaults=false');
}

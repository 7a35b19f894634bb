import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storePlugin } from '../../../src/byoc/plugin/store.ts';
import { temporaryDirectory } from '../../world.ts';

/** A plugin, and its checksum. */
export const content = '#!/bin/sh\necho plugin\n';
export const sha256 = createHash('sha256').update(content).digest('hex');

/** A store that does not exist yet. */
export interface PluginStore {
  readonly directory: string;
  /** Where version 1.0 of the plugin is stored. */
  readonly path: string;
  /** Stores a plugin at that path. */
  put(text?: string): Promise<void>;
}

/** Names a store in a new directory. */
export function newStore(): PluginStore {
  const directory = join(temporaryDirectory(), 'weir/byoc');
  const path = join(directory, '1.0', `byoc-linux-amd64.${sha256.slice(0, 32)}`);
  const put = (text = content) =>
    storePlugin(path, async (file) => {
      writeFileSync(file, text);
      return createHash('sha256').update(text).digest('hex');
    });
  return { directory, path, put };
}

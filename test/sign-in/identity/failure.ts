import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { temporaryDirectory } from '../../world.ts';
import type { identityOn } from './cloud.ts';

/** A home directory with files. */
export function homeWith(files: Readonly<Record<string, string>>): string {
  const home = temporaryDirectory();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text, { mode: 0o600 });
  }
  return home;
}

/** The error of an identity that cannot be used, with its hints; it must have no secret. */
export async function failure(identity: ReturnType<typeof identityOn>): Promise<string> {
  const error: unknown = await identity.get().then(
    () => new Error('it has credentials'),
    (reason: unknown) => reason,
  );
  const { message, hints = [] } = error as Error & { readonly hints?: readonly string[] };
  const text = [message, ...hints].join('\n').replaceAll(identity.home, '~');
  expect(text).not.toMatch(/canary/);
  return text;
}

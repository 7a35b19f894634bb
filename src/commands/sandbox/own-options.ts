import type { Context } from '../../context.ts';
import { findSandbox } from '../../sandbox/sandbox.ts';
import { locationOf } from './location.ts';

/** The options that a sandbox of this machine was made with, by key, as its own state has them; undefined without one. */
export async function ownOptions(
  context: Context,
  name: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  return (await findSandbox(locationOf(context, name)).catch(() => undefined))?.options;
}
